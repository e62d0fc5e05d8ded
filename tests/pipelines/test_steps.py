"""Wrappers: classifiers inside other estimators, and steps without their pipeline."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import matplotlib
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import StackingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.diagnostics import diagnose_chains
from sklearn_dnfwinnow.inspection import explain, terms, to_dnf
from sklearn_dnfwinnow.samplers import Gibbs

matplotlib.use("Agg")


def two_kinds():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, (y == 2).astype(int)


def quick_pipeline(**parameters):
    return make_pipeline(
        StandardScaler(),
        ClassEntropyDiscretizer(max_intervals=4),
        DNFWinnowClassifier(
            max_iter=2, cv=None, max_term_size=3, random_state=0, **parameters
        ),
    )


# -- one classifier inside -------------------------------------------------------------


def wrappers():
    X, y = two_kinds()
    fitted = quick_pipeline().fit(X, y)
    yield FrozenEstimator(fitted)
    yield FixedThresholdClassifier(fitted, threshold=0.3)
    yield FixedThresholdClassifier(FrozenEstimator(fitted))
    yield TunedThresholdClassifierCV(quick_pipeline(), cv=2)
    yield CalibratedClassifierCV(FrozenEstimator(fitted))
    yield CalibratedClassifierCV(quick_pipeline(), ensemble=False, cv=2)
    yield GridSearchCV(FixedThresholdClassifier(quick_pipeline()), {}, cv=2)
    yield make_pipeline("passthrough", FrozenEstimator(fitted))


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("place", range(8))
def test_one_classifier_inside_is_read(place):
    X, y = two_kinds()
    model = list(wrappers())[place].fit(X, y)
    dnf = to_dnf(model, 1, X=X, y=y, cv=None)
    assert dnf.transformed_by == ()
    assert np.mean(dnf.holds(X) != y) < 0.1
    assert_array_equal(dnf.features, X.columns)
    assert len(terms(model, 1, top=3)) == 3
    assert len(explain(model, X[:2])) == 2


def test_wrappers_of_several_or_no_classifiers_are_refused():
    X, y = two_kinds()
    several = CalibratedClassifierCV(quick_pipeline(), cv=2).fit(X, y)
    with pytest.raises(TypeError, match="must contain a single model; got 2"):
        terms(several)
    assert len(terms(several.calibrated_classifiers_[0].estimator, 1, top=2)) == 2
    for other in (
        OneVsRestClassifier(quick_pipeline()),
        StackingClassifier([("one", quick_pipeline())], cv=2),
        FrozenEstimator(LogisticRegression().fit(X, y)),
    ):
        with pytest.raises(TypeError, match=f"got {type(other).__name__}"):
            terms(other.fit(X, y))
    for unfitted in (
        FixedThresholdClassifier(quick_pipeline()),
        CalibratedClassifierCV(quick_pipeline()),
        FrozenEstimator(quick_pipeline()),
    ):
        with pytest.raises(NotFittedError):
            terms(unfitted)


def test_chains_inside_wrappers_are_diagnosed():
    X, y = two_kinds()
    model = make_pipeline(
        ClassEntropyDiscretizer(max_intervals=2),
        DNFWinnowClassifier(
            sampler=Gibbs(n_steps=20), max_iter=1, cv=None, random_state=0
        ),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X[::10], y[::10])
        direct = diagnose_chains(model, X[:1])
        wrapped = diagnose_chains(FrozenEstimator(model), X[:1])
    assert repr(direct) == repr(wrapped)


# -- few terms -------------------------------------------------------------------------


def rules_of(dnf):
    """The rules of a formula, as text."""
    return list(map(str, dnf.terms))


def test_a_rare_class_has_rules_and_their_precision():
    """No rule is right more often than wrong, and one is much better than chance."""
    random = np.random.default_rng(0)
    X = random.integers(0, 6, (1200, 2)).astype(str)
    is_rare = (X == "0").all(axis=1) & (random.random(1200) < 0.3)
    y = np.where(is_rare, "rare", "usual")
    model = DNFWinnowClassifier(random_state=0).fit(X, y)
    dnf = to_dnf(model, "rare", X=X, y=y)
    assert rules_of(dnf) == ["x0 = 0 & x1 = 0"]
    precision = is_rare[dnf.holds(X)].mean()
    assert dnf.scores["precision"] == pytest.approx(precision, abs=0.05)
    assert dnf.scores["recall"] == 1.0
    with pytest.warns(UserWarning, match=r"^No rule for rare .*share") as record:
        none = to_dnf(model, "rare", X=X, y=y, miss_cost=1)
    assert none.terms == () and record[0].filename == __file__
    assert "miss_cost='f1'" in str(record[0].message)
    assert "no rule is better than the share of the class" in str(none)


def test_a_threshold_is_the_cost_of_a_missed_sample():
    """Half of a cell is in the class: rules cover it below one half, not above."""
    X = np.repeat([["a"], ["b"], ["c"]], 120, axis=0)
    y = np.r_[np.ones(120), np.arange(120) % 2, np.zeros(120)].astype(int)
    model = DNFWinnowClassifier(random_state=0).fit(X, y)
    texts = {}
    for threshold in (0.3, 0.7):
        tuned = FixedThresholdClassifier(model, threshold=threshold).fit(X, y)
        texts[threshold] = rules_of(to_dnf(tuned, 1, X=X, y=y))
        other = rules_of(to_dnf(tuned, 0, X=X, y=y))
        assert other == {0.3: ["x0 = c"], 0.7: ["x0 != a"]}[threshold]
    assert texts == {0.3: ["x0 != c"], 0.7: ["x0 = a"]}
    assert rules_of(to_dnf(model, 1, X=X, y=y, miss_cost=3)) == ["x0 != c"]
