"""Averages: the mean of the log-odds of several models."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd
import pytest
from internals.winnow import Selection, given_candidates
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import log_softmax, softmax
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine

from sklearn_dnfwinnow import DNFWinnowClassifier, merge
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.diagnostics import diagnose_chains
from sklearn_dnfwinnow.inspection import (
    FeatureEffectDisplay,
    counterfactuals,
    explain,
    feature_effect,
    shapley_values,
    terms,
    to_dnf,
)

SINGLE = "stored_examples_", "alpha_", "literals_", "screening_", "n_updates_", "sums_"


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return X, y, DNFWinnowClassifier(random_state=0).fit(X, y)


@pytest.fixture(scope="module")
def cancer():
    """Two classes, few columns, categories and missing values beside numbers."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X, y = X.iloc[:200, :4].copy(), y[:200]
    X["size"] = np.where(X["mean area"] > 600, "large", "small")
    X.iloc[::17, 1] = np.nan
    X.iloc[5::23, 4] = None
    # Smooth effects alone would be the best, without other cuts.
    clf = DNFWinnowClassifier(
        n_estimators=3, max_term_size=2, screening=None, random_state=0
    )
    return X, y, clf.fit(X, y)


def mean_log_odds(clf, X):
    """Return the mean of the log probabilities, scaled; it has the same log-odds."""
    every = [np.log(one.predict_proba(X)) for one in clf.estimators_]
    return clf.scale_ * np.tensordot(clf.estimator_weights_, every, axes=1)


def test_probabilities_are_a_geometric_mean(wine, cancer):
    for X, _, clf in (wine, cancer):
        assert len(clf.estimators_) > 1
        assert_allclose(clf.estimator_weights_.sum(), 1.0)
        expected = softmax(mean_log_odds(clf, X), axis=1)
        assert_allclose(clf.predict_proba(X), expected, atol=1e-12)
        assert_array_equal(clf.predict(X), clf.classes_[expected.argmax(axis=1)])
        scores = clf.scale_ * clf.log_weighted_sums(X)
        assert_allclose(softmax(scores, axis=1), clf.predict_proba(X), atol=1e-15)
        # Negative control: the first model is another one.
        assert np.abs(clf.estimators_[0].predict_proba(X) - expected).max() > 0.01


def test_numbers_beyond_the_data_and_unknown_values(cancer):
    X, _, clf = cancer
    new = X.iloc[:6].copy()
    new.iloc[0, 0], new.iloc[1, 0], new.iloc[2, 4] = 1e9, -1e9, "tiny"
    new.iloc[3, :] = None
    expected = softmax(mean_log_odds(clf, new), axis=1)
    assert_allclose(clf.predict_proba(new), expected, atol=1e-12)


def test_the_first_model_is_that_without_an_average(wine):
    X, y, clf = wine
    single = clone(clf).set_params(n_estimators=1).fit(X, y)
    (only,) = single.estimators_
    assert_array_equal(single.estimator_weights_, [1.0])
    for one in (single, only):
        assert_array_equal(one.predict_proba(X), clf.estimators_[0].predict_proba(X))
    assert only.get_params()["n_estimators"] == 1


@pytest.mark.parametrize(
    "params",
    [
        {"n_estimators": 1},
        {"cv": None},
        {"missing": "most_frequent"},
        {"multi_class": "ovr"},
        {"max_stored_examples": 1000},
        {"discretizer": None},
    ],
    ids=str,
)
def test_single_models(params):
    X, y = load_wine(return_X_y=True)
    clf = DNFWinnowClassifier(random_state=0, max_iter=2, max_term_size=1, **params)
    assert len(clf.fit(X[::2, :3], y[::2]).estimators_) == 1


def test_categories_have_a_single_model():
    X, y = load_monks(1, subset="train", return_X_y=True)
    clf = DNFWinnowClassifier(random_state=0, max_iter=4).fit(X, y)
    assert len(clf.estimators_) == 1


def test_candidates_that_cut_the_same_columns_are_averaged():
    X, y = load_wine(return_X_y=True)
    candidates = [{"alpha": 1.1, "margin": 0.5}, {"alpha": 1.01, "scale": 30.0}]
    clf = DNFWinnowClassifier(n_estimators=2, max_term_size=1, random_state=0)
    with given_candidates(*candidates):
        found = clf.fit(X, y).estimators_
    assert sorted(one.alpha_ for one in found) == [1.01, 1.1]
    candidates[1]["discretizer"] = None
    with given_candidates(*candidates):
        found = clf.fit(X[:, :4].round(), y).estimators_
    assert len({one.discretizer_ is None for one in found}) == 1


@pytest.mark.parametrize("doubts", [(0, 0, 0, 0), (0.0, 0.1, 0.05, 0.3)])
def test_the_average_has_the_lowest_log_loss(doubts):
    """Candidates join as in a search over all of them, one after the other.

    The losses of those with a doubt count more.
    """
    random = np.random.RandomState(0)
    labels, units = random.randint(3, size=50), random.randint(1, 4, size=50)
    chances = [
        log_softmax(random.standard_normal((50, 3)) + np.eye(3)[labels], axis=1)
        for _ in range(4)
    ]

    class Same:
        cut_columns = ()

        def __init__(self, doubt):
            self.doubt = doubt

    chosen = Selection.__new__(Selection)
    chosen.candidates = [Same(doubt) for doubt in doubts]
    chosen._labels, chosen._units = labels, units
    chosen._log_chances = dict(enumerate(chances))

    def loss(positions, scale=1.0):
        mean = scale * np.mean([chances[p] for p in positions], axis=0)
        mean = log_softmax(mean, axis=1)
        return np.average(-mean[np.arange(50), labels], weights=units)

    def doubted(positions):
        # The doubt is that of the share of the last one.
        return loss(positions) * (1.0 + doubts[positions[-1]] / len(positions))

    chosen._records = [[(8, loss([p]), 1.0 + p)] for p in range(4)]
    for n_models in 1, 2, 4:
        joined = []
        for _ in range(10 if n_models > 1 else 1):
            may = range(4) if len({*joined}) < n_models else {*joined}
            joined.append(min(may, key=lambda p: doubted([*joined, p])))
        found, scale = chosen.best(n_models)
        expected = {p: (p, 8, 1.0 + p, joined.count(p)) for p in joined}
        assert found == [*expected.values()]
        # The best scale of the average, up to the doubt about labels.
        around = [loss(joined, scale * factor) for factor in (0.8, 1.0, 1.25)]
        assert np.argmin(around) == 1
    assert len(expected) > 1


def test_weights_are_the_numbers_of_times_that_candidates_joined(wine):
    """The second model has another number of intervals than its candidate."""
    X, y, _ = wine
    candidates = [
        {"alpha": 1.1, "margin": 0.5, "literals": "intervals", "doubt": 0.02},
        {"alpha": 1.01, "scale": 30.0, "literals": "intervals"},
    ]
    clf = DNFWinnowClassifier(n_estimators=4, max_term_size=1, random_state=0)
    with given_candidates(*candidates):
        clf.fit(X, y)
    times = 10 * clf.estimator_weights_
    assert_allclose(times, np.rint(times))
    assert len({one.alpha_ for one in clf.estimators_}) == len(times) == 2
    assert len({one.discretizer_.max_intervals for one in clf.estimators_}) == 2
    assert "doubt" not in clf.validation_


def test_attributes_of_single_models(wine):
    _, _, clf = wine
    for name in SINGLE:
        assert not hasattr(clf, name)
        with pytest.raises(AttributeError, match=r"of each of the .* in `estimators_`"):
            getattr(clf, name)
        assert all(hasattr(one, name) for one in clf.estimators_)
    assert clf.n_iter_ == max(one.n_iter_ for one in clf.estimators_)
    assert clf.max_term_size_ == max(one.max_term_size_ for one in clf.estimators_)
    every = [one.intercept_ for one in clf.estimators_]
    expected = np.average(every, axis=0, weights=clf.estimator_weights_)
    assert_allclose(clf.intercept_, clf.scale_ * expected)
    for j, points in enumerate(clf.discretizer_.cut_points_):
        every = [one.discretizer_.cut_points_[j] for one in clf.estimators_]
        assert_array_equal(points, np.unique(np.concatenate(every)))
    assert not hasattr(DNFWinnowClassifier(), "estimators_")


def test_order_of_rows_and_threads(cancer):
    X, y, clf = cancer
    again = clone(clf).set_params(n_jobs=2).fit(X[::-1], y[::-1])
    assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert_array_equal(clf.predict_proba(X[:7]), clf.predict_proba(X)[:7])


def test_shapley_values_are_means(cancer):
    X, _, clf = cancer
    found = shapley_values(clf, X[:20], background=X)
    parts = [shapley_values(one, X[:20], background=X) for one in clf.estimators_]
    for name in ("values", "base_values"):
        every = [getattr(part, name) for part in parts]
        expected = clf.scale_ * np.tensordot(clf.estimator_weights_, every, axes=1)
        assert_allclose(getattr(found, name), expected, atol=1e-9)


def test_an_average_lists_a_term_once(cancer):
    X, y, clf = cancer
    table = pd.DataFrame(terms(clf, 1, 30, X=X, y=y, details=True))
    assert table["term"].is_unique and table["model"].nunique() > 1
    for place, found in table.groupby("model"):
        of_model = terms(clf.estimators_[place], 1, 100, X=X, y=y, details=True)
        both = found.merge(of_model, on="term", suffixes=("", "_of_model"))
        assert len(both) == len(found)
        assert_array_equal(both["log_weight"], both["log_weight_of_model"])
        share = clf.estimator_weights_[place] * both["share_of_model"]
        assert_allclose(both["share"], share, rtol=1e-9)


def test_contributions_of_terms_are_those_of_the_models(cancer):
    X, _, clf = cancer
    factors = clf.scale_ * clf.estimator_weights_
    (one,) = explain(clf, X[17:18], top=10_000)
    expected = {}
    for model, factor in zip(clf.estimators_, factors):
        (part,) = explain(model, X[17:18], top=10_000)
        sign = 1 if part.prediction == one.prediction else -1
        for record in part.records:
            lost = sign * factor * record["contribution"]
            expected[record["term"]] = expected.get(record["term"], 0.0) + lost
    found = {record["term"]: record["contribution"] for record in one.records}
    assert len(found) == len(one.records)
    assert found == pytest.approx(expected, abs=1e-9)


def test_effects_have_the_range_of_the_models(cancer):
    X, _, clf = cancer
    found = feature_effect(clf, X, "size")
    parts = [feature_effect(one, X, "size") for one in clf.estimators_]
    every = clf.scale_ * np.array([part.effects for part in parts])
    assert_allclose(found.effects, clf.estimator_weights_ @ every, atol=1e-9)
    assert_allclose(found.intervals[:, 0], every.min(axis=0), atol=1e-9)
    assert_allclose(found.intervals[:, 1], every.max(axis=0), atol=1e-9)
    assert found.coverage is None and "range of the models" in str(found)
    assert all(part.intervals is None for part in parts)
    ends = found.to_frame()[["effect_low", "effect_high"]]
    assert_allclose(ends.iloc[:-1], found.intervals)
    curve = feature_effect(clf, X, X.columns[0])
    display = FeatureEffectDisplay(curve).plot()
    bands = [p for p in display.ax_.patches if p.get_alpha() == 0.2]
    assert len(bands) == 1 and "range" in display.ax_.get_ylabel()


def test_formula_and_changes(cancer):
    X, y, clf = cancer
    dnf = to_dnf(clf, class_of_interest=1, X=X, y=y)
    assert np.mean(dnf.holds(X) == (y == 1)) > 0.85
    (found,) = counterfactuals(clf, X[:1])
    assert found
    for one in found:
        assert one.probabilities[1 - y[0]] > 0.5


def test_every_model_is_trained_further(cancer):
    X, y, clf = cancer
    fitted = clone(clf).fit(X[:120], y[:120])
    parts = fitted.estimators_
    fitted.partial_fit(X[120:], y[120:])
    for part in parts:
        part.partial_fit(X[120:], y[120:])
    for one, part in zip(fitted.estimators_, parts):
        assert_array_equal(one.predict_proba(X), part.predict_proba(X))
    expected = softmax(mean_log_odds(fitted, X), axis=1)
    assert_allclose(fitted.predict_proba(X), expected, atol=1e-12)


def test_monotone_averages(cancer):
    X, y, _ = cancer
    clf = DNFWinnowClassifier(
        n_estimators=3, screening=None, monotonic_cst=[-1, 0, 0, 0, 0], random_state=0
    ).fit(X, y)
    assert len(clf.estimators_) > 1
    grid = pd.concat([X[:1]] * 50, ignore_index=True)
    for row in (0, 50, 100):
        grid.iloc[:, 1:] = X.iloc[row, 1:].to_numpy()
        grid["mean radius"] = np.linspace(5, 30, 50)
        assert (np.diff(clf.decision_function(grid)) <= 1e-9).all()


def test_what_needs_a_single_model(cancer):
    X, y, clf = cancer
    with pytest.raises(ValueError, match="models must not be averages"):
        merge([clf, clf])
    chains = clone(clf).set_params(
        max_term_size=None, screening=None, literals="equal", n_estimators=2
    )
    chains.fit(X, y).set_params(sampler="gibbs")
    with pytest.raises(ValueError, match="Pass one of its `estimators_`"):
        diagnose_chains(chains, X[:1])
    most_frequent = clone(clf).set_params(missing="most_frequent", n_estimators=2)
    with pytest.raises(ValueError, match="n_estimators=2 cannot be combined"):
        most_frequent.fit(X, y)
    with pytest.raises(ValueError, match="The 'n_estimators' parameter"):
        clone(clf).set_params(n_estimators=0).fit(X, y)
