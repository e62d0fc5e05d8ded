"""Candidates: what `fit` selects among."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from internals.winnow import _candidate, given_candidates
from numpy.testing import assert_allclose
from sklearn.base import clone

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

SOME = [
    {"scale": 8.0, "alpha": 1.1},
    {"margin": 0.3, "alpha": 1.2, "max_term_size": 2},
    {"scale": 20.0, "literals": "ordered", "max_term_size": 1, "literal_weight": 0.9},
    {"margin": 0.5, "discretizer": ClassEntropyDiscretizer(max_intervals=3)},
]


def mixed(n_samples=90, seed=0):
    """Categories and numbers, and classes that follow from them but for some noise."""
    random = np.random.RandomState(seed)
    X = pd.DataFrame(
        {
            "shade": random.choice(list("abc"), n_samples),
            "grade": random.randint(4, size=n_samples),
            "size": random.standard_normal(n_samples),
        }
    )
    y = (X["shade"] == "a") & (X["size"] > 0) | (random.rand(n_samples) < 0.15)
    return X, y.to_numpy().astype(int)


def fitted(**params):
    params = {"max_iter": 8, "random_state": 0, **params}
    return DNFWinnowClassifier(**params).fit(*mixed())


def tried(**params):
    """The candidates of a classifier, one in a row."""
    looks = pd.DataFrame(fitted(**params).validation_)
    return looks.groupby("candidate").first()


# -- the list of 'auto' ----------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Columns with more")
def test_values_that_are_set_stay():
    assert 0 < tried()["margin"].isna().sum() < len(tried())
    fixed = {
        "alpha": 1.3,
        "literal_weight": 0.7,
        "literals": "ordered",
        "max_term_size": 2,
    }
    for name, value in fixed.items():
        assert {*tried(**{name: value})[name]} == {value}
    found = tried(**fixed)
    assert len(found) > 1
    for name, value in fixed.items():
        assert {*found[name]} == {value}
    cuts = ClassEntropyDiscretizer(max_intervals=3)
    assert {*tried(discretizer=cuts)["discretizer"]} == {repr(cuts)}
    assert {*tried(discretizer=None)["discretizer"]} == {None}


@pytest.mark.parametrize(
    "n_samples, n_columns, numeric, expected",
    [
        (499, 90, True, False),
        (500, 1, True, True),
        (500, 29, False, False),
        (500, 30, False, True),
        (20, 91, False, True),
        (50_000, 1000, True, True),
        (50_001, 19, True, True),
        (50_001, 20, True, False),
        (100_000, 10, True, True),
        (100_001, 10, True, False),
    ],
)
def test_terms_may_be_chosen_if_it_is_worth_it(n_samples, n_columns, numeric, expected):
    table = SimpleNamespace(columns=[None] * n_columns, numeric=[numeric])
    batch = SimpleNamespace(
        table=table, sample_weights=np.ones(n_samples), class_weights=np.ones(200)
    )
    kinds = _candidate._which_kinds(DNFWinnowClassifier(), batch, {})
    assert kinds == ("all", "smooth", *["chosen"] * expected)
    # With more classes, there is no additive start.
    batch.class_weights = np.ones(201)
    assert _candidate._which_kinds(DNFWinnowClassifier(), batch, {}) == ("all",)


@pytest.mark.parametrize("name, other", [("margin", "scale"), ("scale", "margin")])
def test_a_parameter_of_a_rule_asks_for_the_rule(name, other):
    found = tried(**{name: 0.4})
    assert {*found[name]} == {0.4} and found[other].isna().all()


def test_two_rules_are_refused():
    clf = DNFWinnowClassifier(margin=0.4, scale=5)
    message = "margin and scale cannot both be set.* got margin=0.4 and scale=5"
    X, y = mixed()
    with pytest.raises(ValueError, match=message):
        clf.fit(X, y)
    with pytest.raises(ValueError, match=message):
        clf.partial_fit(X, y, classes=[0, 1])
    fitted = clone(clf).set_params(margin="auto", cv=None).fit(X, y)
    with pytest.raises(ValueError, match=message):
        fitted.set_params(margin=0.4).partial_fit(X, y)


@pytest.mark.filterwarnings("ignore:Columns with more")
def test_those_that_learn_the_same_are_there_once():
    fixed = {"margin": 0.5, "alpha": 1.1, "literals": "equal", "max_term_size": 2}
    found = tried(**fixed, discretizer=None, literal_weight=0.5)
    assert len(found) == 1


# -- what is chosen --------------------------------------------------------------------


def test_a_candidate_scores_alone_as_among_others():
    with given_candidates(*SOME):
        among = fitted(max_iter=4, n_estimators=1)
    looks = pd.DataFrame(among.validation_)
    losses = []
    for position, one in enumerate(SOME):
        with given_candidates(one):
            alone = fitted(max_iter=4).validation_
        rows = looks[looks["candidate"] == position]
        assert rows["n_epochs"].tolist() == alone["n_epochs"].tolist()
        assert_allclose(rows["log_loss"], alone["log_loss"], rtol=1e-5)
        losses.append(alone["log_loss"].min())
    with given_candidates(SOME[int(np.argmin(losses))]):
        alone = fitted(max_iter=4, n_estimators=1)
    X, _ = mixed()
    assert among.n_iter_ == alone.n_iter_ and among.alpha_ == alone.alpha_
    assert_allclose(among.predict_proba(X), alone.predict_proba(X), atol=1e-3)


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
def test_the_model_is_that_of_the_least_loss(multi_class):
    classifier = fitted(n_estimators=1, multi_class=multi_class)
    looks = pd.DataFrame(classifier.validation_)
    chosen = looks.loc[looks["log_loss"].idxmin()]
    assert classifier.n_iter_ == chosen["n_epochs"]
    assert classifier.scale_ == chosen["scale_"]
    for name in ("alpha", "literal_weight", "max_term_size", "literals"):
        assert getattr(classifier, f"{name}_") == chosen[name]
    if classifier.margin_ is None:
        assert classifier.scale_ == chosen["scale"] and np.isnan(chosen["margin"])
    else:
        assert classifier.margin_ == chosen["margin"] and np.isnan(chosen["scale"])
    cuts = classifier.discretizer_
    assert chosen["discretizer"] == (None if cuts is None else repr(cuts))


def test_without_folds_there_is_one_candidate():
    single = fitted(cv=None, margin=0.3)
    assert single.validation_ is None and single.scale_ == 1.0
    assert (single.margin_, single.alpha_) == (0.3, 1.1)
    X, y = mixed()
    online = DNFWinnowClassifier(scale=8.0, random_state=0)
    online.partial_fit(X, y, classes=[0, 1])
    assert (online.margin_, online.scale_, online.alpha_) == (None, 8.0, 1.1)


def test_batches_leave_the_scale_of_margins_as_it_is():
    classifier = fitted(margin=0.5, n_estimators=1)
    scale = classifier.scale_
    assert scale != 1.0
    assert classifier.partial_fit(*mixed(seed=1)).scale_ == scale
    classifier = fitted(scale=50.0, n_estimators=1)
    assert classifier.partial_fit(*mixed(seed=1)).scale_ == 50.0
