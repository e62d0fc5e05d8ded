"""DNFClassifier as JSON: alone, behind other steps, and of hostile texts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFClassifier
from sklearn_dnfwinnow.persistence import from_json, to_json
from sklearn_dnfwinnow.rules import DNF


def people():
    X = pd.DataFrame(
        {
            "age": [30, 50, 20, 45, np.nan, 60],
            "smokes": ["yes", "no", "no", "yes", None, "no"],
        }
    )
    return X, np.array(["ill", "ill", "well", "ill", "well", "well"])


OLD = DNF.parse("age > 40", "ill", "well", features=["smokes", "age"])


@pytest.mark.parametrize(
    "dnf",
    [
        None,
        "age > 40 or smokes = yes",
        "class: well\nsmokes is missing",
        OLD,
        OLD.to_json(),
        {"well": "smokes is missing", "ill": OLD},
        {},
    ],
)
@pytest.mark.parametrize("otherwise", [None, "ill"])
def test_classifiers_come_back(dnf, otherwise):
    X, y = people()
    clf = DNFClassifier(dnf, otherwise=otherwise, smoothing=0.5, random_state=0)
    clf.fit(X, y, sample_weight=[1, 2, 0.1, 1, 3, 1])
    text = to_json(clf)
    again = from_json(text)
    assert to_json(again) == text
    assert again.get_params() == clf.get_params()
    assert again.dnfs_ == clf.dnfs_
    assert again.otherwise_ == clf.otherwise_
    assert_array_equal(again.classes_, clf.classes_)
    assert_array_equal(again.feature_names_in_, clf.feature_names_in_)
    assert_array_equal(again.predict(X), clf.predict(X))
    assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    pd.testing.assert_frame_equal(again.explain(X), clf.explain(X))
    assert_array_equal(
        clone(again).fit(X, y).predict(X), clone(clf).fit(X, y).predict(X)
    )


@pytest.mark.parametrize("classes", [[False, True], [0, 1], [-3, 9], ["a", "b"]])
def test_classes_of_any_kind_come_back(classes):
    X, y = people()
    y = np.array(classes)[(y == "ill").astype(int)]
    X = X.to_numpy(dtype=object)
    clf = DNFClassifier({y[0]: "x0 > 40", y[2]: "x1 = no"}, otherwise=y[2]).fit(X, y)
    again = from_json(to_json(clf))
    assert again.classes_.dtype == clf.classes_.dtype
    assert type(again.otherwise_) is type(clf.otherwise_)
    assert_array_equal(again.predict(X), clf.predict(X))


def test_as_the_last_step():
    X, y = people()
    X = X[["age"]].fillna(33).to_numpy()
    cut = ClassEntropyDiscretizer(max_intervals=2)
    clf = make_pipeline(cut, DNFClassifier("x0 > 0")).fit(X, y)
    assert_array_equal(from_json(to_json(clf)).predict(X), clf.predict(X))


def test_what_cannot_be_written_is_refused():
    X, y = people()
    with pytest.raises(NotFittedError):
        to_json(DNFClassifier())
    clf = DNFClassifier("age > 40").fit(X, y)
    with pytest.raises(TypeError, match=r"parameters.dnf\[0\] is 3 of type int"):
        to_json(clf.set_params(dnf={"ill": 3}))
    with pytest.raises(TypeError, match=r"parameters.dnf\[0\] is \(1, 2\)"):
        to_json(clf.set_params(dnf={(1, 2): OLD}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dnfs_", [{}]),
        ("dnfs_", {}),
        ("dnfs_", []),
        ("n_features_in_", 3),
        ("n_features_in_", True),
        ("n_features_in_", 2**40),
        ("n_features_in_", 10**400),
        ("otherwise_", "none"),
        ("otherwise_", None),
        ("class_counts_", [1.0] * 3),
        ("class_counts_", [-1.0] * 4),
        ("class_counts_", [1e305] * 4),
        ("class_counts_", ["x" * 10**6] + [1.0] * 3),
        ("classes_", {"kind": "U", "values": ["a", "b"]}),
        ("classes_", {"kind": "U", "values": []}),
        ("more", 1),
    ],
)
def test_what_is_read_is_checked(key, value):
    X, y = people()
    state = json.loads(to_json(DNFClassifier(OLD).fit(X, y)))
    assert from_json(json.dumps(state)).dnf == OLD
    state["estimator"]["fitted"][key] = value
    with pytest.raises(ValueError):
        from_json(json.dumps(state))


@pytest.mark.parametrize(
    "change",
    [{"dnf": 3}, {"dnf": [["ill", 3]]}, {"dnf": [["ill"]]}, {"otherwise": []}],
)
def test_parameters_that_are_read_are_checked(change):
    X, y = people()
    state = json.loads(to_json(DNFClassifier(OLD).fit(X, y)))
    state["estimator"]["parameters"].update(change)
    with pytest.raises(ValueError):
        from_json(json.dumps(state))


def test_smoothing_is_added_to_counts():
    """The sums of both are finite."""
    X, y = people()
    state = json.loads(to_json(DNFClassifier(OLD).fit(X, y)))
    state["estimator"]["parameters"]["smoothing"] = 1.7e308
    with pytest.raises(ValueError, match="Expected smoothing"):
        from_json(json.dumps(state))
