"""Persistence of estimators made of others, and of files."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder, StandardScaler

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.inspection import to_dnf
from sklearn_dnfwinnow.persistence import from_json, to_json

# Not scikit-learn before 1.9 and polars 2 together.
MEET = hasattr(OrdinalEncoder().fit(pl.DataFrame({"a": ["x"]})), "feature_names_in_")


def table(n_rows=60):
    """Measurements with gaps, words and integers; the class goes by two of them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "length": rng.normal(size=n_rows),
            "colour": rng.choice(["red", "blue", "green"], n_rows),
            "width": rng.normal(size=n_rows),
            "count": rng.integers(0, 3, n_rows),
            "depth": rng.normal(size=n_rows),
        }
    )
    y = np.where((frame.length > 0) & (frame.colour == "red"), "yes", "no")
    frame.loc[::9, "width"] = np.nan
    return frame, y


def cut():
    return ClassEntropyDiscretizer(max_intervals=3)


def classifier():
    return DNFWinnowClassifier(random_state=0, n_folds=None, max_iter=2)


PARTS = {
    "names": ([("cut", cut(), ["length", "width"])], {"remainder": "passthrough"}),
    "positions": ([("cut", cut(), [0, -3]), ("words", "passthrough", [1])], {}),
    "slice": ([("all", cut(), slice(0, 4))], {}),
    "slice of names": ([("all", cut(), slice("colour", "depth"))], {}),
    "mask": ([("cut", cut(), [True, False, True, False, False])], {"remainder": cut()}),
    "a function": (
        [("cut", cut(), make_column_selector(dtype_include=float))],
        {"remainder": FunctionTransformer(feature_names_out="one-to-one")},
    ),
    "an index": ([("cut", cut(), pd.Index(["depth", "length"]))], {}),
    "arrays": ([("cut", cut(), np.array([4, 0])), ("none", cut(), [])], {}),
    "dropped": (
        [("away", "drop", ["length"]), ("cut", cut(), ["width", "depth"])],
        {"verbose_feature_names_out": False, "sparse_threshold": 0.5},
    ),
    "weights": (
        [("cut", cut(), ["length", "width"])],
        {"transformer_weights": {"cut": 2.0, "other": 0.5}},
    ),
    "a pipeline": (
        [
            ("cut", make_pipeline("passthrough", cut()), ["length", "depth"]),
            (
                "nested",
                ColumnTransformer([("b", "passthrough", [1]), ("a", cut(), [0])]),
                ["width", "colour"],
            ),
        ],
        {},
    ),
}


@pytest.mark.slow_beyond(6)
@pytest.mark.parametrize("output", [None, "default", "pandas", "polars"])
@pytest.mark.parametrize("name", PARTS)
def test_column_transformers_come_back(name, output):
    """The same text, names, scores, formulas and further training, to the last bit."""
    if output == "polars" and not MEET:
        pytest.skip("scikit-learn before 1.9 does not know the frames of polars 2")
    frame, y = table()
    parts, options = PARTS[name]
    columns = clone(ColumnTransformer(parts, **options))
    if output is not None:
        columns.set_output(transform=output)
    pipeline = make_pipeline(columns, classifier())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # floats that are no intervals
        pipeline.fit(frame, y)
    text = to_json(pipeline)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = from_json(text)
        assert to_json(again) == text
        scores = again.decision_function(frame)
        assert_array_equal(scores, pipeline.decision_function(frame))
    left, right = again[0], pipeline[0]
    assert type(left.transform(frame)) is type(right.transform(frame))
    assert_array_equal(left.get_feature_names_out(), right.get_feature_names_out())
    for attribute in ("output_indices_", "sparse_output_", "n_features_in_"):
        assert getattr(left, attribute) == getattr(right, attribute)
    assert [part[0] for part in left.transformers_] == [
        part[0] for part in right.transformers_
    ]
    formulas = [to_dnf(each, "yes", X=frame) for each in (again, pipeline)]
    assert formulas[0] == formulas[1] and str(formulas[0]) == str(formulas[1])
    assert again._repr_html_()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        refitted = clone(again).fit(frame, y)
    assert_array_equal(refitted.decision_function(frame), scores)


def test_column_transformers_of_arrays_come_back():
    """They have no names, and refuse tables of another width."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int)
    columns = ColumnTransformer([("cut", cut(), slice(None, 2))], remainder=cut())
    pipeline = make_pipeline(columns, classifier()).fit(X, y)
    again = from_json(to_json(pipeline))
    assert_array_equal(again.decision_function(X), pipeline.decision_function(X))
    with pytest.raises(ValueError, match="3 features"):
        again.predict(X[:, :2])
    alone = from_json(to_json(pipeline[0]))
    assert_array_equal(alone.transform(X), pipeline[0].transform(X))


def test_columns_are_found_by_name_in_other_frames():
    frame, y = table()
    pipeline = make_pipeline(ColumnTransformer(PARTS["names"][0]), classifier())
    again = from_json(to_json(pipeline.fit(frame, y)))
    expected = pipeline.decision_function(frame)
    shuffled = frame[[*frame.columns[::-1]]]
    assert_array_equal(again.decision_function(shuffled), expected)
    if MEET:
        assert_array_equal(again.decision_function(pl.from_pandas(frame)), expected)
    with pytest.raises(ValueError, match="columns are missing"):
        again.predict(frame.drop(columns="length"))


def test_output_of_discretizers_comes_back():
    frame, y = table()
    numbers = frame[["length", "width"]]
    discretizer = cut().set_output(transform="polars").fit(numbers, y)
    again = from_json(to_json(discretizer))
    assert again.transform(numbers).equals(discretizer.transform(numbers))


def test_of_searches_and_frozen_estimators_the_inner_one_is_written():
    frame, y = table()
    pipeline = make_pipeline(ColumnTransformer(PARTS["names"][0]), classifier())
    search = GridSearchCV(pipeline, {"dnfwinnowclassifier__alpha": [1.1, 1.5]}, cv=2)
    with pytest.raises(NotFittedError):
        to_json(search)
    search.fit(frame, y)
    expected = search.decision_function(frame)
    frozen = Pipeline([("all", FrozenEstimator(search.best_estimator_))])
    for estimator in (search, FrozenEstimator(search), frozen):
        again = from_json(to_json(estimator))
        assert isinstance(again, Pipeline)
        assert_array_equal(again.decision_function(frame), expected)
    inside = make_pipeline(
        ColumnTransformer([("a", FrozenEstimator(cut().fit(frame[["width"]], y)), [2])])
    ).fit(frame, y)
    again = from_json(to_json(inside))
    assert_array_equal(again.transform(frame), inside.transform(frame))
    search.set_params(refit=False).fit(frame, y)
    del search.best_estimator_
    with pytest.raises(NotFittedError):
        to_json(search)


def other_names(**said):
    return {"verbose_feature_names_out": "{feature_name.__class__}", **said}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (ColumnTransformer([("a", StandardScaler(), ["length"])]), "StandardScaler"),
        (ColumnTransformer([("a", FunctionTransformer(abs), ["length"])]), "func is"),
        (
            ColumnTransformer([("a", cut(), ["length"])], **other_names()),
            "verbose_feature_names_out",
        ),
    ],
)
def test_other_parts_are_refused(columns, message):
    frame, y = table()
    with pytest.raises(TypeError, match=message):
        to_json(columns.fit(frame, y))


def test_changed_files_of_column_transformers_are_refused():
    frame, y = table()
    columns = ColumnTransformer(
        [("cut", cut(), ["length", "width"]), ("word", "passthrough", ["colour"])],
        remainder="drop",
    ).fit(frame, y)
    said = json.loads(to_json(columns))
    part = json.loads(to_json(classifier().fit(frame[["count"]], y)))["estimator"]

    def refused(**changes):
        other = {"schema": 1, "estimator": {**said["estimator"], **changes}}
        with pytest.raises(ValueError):
            from_json(json.dumps(other))

    _, cutting, _ = said["estimator"]["transformers"][0]
    for columns in (
        ["length"],
        ["length", "nowhere"],
        [0, 5],
        [0, 2**70],
        [0, "width"],
        [True, True],
        None,
        {"slice": [0, 2, 0]},
        {"slice": [0, 2]},
        {"sl": [0]},
    ):
        refused(transformers=[["cut", cutting, columns]])
    for name in ("a__b", "remainder", 1):
        refused(transformers=[[name, cutting, [0, 2]]])
    for of_part in ("keep", part, None):
        refused(transformers=[["cut", of_part, [3]]])
    refused(transformers=[["cut", cutting]])
    refused(transformers=[["cut", cutting, [0, 2]]] * 2)
    for changes in (
        {"remainder": "keep"},
        {"remainder": part},
        {"n_features": 2**40},
        {"n_features": 4},
        {"n_features": 0},
        {"feature_names": ["a"] * 4},
        {"output": "xml"},
        {"sparse_threshold": "a"},
        {"transformer_weights": {"cut": "a"}},
        other_names(),
        {"n_jobs": 4},
    ):
        refused(**changes)


@pytest.mark.slow
def test_nesting_has_a_limit():
    frame, y = table()
    estimator = classifier().fit(frame[["count"]], y)
    for _ in range(8):
        estimator = Pipeline([("inner", estimator)])
    text = to_json(estimator)
    assert_array_equal(
        from_json(text).predict(frame[["count"]]), estimator.predict(frame[["count"]])
    )
    with pytest.raises(ValueError, match="nested up to 8 deep"):
        to_json(Pipeline([("inner", estimator)]))
    said = json.loads(text)
    said["estimator"] = {"type": "Pipeline", "steps": [["inner", said["estimator"]]]}
    with pytest.raises(ValueError, match="nested up to 8 deep"):
        from_json(json.dumps(said))


def test_number_of_threads_is_not_kept():
    """It depends on the machine; results do not depend on it."""
    frame, y = table()
    model = classifier().set_params(n_jobs=2).fit(frame[["count"]], y)
    text = to_json(model)
    assert "n_jobs" not in text and from_json(text).n_jobs is None
    with pytest.raises(ValueError, match="parameters of DNFWinnowClassifier"):
        from_json(text.replace('"alpha": ', '"n_jobs": 99, "alpha": ', 1))


def test_files_are_written_and_read(tmp_path):
    frame, y = table()
    frame["colour"] = frame["colour"].replace("red", "röd\n")
    model = classifier().fit(frame[["colour", "count"]], y)
    for path in (tmp_path / "model.json", str(tmp_path / "other.json")):
        assert to_json(model, path) is None
    text = to_json(model)
    path = tmp_path / "model.json"
    assert path.read_text(encoding="utf-8") == text
    assert to_json(from_json(path)) == text == to_json(from_json(text.encode()))
    # A string is text, whatever it names.
    with pytest.raises(ValueError, match=r"name of a file. Pass pathlib.Path\("):
        from_json(str(path))
    for wrong in (str(tmp_path), str(tmp_path / "none.json"), "a\0b", "x" * 10**5):
        with pytest.raises(json.JSONDecodeError):
            from_json(wrong)
    with pytest.raises(FileNotFoundError):
        from_json(tmp_path / "none.json")
    before = path.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="'alpha' parameter"):
        to_json(model.set_params(alpha=0.5), path)
    assert path.read_text(encoding="utf-8") == before
