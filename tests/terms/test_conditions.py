"""Conditions: marks of terms, tables and searches against the list of all terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools

import numpy as np
import pytest
from condition_checks import (
    all_conditioned_terms,
    log_sums_of,
    may_have,
    random_conditions,
)
from internals.terms import (
    FIRST_OWN,
    Conditions,
    Conflicts,
    GaveUp,
    InitialTerm,
    TermSearch,
    TooManyTerms,
    group_terms,
    list_terms,
    mark_terms,
    number_terms,
    term_index,
)
from internals.winnow import TermTable
from numpy.testing import assert_allclose, assert_array_equal

KINDS = {"lists": list_terms, "numbers": number_terms}
LOG_ALPHA = 0.4


def a_model(random, most_columns=6):
    """Rows, of which the first are updates, exponents by class, and conditions."""
    n = random.randint(1, most_columns + 1)
    n_values = random.randint(1, 4, n)
    rows = random.randint(0, n_values + 1, (random.randint(1, 25), n)).astype(np.int32)
    rows = random.permutation(np.unique(rows, axis=0))
    net_counts = random.randint(-4, 5, (3, random.randint(0, len(rows) + 1)))
    share = random.choice([0.0, 0.3, 0.6])
    return rows, n_values, net_counts, random_conditions(random, n_values, share=share)


def table_sums(index, net_counts, conditions, log_alpha=LOG_ALPHA):
    """log W of all rows of an index in all classes."""
    tables = [
        TermTable(index, log_alpha, own, conditions=conditions, k=k)
        for k, own in enumerate(net_counts)
    ]
    return np.column_stack([t.log_sums(np.arange(len(index.rows))) for t in tables])


# -- terms of an index -----------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_marks_are_those_of_each_term(kind, seed):
    """Each term of each row, found in the lists or by its number."""
    random = np.random.RandomState(seed)
    n_seen = 0
    for _ in range(10):
        rows, n_values, _, conditions = a_model(random)
        size = [None, 1, 2, 3][random.randint(4)]
        index = KINDS[kind](rows, n_values, size, -0.5)
        lists = list_terms(rows, n_values, size, -0.5)
        for k in range(3):
            marks = mark_terms(index, conditions, k)
            of_lists = mark_terms(lists, conditions, k)
            own = {term.literals: term for term in conditions.initial_terms_of(k)}
            for codes, starts in zip(rows, lists.starts):
                specified = np.flatnonzero(codes).tolist()
                listed = [
                    tuple((j, int(codes[j])) for j in columns)
                    for length in range(len(starts) - 1)
                    for columns in itertools.combinations(specified, length)
                ]
                numbers = lists.terms[starts[0] : starts[-1]]
                for literals, number in zip(listed, numbers):
                    mark = of_lists.marks[number]
                    assert (mark > 0) == may_have(conditions, k, literals)
                    assert (mark >= FIRST_OWN) == (literals in own)
                    if mark >= FIRST_OWN:
                        weight = of_lists.log_weights[mark - FIRST_OWN]
                        assert weight == own[literals].log_weight
                        n_seen += 1
            if kind == "lists":
                assert_array_equal(marks.marks, of_lists.marks)
    assert n_seen > 20


@pytest.mark.parametrize("seed", range(8))
def test_tables_sum_over_allowed_terms(seed):
    """Both kinds, to the last bit alike, for each cap; and conditions matter."""
    random = np.random.RandomState(seed)
    apart = 0.0
    for _ in range(10):
        rows, n_values, net_counts, conditions = a_model(random)
        size = [None, 1, 2, 3][random.randint(4)]
        log_beta = random.choice([-1.0, 0.0, 0.3])
        question = rows[: net_counts.shape[1]], net_counts, LOG_ALPHA, log_beta
        expected = log_sums_of(rows, *question, conditions, size)
        plain = log_sums_of(rows, *question, None, size)
        apart = max(apart, np.abs(plain - expected).max())
        found = [
            table_sums(make(rows, n_values, size, log_beta), net_counts, conditions)
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
        rows, n_values, net_counts, conditions = a_model(random)
        question = rows[: net_counts.shape[1]], net_counts * scale, LOG_ALPHA, -1.0
        expected = log_sums_of(rows, *question, conditions, None)
        found = table_sums(
            make(rows, n_values, None, -1.0), net_counts * scale, conditions
        )
        assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("make", KINDS.values())
@pytest.mark.parametrize("log_weight", [-800.0, -300.0, 300.0, 800.0])
def test_initial_weights_far_from_the_prior(make, log_weight):
    rows = np.array([[1, 1, 1], [1, 2, 1]], dtype=np.int32)
    allowed = [np.ones((2, 3), dtype=bool) for _ in range(3)]
    term = InitialTerm(0, ((0, 1), (1, 1)), log_weight)
    conditions = Conditions(allowed, Conflicts.of(range(3)), (term,))
    net_counts = np.array([[3, -1], [0, 2]])
    expected = log_sums_of(rows, rows, net_counts, LOG_ALPHA, -0.7, conditions, None)
    index = make(rows, np.full(3, 2), None, -0.7)
    found = table_sums(index, net_counts, conditions)
    assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_terms_are_not_grouped():
    """An index for conditions lists single terms, or there is none."""
    random = np.random.RandomState(0)
    rows = random.randint(1, 10, (40, 40)).astype(np.int32)
    n_values = np.full(40, 9)
    assert term_index(rows, n_values, None, 0.0).kind == "groups"
    with pytest.raises(TooManyTerms, match=r"max_term_size=None needs .* allowed\. "):
        term_index(rows, n_values, None, 0.0, may_group=False)
    assert term_index(rows[:, :14], n_values[:14], None, 0.0).kind == "groups"
    few = term_index(rows[:, :14], n_values[:14], None, 0.0, may_group=False)
    assert few.kind == "lists"


def test_marks_are_refused_of_other_terms():
    rows = np.ones((2, 3), dtype=np.int32) * [[1], [2]]
    rows = rows.astype(np.int32)
    conditions = Conditions([np.ones((1, 3), dtype=bool)] * 3, Conflicts.of(range(3)))
    for make in KINDS.values():
        mark_terms(make(rows, np.full(3, 2), None, 0.0), conditions, 0)
        for codes in (rows[:, :2], rows + 1):
            n_values = np.full(codes.shape[1], codes.max())
            index = make(np.ascontiguousarray(codes), n_values, None, 0.0)
            with pytest.raises(ValueError, match="must have the same codes"):
                mark_terms(index, conditions, 0)
    with pytest.raises(ValueError, match="Groups of terms"):
        mark_terms(group_terms(rows, 0.0), conditions, 0)


# -- the heaviest ----------------------------------------------------------------------


def a_search(random):
    """What a search is about, with conditions."""
    rows, n_values, net_counts, conditions = a_model(random, most_columns=5)
    examples = rows[: net_counts.shape[1]]
    row = random.randint(0, n_values + 1).astype(np.int32)
    return {
        "examples": examples,
        "net_counts": net_counts[0],
        "log_alpha": float(random.choice([0.1, 0.5])),
        "log_beta": float(random.choice([0.0, -0.3, -1.4, 0.2])),
        "max_term_size": [None, 1, 2, 3][random.randint(4)],
        "row": row if random.rand() < 0.5 else None,
        "conditions": conditions,
        "k": int(random.randint(3)),
    }


@pytest.mark.parametrize("seed", range(8))
def test_terms_are_the_heaviest_that_are_allowed(seed):
    """In their order, initial terms in their places."""
    random = np.random.RandomState(seed)
    n_found = n_initial = 0
    for _ in range(40):
        search = a_search(random)
        terms = all_conditioned_terms(**search)
        top = int(random.choice([1, 3, 10, 10**12]))
        own = {t.literals for t in search["conditions"].initial_terms_of(search["k"])}
        found, expected = TermSearch(**search).heaviest(top), terms[:top]
        n_found += len(found)
        n_initial += sum(term.literals in own for term in found)
        assert [(t.literals, t.net_count) for t in found] == [t[2:] for t in expected]
        assert [-t.log_weight for t in found] == [t[0] for t in expected]
    assert n_found > 50 and n_initial > 5


def test_initial_terms_that_no_update_satisfies():
    """Heavier than the prior, they are listed; lighter ones are not."""
    allowed = [np.ones((1, 4), dtype=bool) for _ in range(2)]
    terms = (InitialTerm(0, ((0, 3),), 1.0), InitialTerm(0, ((1, 3),), -1.0))
    search = TermSearch(
        examples=np.array([[1, 1]], dtype=np.int32),
        net_counts=np.array([2]),
        log_alpha=0.3,
        log_beta=-0.5,
        conditions=Conditions(allowed, Conflicts.of(range(2)), terms),
    )
    found = search.heaviest(10)
    assert [term.literals for term in found[:2]] == [((0, 3),), ()]
    assert found[0].net_count == 0 and found[0].log_weight == 1.0
    assert ((1, 3),) not in [term.literals for term in found]


def test_a_search_that_gives_up_tells_of_allowed_terms():
    random = np.random.RandomState(0)
    n_values = np.full(40, 2)
    conditions = random_conditions(random, n_values, n_classes=1, share=0.1)
    search = TermSearch(
        examples=random.randint(1, 3, (200, 40)).astype(np.int32),
        net_counts=random.randint(-9, 10, 200),
        log_alpha=0.1,
        log_beta=0.0,
        conditions=conditions,
    )
    with pytest.raises(GaveUp) as caught:
        search.heaviest(50, most_work=100_000)
    assert caught.value.found
    for term in caught.value.found:
        assert may_have(conditions, 0, term.literals)
