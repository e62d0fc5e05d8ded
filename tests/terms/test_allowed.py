"""Allowed literals: terms, tables and searches against the list of all terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools

import numpy as np
import pytest
from allowed_checks import all_allowed_terms, log_sums_of, may_have, random_allowed
from internals.terms import (
    GaveUp,
    TermSearch,
    TooManyTerms,
    list_terms,
    number_terms,
    term_index,
)
from internals.winnow import TermTable
from numpy.testing import assert_allclose, assert_array_equal

KINDS = {"lists": list_terms, "numbers": number_terms}
LOG_ALPHA = 0.4


def a_model(random, most_columns=6):
    """Rows, the first of which are updates, exponents by class, and a mask."""
    n = random.randint(1, most_columns + 1)
    n_values = random.randint(1, 4, n)
    rows = random.randint(0, n_values + 1, (random.randint(1, 25), n)).astype(np.int32)
    rows = random.permutation(np.unique(rows, axis=0))
    net_counts = random.randint(-4, 5, (3, random.randint(0, len(rows) + 1)))
    share = random.choice([0.0, 0.3, 0.6])
    return rows, n_values, net_counts, random_allowed(random, n_values, share=share)


def table_sums(index, net_counts, allowed, log_alpha=LOG_ALPHA):
    """log W of all rows of an index in all classes."""
    tables = [
        TermTable(index, log_alpha, own, allowed=allowed, k=k)
        for k, own in enumerate(net_counts)
    ]
    return np.column_stack([t.log_sums(np.arange(len(index.rows))) for t in tables])


# -- terms of an index -----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_terms_of_lists_are_allowed_if_their_literals_are(seed):
    random = np.random.RandomState(seed)
    for _ in range(10):
        rows, n_values, _, allowed = a_model(random)
        size = [None, 1, 2, 3][random.randint(4)]
        lists = list_terms(rows, n_values, size, -0.5)
        for k in range(3):
            of_terms = allowed.of_terms(lists, k)
            for codes, starts in zip(rows, lists.starts):
                specified = np.flatnonzero(codes).tolist()
                listed = [
                    tuple((j, int(codes[j])) for j in columns)
                    for length in range(len(starts) - 1)
                    for columns in itertools.combinations(specified, length)
                ]
                numbers = lists.terms[starts[0] : starts[-1]]
                assert of_terms[numbers].tolist() == [
                    may_have(allowed, k, literals) for literals in listed
                ]


@pytest.mark.parametrize("seed", range(4))
def test_numbered_terms_are_allowed_if_their_literals_are(seed):
    """Depth first: by column and code, a term before those that it begins."""
    random = np.random.RandomState(seed)
    for _ in range(10):
        rows, n_values, _, allowed = a_model(random, most_columns=5)
        size = [None, 1, 2, 3][random.randint(4)]
        numbers = number_terms(rows, n_values, size, -0.5)
        cap = len(numbers.n_longer) - 1
        every = sorted(
            tuple((j, code) for j, code in enumerate(codes) if code)
            for codes in itertools.product(*(range(n + 1) for n in n_values))
            if np.count_nonzero(codes) <= cap
        )
        for k in range(3):
            expected = [may_have(allowed, k, term) for term in every]
            assert allowed.of_terms(numbers, k).tolist() == expected


@pytest.mark.parametrize("seed", range(8))
def test_tables_sum_over_allowed_terms(seed):
    """Both kinds, to the last bit alike, for each cap; and the mask matters."""
    random = np.random.RandomState(seed)
    apart = 0.0
    for _ in range(10):
        rows, n_values, net_counts, allowed = a_model(random)
        size = [None, 1, 2, 3][random.randint(4)]
        log_beta = random.choice([-1.0, 0.0, 0.3])
        question = rows[: net_counts.shape[1]], net_counts, LOG_ALPHA, log_beta
        expected = log_sums_of(rows, *question, allowed, size)
        plain = log_sums_of(rows, *question, None, size)
        apart = max(apart, np.abs(plain - expected).max())
        found = [
            table_sums(make(rows, n_values, size, log_beta), net_counts, allowed)
            for make in KINDS.values()
        ]
        assert_allclose(found[0], expected, rtol=1e-12, atol=1e-12)
        assert_array_equal(found[0], found[1])
    assert apart > 0.1


@pytest.mark.parametrize("make", KINDS.values())
@pytest.mark.parametrize("scale", [40, 3000, 2**40])
def test_tables_of_large_exponents(make, scale):
    """Sums beyond a double, and exponents without a table of powers."""
    random = np.random.RandomState(scale % 1000)
    for _ in range(4):
        rows, n_values, net_counts, allowed = a_model(random)
        question = rows[: net_counts.shape[1]], net_counts * scale, LOG_ALPHA, -1.0
        expected = log_sums_of(rows, *question, allowed, None)
        found = table_sums(
            make(rows, n_values, None, -1.0), net_counts * scale, allowed
        )
        assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_terms_are_not_grouped():
    """An index for a mask lists single terms, or there is none."""
    random = np.random.RandomState(0)
    rows = random.randint(1, 10, (40, 40)).astype(np.int32)
    n_values = np.full(40, 9)
    groups = term_index(rows, n_values, None, 0.0)
    assert groups.kind == "groups"
    with pytest.raises(ValueError, match="A group of terms has no literals"):
        random_allowed(random, n_values).of_terms(groups, 0)
    with pytest.raises(TooManyTerms, match=r"max_term_size=None needs .* allowed\. "):
        term_index(rows, n_values, None, 0.0, may_group=False)
    assert term_index(rows[:, :14], n_values[:14], None, 0.0).kind == "groups"
    few = term_index(rows[:, :14], n_values[:14], None, 0.0, may_group=False)
    assert few.kind == "lists"


# -- the heaviest ----------------------------------------------------------------------


def a_search(random):
    """What a search is about, with allowed literals."""
    rows, n_values, net_counts, allowed = a_model(random, most_columns=5)
    examples = rows[: net_counts.shape[1]]
    row = random.randint(0, n_values + 1).astype(np.int32)
    return {
        "examples": examples,
        "net_counts": net_counts[0],
        "log_alpha": float(random.choice([0.1, 0.5])),
        "log_beta": float(random.choice([0.0, -0.3, -1.4, 0.2])),
        "max_term_size": [None, 1, 2, 3][random.randint(4)],
        "row": row if random.rand() < 0.5 else None,
        "allowed": allowed,
        "k": int(random.randint(3)),
    }


@pytest.mark.parametrize("seed", range(8))
def test_terms_are_the_heaviest_that_are_allowed(seed):
    """In their order."""
    random = np.random.RandomState(seed)
    n_found = 0
    for _ in range(40):
        search = a_search(random)
        terms = all_allowed_terms(**search)
        top = int(random.choice([1, 3, 10, 10**12]))
        found, expected = TermSearch(**search).heaviest(top), terms[:top]
        n_found += len(found)
        assert [(t.literals, t.net_count) for t in found] == [t[2:] for t in expected]
        assert [-t.log_weight for t in found] == [t[0] for t in expected]
    assert n_found > 40


def test_a_search_that_gives_up_tells_of_allowed_terms():
    random = np.random.RandomState(0)
    allowed = random_allowed(random, np.full(40, 2), n_classes=1, share=0.1)
    search = TermSearch(
        examples=random.randint(1, 3, (200, 40)).astype(np.int32),
        net_counts=random.randint(-9, 10, 200),
        log_alpha=0.1,
        log_beta=0.0,
        allowed=allowed,
    )
    with pytest.raises(GaveUp) as caught:
        search.heaviest(50, most_work=100_000)
    assert caught.value.found
    for term in caught.value.found:
        assert may_have(allowed, 0, term.literals)
