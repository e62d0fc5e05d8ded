"""The index of terms: every term once, in each kind, within its budgets."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools

import numpy as np
import pytest
from internals.terms import (
    _index_choice,
)
from numpy.testing import assert_allclose
from reference import plain_winnow


@pytest.mark.parametrize("cap", [1, 2, 3, 4, None])
def test_initial_weights_are_elementary_symmetric(cap):
    sizes, beta = [2, 5, 3, 2], 0.3
    expected = sum(
        beta**size * np.prod(chosen, dtype=float)
        for size in range((cap or 4) + 1)
        for chosen in itertools.combinations(sizes, size)
    )
    X = np.arange(30)[:, np.newaxis] % sizes
    clf = plain_winnow(max_term_size=cap, literal_weight=beta, max_iter=1)
    clf.fit(X, np.arange(30) % 2)
    assert_allclose(clf.log_threshold_, np.log(expected))


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
