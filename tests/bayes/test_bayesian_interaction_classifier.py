"""BayesianInteractionClassifier: a classifier of scikit-learn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_auto, load_house_votes_84, load_monks

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
SHORT = {
    "n_draws": 20,
    "burn_in": 20,
    "max_sweeps": 25,
    "n_chains": 2,
    "random_state": 0,
}


def bayes(**options):
    """Return a classifier of short chains."""
    return BayesianInteractionClassifier(**{**SHORT, **options})


def table(n_samples=60, seed=0):
    """Sizes and colours, some missing, and classes that depend on both."""
    random = np.random.RandomState(seed)
    size = random.normal(size=n_samples).round(2)
    colour = random.choice(["red", "green", "blue"], size=n_samples)
    frame = pd.DataFrame({"size": size, "colour": colour})
    y = np.where((size > 0) & (colour == "red"), "yes", "no")
    frame.loc[::11, "size"] = np.nan
    frame.loc[::13, "colour"] = None
    return frame, y


FEW = {"random_state": None, "n_draws": 8, "max_sweeps": 8, "n_chains": 1}


@parametrize_with_checks(
    [
        bayes(**FEW),
        bayes(**FEW, prior="cauchy", sampler="gibbs", max_order=1),
        bayes(
            **FEW, interactions="nested", hyperprior="inverse_gamma", sampler="slice"
        ),
    ]
)
@pytest.mark.filterwarnings("ignore:Column.* more than 32")
def test_it_is_an_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("prior", ["cauchy", "normal"])
@pytest.mark.parametrize("sampler", ["gibbs", "slice"])
def test_it_learns_a_formula(prior, sampler):
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    X_test, y_test = load_monks(1, subset="test", return_X_y=True, as_frame=True)
    clf = BayesianInteractionClassifier(
        prior=prior,
        sampler=sampler,
        n_draws=100,
        burn_in=200,
        max_sweeps=125,
        n_chains=2,
        random_state=0,
    )
    assert clf.fit(X, y).score(X_test, y_test) > 0.9


@pytest.mark.parametrize("container", [pd.DataFrame, pl.from_pandas, np.asarray])
def test_containers_are_alike(container):
    X, y = table()
    expected = bayes().fit(X, y).predict_proba(X)
    given = container(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = bayes().fit(given, y).predict_proba(given)
    assert_array_equal(found, expected)


def test_probabilities_are_means_of_draws():
    X, y = table()
    clf = bayes().fit(X, y)
    draws = clf.sample_proba(X)
    assert draws.shape == (2 * 20, len(X), 2)
    assert_allclose(draws.sum(axis=2), 1)
    assert_allclose(clf.predict_proba(X), draws.mean(axis=0), atol=1e-12)
    assert_allclose(expit(clf.decision_function(X)), clf.predict_proba(X)[:, 1])
    assert_allclose(np.exp(clf.predict_log_proba(X)), clf.predict_proba(X))
    assert_array_equal(clf.predict(X) == "yes", clf.predict_proba(X)[:, 1] > 0.5)


def test_three_classes():
    X, y = load_auto(return_X_y=True, as_frame=True)
    X, y = X.iloc[::3, :8], y[::3]
    clf = bayes(max_order=2).fit(X, y)
    n_classes = len(clf.classes_)
    assert clf.decision_function(X).shape == (len(X), n_classes)
    assert clf.draws_["sums"].shape == (2, 20, clf.n_groups_, n_classes)
    assert clf.score(X, y) > 0.6


def test_rows_and_batches_do_not_matter():
    X, y = table()
    clf = bayes().fit(X, y)
    proba = clf.predict_proba(X)
    shuffled = np.random.RandomState(1).permutation(len(X))
    assert_array_equal(clf.predict_proba(X.iloc[shuffled]), proba[shuffled])
    assert_array_equal(clf.predict_proba(X.iloc[7:9]), proba[7:9])
    again = bayes().fit(X.iloc[shuffled], y[shuffled])
    assert_array_equal(again.predict_proba(X), proba)


@pytest.mark.parametrize("options", [{}, {"sampler": "slice"}, {"prior": "normal"}])
def test_jobs_do_not_matter(options):
    X, y = table()
    one, two = (bayes(n_jobs=n, **options).fit(X, y) for n in (1, 2))
    assert_array_equal(one.draws_["sums"], two.draws_["sums"])
    assert_array_equal(one.predict_proba(X), two.predict_proba(X))


def test_weights_of_classes():
    X, y = load_house_votes_84(return_X_y=True, as_frame=True)
    options = {"max_order": 1, "n_draws": 100, "class_weight": {"democrat": 50.0}}
    X = X.iloc[:, :2]
    heavy = bayes(**options).fit(X, y).predict_proba(X)[:, 0].mean()
    plain = bayes(**{**options, "class_weight": None}).fit(X, y)
    assert heavy > plain.predict_proba(X)[:, 0].mean() + 0.1


@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
def test_missing_and_unseen_values(missing):
    X, y = table()
    clf = bayes(missing=missing).fit(X, y)
    unseen = pd.DataFrame({"size": [np.nan, 0.5], "colour": ["mauve", None]})
    draws = clf.sample_proba(unseen)
    assert np.isfinite(draws).all()
    assert clf.missing_ == missing
    blank = pd.DataFrame({"size": [np.nan], "colour": pd.array([None], dtype=object)})
    other = pd.DataFrame({"size": [np.nan], "colour": ["mauve"]})
    same = np.array_equal(clf.predict_proba(blank), clf.predict_proba(other))
    assert same == (missing == "unspecified")


def test_sequences():
    random = np.random.RandomState(0)
    symbols = np.cumsum(random.choice([1, 2], p=[0.9, 0.1], size=400)) % 3
    X = np.lib.stride_tricks.sliding_window_view(symbols[:-1], 6)
    y = symbols[6:]
    clf = bayes(interactions="nested", n_draws=50, burn_in=100).fit(X[:300], y[:300])
    assert clf.max_order_ == 6
    assert clf.n_groups_ <= 2 * len(np.unique(X[:300], axis=0))
    assert clf.n_terms_ >= clf.n_groups_
    assert clf.score(X[300:], y[300:]) > 0.8
    # What comes first is farthest from the response.
    assert np.mean(clf.predict(X[300:]) == (X[300:, -1] + 1) % 3) > 0.8


def test_what_is_fitted():
    X, y = table()
    clf = bayes(max_order=2).fit(X, y)
    assert clf.max_order_ == 2
    assert clf.draws_["sums"].dtype == np.float32
    assert clf.draws_["log_sigma"].shape == (2, 20, 3)
    assert clf.r_hat_["log_sigma"].shape == clf.ess_["log_sigma"].shape == (2,)
    assert clf.r_hat_["log_odds"].shape == clf.ess_["log_odds"].shape == (16,)
    assert clf.r_hat_["log_likelihood"].shape == ()
    assert clf.n_sweeps_ == 20 + 25
    assert clf.group_sizes_.shape == clf.group_orders_.shape == (clf.n_groups_,)
    assert clf.group_sizes_.max() == len(X)
    assert clf.discretizer_ is not None
    assert_array_equal(clf.feature_names_in_, ["size", "colour"])


def test_it_warns_of_short_chains():
    X, y = table()
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(
            ConvergenceWarning,
            match=r"have not converged after 5 sweeps.* Increase max_sweeps, or use",
        ):
            bayes(n_draws=4, burn_in=0, max_sweeps=1, prior="cauchy").fit(X, y)


def test_it_returns_chains_that_have_converged():
    X, y = table(n_samples=200)
    options = {"n_chains": 4, "n_draws": 50, "burn_in": 100, "max_order": 2}
    options |= {"prior": "normal", "random_state": 0}
    clf = BayesianInteractionClassifier(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        clf.fit(X, y)
    for name in ("log_sigma", "log_odds"):
        assert clf.r_hat_[name].max() <= 1.01
        assert clf.ess_[name].min() >= 400
    assert clf.draws_["sums"].shape[:2] == (4, 50)
    # Limits that are reached at once.
    clf.set_params(max_rhat=10, min_ess=1).fit(X, y)
    assert clf.n_sweeps_ == 100 + 63


def test_time_is_limited():
    X, y = table(n_samples=200)
    with pytest.warns(ConvergenceWarning, match="Increase max_time, or use"):
        clf = bayes(max_time=0.05, max_sweeps=10**6, prior="cauchy").fit(X, y)
    assert clf.n_sweeps_ < 10**4


def test_order_0_is_the_intercept_alone():
    X, y = table(n_samples=200)
    clf = bayes(max_order=0, n_draws=200, burn_in=100, max_sweeps=300).fit(X, y)
    probabilities = clf.predict_proba(X)
    assert clf.n_groups_ == 1 and not np.ptp(probabilities, axis=0).any()
    assert_allclose(probabilities[0, 1], np.mean(y == "yes"), atol=0.02)


def test_pickles_and_clones():
    X, y = table()
    clf = bayes().fit(X, y)
    again = pickle.loads(pickle.dumps(clf))
    assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert clone(clf).get_params() == clf.get_params()


def test_searches_and_pipelines():
    X, y = table()
    pipeline = make_pipeline(FunctionTransformer(), bayes(max_order=1))
    assert cross_val_score(pipeline, X, y, cv=2).mean() > 0.6
    search = GridSearchCV(bayes(), {"max_order": [0, 1], "prior": ["normal"]}, cv=2)
    assert search.fit(X, y).best_params_["max_order"] == 1


def test_it_prints_how_far_chains_are(capsys):
    X, y = table()
    bayes(verbose=1).fit(X, y)
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("[BayesianInteractionClassifier] 0.")
    assert re.search("s: chains, sweep 45 of .*: R-hat .* effective samples$", last)


def test_the_settings_of_the_paper():
    X, y = table()
    settings = BayesianInteractionClassifier.paper_settings()
    clf = BayesianInteractionClassifier(**settings).set_params(
        n_draws=4, burn_in=5, max_sweeps=1
    )
    assert clf.fit(X, y).draws_["sums"].shape[0] == 1
    assert (clf.sampler, clf.hyperprior) == ("slice", "inverse_gamma")


# -- bad input -------------------------------------------------------------------------


def test_a_failed_fit_changes_nothing():
    X, y = table()
    clf = bayes().fit(X, y)
    before = dict(vars(clf))
    with pytest.raises(ValueError, match="number of classes"):
        clf.fit(X, np.full(len(X), "yes"))
    assert vars(clf) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_order": -1}, "max_order"),
        ({"prior": "laplace"}, "prior"),
        ({"n_draws": 0}, "n_draws"),
        ({"scale": -1.0}, "scale"),
        ({"interactions": "some"}, "interactions"),
        ({"sampler": "nuts"}, "sampler"),
        ({"max_rhat": 0.9}, "max_rhat"),
        ({"min_ess": -1}, "min_ess"),
        ({"max_sweeps": 0}, "max_sweeps"),
        ({"max_time": 0}, "max_time"),
    ],
)
def test_parameters_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        bayes(**options).fit(*table())


@pytest.mark.parametrize("max_order", [0, 1, "auto"])
def test_columns_without_any_value(max_order):
    X = np.full((40, 2), np.nan)
    clf = bayes(max_order=max_order).fit(X, np.arange(40) % 2)
    # Nothing is known of an unseen value, either.
    assert clf.predict_proba([[np.nan, 2.0]])[0] == pytest.approx([0.5, 0.5], abs=0.1)


def test_too_many_groups_name_an_order_that_would_do():
    random = np.random.RandomState(0)
    X = random.randint(3, size=(400, 150))
    with pytest.raises(ValueError, match=r"largest possible value is max_order=\d"):
        bayes(max_order=150).fit(X, X[:, 0] % 2)
    # Counts of terms are below 2^53.
    with pytest.raises(ValueError, match=r"possible value is max_order=2\d"):
        bayes(max_order=57).fit(np.ones((2, 57)), [0, 1])


@pytest.mark.parametrize("max_order", ["auto", 2])
def test_too_many_draws_are_refused(max_order):
    with pytest.raises(ValueError, match="Decrease n_draws"):
        bayes(n_draws=10**8, max_order=max_order).fit(*table())


def test_wide_tables_of_many_classes_have_single_literals():
    random = np.random.RandomState(0)
    X, y = random.randint(3, size=(60, 600)), np.arange(60) % 20
    assert bayes(n_draws=4, burn_in=0).fit(X, y).max_order_ == 1


def test_it_has_to_be_fitted():
    X, _ = table()
    for method in ("predict", "predict_proba", "sample_proba", "decision_function"):
        with pytest.raises(NotFittedError):
            getattr(bayes(), method)(X)


def test_weights_beyond_double_precision_are_refused():
    X, y = [["a"], ["b"], ["b"]], [0, 1, 0]
    with pytest.raises(ValueError, match=r"sample_weight must be at most 1e\+12"):
        bayes().fit(X, y, sample_weight=[1e12, 1.0, 1.0])
