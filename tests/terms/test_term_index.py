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
    log_initial_weight,
)
from numpy.testing import assert_allclose
from reference import interrupt_after, plain_winnow, random_rows


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
