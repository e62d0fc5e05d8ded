"""Groups of interactions: every term once, with exactly the rows that satisfy it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
from math import comb

import numpy as np
import pytest
from internals.terms import (
    all_interactions,
    nested_interactions,
)
from numpy.testing import assert_array_equal
from reference import interrupt_after, random_rows

BUILDERS = [all_interactions, nested_interactions]
# Rows, with unspecified codes among them: columns, codes of each, rows.
SHAPES = [(1, 1, 1), (1, 3, 2), (2, 2, 3), (3, 1, 4), (3, 2, 6), (4, 3, 40), (6, 2, 9)]


def table(n_columns, n_codes, n_rows, seed):
    """Distinct rows in lexicographic order, many of them alike."""
    random = np.random.RandomState(seed)
    rows = random.randint(0, n_codes + 1, (n_rows, n_columns))
    rows[random.uniform(size=rows.shape) < 0.3] = 1
    return np.unique(rows.astype(np.int32), axis=0)


def terms_of(build, row, max_order):
    """All terms that a row satisfies, each a tuple of (column, code)."""
    if build is nested_interactions:
        unspecified = np.flatnonzero(row == 0)
        first = unspecified[-1] + 1 if len(unspecified) else 0
        columns = [
            tuple(range(len(row) - t, len(row)))
            for t in range(min(len(row) - first, max_order) + 1)
        ]
    else:
        columns = [
            chosen
            for order in range(max_order + 1)
            for chosen in itertools.combinations(np.flatnonzero(row), order)
        ]
    return [tuple((int(j), int(row[j])) for j in chosen) for chosen in columns]


def terms_by_extent(build, rows, max_order):
    """From extents, sets of rows, to their terms."""
    extents = {}
    for i, row in enumerate(rows):
        for term in terms_of(build, row, max_order):
            extents.setdefault(term, set()).add(i)
    terms = {}
    for term, extent in extents.items():
        terms.setdefault(frozenset(extent), []).append(term)
    return terms


def members(groups, g):
    return groups.members[groups.starts[g] : groups.starts[g + 1]]


def by_order(terms, max_order):
    return np.bincount([len(term) for term in terms], minlength=max_order + 1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("build", BUILDERS)
def test_groups_are_extents_of_all_terms(build, shape, seed):
    rows = table(*shape, seed)
    for max_order in range(rows.shape[1] + 2):
        groups = build(rows, max_order)
        expected = terms_by_extent(build, rows, max_order)
        assert groups.n_groups == len(expected)
        assert groups.n_terms == sum(map(len, expected.values()))
        assert groups.counts.shape == (len(expected), max_order + 1)
        found = set()
        for g in range(groups.n_groups):
            rows_of_group = members(groups, g)
            assert (np.diff(rows_of_group) > 0).all()
            extent = frozenset(rows_of_group.tolist())
            found.add(extent)
            terms = expected[extent]
            assert_array_equal(groups.counts[g], by_order(terms, max_order))
            generator = groups.generator(g)
            assert generator in terms
            assert len(generator) == min(map(len, terms))
        assert len(found) == groups.n_groups
        assert groups.generator(0) == ()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("build", BUILDERS)
def test_closed_patterns_are_the_longest_terms(build, seed):
    rows = table(4, 2, 10, seed)
    groups = build(rows, 4)
    expected = terms_by_extent(build, rows, 4)
    for g in range(groups.n_groups):
        terms = expected[frozenset(members(groups, g).tolist())]
        assert groups.closed_pattern(g) == max(terms, key=len)


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("build", BUILDERS)
def test_new_rows_are_looked_up(build, shape, seed):
    n_columns, n_codes, _ = shape
    rows = table(*shape, seed)
    # All rows there are, and one code that no training row has.
    every = np.array(list(itertools.product(range(n_codes + 2), repeat=n_columns)))
    every = np.random.RandomState(seed).permutation(every)[:200]
    for max_order in range(n_columns + 2):
        groups = build(rows, max_order)
        group_of = {
            term: frozenset(extent)
            for extent, terms in terms_by_extent(build, rows, max_order).items()
            for term in terms
        }
        matches = groups.look_up(every)
        for i, row in enumerate(every):
            expected, unmatched = {}, []
            for term in terms_of(build, row, max_order):
                if term in group_of:
                    expected.setdefault(group_of[term], []).append(term)
                else:
                    unmatched.append(term)
            part = slice(matches.starts[i], matches.starts[i + 1])
            found = matches.groups[part]
            assert (np.diff(found) > 0).all()
            extents = [frozenset(members(groups, g).tolist()) for g in found]
            assert set(extents) == set(expected)
            for extent, counts in zip(extents, matches.counts[part], strict=True):
                assert_array_equal(counts, by_order(expected[extent], max_order))
            assert_array_equal(matches.unmatched[i], by_order(unmatched, max_order))


def test_counts_are_exact():
    rows = np.ones((2, 56), dtype=np.int32)
    rows[1, 55] = 2
    groups = all_interactions(rows, 56)
    expected = {
        (0, 1): [comb(55, order) for order in range(57)],
        (0,): [0, *(comb(55, order) for order in range(56))],
        (1,): [0, *(comb(55, order) for order in range(56))],
    }
    assert groups.n_groups == 3
    for g in range(3):
        assert_array_equal(groups.counts[g], expected[tuple(members(groups, g))])
    assert groups.n_terms == 2**55 + 2 * 2**55
    wide = np.ones((1, 57), dtype=np.int32)
    assert all_interactions(wide, 20).counts[0, 20] == comb(57, 20)


def test_ctrl_c_ends_the_search():
    # The search for so many groups takes a second; the interrupt comes soon.
    rows = np.unique(random_rows(40, 2, 400), axis=0)
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.05):
        all_interactions(rows, 20, max_groups=10**6)
