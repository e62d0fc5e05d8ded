"""At home in scikit-learn: one test for each tool that takes an estimator."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import re
import tomllib
import warnings
from pathlib import Path
from unittest import SkipTest

import numpy as np
import pandas as pd
import pytest
import sklearn
from joblib import dump, load
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.inspection import (
    DecisionBoundaryDisplay,
    partial_dependence,
    permutation_importance,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_validate,
    learning_curve,
    validation_curve,
)
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
)
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import estimator_html_repr
from sklearn.utils.estimator_checks import estimator_checks_generator

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.samplers import SAMPLERS

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
IS_LARGE = Y == "large"
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


def numbers():
    """For tools that want a matrix of numbers: intervals and codes."""
    codes = OrdinalEncoder(encoded_missing_value=-1).fit_transform(X[["colour"]])
    cut = ClassEntropyDiscretizer(max_intervals=4).fit_transform(X[["size"]], Y)
    return np.hstack([np.nan_to_num(cut, nan=-1), codes, X[["noise"]]]).astype(int)


def is_learned(estimator, y=Y, X=X):
    """Whether it does better on its training rows than one class for all."""
    majority = np.unique(y, return_counts=True)[1].max() / len(y)
    return estimator.score(X, y) > (1 + majority) / 2


# -- the contract of pipelines ---------------------------------------------------------


def failed_checks(estimator):
    """Names of scikit-learn's checks that an estimator does not pass."""
    failed = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for one, check in estimator_checks_generator(estimator):
            try:
                check(one)
            except SkipTest:
                continue
            except Exception:  # whatever the check found
                failed.add(getattr(check, "func", check).__name__)
    return failed


@pytest.mark.slow
def test_checks_of_a_pipeline():
    """Ours fails none that a pipeline of scikit-learn's own parts does not fail."""
    ours = failed_checks(make_pipeline(ClassEntropyDiscretizer(), winnow()))
    theirs = failed_checks(make_pipeline(SimpleImputer(), DecisionTreeClassifier()))
    assert ours <= theirs


@pytest.mark.parametrize(
    "estimator",
    [
        DNFWinnowClassifier(class_weight="balanced"),
        winnow(class_weight="balanced", multi_class="ovr"),
        winnow(class_weight={0: 1 / 3}, literals="ordered", scale=30.0),
        winnow(class_weight={1: 2 / 3}, discretizer=None, sampler="exact"),
        BayesianInteractionClassifier(
            class_weight="balanced",
            max_order=1,
            n_draws=20,
            burn_in=20,
            max_sweeps=1,
            random_state=0,
        ),
    ],
    ids=["default", "ovr", "residual", "exact", "bayes"],
)
def test_class_weights_multiply_repetitions(estimator):
    """The check of weights, which scikit-learn applies without class weights only."""
    passed = 0
    for one, check in estimator_checks_generator(estimator):
        name = getattr(check, "func", check).__name__
        if re.match("check_sample_weights?_(equivalence|invariance)", name):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(one)
            passed += 1
    assert passed


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


def test_frozen():
    fitted = model().fit(X, Y)
    frozen = FrozenEstimator(fitted).fit(X[:5], Y[:5])
    assert_array_equal(frozen.predict(X), fitted.predict(X))


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


def test_routing_must_be_asked_for():
    with sklearn.config_context(enable_metadata_routing=True):
        with pytest.raises(
            ValueError, match=r"\[sample_weight\] are passed but are not"
        ):
            model().fit(X, Y, sample_weight=WEIGHTS)


def test_routing_of_partial_fit():
    rows, classes = numbers(), np.unique(Y)
    direct = winnow().partial_fit(rows, Y, classes=classes, sample_weight=WEIGHTS)
    with sklearn.config_context(enable_metadata_routing=True):
        clf = winnow().set_partial_fit_request(classes=True, sample_weight=True)
        routed = OneVsRestClassifier(clf)
        routed.partial_fit(rows, Y, classes=classes, sample_weight=WEIGHTS)
        routing = clf.get_metadata_routing().partial_fit.requests
    assert routing == {"classes": True, "sample_weight": True}
    assert routed.score(rows, Y) == pytest.approx(direct.score(rows, Y), abs=0.2)


# -- searches --------------------------------------------------------------------------

SPACE = {
    "discretizer__max_intervals": [2, 4],
    "winnow__alpha": [1.1, 1.5],
    "winnow__max_term_size": [1, 2],
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The Markov chains")
def test_grid_search_over_samplers():
    options = {"n_steps": 40, "early_stop": False}
    samplers = [
        cls(**options) if cls.runs_chains else name for name, cls in SAMPLERS.items()
    ]
    search = GridSearchCV(
        model(max_iter=2), {"winnow__sampler": samplers}, cv=2, error_score="raise"
    )
    scores = search.fit(X, Y).cv_results_["mean_test_score"]
    assert len(scores) == len(samplers) and (scores > 0.4).all()


def test_grid_search_over_parameters():
    search = GridSearchCV(
        model(), SPACE, scoring="neg_log_loss", cv=2, error_score="raise"
    ).fit(X, Y)
    assert len(search.cv_results_["params"]) == 8
    assert search.best_params_["winnow__max_term_size"] in (1, 2)
    assert is_learned(clone(search.best_estimator_).fit(X, Y))


def test_randomized_search():
    space = {**SPACE, "winnow__multi_class": ["joint", "ovr"]}
    search = RandomizedSearchCV(
        model(), space, n_iter=4, cv=2, random_state=0, error_score="raise"
    )
    assert np.isfinite(search.fit(X, Y).cv_results_["mean_test_score"]).all()


@pytest.mark.slow
def test_halving_grid_search():
    search = HalvingGridSearchCV(
        model(), SPACE, cv=2, random_state=0, error_score="raise"
    ).fit(X, Y)
    assert search.n_iterations_ > 1 and search.best_score_ > 0.4
    # Epochs as the resource.
    search = HalvingGridSearchCV(
        model(),
        {"winnow__alpha": [1.1, 1.3, 1.5]},
        resource="winnow__max_iter",
        max_resources=9,
        cv=2,
        random_state=0,
        error_score="raise",
    ).fit(X, Y)
    assert search.n_resources_ == [3, 9]


# -- tools around one classifier -------------------------------------------------------


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_calibrated_classifier(method):
    if method == "temperature" and sklearn.__version__.startswith("1.7"):
        pytest.skip("since scikit-learn 1.8")
    calibrated = CalibratedClassifierCV(model(), method=method, cv=3).fit(X, Y)
    assert is_learned(calibrated)
    assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)


@pytest.mark.slow
def test_tuned_threshold():
    tuned = TunedThresholdClassifierCV(model(), scoring="balanced_accuracy", cv=3)
    assert is_learned(tuned.fit(X, IS_LARGE), IS_LARGE)
    assert 0 <= tuned.best_threshold_ <= 1


def test_cross_val_predict():
    out = cross_val_predict(model(), X, Y, cv=3, method="predict_proba")
    assert out.shape == (90, 3)
    scores = cross_val_predict(model(), X, IS_LARGE, cv=3, method="decision_function")
    assert ((scores > 0) == IS_LARGE).mean() > 0.6


def test_learning_and_validation_curves():
    sizes, _, scores = learning_curve(
        model(), X, Y, train_sizes=[20, 60], cv=3, error_score="raise"
    )
    assert sizes.tolist() == [20, 60] and scores.shape == (2, 3)
    _, _, online = learning_curve(
        winnow(),
        numbers(),
        Y,
        train_sizes=[20, 60],
        cv=3,
        exploit_incremental_learning=True,
        error_score="raise",
    )
    assert np.isfinite(online).all()
    train, _ = validation_curve(
        model(),
        X,
        Y,
        param_name="winnow__max_term_size",
        param_range=[1, 2],
        cv=3,
        error_score="raise",
    )
    assert train.mean() > 0.6


def test_permutation_importance():
    fitted = model().fit(X, Y)
    found = permutation_importance(fitted, X, Y, n_repeats=5, random_state=0)
    size, colour, noise = found.importances_mean
    assert min(size, colour) > noise


def test_partial_dependence_and_boundaries():
    pytest.importorskip("matplotlib").use("Agg")
    rows = numbers().astype(float)
    clf = winnow().fit(rows, IS_LARGE)
    found = partial_dependence(clf, rows, [0], categorical_features=[0, 1, 2])
    assert np.ptp(found["average"]) > 0
    clf.fit(rows[:, :2], IS_LARGE)
    DecisionBoundaryDisplay.from_estimator(clf, rows[:, :2], grid_resolution=5)


def test_feature_selection():
    forward = SequentialFeatureSelector(winnow(), n_features_to_select=2, cv=3)
    assert forward.fit(numbers(), Y).get_support().tolist() == [True, True, False]
    whole = make_pipeline(forward, winnow()).fit(numbers(), Y)
    assert is_learned(whole, X=numbers())


def test_semi_supervised():
    codes = np.searchsorted(np.unique(Y), Y)
    codes[::4] = -1
    found = SelfTrainingClassifier(winnow(), threshold=0.8).fit(numbers(), codes)
    assert found.score(numbers()[codes >= 0], codes[codes >= 0]) > 0.6


# -- ensembles and reductions ----------------------------------------------------------


def test_bagging():
    bagged = BaggingClassifier(model(), n_estimators=5, random_state=0)
    assert is_learned(bagged.fit(X, Y))
    by_columns = BaggingClassifier(
        winnow(), n_estimators=20, max_features=2, oob_score=True, random_state=0
    )
    assert by_columns.fit(numbers(), Y).oob_score_ > 0.4


def test_boosting():
    weak = winnow(max_term_size=1, max_iter=1)
    boosted = AdaBoostClassifier(weak, n_estimators=5, random_state=0)
    boosted.fit(numbers(), Y)
    assert boosted.score(numbers(), Y) > 0.6


def test_voting_and_stacking():
    base = [("short", model(max_term_size=1)), ("long", model())]
    for voting in ("hard", "soft"):
        assert is_learned(VotingClassifier(base, voting=voting).fit(X, Y))
    stacked = StackingClassifier(base, LogisticRegression(), cv=3)
    assert is_learned(stacked.fit(X, Y))
    # On top, too, with the table beside the predictions of others.
    final = make_pipeline(ClassEntropyDiscretizer(), winnow())
    assert is_learned(StackingClassifier(base, final, cv=3).fit(X, Y))


def test_one_versus_others():
    assert is_learned(OneVsRestClassifier(model()).fit(X, Y))
    one_to_one = OneVsOneClassifier(winnow()).fit(numbers(), Y)
    assert is_learned(one_to_one, X=numbers())


def test_several_outputs():
    outputs = np.column_stack([IS_LARGE, Y == "red"])
    found = MultiOutputClassifier(model()).fit(X, outputs)
    assert found.score(X, outputs) > 0.6
    chain = ClassifierChain(winnow(), order=[1, 0]).fit(numbers(), outputs)
    assert chain.score(numbers(), outputs) > 0.6


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


def test_union_and_dates_made_numbers():
    def month(frame):
        return frame.assign(when=frame["when"].dt.month)

    frame = X.assign(when=pd.date_range("2020-01-01", periods=len(X), freq="10D"))
    whole = make_pipeline(FunctionTransformer(month), model())
    assert is_learned(whole.fit(frame, Y), X=frame)
    assert len(whole[-1][-1].categories_[3]) == 4
    union = make_union(
        ClassEntropyDiscretizer(max_intervals=2), ClassEntropyDiscretizer()
    )
    assert is_learned(make_pipeline(union, winnow()).fit(X, Y))


def test_other_discretizers_and_classifiers():
    sizes = X[["size", "noise"]].fillna(0)
    bayes = make_pipeline(ClassEntropyDiscretizer(), CategoricalNB(min_categories=11))
    assert is_learned(bayes.fit(sizes, IS_LARGE), IS_LARGE, sizes)
    bins = KBinsDiscretizer(8, encode="ordinal", strategy="uniform")
    binned = make_pipeline(bins, winnow())
    assert is_learned(binned.fit(sizes, IS_LARGE), IS_LARGE, sizes)


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


# -- the page --------------------------------------------------------------------------


def test_the_table_names_tests():
    page = (ROOT / "doc" / "recipes.rst").read_text()
    named = set(re.findall(r"`(test_\w+)`", page))
    definitions = re.compile(r"^def (test_\w+)\(", re.MULTILINE)
    everywhere = "".join(p.read_text() for p in (ROOT / "tests").rglob("test_*.py"))
    assert named and named <= set(definitions.findall(everywhere))
    here = set(definitions.findall(Path(__file__).read_text()))
    assert here - named == {"test_the_table_names_tests"}
