"""Stores: which weights 'auto' keeps, and that it makes no difference to the model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
import pytest
from class_checks import one_class, ones
from internals.winnow import (
    ClassState,
    ImplicitWeights,
    Repetitions,
    Summation,
    TermTable,
    index_for,
)
from numpy.testing import assert_allclose, assert_array_equal
from reference import plain_winnow

from sklearn_dnfwinnow.datasets import load_tic_tac_toe, make_dnf
from sklearn_dnfwinnow.samplers import SAMPLERS, Auto


def store_of(sampler, codes, n_examples=0, max_term_size=None):
    summation = Summation(
        sampler=SAMPLERS[sampler](),
        max_term_size=max_term_size,
        log_alpha=np.log(1.5),
        log_beta=0.0,
        seed=0,
    )
    random = np.random.RandomState(1)
    examples = random.randint(1, 4, size=(2 * n_examples, codes.shape[1]))
    examples = np.unique(examples.astype(np.int32), axis=0)[:n_examples]
    state = ClassState(examples, np.ones(n_examples, dtype=np.int64))
    n_values = np.full(codes.shape[1], 3)
    index = index_for(summation, examples, codes, n_values)
    rows = Repetitions(codes, np.zeros(len(codes), dtype=int), ones(codes))
    return one_class(rows, state, summation=summation, index=index).classes[0].store


def random_codes(n_rows, n_attributes, n_values=3):
    random = np.random.RandomState(0)
    codes = random.randint(1, n_values + 1, size=(n_rows, n_attributes))
    return codes.astype(np.int32)


def test_auto_takes_a_table_where_it_fits():
    assert isinstance(store_of("auto", random_codes(50, 8)), TermTable)
    # Long terms are groups of one row.
    assert isinstance(store_of("auto", random_codes(60, 40, 9)), TermTable)
    too_many = random_codes(700, 60, 2)
    assert isinstance(store_of("auto", too_many), ImplicitWeights)
    assert isinstance(store_of("auto", too_many, max_term_size=2), TermTable)
    with pytest.raises(ValueError, match=r"max_term_size=None needs .* MiB"):
        store_of("table", too_many)


def test_auto_makes_no_table_for_a_small_batch():
    small = random_codes(5, 8)
    assert isinstance(store_of("auto", small, n_examples=30), ImplicitWeights)
    assert isinstance(store_of("table", small, n_examples=30), TermTable)
    with_limit = partial(store_of, "auto", small, max_term_size=2)
    assert isinstance(with_limit(n_examples=30), TermTable)
    assert isinstance(with_limit(n_examples=1000), ImplicitWeights)


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
    X, y = make_dnf(n_samples=160, n_features=50, random_state=0)
    options = {
        "max_term_size": None,
        "max_iter": 2,
        "sampler": Auto(max_states=200),
        "random_state": 0,
    }
    clf = plain_winnow(**options)
    clf.fit(X[:120], y[:120])
    again = plain_winnow(**options, n_jobs=2)
    assert_array_equal(
        again.fit(X[:120], y[:120]).net_promotion_counts_, clf.net_promotion_counts_
    )
    scores = clf.log_weighted_sums(X[120:])
    assert np.isfinite(scores).all()
    assert_array_equal(clf.log_weighted_sums(X[:119:-1]), scores[::-1])
