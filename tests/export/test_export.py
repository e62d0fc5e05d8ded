"""Whole models in other programs: scores, probabilities and classes are the model's."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import inf, nan
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from formula_checks import LOADERS, MISSING, bundled, onnx_feeds, plain_rows, session_of
from internals.export import _matrices, term_weights
from internals.inspection import TermDecoder
from internals.terms import TermModel
from literal_checks import averaged_table, frame, labels, quick
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder, StandardScaler

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.export import to_onnx, to_python
from sklearn_dnfwinnow.rules import Literal, Term

MANY = 100_000


def module_of(estimator, **options):
    module = {}
    exec(compile(to_python(estimator, **options), "model", "exec"), module)
    return SimpleNamespace(**module)


def by_python(estimator, rows, **options):
    """Scores, probabilities and labels of a module."""
    module = module_of(estimator, **options)
    functions = module.log_weighted_sums, module.predict_proba, module.predict
    return [list(map(function, rows)) for function in functions]


def by_onnx(estimator, rows, **options):
    """The same of a graph."""
    pytest.importorskip("onnxruntime")
    session = session_of(to_onnx(estimator, missing=MISSING, **options))
    found = session.run(["scores", "probabilities", "label"], onnx_feeds(session, rows))
    return [each.tolist() for each in found]


def check(estimator, *tables, programs=(by_python, by_onnx), atol=1e-11):
    """Scores, probabilities and classes are those of the estimator, in all rows."""
    decoder = TermDecoder.from_estimator(estimator)
    for X in tables:
        codes = decoder.codes(X)
        scores = decoder.model.log_scores(codes)
        probabilities, predicted = estimator.predict_proba(X), estimator.predict(X)
        # Where two classes are even, either may come first.
        first, second = np.sort(scores)[:, ::-1].T[:2]
        is_clear = first - second > 1e-9
        assert is_clear.any() or X is not tables[0]
        names = decoder.table_features
        columns = pd.Index(names, dtype=object)
        table = pd.DataFrame(decoder.table(X)).set_axis(columns, axis=1)
        rows = plain_rows(table, names)
        for program in programs:
            found = program(estimator, rows, max_terms=MANY)
            assert_allclose(found[0], scores, rtol=1e-12, atol=atol)
            assert_allclose(found[1], probabilities, rtol=1e-9, atol=1e-11)
            said = np.array(found[2], dtype=predicted.dtype)
            assert_array_equal(said[is_clear], predicted[is_clear])
            assert {type(label) for label in found[2]} == {
                type(label) for label in predicted.tolist()
            }


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("missing", ["category", "unspecified", "most_frequent"])
@pytest.mark.parametrize("literals", ["ordered", "equal", "intervals"])
def test_frames_of_all_kinds(literals, missing, global_random_seed):
    X = frame(40, global_random_seed)
    new = frame(30, global_random_seed + 100, more=1).assign(mixed=["x", "new"] * 15)
    clf = quick(literals=literals, missing=missing, max_term_size=2)
    clf.fit(X, labels(40))
    check(clf, X, new, programs=[by_python])
    with pytest.raises(
        ValueError, match="mixed must be compared with values of one type"
    ):
        to_onnx(clf)
    X, new = (table.drop(columns="mixed") for table in (X, new))
    check(clf.fit(X, labels(40)), X, new)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("name", LOADERS)
def test_bundled_sets(name):
    large = name in ("annealing", "auto")
    parameters = {"literals": "equal", "max_term_size": 1} if large else {}
    check(*bundled(name, **parameters))


@pytest.mark.parametrize(
    "parameters",
    [
        {"multi_class": "ovr", "threshold": 3.5, "max_term_size": None},
        {"update": "residual", "cv": 3, "max_iter": 8},
        {"alpha": 1e5, "max_iter": 20, "margin": 5000.0, "max_term_size": 2},
        {"alpha": 30.0, "literal_weight": 1e-30, "margin": 100.0, "literals": "ordered"},
        {"average": False, "max_stored_examples": 10, "sampler": "exact"},
    ],
)
def test_models_of_all_kinds(parameters):
    X, y = load_monks(2, return_X_y=True, as_frame=True)
    settings = {"cv": None, "max_iter": 3, "random_state": 0, **parameters}
    X, y = X[:150], y[:150]
    clf = DNFWinnowClassifier(**settings).fit(X, y)
    rows = X.assign(a1="new", a2=None)[:5]
    # Numbers of promotions by log alpha have as many digits as double precision has.
    check(clf, X, rows, atol=1e-13 * np.abs(clf.log_weighted_sums(X)).max())


RED = Literal(1, "color", "=", "red", ("red",))
OLD = Literal(0, "age", ">", "40", None, ((40.0, inf),))


@pytest.mark.parametrize(
    "parameters",
    [
        {"monotonic_cst": {"age": {"yes": 1, "no": -1}}, "max_term_size": 2},
        {"forbidden": [Literal(3, "rank", "=", "2", (2,)), "size"], "literals": "ordered"},
        {
            "forbidden": [RED],
            "monotonic_cst": {"rank": {"no": 1}},
            "initial_terms": [(Term([OLD]), "no", 8.0), (Term(), "yes", 0.01)],
            "literals": "ordered",
            "max_term_size": 2,
        },
        {
            "initial_terms": [(Term([RED]), "no", 8.0), (Term([OLD, RED]), "yes", 0.1)],
            "multi_class": "ovr",
            "missing": "category",
        },
    ],
)
def test_models_under_conditions(parameters):
    """Forbidden terms have weight 0, and initial terms their own."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 90).astype(float),
            "color": rng.choice(np.array(["red", "green", "blue"], dtype=object), 90),
            "size": rng.choice(np.array(["s", "m"], dtype=object), 90),
            "rank": rng.integers(0, 4, 90),
        }
    )
    X.loc[rng.uniform(size=90) < 0.1, "age"] = nan
    y = np.where((X["age"] > 45) ^ (X["color"] == "red"), "yes", "no").astype("<U7")
    y[rng.uniform(size=90) < 0.1] = "perhaps"
    settings = {"max_iter": 4, "cv": None, "random_state": 0}
    clf = DNFWinnowClassifier(**settings, **parameters).fit(X, y)
    assert clf._term_model().conditions is not None
    check(clf, X, X.assign(color="new", age=X["age"][::-1].to_numpy()))


def test_columns_that_must_not_meet():
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = quick(forbidden=[("a1", "a2")]).fit(X, y)
    for export in (to_onnx, to_python):
        with pytest.raises(
            ValueError, match="columns that must not occur together in a term"
        ):
            export(clf)


AVERAGES = {
    "two": {"n_estimators": 2},
    "missing": {"max_term_size": 2, "missing": "category"},
    "ovr": {"n_estimators": 2, "max_term_size": 1, "multi_class": "ovr"},
    "conditions": {
        "monotonic_cst": {"petal width (cm)": {2: 1}},
        "forbidden": [Literal(2, "color", "=", "red", ("red",))],
        "initial_terms": [(Term([Literal(2, "color", "=", "blue", ("blue",))]), 0, 9)],
        "max_term_size": 2,
    },
}


@pytest.mark.parametrize("name", AVERAGES)
def test_averages(name):
    """Models cut columns at different points; their scores are added up."""
    X, y = averaged_table()
    clf = DNFWinnowClassifier(random_state=0, **AVERAGES[name]).fit(X, y)
    assert len(clf.estimators_) > 1
    new = X[::9].assign(color="new")
    new[list(X.columns[:2])] += 0.05
    check(clf, pd.concat([X[::6], new]))
    module = module_of(clf, max_terms=MANY)
    assert len(module.MODELS) == len(clf.estimators_) and module.SCALE == clf.scale_
    for one, model in zip(clf.estimators_, module.MODELS):
        (alone,) = module_of(one, max_terms=MANY).MODELS
        assert len(alone["terms"]) == len(model["terms"]) and alone["factor"] == 1
        assert alone["log_priors"] == model["log_priors"]


def test_averages_of_defaults():
    X, y = load_wine(return_X_y=True, as_frame=True)
    X = X[["alcohol", "flavanoids", "proline"]]
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    assert len(clf.estimators_) > 1
    between = X.set_axis(X.index[::-1]).sort_index()
    check(clf, pd.concat([X, (X + between) / 2])[::8])
    check(make_pipeline(StandardScaler(), clf).fit(X, y > 0), X[::4])


def test_too_many_terms_of_averages():
    """All models together have too many, and a single one would have fewer."""
    X, y = averaged_table()
    clf = DNFWinnowClassifier(max_term_size=1, random_state=0).fit(X, y)
    n_terms = sum(len(model["terms"]) for model in module_of(clf).MODELS)
    for one in clf.estimators_:
        assert to_python(one, max_terms=n_terms - 1)
    assert to_python(clf, max_terms=n_terms)
    with pytest.raises(ValueError, match="Train with n_estimators=1, with a smaller"):
        to_python(clf, max_terms=n_terms // 2)


def cut():
    return ClassEntropyDiscretizer(max_intervals=3)


PIPELINES = {
    "inside": lambda: quick(discretizer=cut(), max_term_size=2, literals="ordered"),
    "before": lambda: make_pipeline(cut(), quick(literals="ordered", max_term_size=2)),
    "scaled": lambda: make_pipeline(StandardScaler(), cut(), quick(max_term_size=2)),
    "parts": lambda: make_pipeline(
        ColumnTransformer([("one", cut(), [2, 0]), ("two", OrdinalEncoder(), [2, 3])]),
        quick(max_term_size=2),
    ),
    "search": lambda: GridSearchCV(
        make_pipeline(cut(), quick(max_term_size=1)),
        {"dnfwinnowclassifier__alpha": [1.1, 2.0]},
        cv=2,
    ),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_pipelines(name):
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.round()
    X.iloc[::9, 1] = nan
    estimator = PIPELINES[name]().fit(X, y)
    between = X + 0.25
    unknown = [] if name == "parts" else [between]
    check(estimator, X, *unknown)
    check(FrozenEstimator(estimator), X)


def test_cuts_are_not_rounded():
    X, y = load_iris(return_X_y=True)
    estimator = make_pipeline(cut(), quick(max_term_size=1)).fit(X, y)
    cuts = np.array([points[:1] for points in estimator[0].cut_points_]).T
    ends = np.vstack([np.nextafter(cuts, -inf), cuts, np.nextafter(cuts, inf)])
    assert len(np.unique(estimator.predict_proba(ends), axis=0)) > 1
    check(estimator, ends)


def test_arrays_have_columns_by_number():
    X, y = load_iris(return_X_y=True)
    module = module_of(make_pipeline(cut(), quick(max_term_size=1)).fit(X, y))
    assert [name for name, *_ in module.COLUMNS] == ["x0", "x1", "x2", "x3"]
    row = {"x0": np.float32(5), "x1": 3, "x2": pd.NA, "x3": None, "more": 1}
    assert module.predict(row) in module.CLASSES == [0, 1, 2]


@pytest.mark.parametrize("name", ["a'b", '"""', "\\", "{x}", "a\nb", "\ud800", "\0"])
def test_names_values_and_labels_are_data(name):
    # As objects: Arrow has no lone surrogates.
    columns = pd.Index([name], dtype=object)
    X = pd.DataFrame([[name], [f"{name}!"], [None]] * 4, columns=columns, dtype=object)
    y = np.array([f"{name}.", "other", "third"] * 4, dtype=object)
    clf = quick(missing="category").fit(X, y)
    programs = [by_python] if name == "\ud800" else [by_python, by_onnx]
    check(clf, X, X.assign(**{name: "new"}), programs=programs)
    if name == "\ud800":
        pytest.importorskip("onnx")
        with pytest.raises(ValueError, match="ONNX cannot represent a character"):
            to_onnx(clf)


def test_terms_that_are_listed():
    """Those that updates satisfy, with the exponents that they say."""
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = quick(max_term_size=2, literals="ordered").fit(X, y)
    model = clf._term_model()
    weights = term_weights(model, MANY)
    found = dict(zip(weights.terms, weights.log_weights.T))
    assert len(found) == len(weights.terms)
    of_updates = {
        term
        for update in model.literal_examples.tolist()
        for size in (0, 1, 2)
        for term in combinations([(j, c) for j, c in enumerate(update) if c], size)
    }
    assert of_updates >= found.keys()
    for term in of_updates:
        held = np.all([model.literal_examples[:, j] == c for j, c in term], axis=0)
        held = held if term else np.ones(len(model.examples), dtype=bool)
        net_counts = model.net_counts[:, held].sum(axis=1)
        assert (term in found) == (net_counts.any() or not term)
        if term in found:
            log_weights = model.log_beta * len(term) + model.log_alpha * net_counts
            assert_allclose(found[term], log_weights)


def test_weights_of_any_range():
    logs = np.array([[3000.0, 2400.0, 2399.0, 0.0, -1e5], [0.0, -1.0, -2.0, 1.0, 2.0]])
    matrices = list(_matrices(logs))
    assert 2 < len(matrices) < 6
    back = np.full(logs.shape, -inf)
    for matrix, shift in matrices:
        assert matrix.max() <= 1 and matrix[matrix > 0].min() > 1e-300
        assert not np.isfinite(back[matrix > 0]).any()
        with np.errstate(divide="ignore"):
            found = np.log(matrix) + shift
        back[matrix > 0] = found[matrix > 0]
    assert_allclose(back, logs, rtol=1e-12, atol=1e-12)


def test_too_many_terms():
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = quick().fit(X, y)
    n_terms = len(term_weights(clf._term_model(), MANY).terms)
    for export in (to_onnx, to_python):
        with pytest.raises(ValueError, match=r"more than 10 terms, of up to [\d,]+,"):
            export(clf, max_terms=10)
        with pytest.raises(ValueError, match=r"`max_term_size`.*`max_terms`.*`to_dnf`"):
            export(clf, max_terms=n_terms // 2)
    (model,) = module_of(clf, max_terms=MANY).MODELS
    assert len(model["terms"]) == n_terms


@pytest.mark.filterwarnings("ignore:Column.* contain the values 0.0, 1.0")
def test_what_cannot_be_exported(monkeypatch):
    X, y = load_iris(return_X_y=True)
    X = X.round()
    clf = quick(max_term_size=1).fit(X, y)
    calibrated = CalibratedClassifierCV(FrozenEstimator(clf), ensemble=False).fit(X, y)
    of_two = quick(max_term_size=1).fit(X, y > 0)
    thresholded = FixedThresholdClassifier(FrozenEstimator(of_two), threshold=0.9)
    opaque = make_pipeline(PCA(2), cut(), quick(max_term_size=1)).fit(X, y)
    sums = FunctionTransformer(
        partial(np.cumsum, axis=1), feature_names_out=lambda *_: ["a"] * 4
    )
    twice = make_pipeline(sums, cut(), quick(max_term_size=1)).fit(X, y)
    for export in (to_onnx, to_python):
        with pytest.raises(ValueError, match="one column of each name; got 'a'"):
            export(twice, transformed=True)
        for wrong in (calibrated, thresholded.fit(X, y > 0)):
            with pytest.raises(
                TypeError, match="cannot be exported, because its predictions"
            ):
                export(wrong)
        with pytest.raises(TypeError, match="estimator must be a DNFWinnowClassifier"):
            export(LogisticRegression().fit(X, y))
        with pytest.raises(NotFittedError):
            export(quick())
        with pytest.raises(ValueError, match=r"transformed by PCA.*transformed=True"):
            export(opaque)
        with pytest.raises(ValueError, match="max_terms"):
            export(clf, max_terms=0)
    with pytest.raises(TypeError, match="of type tuple, but only strings"):
        to_python(quick().fit([[("a",)], [("b",)]] * 4, [0, 1] * 4))
    with pytest.raises(ValueError, match="must be representable in double precision"):
        to_onnx(quick().fit([[2**60 + 1], [None]] * 4, [0, 1] * 4))
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="pip install onnx"):
        to_onnx(clf)


def test_behind_transformers_that_cannot_be_inverted():
    X, y = load_iris(return_X_y=True)
    opaque = make_pipeline(PCA(2), cut(), quick(max_term_size=1)).fit(X, y)
    scores = opaque.decision_function(X)
    rows = [dict(zip(("pca0", "pca1"), row)) for row in opaque[0].transform(X)]
    for program in (by_python, by_onnx):
        found = program(opaque, rows, transformed=True)
        assert_allclose(found[0], scores, rtol=1e-12, atol=1e-11)
    assert "columns as transformed by PCA" in to_python(opaque, transformed=True)


@pytest.mark.parametrize("shapley_values", [False, True])
def test_models_without_literals(shapley_values):
    """No value is known, so that all samples have the same probabilities."""
    X = pd.DataFrame({"a": [None] * 8, "b": [nan] * 8})
    clf = quick().fit(X, [0, 1, 1, 1] * 2)
    module = {}
    exec(to_python(clf, shapley_values=shapley_values), module)
    row = {"a": "new", "b": 5}
    assert module["predict"](row) == clf.predict(X[:1])[0]
    assert_allclose(module["predict_proba"](row), clf.predict_proba(X[:1])[0])
    if shapley_values:
        assert not np.any(module["shapley_values"](row))
    with pytest.raises(ValueError, match="Expected a model with inputs"):
        to_onnx(clf)


def test_rows_that_know_nothing():
    """No update, no literal that holds, or no term but the empty one."""
    X = pd.DataFrame({"a": ["x", "y"] * 4, "b": [None] * 8}, dtype=object)
    clf = quick().fit(X, [0, 1] * 4)
    module = module_of(clf)
    assert [name for name, *_ in module.COLUMNS] == ["a"]
    check(clf, X)
    empty = pd.DataFrame({"a": [None, "z"], "b": ["x", None]}, dtype=object)
    for program in (by_python, by_onnx):
        scores = program(clf, plain_rows(empty, ["a", "b"]))[0]
        assert_allclose(scores, clf.log_weighted_sums(empty), atol=1e-12)
    model = clf._term_model()
    none = type(model.stored).empty(n_features=model.examples.shape[1], n_classes=2)
    untrained = replace(model, stored=none)
    weights = term_weights(untrained, 1)
    assert weights.terms == [()] and not weights.log_weights.any()


def test_a_second_estimator():
    """Any TermModel is exported, in the words of its protocol."""

    class Bare(DNFWinnowClassifier):
        def _term_model(self):
            model = super()._term_model()
            names = [*TermModel.__annotations__, "encoding"]
            return SimpleNamespace(**{name: getattr(model, name) for name in names})

    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = quick(max_term_size=1).fit(X, y)
    bare = Bare(**clf.get_params(deep=False)).fit(X, y)
    assert to_python(bare) == to_python(clf)
    assert [name for name, *_ in module_of(bare).COLUMNS] == list(X.columns)
    pytest.importorskip("onnx")
    assert to_onnx(bare).SerializeToString() == to_onnx(clf).SerializeToString()
