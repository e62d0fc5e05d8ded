"""Subset sums: log W for all sets of known attributes, at every level, both ways."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from types import SimpleNamespace

import numpy as np
import pytest
from internals.sums import by_terms
from numpy.testing import assert_allclose
from reference import log_sum


def random_question(seed, n_literals=7, n_attributes=4, m=12, n_values=3):
    """A row, owners of its literals, updates, and the exponents of three classes."""
    random = np.random.RandomState(seed)
    owners = np.concatenate(
        [np.arange(n_attributes), random.randint(0, n_attributes, n_literals)]
    )[:n_literals]
    row = random.randint(1, n_values + 1, n_literals).astype(np.int32)
    examples = random.randint(0, n_values + 1, (m, n_literals)).astype(np.int32)
    net_counts = random.randint(-4, 5, (3, m))
    return row, random.permutation(owners), examples, net_counts


def weighting_of(alpha, literal_weight, max_term_size=None):
    """What sums depend on, apart from the examples."""
    return SimpleNamespace(
        log_alpha=np.log(alpha),
        log_beta=np.log(literal_weight),
        max_term_size=max_term_size,
        allowed=None,
    )


def by_definition(
    codes, owners, examples, net_counts, alpha, literal_weight, max_term_size
):
    """log W of each set of attributes, over all subsets of their literals."""
    n = owners.max(initial=-1) + 1
    agreements = examples == codes
    found = np.empty((len(net_counts), 1 << n))
    for S in range(1 << n):
        known = (S >> owners & 1).astype(bool)
        for k, of_class in enumerate(net_counts):
            found[k, S] = log_sum(
                agreements[:, known], of_class, alpha, literal_weight, max_term_size
            )
    return found


@pytest.mark.parametrize("max_term_size", [None, 0, 1, 2, 3])
@pytest.mark.parametrize(
    "alpha, literal_weight", [(1.5, 1.0), (1.01, 0.2), (30.0, 4.0)]
)
def test_sums_are_those_of_the_definition(max_term_size, alpha, literal_weight):
    for seed in range(3):
        row, owners, examples, net_counts = random_question(seed)
        expected = by_definition(
            codes=row,
            owners=owners,
            examples=examples,
            net_counts=net_counts,
            alpha=alpha,
            literal_weight=literal_weight,
            max_term_size=max_term_size,
        )
        found = by_terms(
            weighting_of(alpha, literal_weight, max_term_size),
            codes=row,
            owners=owners,
            examples=examples,
            net_counts=net_counts,
        )
        assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("factor", [100, 2**20, 2**40, 2**54])
def test_extreme_exponents(factor):
    """Sums far apart: the smallest keep all their digits beside the largest."""
    for seed in range(3):
        row, owners, examples, net_counts = random_question(seed)
        options = {"codes": row, "owners": owners, "examples": examples}
        options |= {"net_counts": net_counts * factor}
        expected = by_definition(
            alpha=1.5, literal_weight=0.5, max_term_size=None, **options
        )
        found = by_terms(weighting_of(1.5, 0.5), **options)
        assert np.ptp(expected) > 600 or factor == 100
        assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
