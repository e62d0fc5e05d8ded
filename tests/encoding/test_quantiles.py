"""Quantiles: groups of neighbouring values of about equal weight."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.encoding import quantile_starts


@pytest.mark.parametrize("n_groups", [1, 2, 32, 255])
def test_groups_have_about_equal_weights(n_groups):
    weights = np.random.default_rng(0).integers(0, 5, 1000).astype(float)
    starts = quantile_starts(weights, n_groups)
    assert starts[0] == 0 and (np.diff(starts) > 0).all()
    assert len(starts) == n_groups
    totals = np.add.reduceat(weights, starts)
    assert abs(totals - weights.sum() / n_groups).max() <= weights.max()


@pytest.mark.parametrize("place", [0, 70, 199])
def test_a_heavy_value_leaves_the_others_their_groups(place):
    # As the zeros of a column of counts. Without refinement, the others would be in 7
    # groups, as they have a fifth of the weight.
    weights = np.ones(200)
    weights[place] = 800.0
    starts = quantile_starts(weights, 32)
    assert 28 <= len(starts) <= 32
    sizes = np.diff(np.append(starts, 200))
    # But for the value itself, and those at its sides.
    assert np.ptp(np.sort(sizes)[3:]) <= 1


def test_the_middle_of_a_value_says_in_which_group_it_is():
    np.testing.assert_array_equal(quantile_starts(np.array([1.0, 2.0, 1.0]), 2), [0, 1])


def test_values_that_are_all_alone():
    np.testing.assert_array_equal(quantile_starts(np.ones(6), 6), np.arange(6))
    np.testing.assert_array_equal(quantile_starts(np.array([3.0, 1e-300]), 1), [0])


def test_copies_are_weights():
    weights = np.random.default_rng(1).integers(1, 9, 500)
    for factor in (3, 7):
        for n_groups in (8, 100):
            np.testing.assert_array_equal(
                quantile_starts(weights, n_groups),
                quantile_starts(factor * weights, n_groups),
            )


def test_no_weight_at_all():
    assert quantile_starts(np.zeros(300), 32)[0] == 0
