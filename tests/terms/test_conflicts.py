"""Conflicts: pairs of columns by their definition, and memory in proportion."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import tracemalloc

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
        literals="both", cv=None, max_term_size=1, max_iter=1, random_state=0
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
