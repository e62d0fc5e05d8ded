"""At home in scikit-learn: its checks of the classifier, and tools around it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from joblib import dump, load
from numpy.testing import assert_allclose, assert_array_equal
from reference import plain_winnow
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn.utils import estimator_checks, estimator_html_repr
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFClassifier,
    DNFWinnowClassifier,
)

ROOT = Path(__file__).parents[2]


def table(n_samples=90, seed=0):
    """Sizes with gaps, colours with gaps, and a column of noise; three classes."""
    random = np.random.RandomState(seed)
    frame = pd.DataFrame(
        {
            "size": random.normal(size=n_samples).round(2),
            "colour": random.choice(["red", "green", "blue"], size=n_samples),
            "noise": random.randint(3, size=n_samples),
        }
    )
    y = np.where(frame["size"] > 0.3, "large", frame["colour"].eq("red").map(str))
    frame.loc[::11, "size"] = np.nan
    frame.loc[::13, "colour"] = None
    return frame, np.where(y == "False", "other", np.where(y == "True", "red", y))


X, Y = table()
WEIGHTS = np.arange(len(Y)) % 3


def winnow(**options):
    options = {"cv": None, "max_iter": 5, "random_state": 0, **options}
    return DNFWinnowClassifier(**options)


def model(**options):
    return Pipeline(
        [
            ("discretizer", ClassEntropyDiscretizer(max_intervals=4)),
            ("winnow", winnow(**options)),
        ]
    )


@pytest.mark.parametrize(
    "classifier",
    [
        winnow(cv=None, scale=2000.0),
        DNFClassifier("class: large\nsize > 0.3\notherwise: red"),
        BayesianInteractionClassifier(
            max_order=1, n_draws=8, burn_in=4, max_sweeps=10, random_state=0
        ),
    ],
    ids=lambda one: type(one).__name__,
)
def test_logarithms_of_probabilities(classifier):
    classifier.fit(X, Y)
    p, log_p = classifier.predict_proba(X), classifier.predict_log_proba(X)
    np.testing.assert_allclose(np.exp(log_p), p, rtol=1e-9, atol=0)
    # Those of Winnow do not underflow.
    finite = isinstance(classifier, DNFWinnowClassifier)
    assert np.isfinite(log_p[p == 0]).all() == finite or p.all()


def numbers():
    """For tools that want a matrix of numbers: intervals and codes."""
    codes = OrdinalEncoder(encoded_missing_value=-1).fit_transform(X[["colour"]])
    cut = ClassEntropyDiscretizer(max_intervals=4).fit_transform(X[["size"]], Y)
    return np.hstack([np.nan_to_num(cut, nan=-1), codes, X[["noise"]]]).astype(int)


def is_learned(estimator, y=Y, X=X):
    """Whether it does better on its training rows than one class for all."""
    majority = np.unique(y, return_counts=True)[1].max() / len(y)
    return estimator.score(X, y) > (1 + majority) / 2


# -- scikit-learn's checks -------------------------------------------------------------


@parametrize_with_checks(
    [
        DNFWinnowClassifier(),
        plain_winnow(),
        DNFWinnowClassifier(literals="ordered", cv=None),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_dataframe_column_names_consistency,
        estimator_checks.check_param_validation,
        estimator_checks.check_inplace_ensure_writeable,
    ],
    ids=lambda check: check.__name__,
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_scikit_learn_checks_outside_the_generator(check):
    check("DNFWinnowClassifier", plain_winnow())


# -- copies ----------------------------------------------------------------------------


def test_clone():
    fitted = model(alpha=1.3).fit(X, Y)
    copy = clone(fitted)
    assert not hasattr(copy[-1], "classes_") and copy[-1].alpha == 1.3
    assert_array_equal(copy.fit(X, Y).predict_proba(X), fitted.predict_proba(X))


def test_pickle_and_joblib(tmp_path):
    fitted = model().fit(X, Y)
    dump(fitted, tmp_path / "model.joblib", compress=3)
    for copy in (pickle.loads(pickle.dumps(fitted)), load(tmp_path / "model.joblib")):
        assert_array_equal(copy.predict_proba(X), fitted.predict_proba(X))


# -- metadata routing ------------------------------------------------------------------


def test_routing_of_weights():
    weighted = model().fit(
        X, Y, discretizer__sample_weight=WEIGHTS, winnow__sample_weight=WEIGHTS
    )
    with sklearn.config_context(enable_metadata_routing=True):
        routed = model()
        for step in routed:
            step.set_fit_request(sample_weight=True)
        routed[-1].set_score_request(sample_weight=True)
        routed.fit(X, Y, sample_weight=WEIGHTS)
        assert_array_equal(routed.predict_proba(X), weighted.predict_proba(X))
        plain = np.average(routed.predict(X) == Y, weights=WEIGHTS)
        assert routed.score(X, Y, sample_weight=WEIGHTS) == pytest.approx(plain)
        results = cross_validate(
            routed,
            X,
            Y,
            cv=3,
            scoring=get_scorer("accuracy").set_score_request(sample_weight=True),
            params={"sample_weight": WEIGHTS},
            return_indices=True,
            error_score="raise",
        )
    for k, score in enumerate(results["test_score"]):
        train, test = results["indices"]["train"][k], results["indices"]["test"][k]
        by_hand = model().fit(
            X.iloc[train],
            Y[train],
            discretizer__sample_weight=WEIGHTS[train],
            winnow__sample_weight=WEIGHTS[train],
        )
        right = by_hand.predict(X.iloc[test]) == Y[test]
        assert score == pytest.approx(np.average(right, weights=WEIGHTS[test]))


# -- searches --------------------------------------------------------------------------

SPACE = {
    "discretizer__max_intervals": [2, 4],
    "winnow__alpha": [1.1, 1.5],
    "winnow__max_term_size": [1, 2],
}


def test_grid_search_over_parameters():
    search = GridSearchCV(
        model(), SPACE, scoring="neg_log_loss", cv=2, error_score="raise"
    ).fit(X, Y)
    assert len(search.cv_results_["params"]) == 8
    assert search.best_params_["winnow__max_term_size"] in (1, 2)
    assert is_learned(clone(search.best_estimator_).fit(X, Y))


# -- tools around one classifier -------------------------------------------------------


def test_calibrated_classifier():
    calibrated = CalibratedClassifierCV(model(), cv=3).fit(X, Y)
    assert is_learned(calibrated)
    assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)


def test_permutation_importance():
    fitted = model().fit(X, Y)
    found = permutation_importance(fitted, X, Y, n_repeats=5, random_state=0)
    size, colour, noise = found.importances_mean
    assert min(size, colour) > noise


# -- ensembles and reductions ----------------------------------------------------------


def test_bagging():
    bagged = BaggingClassifier(model(), n_estimators=5, random_state=0)
    assert is_learned(bagged.fit(X, Y))
    by_columns = BaggingClassifier(
        winnow(), n_estimators=20, max_features=2, oob_score=True, random_state=0
    )
    assert by_columns.fit(numbers(), Y).oob_score_ > 0.4


def test_voting_and_stacking():
    base = [("short", model(max_term_size=1)), ("long", model())]
    for voting in ("hard", "soft"):
        assert is_learned(VotingClassifier(base, voting=voting).fit(X, Y))
    stacked = StackingClassifier(base, LogisticRegression(), cv=3)
    assert is_learned(stacked.fit(X, Y))
    # On top, too, with the table beside the predictions of others.
    final = make_pipeline(ClassEntropyDiscretizer(), winnow())
    assert is_learned(StackingClassifier(base, final, cv=3).fit(X, Y))


# -- pipelines -------------------------------------------------------------------------


@pytest.mark.parametrize("output", ["default", "pandas"])
def test_column_transformer(output):
    mixed = make_column_transformer(
        (ClassEntropyDiscretizer(max_intervals=4), ["size"]),
        (OneHotEncoder(sparse_output=False), ["colour"]),
        remainder="drop",
    )
    whole = make_pipeline(mixed, winnow()).set_output(transform=output)
    assert is_learned(whole.fit(X, Y))
    names = whole[:-1].get_feature_names_out()
    assert names[0] == "classentropydiscretizer__size" and len(names) == 5
    if output == "pandas":
        assert_array_equal(whole[-1].feature_names_in_, names)


# -- representations -------------------------------------------------------------------


def test_html_links_to_the_reference():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    url = settings["project"]["urls"]["Documentation"]
    for estimator in (DNFWinnowClassifier(), ClassEntropyDiscretizer()):
        page = f"{url}/api/generated/sklearn_dnfwinnow.{type(estimator).__name__}.html"
        assert f'href="{page}"' in estimator_html_repr(estimator)
        assert f'href="{page}"' in estimator._repr_html_()
    html = estimator_html_repr(GridSearchCV(model(alpha=1.37), {}))
    for name in ("DNFWinnowClassifier", "ClassEntropyDiscretizer"):
        page = f"{url}/api/generated/sklearn_dnfwinnow.{name}.html"
        assert html.count(f'href="{page}') > 0
    assert "1.37" in html and "max_intervals" in html
    # The pages are those that the reference makes.
    reference = (ROOT / "doc" / "api.rst").read_text()
    assert ".. currentmodule:: sklearn_dnfwinnow\n" in reference
    assert ":toctree: api/generated" in reference


def test_text_shows_what_was_chosen():
    assert repr(DNFWinnowClassifier(alpha=1.3)) == "DNFWinnowClassifier(alpha=1.3)"
    assert "max_intervals=4" in repr(model())
