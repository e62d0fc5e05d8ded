"""Chosen terms: lists, sums over all terms, and rows that move single terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations, pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest
from allowed_checks import may_have, random_allowed
from internals.terms import ChosenTerms

N_VALUES = np.array([2, 3, 1, 2])


def all_terms(n_values=N_VALUES):
    """Return all terms over some columns."""
    return [
        tuple(zip(columns, codes))
        for size in range(len(n_values) + 1)
        for columns in combinations(range(len(n_values)), size)
        for codes in product(*(range(1, n_values[j] + 1) for j in columns))
    ]


def all_rows(n_values=N_VALUES):
    """Return all rows of codes, also with missing values."""
    return np.array(list(product(*(range(n + 1) for n in n_values))), dtype=np.int32)


def holds(term, row):
    return all(row[column] == code for column, code in term)


def some_terms(seed, n=12):
    rng = np.random.default_rng(seed)
    every = all_terms()
    chosen = rng.choice(len(every), n, replace=False)
    return ChosenTerms([every[i] for i in chosen], N_VALUES)


@pytest.mark.parametrize("seed", range(5))
def test_lists_are_those_of_a_search_through_all_terms(seed):
    chosen, rows = some_terms(seed), all_rows()
    starts, listed = chosen.satisfied(rows)
    for row, of_row in zip(rows, starts):
        for size, (first, last) in enumerate(pairwise(of_row)):
            found = [chosen.terms[i] for i in listed[first:last]]
            expected = [t for t in chosen.terms if len(t) == size and holds(t, row)]
            assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("max_term_size", [None, 1, 2, 3, 4])
@pytest.mark.parametrize("log_beta", [0.0, -2.0, 0.7])
@pytest.mark.parametrize("seed", range(4))
def test_the_rest_is_the_initial_weight_of_other_terms_that_are_allowed(
    seed, log_beta, max_term_size
):
    literals = random_allowed(np.random.RandomState(seed), N_VALUES) if seed else None
    cap = max_term_size or 4
    short = [t for t in some_terms(seed).terms if len(t) <= cap]
    chosen, rows = ChosenTerms(short, N_VALUES), all_rows()
    for k in range(3):
        weighting = SimpleNamespace(log_beta=log_beta, max_term_size=max_term_size)
        logs = chosen.log_rest(weighting, rows, chosen.satisfied(rows), literals, k)
        if seed:
            allowed = [may_have(literals, k, term) for term in chosen.terms]
            np.testing.assert_array_equal(chosen.allowed(literals, k), allowed)
        others = [
            t
            for t in all_terms()
            if t not in chosen.terms and len(t) <= cap and may_have(literals, k, t)
        ]
        for row, found in zip(rows, logs):
            expected = sum(np.exp(log_beta * len(t)) for t in others if holds(t, row))
            np.testing.assert_allclose(np.exp(found), expected, rtol=1e-12)


def test_nothing_remains_if_all_terms_are_chosen():
    chosen, rows = ChosenTerms(all_terms(), N_VALUES), all_rows()
    weighting = SimpleNamespace(log_beta=0.3, max_term_size=None)
    rest = chosen.log_rest(weighting, rows, chosen.satisfied(rows))
    assert (rest == -np.inf).all()


@pytest.mark.parametrize("seed", range(5))
def test_rows_move_single_terms(seed):
    chosen = some_terms(seed, n=8)
    every = chosen.with_parts
    assert {part for t in chosen.terms for part in _parts(t)} == set(every.terms)
    rng = np.random.default_rng(seed)
    of_terms = np.zeros((2, len(every.terms)), dtype=np.int64)
    places = every.places_of(chosen.terms)
    of_terms[:, places] = rng.integers(-50, 50, (2, len(places)))
    net_counts = every.net_counts_of_rows(of_terms)
    for term in all_terms():
        total = np.zeros(2, dtype=np.int64)
        for row, of_row in zip(every.rows, net_counts.T):
            if holds(term, row):
                total += of_row
        expected = np.zeros(2)
        if term in every.terms:
            expected = of_terms[:, every.terms.index(term)]
        np.testing.assert_array_equal(total, expected)


def _parts(term):
    return [part for n in range(len(term) + 1) for part in combinations(term, n)]
