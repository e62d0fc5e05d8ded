"""Sparse input: the same models, predictions and explanations as with NaN for zeros."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib
import numpy as np
import pandas as pd
import pytest
from fitted_state import assert_same_state, fitted_state
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder

from sklearn_dnfwinnow import DNFWinnowClassifier, merge
from sklearn_dnfwinnow.diagnostics import diagnose_chains
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    counterfactuals,
    explain,
    feature_effect,
    shapley_values,
    terms,
    to_dnf,
)
from sklearn_dnfwinnow.rules import DNFClassifier

matplotlib.use("agg")

FORMATS = pytest.mark.parametrize(
    "form", ["csr_matrix", "csc_matrix", "csr_array", "csc_array", "coo_array"]
)


def quick(**params):
    params = {"max_iter": 8, "random_state": 0, **params}
    return DNFWinnowClassifier(**params)


def words(n=240, seed=0):
    """Return counts, a measure with gaps, and labels: dense, with zeros."""
    rng = np.random.default_rng(seed)
    X = rng.integers(1, 4, (n, 6)) * (rng.random((n, 6)) < 0.4)
    measure = rng.normal(size=n) * (rng.random(n) < 0.7)
    X = np.column_stack([X, measure])
    y = ((X[:, 0] > 0) & (X[:, 1] > 0)) | (X[:, 6] > 0.4)
    return X, np.where(y, "yes", "no")


def absent(X):
    """Return X with NaN for zeros."""
    return np.where(X == 0, np.nan, X)


X, Y = words()
NEW, _ = words(n=60, seed=1)


@pytest.fixture(scope="module")
def pair():
    """Two models of the same data: sparse, and dense with NaN."""
    return quick().fit(sparse.csr_array(X), Y), quick().fit(absent(X), Y)


@FORMATS
def test_models_are_those_of_the_dense_form(form, pair):
    as_sparse = getattr(sparse, form)
    fitted, of_dense = quick().fit(as_sparse(X), Y), pair[1]
    assert_same_state(fitted, of_dense)
    for method in ("predict", "predict_proba", "decision_function"):
        found = getattr(fitted, method)(as_sparse(NEW))
        assert_array_equal(found, getattr(of_dense, method)(absent(NEW)))
        assert_array_equal(found, getattr(fitted, method)(absent(NEW)))


@pytest.mark.parametrize("kind", [np.int64, np.float32, bool])
def test_kinds_of_numbers(kind):
    table = X[:, :6].astype(kind)
    fitted = quick().fit(sparse.csr_array(table), Y)
    of_dense = quick().fit(np.where(table == 0, np.nan, table.astype(float)), Y)
    assert_same_state(fitted, of_dense)


def test_stored_zeros_are_absent_and_duplicates_are_added(pair):
    rows, columns = np.nonzero(np.ones_like(X))
    values = np.concatenate([X.ravel() / 2, X.ravel() / 2])
    places = np.tile(rows, 2), np.tile(columns, 2)
    stored = sparse.coo_array((values, places), shape=X.shape)
    assert_same_state(quick().fit(stored, Y), pair[1])
    # With stored zeros, unsorted and repeated entries, in CSC format.
    ends = np.arange(0, 2 * X.size + 1, 2 * len(X))
    order = np.argsort(places[1], kind="stable")
    raw = sparse.csc_array((values[order], places[0][order], ends), shape=X.shape)
    before = raw.copy()
    assert_same_state(quick().fit(raw, Y), pair[1])
    assert_array_equal(raw.data, before.data)  # the input is not changed
    assert_array_equal(raw.indices, before.indices)


@pytest.mark.parametrize("fill", [0, 0.0])
def test_sparse_frames(fill, pair):
    names = [f"word {j}" for j in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names).astype(pd.SparseDtype(float, fill))
    of_dense = quick().fit(pd.DataFrame(absent(X), columns=names), Y)
    fitted = quick().fit(frame, Y)
    assert_same_state(fitted, of_dense)
    new = pd.DataFrame(NEW, columns=names)
    found = fitted.predict_proba(new.astype(pd.SparseDtype(float, fill)))
    assert_array_equal(found, pair[1].predict_proba(absent(NEW)))
    dnf = to_dnf(fitted, "yes", n_terms=3)
    assert "word" in str(dnf)
    assert_array_equal(
        dnf.holds(frame), dnf.holds(pd.DataFrame(absent(X), None, names))
    )
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame[names[::-1]])


def test_frames_of_which_zeros_are_values():
    """Frames with dense columns, or another fill value, are read cell by cell."""
    frame = pd.DataFrame(X[:, :6].astype(int)).rename(columns=str)
    expected = fitted_state(quick().fit(frame, Y))
    for dtypes in (
        {"0": pd.SparseDtype(int, 0)},
        dict.fromkeys(frame, pd.SparseDtype(int, 1)),
    ):
        assert fitted_state(quick().fit(frame.astype(dtypes), Y)) == expected


def test_partial_fit_and_weights():
    weights = np.arange(len(X)) % 3
    settings = {"cv": None, "discretizer": None, "alpha": 1.2}
    models = []
    for form in (sparse.csr_array, absent):
        model = quick(**settings)
        for part in (slice(120), slice(120, None)):
            model.partial_fit(
                form(X[part]),
                Y[part],
                classes=["no", "yes"],
                sample_weight=weights[part],
            )
        models.append(fitted_state(model))
        models.append(fitted_state(quick().fit(form(X), Y, sample_weight=weights)))
    assert models[:2] == models[2:]


def test_merged_models(pair):
    parts = [quick(cv=None, discretizer=None) for _ in range(4)]
    for i, part in enumerate(parts):
        rows = slice(i % 2, None, 2)
        part.fit(sparse.csr_array(X[rows]) if i < 2 else absent(X[rows]), Y[rows])
    assert_same_state(merge(parts[:2]), merge(parts[2:]))


READERS = {
    "explain": lambda model, table: [*map(str, explain(model, table))],
    "values": lambda model, table: shapley_values(model, table).values.tolist(),
    "data": lambda model, table: shapley_values(model, table).data.tolist(),
    "background": lambda model, table: shapley_values(
        model, table, background=table[:9]
    ).values.tolist(),
    "counterfactuals": lambda model, table: [*map(str, counterfactuals(model, table))],
    "effect of counts": lambda model, table: feature_effect(model, table, 1).effects,
    "effect of numbers": lambda model, table: feature_effect(model, table, 6).effects,
    "formula": lambda model, table: str(
        to_dnf(model, "yes", n_terms=3, X=table, y=Y[:12])
    ),
    "terms": lambda model, table: terms(model).to_dict(),
    "display": lambda model, table: str(
        ExplanationDisplay.from_estimator(model, table, 2).explanation
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_readers(name, pair):
    read, (fitted, of_dense) = READERS[name], pair
    found = read(fitted, sparse.csr_matrix(X[:12]))
    assert str(found) == str(read(of_dense, absent(X[:12])))


def test_formulas(pair):
    dnf = to_dnf(pair[0], "yes", n_terms=4)
    as_sparse, dense = sparse.csr_array(NEW), absent(NEW)
    assert dnf.holds(dense).any()
    assert_array_equal(dnf.holds(as_sparse), dnf.holds(dense))
    labels = pair[1].predict(dense)
    assert str(dnf.evaluate(as_sparse, labels)) == str(dnf.evaluate(dense, labels))
    found = [
        (rules.predict(table), str(rules.explain(table)))
        for table in (as_sparse, dense)
        for rules in [DNFClassifier(str(dnf)).fit(table, labels)]
    ]
    assert_array_equal(found[0][0], found[1][0])
    assert found[0][1] == found[1][1]


def test_diagnostics():
    found = [
        str(diagnose_chains(quick(cv=None, max_iter=1, sampler="gibbs").fit(T, Y), T))
        for T in (sparse.csr_array(X[:, :4]), absent(X[:, :4]))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("missing", ["category", "most_frequent"])
def test_zeros_that_would_be_values_are_refused(missing):
    message = f"requires missing='unspecified'.*got missing='{missing}'"
    as_sparse = sparse.csr_array(X)
    for table in (as_sparse, pd.DataFrame.sparse.from_spmatrix(as_sparse)):
        with pytest.raises(ValueError, match=message):
            quick(missing=missing).fit(table, Y)
    with pytest.raises(ValueError, match=message):
        quick(missing=missing).partial_fit(as_sparse, Y, classes=["no", "yes"])
    with pytest.raises(ValueError, match=message):
        quick(missing=missing).fit(absent(X), Y).predict(as_sparse)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (sparse.csr_array([[np.inf, 0.0], [0.0, 1.0]]), "infinity.*column 0"),
        (sparse.csr_array([[1j, 0.0], [0.0, 1.0]]), "Complex data not supported"),
        (sparse.csr_array((0, 2)), "0 sample"),
        (sparse.csr_array((2, 0)), "0 feature"),
    ],
)
def test_matrices_that_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        quick().fit(table, [0, 1][: table.shape[0]])


def test_matrices_without_a_value_and_stored_nan(pair):
    assert_array_equal(
        quick()
        .fit(sparse.csr_array((4, 2)), [0, 1, 1, 1])
        .predict(sparse.csr_array((3, 2))),
        [1, 1, 1],
    )
    gaps = sparse.csr_array(X)
    gaps.data[::7] = np.nan
    dense = gaps.toarray()
    assert_same_state(quick().fit(gaps, Y), quick().fit(absent(dense), Y))


def test_conditions():
    settings = {
        "cv": None,
        "monotonic_cst": {6: 1},
        "forbidden": ["x2", (0, 3)],
        "initial_terms": [("x0 = 1 & x1 = 2", "yes", 5.0)],
    }
    fitted = quick(**settings).fit(sparse.csr_array(X), Y)
    assert_same_state(fitted, quick(**settings).fit(absent(X), Y))


TEXTS = ["red fish", "blue fish", "red bird", "blue bird", "old red fish"] * 12


def test_words_in_a_pipeline():
    labels = np.array(["red" in text and "fish" in text for text in TEXTS])
    model = make_pipeline(CountVectorizer(), quick()).fit(TEXTS, labels)
    assert model.score(TEXTS, labels) == 1
    dnf = to_dnf(model, True, n_terms=1)
    assert dnf.transformed_by == ("CountVectorizer",)
    assert {"red", "fish"} <= {
        one.feature for term in dnf.terms for one in term.literals
    }
    counts = model[0].transform(TEXTS)
    assert_array_equal(dnf.holds(counts, transformed=True), labels)


@pytest.mark.parametrize("step", [OneHotEncoder(), MaxAbsScaler()])
def test_terms_through_steps_with_sparse_output(step):
    """Terms name the values before a step, and hold for the same samples."""
    given = X[:, :3] if isinstance(step, OneHotEncoder) else sparse.csr_array(X[:, :3])
    labels = (X[:, 0] == 3).astype(int)
    model = make_pipeline(step, quick(discretizer=None)).fit(given, labels)
    assert sparse.issparse(model[0].transform(given))
    dnf = to_dnf(model, 1, n_terms=1)
    assert dnf.transformed_by == ()
    assert_array_equal(dnf.holds(given), labels)


def test_negative_control():
    """Zeros that are values give another model: the dense form matters."""
    table, labels = make_classification(120, 5, random_state=0)
    table = np.where(np.abs(table) < 0.5, 0.0, np.sign(table))
    settings = {"cv": None}
    as_values = fitted_state(quick(**settings).fit(table, labels))
    assert (
        fitted_state(quick(**settings).fit(sparse.csr_array(table), labels))
        != as_values
    )
