"""Stores: which weights 'auto' keeps, and that it makes no difference to the model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference import plain_winnow

from sklearn_dnfwinnow.datasets import load_tic_tac_toe, make_dnf
from sklearn_dnfwinnow.samplers import Auto


@pytest.mark.parametrize("sampler", ["metropolis", "gibbs", "metropolized_gibbs"])
def test_samplers_without_a_limit_to_terms(sampler):
    X, y = [["a", "b"], ["b", "a"]], [0, 1]
    clf = plain_winnow(sampler=sampler, max_term_size=2)
    for train in (clf.fit, lambda X, y: clf.partial_fit(X, y, classes=[0, 1])):
        with pytest.raises(
            ValueError, match="max_term_size must be None or 'auto' for the samplers"
        ):
            train(X, y)


def test_batches_and_samplers_mixed_make_the_same_model():
    # Tables for some calls, implicit weights for others: the updates do not know.
    data = load_tic_tac_toe()
    X, y = np.asarray(data.data), np.asarray(data.target)
    models = []
    for samplers in (["auto"] * 4, ["table"] * 4, ["exact", "table", "auto", "exact"]):
        clf = plain_winnow(max_term_size=None, random_state=0)
        batches = np.split(
            np.random.RandomState(0).permutation(len(y)), [300, 310, 320]
        )
        for sampler, batch in zip(samplers, batches):
            clf.set_params(sampler=sampler)
            clf.partial_fit(X[batch], y[batch], classes=np.unique(y))
        models.append(clf)
    for clf in models[1:]:
        assert_array_equal(clf.stored_examples_, models[0].stored_examples_)
        assert_array_equal(clf.net_promotion_counts_, models[0].net_promotion_counts_)
        scores = [m.log_weighted_sums(X[:40]) for m in (clf, models[0])]
        assert_allclose(*scores, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
def test_auto_beyond_tables_and_budgets_learns():
    X, y = make_dnf(n_samples=120, n_features=50, random_state=0)
    options = {
        "max_term_size": None,
        "max_iter": 2,
        "sampler": Auto(max_states=200),
        "random_state": 0,
    }
    clf = plain_winnow(**options)
    clf.fit(X[:80], y[:80])
    again = plain_winnow(**options, n_jobs=2)
    assert_array_equal(
        again.fit(X[:80], y[:80]).net_promotion_counts_, clf.net_promotion_counts_
    )
    scores = clf.log_weighted_sums(X[80:])
    assert np.isfinite(scores).all()
    assert_array_equal(clf.log_weighted_sums(X[:79:-1]), scores[::-1])
