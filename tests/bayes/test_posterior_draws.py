"""Draws and intervals of predictions: exact quantiles, laws of classes, ArviZ."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import warnings

import numpy as np
import pytest
from internals.bayes import _prediction
from internals.utils import r_hat
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import NotFittedError

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_monks

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def fitted(n_classes=2, **options):
    """Return a classifier for a few rows of MONK's 3, and the rows."""
    X, y = load_monks(3, subset="train", return_X_y=True, as_frame=True)
    y = y.to_numpy() + np.where((n_classes == 3) & (X["a1"] == "1"), "x", "")
    # Chains that end soon, because the draws need not be of the posterior.
    settings = {"n_draws": 100, "n_chains": 3, "max_sweeps": 125, "burn_in": 50}
    settings |= {"max_order": 2, "random_state": 0}
    clf = BayesianInteractionClassifier(**{**settings, **options})
    return clf.fit(X[:80], y[:80]), X, y


@pytest.fixture(scope="module", params=[2, 3])
def model(request):
    return fitted(request.param)


def test_intervals_are_quantiles_of_draws(model, monkeypatch):
    clf, X, _ = model
    draws = clf.sample_proba(X)
    # Parts of a few rows.
    monkeypatch.setattr(_prediction, "_MEMORY_BUDGET", 1 << 16)
    for coverage in (0.5, 0.9):
        ends = np.quantile(draws, [(1 - coverage) / 2, (1 + coverage) / 2], axis=0)
        found = clf.predict_interval(X, coverage=coverage)
        assert found.shape == (len(X), len(clf.classes_), 2)
        assert_allclose(found, np.moveaxis(ends, 0, -1), rtol=1e-12)
    assert_allclose(clf.predict_interval(X), found)
    assert_allclose(clf.predict_interval(X[5:3:-1]), found[5:3:-1])


@pytest.mark.parametrize("coverage", [0, 1, 1.5, "wide"])
def test_coverage_is_checked(model, coverage):
    with pytest.raises(ValueError, match=r"'coverage' parameter of Bayesian"):
        model[0].predict_interval(model[1], coverage=coverage)


def test_classes_have_their_probabilities(model):
    clf, X, _ = model
    draws, classes = clf.sample_proba(X), clf.sample_y(X)
    assert classes.shape == (300, len(X)) and set(classes.flat) == set(clf.classes_)
    for k, label in enumerate(clf.classes_):
        p = draws[..., k]
        # Given the probabilities, the classes of all rows and draws are independent.
        error = np.sqrt((p * (1 - p)).sum())
        assert abs((classes == label).sum() - p.sum()) < 5.5 * error
        # Probabilities of other rows are not theirs.
        excess = ((classes == label) - p)[p > 0.8].sum()
        assert abs(excess) < 5.5 * np.sqrt((p * (1 - p))[p > 0.8].sum())
        wrong = ((classes == label) - np.roll(p, 1, axis=1))[p > 0.8].sum()
        assert wrong > 20 * np.sqrt((p * (1 - p))[p > 0.8].sum())


def test_equal_rows_have_independent_classes():
    clf, X, _ = fitted()
    p = clf.sample_proba(X)[..., 1]
    row = np.abs(p.mean(axis=0) - 0.5).argmin()
    repeated = X.iloc[np.full(400, row)]
    n_second = (clf.sample_y(repeated) == clf.classes_[1]).sum(axis=1)
    expected = 400 * p[:, row]
    error = np.sqrt(expected * (1 - p[:, row]))
    assert (np.abs(n_second - expected) < 6 * error + 1e-9).all()
    # Not one point for all rows: that would give 0 or 400.
    assert ((n_second > 0) & (n_second < 400)).sum() > 100


def test_draws_of_classes_depend_on_their_row_only(model):
    clf, X, _ = model
    distinct = X.drop_duplicates()
    classes = clf.sample_y(distinct)
    assert_array_equal(clf.sample_y(distinct[::-1]), classes[:, ::-1])
    assert_array_equal(clf.sample_y(distinct[3:5]), classes[:, 3:5])
    assert_array_equal(clf.sample_y(distinct), classes)


def test_it_has_to_be_fitted():
    clf, (X, y) = BayesianInteractionClassifier(), load_monks(1, return_X_y=True)
    for method in (clf.predict_interval, clf.sample_y):
        with pytest.raises(NotFittedError):
            method(X)
    with pytest.raises(NotFittedError):
        clf.to_inference_data(X, y)


# -- ArviZ -----------------------------------------------------------------------------


def test_groups_of_inference_data(model):
    pytest.importorskip("arviz")
    clf, X, y = model
    X, y = X[:80], y[:80]
    found = clf.to_inference_data(X, y)
    log_likelihood = found["log_likelihood"]["y"]
    assert log_likelihood.dims == ("chain", "draw", "row")
    # Draws are of single precision.
    total = log_likelihood.sum("row")
    assert_allclose(total, clf.draws_["log_likelihood"], rtol=1e-4, atol=1e-3)
    labels = np.searchsorted(clf.classes_, y)
    probabilities = clf.sample_proba(X)[:, np.arange(80), labels]
    assert_allclose(np.exp(log_likelihood).values.reshape(300, 80), probabilities)
    assert_array_equal(found["observed_data"]["y"], labels)
    classes = found["posterior_predictive"]["y"].values.reshape(300, 80)
    assert_array_equal(clf.classes_[classes], clf.sample_y(X))
    posterior = found["posterior"]
    assert_array_equal(posterior["sums"], clf.draws_["sums"])
    assert_array_equal(posterior["log_sigma"], clf.draws_["log_sigma"][..., 1:])
    assert posterior["order"].values.tolist() == [1, 2]


def test_arviz_estimates_errors_of_new_samples():
    arviz = pytest.importorskip("arviz")
    clf, X, y = fitted(prior="normal", max_order=1)
    found = clf.to_inference_data(X[:80], y[:80])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loo = arviz.loo(found)
        summary = arviz.summary(found, var_names=["log_sigma"])
    estimate = float(loo["elpd_loo"] if "elpd_loo" in dir(loo) else loo.elpd) / 80
    own = clf.draws_["log_likelihood"].mean() / 80
    labels = np.searchsorted(clf.classes_, y[80:])
    new = np.log(clf.predict_proba(X[80:])[np.arange(len(labels)), labels])
    assert estimate < own
    assert abs(estimate - new.mean()) < 4 * new.std() / np.sqrt(len(new))
    expected = r_hat(clf.draws_["log_sigma"][..., 1])
    assert_allclose(summary["r_hat"].astype(float), expected, atol=0.011)


def test_labels_have_to_be_those_of_training(model):
    clf, X, y = model
    with pytest.raises(ValueError, match="y must contain the classes of the training"):
        clf.to_inference_data(X[:2], ["0", "unknown"])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        clf.to_inference_data(X[:2], y[:3])


def test_arviz_may_not_be_installed(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError, match="pip install arviz"):
        model[0].to_inference_data(model[1][:2], model[2][:2])
