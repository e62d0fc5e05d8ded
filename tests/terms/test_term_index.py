"""The index of terms: every term once, in each kind, within its budgets."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools

import numpy as np
import pytest
from internals.kernels import _term_lists
from internals.terms import (
    _index_choice,
    choose_max_term_size,
    group_terms,
    list_terms,
    log_initial_weight,
    number_terms,
    term_index,
)
from numpy.testing import assert_allclose
from reference import interrupt_after, plain_winnow, random_rows, subsets


def test_terms_are_numbered_once_each():
    rows = random_rows(4, 3, 200)
    n_values = np.full(4, 3)
    number = number_terms(rows, n_values, None, 0.0)
    assert number.n_terms == 4**4
    listed = list_terms(rows, n_values, None, 0.0)
    satisfied = set()
    for row in rows:
        specified = np.flatnonzero(row)
        for term in subsets(len(specified)):
            satisfied.add(tuple((j, row[j]) for j in specified[term]))
    assert listed.n_terms == len(satisfied)
    assert set(listed.terms) == set(range(listed.n_terms))


def test_groups_are_extents():
    rows = random_rows(5, 2, 20)
    index = group_terms(rows, 0.0)
    weights = {}
    for codes in itertools.product(range(3), repeat=5):
        codes = np.array(codes)
        extent = ((rows == codes) | (codes == 0)).all(axis=1)
        if extent.any():
            key = tuple(np.flatnonzero(extent))
            weights[key] = weights.get(key, 0) + 1
    found = {}
    for i, (start, stop) in enumerate(index.starts):
        for group in index.terms[start:stop]:
            found.setdefault(group, []).append(i)
    assert len(found) == index.n_terms == len(weights)
    for group, extent in found.items():
        assert_allclose(np.exp(index.log_weights[group]), weights[tuple(extent)])


def test_ctrl_c_ends_the_listing_of_terms():
    # 15 million terms; the interrupt comes before the first of them, or soon after.
    rows = random_rows(20, 3, 20_000)
    terms = np.full(16_000_000, -1, dtype=np.int32)
    starts = np.arange(len(rows))[:, None] * 800 + [0, 1, 21]
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.01):
        _term_lists.list_terms(
            columns=np.ascontiguousarray(np.tile(rows, 2).T),
            count=np.zeros(4, dtype=np.int32),
            seen=np.empty(4, dtype=np.int32),
            cursors=starts,
            terms=terms,
        )
    assert terms[-780:].min() == -1


@pytest.mark.parametrize("cap", [1, 2, 3, 4, None])
def test_initial_weights_are_elementary_symmetric(cap):
    n_values, beta = [2, 5, 3, 1], 0.3
    expected = sum(
        beta**size * np.prod(chosen, dtype=float)
        for size in range((cap or 4) + 1)
        for chosen in itertools.combinations(n_values, size)
    )
    assert_allclose(log_initial_weight(n_values, np.log(beta), cap), np.log(expected))


def test_initial_weights_of_thousands_of_attributes_stay_finite():
    value = log_initial_weight(np.full(3000, 4), 0.0, 2999)
    assert_allclose(value, 3000 * np.log(5), rtol=1e-9)
    assert np.isfinite(log_initial_weight(np.full(3000, 4), 700.0, 5))
    assert_allclose(log_initial_weight([0, 2], 0.0, 1), np.log(3))


def test_budgets_choose_the_index():
    rows = random_rows(16, 7, 500)
    n_values = np.full(16, 7)
    kinds = [
        term_index(rows, n_values, 3, 0.0, budget=budget).kind
        for budget in (10**7, 10**6)
    ]
    assert kinds == ["lists", "numbers"]
    # A small table of all terms needs no lists.
    assert term_index(rows, n_values, 2, 0.0).kind == "numbers"
    assert group_terms(rows, 0.0, budget=10**5) is None
    with pytest.raises(ValueError, match="Set max_term_size to a smaller"):
        term_index(rows, n_values, 3, 0.0, budget=10)


def test_budgets_choose_the_cap():
    rows = random_rows(10, 2, 500)
    n_values = np.full(10, 2)
    assert choose_max_term_size(rows, n_values, 2) is None
    caps = [choose_max_term_size(rows, n_values, 2, 10**e) for e in (6, 4, 3, 2, 1)]
    assert caps == sorted(caps, key=lambda cap: -(cap or 99))
    assert caps[0] is None and caps[-1] == 1


@pytest.mark.parametrize(
    "shape, n_classes, cap",
    [
        ((500, 12), 2, None),
        ((500, 16), 2, 3),
        ((500, 25), 2, 3),
        ((500, 60), 2, 2),
        ((50, 1000), 2, 1),
        ((50_000, 12), 2, None),
        ((50_000, 12), 20, 3),
        ((50_000, 12), 300, 1),
    ],
    ids=str,
)
def test_work_chooses_the_cap(shape, n_classes, cap):
    rows = np.random.RandomState(0).randint(1, 4, shape).astype(np.int32)
    assert choose_max_term_size(rows, np.full(shape[1], 3), n_classes) == cap


def test_too_many_terms_say_what_would_be_needed(monkeypatch):
    monkeypatch.setattr(_index_choice, "MEMORY_BUDGET", 1 << 17)
    X = np.random.RandomState(0).randint(3, size=(200, 60))
    clf = plain_winnow(sampler="table", max_term_size=None, random_state=0)
    with pytest.raises(
        ValueError, match=r"max_term_size=None needs 2\^\d+ MiB.*1 MiB.*or to 'auto'\.$"
    ):
        clf.fit(X, X[:, 0])
    clf.set_params(max_term_size="auto", max_iter=2).fit(X, X[:, 0])
    assert clf.max_term_size_ == 2  # all terms are numbered, none is listed
