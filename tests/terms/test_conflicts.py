"""Conflicts: pairs of columns by their definition, and memory in proportion."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import tracemalloc
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from internals.terms import Conditions, Conflicts
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow import DNFWinnowClassifier


def peak_of(call):
    """Return the peak of the memory that a call allocates, in bytes."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_conflicts_of_columns_are_those_of_their_attributes():
    random = np.random.RandomState(0)
    for n_attributes in (1, 2, 5, 12) * 5:
        meet = np.triu(random.rand(n_attributes, n_attributes) < random.rand(), 1)
        owners = random.randint(n_attributes, size=3 * n_attributes)
        conflicts = Conflicts.of(owners, np.argwhere(meet))
        expected = (meet | meet.T)[np.ix_(owners, owners)]
        found = [conflicts.with_column(column) for column in range(len(owners))]
        assert_array_equal(found, expected)
        assert bool(conflicts) == meet.any()
        some = np.flatnonzero(random.rand(len(owners)) < 0.5)
        degrees = expected[np.ix_(some, some)].sum(axis=1)
        assert_array_equal(conflicts.degrees(some), degrees)


@pytest.fixture(scope="module")
def peak_with():
    """Return the peak of `fit` with 3,100 columns, as a function of `forbidden`."""
    X = np.random.RandomState(0).randint(30, size=(40, 100)).astype(str).astype(object)
    clf = DNFWinnowClassifier(
        literals="ordered", cv=None, max_term_size=1, max_iter=1, random_state=0
    )
    clf.fit(X, np.arange(40) % 2)  # caches of all calls
    return lambda forbidden: peak_of(
        lambda: clf.set_params(forbidden=forbidden).fit(X, np.arange(40) % 2)
    )


@pytest.mark.slow
def test_memory_is_in_proportion_to_columns_and_pairs(peak_with):
    """A byte of each pair of 3,100 columns would take 9.6 MB."""
    plain = peak_with(None)
    for forbidden in ([0], [(0, 1)], [(0, j) for j in range(1, 100)]):
        assert peak_with(forbidden) < plain + 2e6


def test_memory_is_in_proportion_to_codes():
    """A column of many values does not widen all others."""
    widths = [50_000] + [3] * 5_000
    allowed = [np.ones((2, width), dtype=bool) for width in widths]
    conditions = Conditions(allowed, Conflicts.of(range(len(widths))))
    rows = np.ones((1, len(widths)), dtype=np.int32)
    rows[0, 0] = 49_999
    allowed[0][1, 49_999] = allowed[4][1, 1] = False
    peak = peak_of(lambda: conditions.masked(rows, 1))
    assert peak < 1e6
    assert_array_equal(np.flatnonzero(conditions.masked(rows, 1) == 0), [0, 4])


@pytest.mark.parametrize("most", [0, 1, 2, 4, 9])
@pytest.mark.parametrize("seed", range(6))
def test_numbers_of_terms_are_those_of_an_enumeration(seed, most):
    random = np.random.RandomState(seed)
    owners = np.sort(random.randint(0, 6, 9))
    pairs = np.argwhere(np.triu(random.rand(6, 6) < [0.2, 0.5][seed % 2], 1))
    conflicts = Conflicts.of(owners, pairs)
    specified = random.rand(9) < 0.8
    free, *rest = [
        int(specified[of_part].sum()) for of_part in conflicts.columns_by_part()
    ]
    expected = [0] * (most + 1)
    for size in range(most + 1):
        for columns in combinations(np.flatnonzero(specified), size):
            together = {
                tuple(sorted(p)) for p in product(owners[list(columns)], repeat=2)
            }
            expected[size] += not together & {tuple(p) for p in pairs.tolist()}
    found = conflicts.n_terms(free, rest, most)
    assert found + [0] * (most + 1 - len(found)) == expected


def test_terms_of_many_regular_pairs_are_counted():
    n = 300
    every = Conflicts.of(range(n), np.argwhere(np.triu(np.ones((n, n)), 1)))
    assert every.n_terms(5, [2] * n, 1) == [1, 5 + 2 * n]
    # Two literals of the same attribute are one term.
    assert every.n_terms(0, [2] * n, 2) == [1, 2 * n, n]
    halves = Conflicts.of(range(n), list(product(range(150), range(150, n))))
    assert halves.n_terms(0, [1] * n, 3) == [1, n, 2 * comb(150, 2), 2 * comb(150, 3)]
    couples = Conflicts.of(range(n), [(i, i + 1) for i in range(0, n, 2)])
    assert couples.n_terms(0, [1] * n, 3) == [1, n, 4 * comb(150, 2), 8 * comb(150, 3)]
    assert couples.has_few_sets(most=8)


def test_terms_of_too_many_irregular_pairs_are_not_counted():
    random = np.random.RandomState(0)
    pairs = np.argwhere(np.triu(random.rand(200, 200) < 0.05, 1))
    conflicts = Conflicts.of(range(200), pairs)
    assert not conflicts.has_few_sets(most=8)
    with pytest.raises(ValueError, match="forbidden"):
        conflicts.n_terms(0, [1] * len(conflicts.attributes), 8)
