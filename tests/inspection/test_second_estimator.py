"""A second estimator over the same terms: inspection serves it, too.

It counts how often each term holds in rows of a class and in others, and imports
nothing of Winnow.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from encoding_checks import learned
from internals.encoding import Encoding, check_table
from internals.inspection import LazyMethod
from internals.sums import by_rows
from internals.terms import Background, TermModelMixin, TermSearch
from internals.utils import distinct_rows
from internals.winnow import SingleModelMixin
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

import sklearn_dnfwinnow
from sklearn_dnfwinnow import ClassEntropyDiscretizer
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    TermsDisplay,
    counterfactuals,
    explain,
    shapley_values,
    terms,
    to_dnf,
)

LOG_ALPHA, LOG_BETA, MAX_TERM_SIZE = np.log(1.2), np.log(0.5), 2
PACKAGE = Path(sklearn_dnfwinnow.__file__).parent
# What reading may import; no room of these imports others either.
READING = {"inspection", "rules"}
BELOW_READING = {"_terms", "_encoding", "_utils", "_kernels"}


@dataclass(frozen=True)
class CountModel(SingleModelMixin):
    """Weights alpha^(count in the class - count in others) * beta^size of terms."""

    encoding: Encoding
    examples: np.ndarray
    net_counts: np.ndarray
    conditions: None = None
    denominator: int = 1
    log_alpha: float = LOG_ALPHA
    log_beta: float = LOG_BETA
    max_term_size: int = MAX_TERM_SIZE
    scale: float = 1.0
    seed: int = 0
    background: Background | None = None

    @property
    def literal_examples(self):
        return self.encoding.with_literals(self.examples)

    @property
    def log_thresholds(self):
        return np.zeros(len(self.net_counts))

    def cached(self, name, make):
        return make()

    def heaviest_terms(self, k, top, row=None):
        search = TermSearch(
            examples=self.examples,
            net_counts=self.net_counts[k],
            log_alpha=LOG_ALPHA,
            log_beta=LOG_BETA,
            max_term_size=MAX_TERM_SIZE,
            row=row,
        )
        return search.heaviest(top)

    def estimate_log_sums(self, rows):
        agree = (rows[:, None] == self.examples) & (rows[:, None] != 0)
        log_weights = []
        for size in range(MAX_TERM_SIZE + 1):
            for columns in map(list, combinations(range(rows.shape[1]), size)):
                counts = agree[:, :, columns].all(axis=2) @ self.net_counts.T
                holds = (rows[:, columns] != 0).all(axis=1)
                log_weight = LOG_ALPHA * counts + LOG_BETA * size
                log_weights.append(np.where(holds[:, None], log_weight, -np.inf))
        log_sums = logsumexp(log_weights, axis=0)
        return log_sums, np.zeros_like(log_sums)

    def log_subset_sums(self, row):
        return by_rows(row, self.estimate_log_sums, MAX_TERM_SIZE)

    def log_sums_along(self, row, places):
        return None


class TermCounter(TermModelMixin, ClassifierMixin, BaseEstimator):
    """Predicts the class of the largest sum of the weights of terms."""

    _parameter_constraints = {}
    terms = LazyMethod("terms")
    explain = LazyMethod("explain")
    counterfactuals = LazyMethod("counterfactuals")
    to_dnf = LazyMethod("to_dnf")
    to_rules = LazyMethod("to_rules")

    def fit(self, X, y):
        X, y = check_table(self, X, y, reset=True)
        self.classes_, labels = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        encoding, codes = learned(X, labels)
        examples, _, inverse = distinct_rows(codes)
        net_counts = np.zeros((n_classes, len(examples)), dtype=np.int64)
        for k in range(n_classes):
            np.add.at(net_counts[k], inverse, np.where(labels == k, 1, -1))
        background = Background.empty(codes.shape[1]).with_rows(codes, np.ones(len(y)))
        self.model_ = CountModel(encoding, examples, net_counts, background=background)
        return self

    def predict(self, X):
        codes = self.model_.encoding.encode_table(X, self)
        log_sums, _ = self.model_.estimate_log_sums(codes)
        return self.classes_[log_sums.argmax(axis=1)]

    def _table_model(self):
        return self.model_


@pytest.fixture(scope="module")
def monks():
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    return TermCounter().fit(X, y), X, y


def test_terms(monks):
    counter, X, y = monks
    table = terms(counter, class_of_interest="1", top=5, X=X, y=y, details=True)
    assert table["term"][0] == "a5 = 1"
    for record in table.to_dict("records"):
        literals = [literal.split(" = ") for literal in record["term"].split(" & ")]
        holds = np.all([X[name] == value for name, value in literals], axis=0)
        in_class = y[holds] == "1"
        assert record["net_promotion_count"] == in_class.sum() - (~in_class).sum()
        assert record["support"] == holds.sum()
        assert record["precision"] == in_class.mean()
    pd.testing.assert_frame_equal(table, counter.terms("1", 5, X=X, y=y, details=True))
    # Without rows, the updates of the class stand for them.
    assert terms(counter, details=True)["share"].between(0, 1).all()


def test_explain(monks):
    counter, X, _ = monks
    for explanation, expected in zip(explain(counter, X[:20]), counter.predict(X[:20])):
        assert explanation.prediction == expected
        assert explanation.log_odds_error == 0
        assert all(0 < record["share"] <= 1 for record in explanation.records)


def test_counterfactuals(monks):
    counter, X, _ = monks
    for found in counterfactuals(counter, X[:20]):
        assert len(found) > 0
        before, *after = counter.predict(found.to_frame())
        assert before == found.prediction
        assert after == [one.prediction for one in found]
        assert before not in after


def test_dnf(monks):
    counter, X, y = monks
    dnf = to_dnf(counter, X=X, y=y)
    assert dnf.class_ == "1" and "a5 = 1" in str(dnf)
    agreement = dnf.holds(X) == (counter.predict(X) == "1")
    assert_allclose(dnf.scores["fidelity"], agreement.mean())


def test_shapley_values(monks):
    counter, X, _ = monks
    found = shapley_values(counter, X)
    log_sums, _ = counter.model_.estimate_log_sums(
        counter.model_.encoding.encode_table(X, counter)
    )
    log_odds = log_sums[:, 1] - log_sums[:, 0]
    assert_allclose(found.values.sum(axis=1) + found.base_values, log_odds)
    assert not found.std_errors.any()
    assert found.feature_importances().idxmax() == "a5"
    (explanation,) = explain(counter, X[:1])
    assert_allclose(
        explanation.feature_effects.sum() + explanation.base_value,
        explanation.log_odds,
    )


def test_displays(monks):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    counter, X, _ = monks
    assert len(TermsDisplay.from_estimator(counter).axes_) == 2
    display = ExplanationDisplay.from_estimator(counter, X, row=3)
    assert display.explanation.row == 3


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(ClassEntropyDiscretizer(max_intervals=3), TermCounter())
    return pipeline.fit(X, y), X, y


def test_pipeline_is_read_in_the_units_of_its_table(flowers):
    pipeline, X, y = flowers
    table = terms(pipeline, class_of_interest=0, top=20)
    assert "petal length (cm) <= 2.5" in set(table["term"])
    dnf = to_dnf(pipeline, class_of_interest=0, X=X, y=y)
    assert dnf.transformed_by == () and dnf.scores["fidelity"] == 1.0
    assert_array_equal(dnf.holds(X), pipeline.predict(X) == 0)
    (explanation,) = explain(pipeline, X[:1])
    assert explanation.features == tuple(X.columns)


def rooms_imported(path):
    """Return the rooms of the package that a file imports, also inside of functions."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    names = [name.split(".") for name in names]
    return {name[1] for name in names if name[0] == PACKAGE.name and len(name) > 1}


def test_nothing_of_winnow_is_imported():
    assert rooms_imported(Path(__file__)).isdisjoint({"_winnow"})
    for room in READING | BELOW_READING:
        for path in (PACKAGE / room).rglob("*.py"):
            allowed = BELOW_READING | (READING if room in READING else set())
            assert rooms_imported(path) <= allowed, path
