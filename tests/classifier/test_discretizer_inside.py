"""A discretizer as a parameter: as good as one before the classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

CONTAINERS = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "objects": lambda frame: frame.to_numpy(dtype=object),
    "list": lambda frame: frame.to_numpy(dtype=object).tolist(),
}


def mixed(seed=0, n_rows=120):
    """A table of numbers and text with missing values, and classes."""
    rng = np.random.default_rng(seed)
    size, shade = rng.normal(size=n_rows), rng.choice(["dark", "light"], n_rows)
    y = np.where((size > 0.3) & (shade == "dark"), "yes", "no")
    size[rng.random(n_rows) < 0.1] = np.nan
    frame = pd.DataFrame(
        {
            "size": size,
            "rooms": rng.integers(1, 5, n_rows),
            "age": rng.integers(0, 90, n_rows),
            "shade": shade,
        }
    )
    frame.loc[rng.random(n_rows) < 0.1, "shade"] = None
    return frame, y


def pair(discretizer, columns="same", **params):
    """A classifier with a discretizer inside, and one behind it.

    Without folds, which would cut the rows that they do not hold out.
    """
    params = {"random_state": 0, "cv": None, **params}
    before = clone(discretizer)
    if columns != "same":
        before.set_params(columns=columns)
    inside = DNFWinnowClassifier(discretizer=discretizer, **params)
    behind = DNFWinnowClassifier(discretizer=None, **params)
    return inside, make_pipeline(before, behind)


def quietly(f, *args, **kwargs):
    """Call f without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return f(*args, **kwargs)


def assert_same(inside, pipeline, X):
    """Both have learned the same, and predict the same."""
    behind = pipeline[-1]
    for name in ("stored_examples_", "net_promotion_counts_", "n_updates_"):
        assert_array_equal(getattr(inside, name), getattr(behind, name))
    assert inside.scale_ == behind.scale_
    for points, others in zip(inside.discretizer_.cut_points_, pipeline[0].cut_points_):
        assert_array_equal(points, others)
    for method in ("predict", "predict_proba", "decision_function"):
        assert_array_equal(
            quietly(getattr(inside, method), X), quietly(getattr(pipeline, method), X)
        )


def new_rows(frame):
    """Rows with numbers out of range, other text, and more missing values."""
    new = frame.head(6).copy()
    new["size"] = [-1e9, 1e9, np.nan, 0.0, 0.31, 2.0]
    new["age"] = [-5, 200, 3, 4, 50, 89]
    new.loc[1, "shade"] = "new"
    return new


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
def test_inside_is_as_before_the_classifier(container, missing):
    frame, y = mixed()
    convert = CONTAINERS[container]
    inside, pipeline = pair(
        ClassEntropyDiscretizer(max_intervals=4), missing=missing, literals="ordered"
    )
    for estimator in (inside, pipeline):
        quietly(estimator.fit, convert(frame), y)
    for rows in (frame, new_rows(frame)):
        assert_same(inside, pipeline, convert(rows))
    assert inside.discretizer_.n_intervals_.tolist() == [4, 4, 4, 0]
    if container in ("pandas", "polars"):
        assert inside.discretizer_.feature_names_in_.tolist() == list(frame)


def test_weights_count_when_columns_are_cut():
    frame, y = mixed()
    weights = np.random.default_rng(1).integers(0, 4, len(y)) / 2
    inside, pipeline = pair(ClassEntropyDiscretizer(max_intervals=5))
    inside.fit(frame, y, sample_weight=weights)
    quietly(
        pipeline.fit,
        frame,
        y,
        classentropydiscretizer__sample_weight=weights,
        dnfwinnowclassifier__sample_weight=weights,
    )
    assert_same(inside, pipeline, frame)
    plain = clone(inside).fit(frame, y).discretizer_.cut_points_
    assert not all(map(np.array_equal, plain, inside.discretizer_.cut_points_))
    # And those of classes, by which they are multiplied.
    doubled = clone(inside).set_params(class_weight={"yes": 2.0}).fit(frame, y)
    repeated = clone(inside).fit(frame, y, sample_weight=np.where(y == "yes", 2.0, 1.0))
    assert_array_equal(doubled.net_promotion_counts_, repeated.net_promotion_counts_)
    for points, others in zip(
        doubled.discretizer_.cut_points_, repeated.discretizer_.cut_points_
    ):
        assert_array_equal(points, others)


def test_auto_cuts_numbers_of_many_values():
    frame, y = mixed()
    inside, pipeline = pair(ClassEntropyDiscretizer(), columns=["size", "age"])
    inside.set_params(discretizer="auto").fit(frame, y)
    assert_same(inside, quietly(pipeline.fit, frame, y), frame)
    assert inside.discretizer_.columns == [0, 2]
    assert inside.categories_[1].tolist() == [1, 2, 3, 4]
    rng = np.random.default_rng(0)
    for n_values, is_cut in ((10, False), (11, True)):
        values = np.resize(np.arange(n_values) * 0.5, 60)
        X = np.column_stack([np.where(rng.random(60) < 0.1, np.nan, values), values])
        classifier = DNFWinnowClassifier(discretizer="auto").fit(X, values > 2)
        assert (classifier.discretizer_ is not None) == is_cut


@pytest.mark.parametrize(
    "discretizer", ["auto", None, ClassEntropyDiscretizer()], ids=str
)
def test_nothing_to_cut(discretizer):
    frame, y = mixed()
    X = frame[["shade"]].assign(
        grade=pd.Categorical(frame["age"]), flag=frame["age"] > 40
    )
    classifier = DNFWinnowClassifier(discretizer=discretizer).fit(X, y)
    assert classifier.discretizer_ is None


def test_large_integers_beside_missing_values_are_numbers():
    values = pd.Series([2**60 + i * 2**20 for i in range(40)] + [None], dtype="Int64")
    X, y = pd.DataFrame({"a": values}), np.arange(41) > 20
    inside, pipeline = pair(ClassEntropyDiscretizer())
    inside.fit(X, y)
    assert_same(inside, pipeline.fit(X, y), X)


def test_the_parameter_is_left_as_it_is():
    frame, y = mixed()
    discretizer = ClassEntropyDiscretizer(max_intervals=3)
    before = pickle.dumps(vars(discretizer))
    classifier = DNFWinnowClassifier(discretizer=discretizer).fit(frame, y)
    assert classifier.discretizer is discretizer
    assert pickle.dumps(vars(discretizer)) == before
    classifier.set_params(discretizer__max_intervals=2).fit(frame, y)
    assert classifier.discretizer_.n_intervals_.max() == 2


def test_what_a_discretizer_refuses_is_refused():
    frame, y = mixed()
    for columns, message in (
        (["shade"], "selects column 'shade'"),
        (["b"], "contains 'b'"),
    ):
        discretizer = ClassEntropyDiscretizer(columns=columns)
        classifier = DNFWinnowClassifier(discretizer=discretizer)
        with pytest.raises(ValueError, match=message):
            classifier.fit(frame, y)
        assert not hasattr(classifier, "classes_")
    classifier = DNFWinnowClassifier(discretizer="auto").fit(frame, y)
    some = frame.astype({"size": object})
    some.loc[some.index[-1], "size"] = "large"
    with pytest.raises(ValueError, match=r"column 'size' .*not all num.*got 'large'\."):
        classifier.predict(some)
    with pytest.raises(ValueError, match="infinity"):
        classifier.predict(frame.assign(size=np.inf))


# -- batches ---------------------------------------------------------------------------


def test_the_first_batch_makes_the_intervals():
    frame, y = mixed(n_rows=200)
    inside, pipeline = pair(ClassEntropyDiscretizer(max_intervals=4))
    discretizer, behind = pipeline[0], pipeline[-1]
    classes = np.unique(y)
    inside.partial_fit(frame[:80], y[:80], classes=classes)
    first = inside.discretizer_
    discretizer.fit(frame[:80], y[:80])
    inside.partial_fit(frame[80:], y[80:])
    assert inside.discretizer_ is first
    behind.partial_fit(discretizer.transform(frame[:80]), y[:80], classes=classes)
    behind.partial_fit(discretizer.transform(frame[80:]), y[80:])
    assert_same(inside, pipeline, frame)
    # Nor does it change after `fit`.
    inside.fit(frame, y)
    points = inside.discretizer_.cut_points_
    inside.partial_fit(frame[:20], y[:20])
    assert inside.discretizer_.cut_points_ is points


@pytest.mark.parametrize(
    ("before", "after", "goes_on"),
    [
        ("auto", "auto", True),
        (ClassEntropyDiscretizer(), "auto", True),
        (ClassEntropyDiscretizer(), ClassEntropyDiscretizer(n_jobs=2), True),
        (None, "auto", True),
        ("auto", ClassEntropyDiscretizer(columns=[0, 2], max_segments=500), True),
        ("auto", ClassEntropyDiscretizer(columns=[0, 2]), False),
        ("auto", None, False),
        ("auto", ClassEntropyDiscretizer(max_intervals=3), False),
        (ClassEntropyDiscretizer(), ClassEntropyDiscretizer(columns=[0]), False),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:Columns with more than")
def test_batches_do_not_go_on_with_other_intervals(before, after, goes_on):
    frame, y = mixed()
    classifier = DNFWinnowClassifier(discretizer=before, cv=None).fit(frame, y)
    classifier.set_params(discretizer=after)
    if goes_on:
        classifier.partial_fit(frame, y)
        return
    with pytest.raises(ValueError, match=r"^discretizer=.*discretizer_=ClassEntropy"):
        classifier.partial_fit(frame, y)
    classifier.set_params(discretizer=classifier.discretizer_).partial_fit(frame, y)


def test_a_call_that_fails_changes_nothing():
    frame, y = mixed()
    classifier = DNFWinnowClassifier(discretizer="auto").fit(frame, y)
    before = pickle.dumps(vars(classifier))
    bad = frame.astype({"shade": object})
    bad.at[0, "shade"] = []
    for method in (classifier.fit, classifier.partial_fit):
        with pytest.raises(TypeError, match="hashable"):
            method(bad, y)
        assert pickle.dumps(vars(classifier)) == before


def test_many_segments_are_no_matter_of_auto():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30_000, 1)), rng.integers(0, 2, 30_000)
    settings = {"max_iter": 1, "cv": None}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DNFWinnowClassifier(discretizer="auto", **settings).fit(X, y)


def test_iris():
    X, y = load_iris(return_X_y=True)
    classifier = DNFWinnowClassifier(discretizer="auto", random_state=0).fit(X, y)
    assert classifier.score(X, y) > 0.95
