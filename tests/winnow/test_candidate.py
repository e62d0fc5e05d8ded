"""Candidates: what `fit` chooses among, and what is asked of those given."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from internals.winnow import _candidate
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, ParameterGrid

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

OWN = [
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
    assert {"margin", "residual"} == {*tried()["update"]}
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
        (749, 90, True, (False,)),
        (750, 1, True, (False, True)),
        (750, 29, False, (False,)),
        (750, 30, False, (False, True)),
        (20, 91, False, (False, True)),
        (50_000, 1000, True, (False, True)),
        (50_001, 19, True, (False, True)),
        (50_001, 20, True, (False,)),
        (100_000, 10, True, (False, True)),
        (100_001, 10, True, (False,)),
    ],
)
def test_terms_may_be_chosen_if_it_is_worth_it(n_samples, n_columns, numeric, expected):
    table = SimpleNamespace(columns=[None] * n_columns, numeric=[numeric])
    batch = SimpleNamespace(table=table, sample_weights=np.ones(n_samples))
    assert _candidate._which_screened(DNFWinnowClassifier(), batch, {}) == expected


@pytest.mark.parametrize("rule", ["margin", "residual"])
def test_a_parameter_of_a_rule_asks_for_the_rule(rule):
    name, other = ("margin", "scale") if rule == "margin" else ("scale", "margin")
    found = tried(**{name: 0.4})
    assert {*found["update"]} == {rule} and {*found[name]} == {0.4}
    assert found[other].isna().all()
    # The rule has the last word, and leaves only candidates that are made for it.
    found = tried(update=rule)
    assert {*found["update"]} == {rule} and found[other].isna().all()
    both = tried(scale=5.0, margin=0.4)
    assert {*both["update"]} == {"margin", "residual"}
    assert {*both["margin"].dropna()} == {0.4} and {*both["scale"].dropna()} == {5.0}


@pytest.mark.filterwarnings("ignore:Columns with more")
def test_those_that_learn_the_same_are_there_once():
    fixed = {"margin": 0.5, "alpha": 1.1, "literals": "equal", "max_term_size": 2}
    found = tried(**fixed, discretizer=None, literal_weight=0.5)
    assert len(found) == 1
    assert len(tried(candidates=[OWN[0], OWN[1], dict(OWN[0])])) == 2
    # What has no effect makes no difference.
    alike = [{"margin": 0.5, "update": "margin", "scale": s} for s in (1.0, 2.0)]
    assert len(tried(candidates=alike)) == 1


# -- one's own -------------------------------------------------------------------------


def test_own_candidates_are_taken_as_they_are():
    found = tried(candidates=OWN)
    assert found["update"].tolist() == ["residual", "margin", "residual", "margin"]
    for position, one in enumerate(OWN):
        for name, value in one.items():
            expected = repr(value) if name == "discretizer" else value
            assert found[name][position] == expected
    # What a dict lacks is the classifier's own; what it has goes before that.
    found = tried(candidates=OWN, alpha=1.5, literal_weight=0.25)
    assert found["alpha"].tolist() == [1.1, 1.2, 1.5, 1.5]
    assert found["literal_weight"].tolist() == [0.25, 0.25, 0.9, 0.25]
    (found,) = tried(candidates=[{"scale": 8.0}], margin=0.2)["update"]
    assert found == "residual"


def test_grids_of_candidates():
    grid = ParameterGrid({"scale": np.array([5.0, 20.0]), "max_term_size": [1, None]})
    found = tried(candidates=grid)
    assert len(found) == 4 and {*found["scale"]} == {5.0, 20.0}
    assert_array_equal(
        fitted(candidates=grid).validation_["log_loss"],
        fitted(candidates=list(grid)).validation_["log_loss"],
    )


def test_auto_in_a_candidate_is_the_value_without_folds():
    single = fitted(cv=None)
    names = ("update", "margin", "alpha", "literal_weight", "literals")
    open_ones = dict.fromkeys([*names, "scale", "max_term_size", "discretizer"], "auto")
    (found,) = tried(candidates=[open_ones]).to_dict("records")
    for name in names:
        assert found[name] == getattr(single, f"{name}_")
    assert repr(single.discretizer_) == found["discretizer"]
    assert tried(candidates=[{}]).equals(tried(candidates=[open_ones]))


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ([], "at least one"),
        ([{"alpha": 1.1}, {"beta": 1.0}], "'beta'"),
        ([{"cv": 3}], "'cv'"),
        ([{"alpha": 0.5}], "'alpha' parameter of candidates"),
        ([{"update": "sometimes"}], "'update' parameter of candidates"),
        ([{"max_term_size": 0}], "'max_term_size' parameter"),
        ([{"discretizer": "quantiles"}], "'discretizer' parameter"),
        (["alpha"], "dicts of parameters; got 'alpha'"),
        ({"alpha": 1.1}, "dicts of parameters"),
        ("all", "'candidates' parameter"),
        (3, "'candidates' parameter"),
    ],
    ids=str,
)
def test_what_is_no_candidate_is_refused(candidates, message):
    classifier = DNFWinnowClassifier(candidates=candidates)
    for fit in (
        classifier.fit,
        lambda X, y: classifier.partial_fit(X, y, classes=[0, 1]),
        classifier.set_params(cv=None).fit,
    ):
        with pytest.raises(ValueError, match=message):
            fit(*mixed())
        assert not hasattr(classifier, "classes_")


# -- what is chosen --------------------------------------------------------------------


def test_a_candidate_scores_alone_as_among_others():
    looks = pd.DataFrame(fitted(candidates=OWN, max_iter=4).validation_)
    losses = []
    for position, one in enumerate(OWN):
        alone = fitted(candidates=[one], max_iter=4).validation_
        among = looks[looks["candidate"] == position]
        assert among["n_epochs"].tolist() == alone["n_epochs"].tolist()
        assert_allclose(among["log_loss"], alone["log_loss"], rtol=1e-5)
        losses.append(alone["log_loss"].min())
    best = OWN[int(np.argmin(losses))]
    X, _ = mixed()
    chosen, alone = (fitted(candidates=given, max_iter=4) for given in (OWN, [best]))
    assert chosen.n_iter_ == alone.n_iter_ and chosen.alpha_ == alone.alpha_
    assert_allclose(chosen.predict_proba(X), alone.predict_proba(X), atol=1e-3)


@pytest.mark.parametrize("candidates", ["auto", OWN, OWN[1:2]], ids=str)
@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
def test_the_model_is_that_of_the_least_loss(candidates, multi_class):
    classifier = fitted(candidates=candidates, n_estimators=1, multi_class=multi_class)
    looks = pd.DataFrame(classifier.validation_)
    chosen = looks.loc[looks["log_loss"].idxmin()]
    assert classifier.n_iter_ == chosen["n_epochs"]
    assert classifier.scale_ == chosen["scale_"]
    for name in ("update", "alpha", "literal_weight", "max_term_size", "literals"):
        assert getattr(classifier, f"{name}_") == chosen[name]
    if chosen["update"] == "margin":
        assert classifier.margin_ == chosen["margin"]
    else:
        assert classifier.scale_ == chosen["scale"]
    cuts = classifier.discretizer_
    assert chosen["discretizer"] == (None if cuts is None else repr(cuts))


def test_without_folds_there_is_one_candidate():
    with pytest.raises(ValueError, match=r"a single dict with cv=None.* got 4 dicts"):
        fitted(cv=None, candidates=OWN)
    single = fitted(cv=None, candidates=OWN[1:2])
    assert single.validation_ is None and single.scale_ == 1.0
    assert (single.update_, single.margin_, single.alpha_) == ("margin", 0.3, 1.2)
    assert single.max_term_size_ == 2 and single.n_iter_ <= 8
    explicit = fitted(cv=None, **OWN[1])
    assert_array_equal(single.net_promotion_counts_, explicit.net_promotion_counts_)
    X, y = mixed()
    online = DNFWinnowClassifier(candidates=OWN[:1], random_state=0)
    online.partial_fit(X, y, classes=[0, 1])
    assert (online.update_, online.scale_, online.alpha_) == ("residual", 8.0, 1.1)


def test_batches_leave_the_scale_of_margins_as_it_is():
    classifier = fitted(update="margin", scale=50.0, n_estimators=1)
    scale = classifier.scale_
    assert scale != 50.0
    assert classifier.partial_fit(*mixed(seed=1)).scale_ == scale
    classifier = fitted(scale=50.0, n_estimators=1)
    assert classifier.partial_fit(*mixed(seed=1)).scale_ == 50.0


# -- as an estimator -------------------------------------------------------------------


def test_candidates_are_a_parameter():
    X, y = mixed()
    classifier = DNFWinnowClassifier(candidates=OWN, max_iter=4, random_state=0)
    before = repr(OWN)
    classifier.fit(X, y)
    assert classifier.candidates is OWN and repr(OWN) == before
    assert repr(clone(classifier).candidates) == before
    copy = pickle.loads(pickle.dumps(classifier))
    for name, column in classifier.validation_.items():
        assert_array_equal(copy.validation_[name], column)
    assert_array_equal(copy.predict_proba(X), classifier.predict_proba(X))


def test_searches_over_candidates():
    search = GridSearchCV(
        DNFWinnowClassifier(max_iter=4, random_state=0),
        {"candidates": [OWN[:1], OWN[1:3]], "cv": [2, 3]},
        cv=2,
        error_score="raise",
    )
    X, y = mixed()
    assert search.fit(X, y).best_params_["candidates"] in [OWN[:1], OWN[1:3]]
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
