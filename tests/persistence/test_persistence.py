"""Persistence: estimators as JSON and back, and what comes of hostile text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import warnings
from uuid import UUID

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_auto
from sklearn_dnfwinnow.persistence import from_json, to_json
from sklearn_dnfwinnow.samplers import Gibbs


def table(seed=0, n_rows=60):
    """Strings, integers, floats, booleans and gaps."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "word": rng.choice(["x", "y", 'q"uote\n'], n_rows),
            "number": rng.integers(-2, 3, n_rows),
            "real": rng.choice([0.5, 1.0, -2.25], n_rows),
            "flag": rng.random(n_rows) < 0.5,
        }
    )
    frame = frame.astype(object).mask(rng.random(frame.shape) < 0.1, None)
    return frame, rng.integers(0, 3, n_rows)


SETTINGS = {
    "defaults": {},
    "paper": {"multi_class": "ovr", "average": False, "max_term_size": None},
    "category": {"missing": "category", "literals": "ordered"},
    "frequent": {"missing": "most_frequent", "literals": "ordered"},
    "intervals": {"missing": "most_frequent", "literals": "intervals"},
    "weights": {"class_weight": {0: 2.0, 1: 0.5, 2: 1.0}, "max_stored_examples": 20},
    "gibbs": {"sampler": Gibbs(n_steps=50), "max_iter": 2, "cv": None},
    "random": {"random_state": np.random.RandomState(0)},
}


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("name", SETTINGS)
def test_classifier_comes_back(name):
    """The same attributes, scores and further training, to the last bit."""
    X, y = table()
    classifier = DNFWinnowClassifier(**{"random_state": 0, **SETTINGS[name]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of short chains
        classifier.fit(X, y)
    text = to_json(classifier)
    other = from_json(text)
    assert to_json(other) == text
    new, labels = table(1)
    new.iloc[0, 0] = "unseen"
    for _ in range(2):
        for attribute in (
            "stored_examples_",
            "net_promotion_counts_",
            "n_updates_",
            "feature_names_in_",
        ):
            left, right = getattr(classifier, attribute), getattr(other, attribute)
            assert_array_equal(left, right)
            assert left.dtype == right.dtype
        for left, right in zip(classifier.categories_, other.categories_):
            assert_array_equal(left, right)
            assert left.dtype == right.dtype
        assert_array_equal(
            classifier.decision_function(new), other.decision_function(new)
        )
        assert_array_equal(classifier.predict_proba(new), other.predict_proba(new))
        if classifier.class_weight != "balanced":
            classifier.partial_fit(new, labels)
            other.partial_fit(new, labels)


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["a", "b"]),
        np.array(["a", "b"], dtype=object),
        np.array([False, True]),
        np.array([-1, 7], dtype=np.int8),
        np.array([1.0, 2.0]),
    ],
)
def test_classes_of_any_kind_come_back(classes):
    """Labels have the type that predictions had."""
    X, y = table()
    classifier = DNFWinnowClassifier(random_state=0).fit(X, classes[y % 2])
    predicted = from_json(to_json(classifier)).predict(X)
    assert_array_equal(predicted, classifier.predict(X))
    assert predicted.dtype.kind == classifier.predict(X).dtype.kind


def test_a_boolean_margin_is_a_number():
    """scikit-learn takes True for a number, and files do not."""
    X, y = table()
    clf = DNFWinnowClassifier(update="margin", margin=True, cv=None).fit(X, y)
    text = to_json(clf.set_params(random_state=0))
    assert to_json(from_json(text)) == text
    assert from_json(text).margin_ == 1.0


def test_files_of_other_versions_are_refused():
    """The message names the format, before anything else of the file is read."""
    for schema in (1, 3, "2", None, [2]):
        text = json.dumps({"schema": schema, "estimator": {"type": "other"}})
        with pytest.raises(ValueError, match=r"Expected schema 2; got .*version of"):
            from_json(text)


def test_discretizer_and_pipeline_come_back():
    """With columns that pass through, gaps, and a column without a value."""
    X, y = load_auto(return_X_y=True, as_frame=True)
    X = X.assign(empty=np.nan)
    pipeline = make_pipeline(
        ClassEntropyDiscretizer(max_intervals=4), DNFWinnowClassifier(random_state=0)
    ).fit(X, y)
    text = to_json(pipeline)
    other = from_json(text)
    assert to_json(other) == text and [*other.named_steps] == [*pipeline.named_steps]
    assert_array_equal(other.decision_function(X), pipeline.decision_function(X))
    for name in ("n_intervals_", "average_class_entropy_", "feature_names_in_"):
        assert_array_equal(getattr(other[0], name), getattr(pipeline[0], name))
    for name in ("cut_points_", "entropy_path_", "interval_labels_"):
        for left, right in zip(getattr(other[0], name), getattr(pipeline[0], name)):
            assert (left is None) == (right is None)
            assert left is None or str(left) == str(right)
    cut = ClassEntropyDiscretizer(columns=np.array([0, 2])).fit(
        *load_iris(return_X_y=True)
    )
    again = from_json(to_json(cut))
    assert again.get_params() == {**cut.get_params(), "columns": [0, 2]}
    codes = [[1, 0, 0, 0], [np.nan, 0, 2, 0]]
    assert_array_equal(again.inverse_transform(codes), cut.inverse_transform(codes))


def test_what_cannot_be_written_is_refused():
    """Other estimators, values that JSON has not, and what is not fitted."""
    X, y = table()
    with pytest.raises(NotFittedError):
        to_json(DNFWinnowClassifier())
    with pytest.raises(TypeError, match="estimator is a LogisticRegression"):
        to_json(LogisticRegression())
    X["word"] = [UUID(int=i % 3) for i in range(len(X))]
    classifier = DNFWinnowClassifier().fit(X, y)
    with pytest.raises(TypeError, match=r"columns\[0\].values\[0\] is UUID"):
        to_json(classifier)


def test_other_text_is_refused():
    """No JSON, none of ours, of another version, too deep, not finite."""
    X, y = table()
    text = to_json(DNFWinnowClassifier(alpha=1.1, random_state=0).fit(X, y))
    for wrong in (
        "",
        "{",
        "null",
        "[]",
        "{}",
        "[" * 100_000,
        text + "x",
        text.replace('"schema": 2', '"schema": 1'),
        text.replace('"DNFWinnowClassifier"', '"os.system"'),
        text.replace('"scale": ', '"scale": NaN, "x": '),
        text.replace('"alpha": 1.1', '"alpha": 0.5'),
        text.replace('"alpha": 1.1', '"alpha": Infinity'),
        text.replace('"alpha"', '"alhpa"'),
        text.replace('"own": [[', '"own": [[-1, '),
    ):
        assert wrong != text
        with pytest.raises(ValueError):
            from_json(wrong)
