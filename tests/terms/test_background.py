"""Background: a sample of rows that depends on their weights only."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.terms import MOST_ROWS, Background
from numpy.testing import assert_allclose, assert_array_equal


def some_rows(n_rows, n_values=4, n_features=6, seed=0):
    random = np.random.RandomState(seed)
    return random.randint(0, n_values, (n_rows, n_features)).astype(np.int32)


def of_rows(codes, weights=None):
    """The background of rows in one batch."""
    weights = np.ones(len(codes)) if weights is None else weights
    return Background.empty(codes.shape[1]).with_rows(codes, weights)


def assert_same(found, expected):
    assert_array_equal(found.codes, expected.codes)
    assert_allclose(found.weights, expected.weights, rtol=1e-12)


def test_few_rows_are_all_kept():
    codes = some_rows(300, n_values=2, n_features=4)
    found = of_rows(codes)
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    assert_array_equal(found.codes, rows)
    assert_array_equal(found.weights, counts)
    assert found.codes.dtype == np.int32


@pytest.mark.parametrize("n_rows", [200, 3000])
def test_weights_are_repetitions_in_any_order(n_rows):
    codes, random = some_rows(n_rows), np.random.RandomState(1)
    weights = random.randint(1, 5, n_rows)
    found = of_rows(codes, weights.astype(float))
    assert_same(found, of_rows(np.repeat(codes, weights, axis=0)))
    order = random.permutation(n_rows)
    again = of_rows(codes[order], weights[order].astype(float))
    assert_array_equal(again.codes, found.codes)
    assert_array_equal(again.weights, found.weights)
    assert_allclose(found.weights.sum(), weights.sum())
    assert len(found.codes) <= MOST_ROWS
    # Weights count, and thinned rows are some of the rows.
    assert (of_rows(codes).weights.sum() != found.weights.sum()) and (
        {*map(tuple, found.codes)} <= {*map(tuple, codes)}
    )


def test_thinned_rows_represent_all():
    """Means differ by less than those of random samples; so do rare values."""
    ratios = []
    for seed in range(20):
        codes = some_rows(4000, seed=seed)
        found = of_rows(codes)
        means = np.average(found.codes, axis=0, weights=found.weights)
        error = codes.std(axis=0) / np.sqrt(MOST_ROWS)
        ratios.append((means - codes.mean(axis=0)) / error)
    # The first column is sorted, and the last one nearly random.
    sizes = np.sqrt(np.mean(np.square(ratios), axis=0))
    assert sizes[0] < 0.1 and sizes[1] < 0.3
    assert (sizes < 1.5).all() and abs(np.mean(ratios)) < 5 / np.sqrt(20 * 6)
