"""Shapley values in other programs: those of `inspection`, in all rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import inf, nan

import numpy as np
import pandas as pd
import pytest
from formula_checks import MISSING, onnx_feeds, plain_rows, session_of
from internals.inspection import TermDecoder
from literal_checks import averaged_table, frame, labels, quick
from numpy.testing import assert_allclose
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.export import to_onnx, to_python
from sklearn_dnfwinnow.inspection import shapley_values
from sklearn_dnfwinnow.rules import Literal, Term

OPTIONS = {"shapley_values": True, "transformed": True, "max_terms": 100_000}


def by_python(estimator, rows):
    """Values, base values, names and probabilities of a module."""
    module = {}
    exec(compile(to_python(estimator, **OPTIONS), "model", "exec"), module)
    values, probabilities = (
        np.array(list(map(module[name], rows)))
        for name in ("shapley_values", "predict_proba")
    )
    return values, module["BASE_VALUES"], module["FEATURES"], probabilities


def by_onnx(estimator, rows):
    """The same of a graph."""
    pytest.importorskip("onnxruntime")
    session = session_of(to_onnx(estimator, missing=MISSING, **OPTIONS))
    names = ["shapley_values", "base_values", "features", "probabilities"]
    values, base_values, features, probabilities = session.run(
        names, onnx_feeds(session, rows)
    )
    none = {name: column[:0] for name, column in onnx_feeds(session, rows).items()}
    assert session.run(names[:1], none)[0].shape == (0, *values.shape[1:])
    return values, base_values, features.tolist(), probabilities


def check(estimator, *tables, programs=(by_python, by_onnx)):
    """Values and base values are those of `shapley_values`, for all classes."""
    decoder = TermDecoder.from_estimator(estimator)
    names = decoder.table_features
    for X in tables:
        expected = shapley_values(estimator, X)
        assert not expected.std_errors.any() and expected.values.any()
        values, base_values = expected.values, expected.base_values
        if expected.classes is None:  # the log-odds of the second of two classes
            values = np.stack([-values, values], axis=-1)
            base_values = np.stack([-base_values, base_values], axis=-1)
        values = np.moveaxis(values, -1, 1)
        atol = 1e-12 * max(100.0, np.abs(values).max())
        columns = pd.Index(names, dtype=object)
        table = pd.DataFrame(decoder.table(X)).set_axis(columns, axis=1)
        for program in programs:
            found = program(estimator, plain_rows(table, names))
            assert_allclose(found[0], values, rtol=1e-11, atol=atol)
            assert_allclose(found[1], base_values[0], rtol=1e-11, atol=atol)
            assert found[2] == list(expected.feature_names)
            p = found[3]
            is_inside = (p > 1e-3) & (p < 1 - 1e-3)
            with np.errstate(divide="ignore"):
                log_odds = np.log(p / (1 - p))
            total = found[1] + found[0].sum(axis=2)
            assert_allclose(total[is_inside], log_odds[is_inside], atol=1e-8)


@pytest.mark.parametrize("missing", ["category", "unspecified"])
@pytest.mark.parametrize("literals", ["ordered", "equal"])
def test_frames_of_all_kinds(literals, missing):
    X, new = frame(40, 0), frame(15, 100, more=1)
    X, new = (table.drop(columns=["mixed", "yes"]) for table in (X, new))
    clf = quick(literals=literals, missing=missing, max_term_size=2)
    check(clf.fit(X, labels(40)), X[:15], new)


OLD = Literal(0, "age", ">", "40", None, ((40.0, inf),))
RED = Literal(1, "color", "=", "red", ("red",))


@pytest.mark.parametrize(
    "parameters",
    [
        {"multi_class": "ovr", "threshold": 3.5, "max_term_size": None},
        # Weights far below the smallest number of double precision.
        {"alpha": 1e5, "max_iter": 20, "margin": 5000.0, "max_term_size": 2},
        {"alpha": 30.0, "literal_weight": 1e-30, "margin": 100.0, "literals": "ordered"},
        # Classes that allow different literals, and initial terms.
        {
            "forbidden": [RED],
            "monotonic_cst": {"rank": {"no": 1}},
            "initial_terms": [(Term([OLD]), "no", 8.0), (Term(), "yes", 0.01)],
            "literals": "ordered",
        },
    ],
)
def test_models_of_all_kinds(parameters):
    rng = np.random.default_rng(1)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 90).astype(float),
            "color": rng.choice(np.array(["red", "green", "blue"], dtype=object), 90),
            "rank": rng.integers(0, 4, 90),
        }
    )
    X.loc[rng.uniform(size=90) < 0.1, "age"] = nan
    y = np.where((X["age"] > 45) ^ (X["color"] == "red"), "yes", "no").astype("<U7")
    y[rng.uniform(size=90) < 0.1] = "perhaps"
    settings = {"cv": None, "max_iter": 3, "random_state": 0, **parameters}
    clf = DNFWinnowClassifier(**settings).fit(X, y)
    check(clf, X[:20], X.assign(color="new", age=X["age"][::-1].to_numpy())[:20])
    if "forbidden" not in parameters:
        check(clf.fit(X, y == "yes"), X[:20])


def test_pipelines():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.round()
    cut = ClassEntropyDiscretizer(max_intervals=3)
    # Two features are functions of the same column.
    parts = ColumnTransformer([("one", cut, [2, 0]), ("two", OrdinalEncoder(), [2, 3])])
    check(make_pipeline(parts, quick(max_term_size=2)).fit(X, y), X[::9])
    check(make_pipeline(PCA(2), cut, quick()).fit(X, y), X[::9])


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_estimators": 2},
        {"max_term_size": 2, "missing": "category"},
        {"max_term_size": 2, "forbidden": [Literal(2, "color", "=", "red", ("red",))]},
    ],
)
def test_averages(parameters):
    X, y = averaged_table()
    clf = DNFWinnowClassifier(random_state=0, **parameters).fit(X, y)
    assert len(clf.estimators_) > 1
    check(clf, pd.concat([X[::9], X[::9].assign(color="new")]))


def test_pipelines_of_averages():
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(n_estimators=3, random_state=0)
    model = make_pipeline(StandardScaler(), clf).fit(X, y > 0)
    assert len(clf.estimators_) > 1
    check(model, X[::9])


def test_one_feature():
    X = pd.DataFrame({"a": ["x", "y", None] * 4, "b": [None] * 12}, dtype=object)
    check(quick().fit(X, [0, 1, 1] * 4), X)


@pytest.mark.parametrize("export", [to_python, to_onnx])
def test_what_has_no_exact_values(export, monkeypatch):
    pytest.importorskip("onnx")
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 17))
    clf = quick(max_term_size=1).fit(X, rng.integers(0, 2, 60))
    assert export(clf)
    with pytest.raises(ValueError, match=r"up to 16 features; it uses 17\."):
        export(clf, shapley_values=True)
    clf.fit(X[:, :5], X[:, 0])
    assert export(clf, shapley_values=True)
    model = type(clf._term_model())
    monkeypatch.setattr(model, "log_subset_sums", lambda self, row: None)
    clf.fit(X[:, :5], X[:, 0])
    with pytest.raises(ValueError, match="background have too many literals"):
        export(clf, shapley_values=True)
