"""Sparse input: each estimator, method and reader takes it as the dense numbers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import matplotlib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.diagnostics import diagnose_chains
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    counterfactuals,
    explain,
    feature_effect,
    report,
    shapley_values,
    terms,
    to_dnf,
)
from sklearn_dnfwinnow.rules import DNF, DNFClassifier

matplotlib.use("agg")


def table(n=150, seed=0):
    """Return counts, a measure with gaps, and labels."""
    rng = np.random.default_rng(seed)
    X = rng.integers(1, 4, (n, 5)) * (rng.random((n, 5)) < 0.4)
    measure = np.where(rng.random(n) < 0.7, rng.normal(size=n), 0.0)
    y = ((X[:, 0] > 0) & (X[:, 1] > 0)) | (measure > 0.4)
    measure[rng.random(n) < 0.1] = np.nan
    return np.column_stack([X, measure]), np.where(y, "yes", "no")


X, Y = table()
NEW, _ = table(60, seed=1)
NAMES = [f"x{j}" for j in range(X.shape[1])]
RULES = "class: yes\nx0 > 0 & x1 = 1 or\nx5 > 0.4"


def unsorted(X):
    """Return a matrix with stored zeros, and with entries that are to be added."""
    rows, columns = np.nonzero(np.ones_like(X))
    places = np.tile(rows, 2), np.tile(columns, 2)
    return sparse.coo_array((np.tile(X.ravel() / 2, 2), places), shape=X.shape)


def frame(X, dtype=float):
    return pd.DataFrame(X, columns=NAMES).astype(dtype)


def sparse_frame(X):
    return frame(X, pd.SparseDtype(float, 0))


FORMS = {
    "csr_matrix": sparse.csr_matrix,
    "csc_array": sparse.csc_array,
    "unsorted": unsorted,
    "frame": sparse_frame,
    "partly sparse frame": lambda X: frame(X, {"x1": pd.SparseDtype(float, 1)}),
}


def quick(**params):
    return DNFWinnowClassifier(max_iter=6, random_state=0).set_params(**params)


@pytest.fixture(scope="module")
def winnow():
    return quick().fit(X, Y)


ESTIMATORS = {
    "winnow": quick(cv=2),
    "filled": quick(cv=None, missing="most_frequent"),
    "category": quick(cv=None, missing="category"),
    "bayes": BayesianInteractionClassifier(
        max_order=1, n_chains=1, n_draws=20, burn_in=5, max_sweeps=50, random_state=0
    ),
    "learnt rules": DNFClassifier(cv=None, max_conditions=1, random_state=0),
    "given rules": DNFClassifier(RULES),
    "discretizer": ClassEntropyDiscretizer(),
}
METHODS = (
    "predict",
    "predict_proba",
    "decision_function",
    "log_weighted_sums",
    "sample_proba",
    "apply",
    "transform",
)


def results(fitted, X):
    """Return the results of the methods of an estimator, as a dict."""
    methods = [name for name in METHODS if hasattr(fitted, name)]
    found = {name: getattr(fitted, name)(X) for name in methods}
    if isinstance(fitted, ClassEntropyDiscretizer):
        codes = found["transform"]
        codes = sparse.csr_array(codes) if sparse.issparse(X) else codes
        found["inverse_transform"] = fitted.inverse_transform(codes)
    return found


def assert_same(found, expected):
    for name, value in expected.items():
        assert_array_equal(found[name], value, err_msg=name)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators(name, form):
    estimator, make, dense = ESTIMATORS[name], FORMS[form], np.asarray
    if "frame" in form:
        dense = frame
    estimator.fit(dense(X), Y)
    expected = results(estimator, dense(NEW))
    assert_same(results(estimator, make(NEW)), expected)
    estimator.fit(make(X), Y)
    assert_same(results(estimator, make(NEW)), expected)
    assert_same(results(estimator, dense(NEW)), expected)


@pytest.mark.parametrize("kind", [np.int64, np.float32, bool])
def test_kinds_of_numbers(kind):
    numbers = X[:, :5].astype(kind)
    for estimator in (quick(), ClassEntropyDiscretizer(columns="all")):
        expected = results(estimator.fit(numbers, Y), numbers)
        as_sparse = sparse.csr_array(numbers)
        assert_same(results(estimator.fit(as_sparse, Y), as_sparse), expected)


def test_partial_fit_and_weights():
    weights, found = np.arange(len(X)) % 3, []
    for form in (np.asarray, sparse.csr_array, sparse_frame):
        model = quick(cv=None, discretizer=None)
        for rows in (slice(80), slice(80, None)):
            model.partial_fit(
                form(X[rows]),
                Y[rows],
                classes=["no", "yes"],
                sample_weight=weights[rows],
            )
        again = quick().fit(form(X), Y, sample_weight=weights)
        found.append((model.predict_proba(form(NEW)), again.predict_proba(form(NEW))))
    for one in found[1:]:
        assert_array_equal(one, found[0])


READERS = {
    "explain": explain,
    "values": lambda model, X: shapley_values(model, X).values.tolist(),
    "data": lambda model, X: shapley_values(model, X).data.tolist(),
    "background": lambda model, X: shapley_values(
        model, X, background=X[:5]
    ).values.tolist(),
    "counterfactuals": counterfactuals,
    "effect of a count": lambda model, X: feature_effect(model, X, 1).effects,
    "effect of a number": lambda model, X: feature_effect(model, X, 5).effects,
    "formula": lambda model, X: to_dnf(model, "yes", X=X, y=Y[: X.shape[0]]),
    "terms": lambda model, X: terms(model, X=X, y=Y[: X.shape[0]]),
    "display": lambda model, X: (
        ExplanationDisplay.from_estimator(model, X, 2).explanation
    ),
    "chains": lambda model, X: diagnose_chains(
        quick(cv=None, max_iter=1, sampler="gibbs").fit(X, Y[: X.shape[0]]), X
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_readers(name, winnow):
    read = READERS[name]
    found = read(winnow, sparse.csr_matrix(X[:9]))
    assert str(found) == str(read(winnow, X[:9]))


def test_reports(winnow, tmp_path):
    for name, form in (("dense", np.asarray), ("sparse", sparse.csr_array)):
        report(winnow, form(NEW[:20]), Y[:20], tmp_path / name, n_features=1)
    assert (tmp_path / "sparse").read_text() == (tmp_path / "dense").read_text()


def test_formulas():
    dnf = DNF.parse(RULES, features=NAMES)
    for form in (sparse.csr_array, sparse_frame):
        assert_array_equal(dnf.holds(form(NEW)), dnf.holds(frame(NEW)))
        assert_array_equal(dnf.apply(form(NEW)), dnf.apply(frame(NEW)))
        assert str(dnf.summary(form(X), Y)) == str(dnf.summary(frame(X), Y))


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (sparse.csr_array([[np.inf, 0.0], [0.0, 1.0]]), "infinity.*column 0"),
        (sparse.csr_array([[1j, 0.0], [0.0, 1.0]]), "Complex data not supported"),
        (sparse.csr_array((0, 2)), "0 sample"),
        (sparse.csr_array((2, 0)), "0 feature"),
    ],
)
def test_matrices_that_are_refused(matrix, message):
    for estimator in (quick(), ClassEntropyDiscretizer(), DNFClassifier()):
        with pytest.raises(ValueError, match=message):
            estimator.fit(matrix, [0, 1][: matrix.shape[0]])


# -- many columns ----------------------------------------------------------------------

# A dense one would have 6.4 GB.
WIDE = sparse.eye_array(4000, 200_000, format="csr")
LABELS = np.arange(4000) % 2


@pytest.mark.parametrize("name", ["winnow", "bayes", "learnt rules"])
def test_more_columns_than_a_classifier_learns_from(name):
    estimator = ESTIMATORS[name]
    message = "at most 4,096 columns; X has {}.*SelectKBest"
    with pytest.raises(ValueError, match=message.format("200,000")):
        estimator.fit(WIDE, LABELS)
    with pytest.raises(ValueError, match=message.format("4,097")):
        estimator.fit(np.zeros((40, 4097)), LABELS[:40])
    with pytest.raises(ValueError, match=message.format("4,097")):
        estimator.fit(pd.DataFrame(np.zeros((40, 4097))), LABELS[:40])


def test_more_columns_in_later_calls(winnow):
    with pytest.raises(ValueError, match="4,096 columns"):
        quick().partial_fit(WIDE, LABELS, classes=[0, 1])
    for call in (winnow.predict, partial(explain, winnow)):
        with pytest.raises(ValueError, match=r"200000 features, but.* 6 features"):
            call(WIDE)


def test_as_many_columns_as_a_classifier_learns_from():
    numbers = np.zeros((40, 4096))
    numbers[:, 7] = LABELS[:40]
    model = quick(cv=None, max_term_size=1).fit(numbers, LABELS[:40])
    assert model.score(numbers, LABELS[:40]) == 1


def test_given_rules_read_the_columns_that_they_use():
    rules = DNFClassifier("class: 1\nx3 = 1 or x5 > 0").fit(WIDE, LABELS)
    assert_array_equal(np.flatnonzero(rules.predict(WIDE)), [3, 5])


def test_words_in_a_pipeline():
    texts = ["red fish", "blue fish", "red bird", "blue bird", "old red fish"] * 12
    labels = np.array(["red" in text and "fish" in text for text in texts])
    model = make_pipeline(CountVectorizer(), SelectKBest(chi2, k=3), quick())
    assert model.fit(texts, labels).score(texts, labels) == 1
    dnf = to_dnf(model, True, X=texts, y=labels)
    words = model[:1].transform(texts)
    assert_array_equal(dnf.holds(words, transformed=True), labels)


@pytest.mark.parametrize("step", [OneHotEncoder(), MaxAbsScaler()])
def test_terms_through_steps_with_sparse_output(step):
    """Terms name the values before a step, and hold for the same samples."""
    counts = X[:, :3]
    given = counts if isinstance(step, OneHotEncoder) else sparse.csr_array(counts)
    labels = (X[:, 0] == 3).astype(int)
    model = make_pipeline(step, quick(discretizer=None)).fit(given, labels)
    assert sparse.issparse(model[0].transform(given))
    dnf = to_dnf(model, 1, X=given, y=labels)
    assert dnf.transformed_by == ()
    assert_array_equal(dnf.holds(given), labels)
