"""Persistence of pipelines, of what is beside a model in them, and of files."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.persistence import from_json, to_json


def table(n_rows=60):
    """Measurements with gaps, and integers; the class goes by one of them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "length": rng.normal(size=n_rows),
            "width": rng.normal(size=n_rows),
            "count": rng.integers(0, 3, n_rows),
        }
    )
    y = np.where(frame.length > 0, "yes", "no")
    frame.loc[::9, "width"] = np.nan
    return frame, y


def cut():
    return ClassEntropyDiscretizer(max_intervals=3)


def classifier():
    return DNFWinnowClassifier(random_state=0, cv=None, max_iter=2)


@pytest.mark.parametrize("output", [None, "default", "pandas", "polars"])
def test_output_of_discretizers_comes_back(output):
    frame, y = table()
    pipeline = make_pipeline("passthrough", cut().set_output(transform=output))
    pipeline.steps.append(("winnow", classifier()))
    text = to_json(pipeline.fit(frame, y))
    again = from_json(text)
    assert to_json(again) == text
    found, expected = again[1].transform(frame), pipeline[1].transform(frame)
    assert type(found) is type(expected)
    assert_array_equal(np.asarray(found), np.asarray(expected))
    assert_array_equal(again.predict_proba(frame), pipeline.predict_proba(frame))
    said = json.loads(text)
    said["estimator"]["steps"][1][1]["output"] = "xml"
    with pytest.raises(ValueError, match=r"Expected .*output among"):
        from_json(json.dumps(said))


# -- other estimators ------------------------------------------------------------------

HINT = "classifier alone, or save the whole estimator with skops or joblib"
OTHERS = {
    "columntransformer": lambda: make_column_transformer((cut(), ["length"])),
    "standardscaler": StandardScaler,
    "functiontransformer": FunctionTransformer,
    "gridsearchcv": lambda: GridSearchCV(classifier(), {"alpha": [1.1, 1.5]}, cv=2),
    "frozenestimator": lambda: FrozenEstimator(classifier().fit(*table())),
    "fixedthresholdclassifier": lambda: FixedThresholdClassifier(classifier()),
    "calibratedclassifiercv": lambda: CalibratedClassifierCV(classifier(), cv=2),
}


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize("step", OTHERS)
def test_other_estimators_are_refused_with_an_alternative(step):
    """When they are written, alone or as a step, and when an old file contains them."""
    frame, y = table()
    y = y == "yes"
    other = OTHERS[step]()
    last = hasattr(other, "predict")
    pipeline = make_pipeline(cut(), other) if last else make_pipeline(other, cut())
    kind = type(other).__name__
    with pytest.raises(TypeError, match=f"estimator is a {kind}. .* {HINT}"):
        to_json(other.fit(frame, y))
    with pytest.raises(TypeError, match=rf"steps\['{step}'\] is a {kind}"):
        to_json(pipeline.fit(frame, y))
    said = {"type": "Pipeline", "steps": [[step, {"type": kind, "n_features": 2**40}]]}
    with pytest.raises(ValueError, match=rf"steps\['{step}'\] is a {kind}. .* {HINT}"):
        from_json(json.dumps({"schema": 2, "estimator": said}))


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


def test_pipelines_that_are_not_fitted_are_refused():
    with pytest.raises(NotFittedError):
        to_json(make_pipeline(cut(), classifier()))


@pytest.mark.parametrize(
    "steps",
    [
        [],
        {},
        [["winnow"]],
        [[1, "passthrough"]],
        [["a__b", "passthrough"]],
        [["a", "keep"]],
        [["memory", "passthrough"]],
        [["a", "passthrough"]] * 2,
    ],
)
def test_changed_steps_are_refused(steps):
    said = {"schema": 2, "estimator": {"type": "Pipeline", "steps": steps}}
    with pytest.raises(ValueError):
        from_json(json.dumps(said))


# -- numbers of threads, files ---------------------------------------------------------


def test_number_of_threads_is_not_kept():
    """It depends on the machine; results do not depend on it."""
    frame, y = table()
    model = classifier().set_params(n_jobs=2).fit(frame[["count"]], y)
    text = to_json(model)
    assert "n_jobs" not in text and from_json(text).n_jobs is None
    with pytest.raises(ValueError, match=r"parameters to have the keys"):
        from_json(text.replace('"alpha": ', '"n_jobs": 99, "alpha": ', 1))


def test_files_are_written_and_read(tmp_path):
    frame, y = table()
    frame["colour"] = np.where(y == "yes", "röd\n", "blå")
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
