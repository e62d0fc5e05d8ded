"""Reading a model: terms, explanations, short DNFs, text, and shares of attributes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import subprocess
import sys
from collections import defaultdict
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from internals.terms import _heaviest_terms
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier, inspection
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import (
    explain,
    shapley_values,
    terms,
    to_dnf,
)
from sklearn_dnfwinnow.rules import DNF
from sklearn_dnfwinnow.samplers import Frontier, Gibbs


def random_table(seed, n_rows=40, n_columns=6, n_classes=2):
    """Categories with gaps, and classes that follow from them, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.choice(list("abc"), (n_rows, n_columns)).astype(object)
    y = (X[:, 0] == "a") + (X[:, 1] == X[:, 2]) * (n_classes > 2)
    y = np.where(rng.random(n_rows) < 0.1, rng.integers(0, n_classes, n_rows), y)
    X[rng.random(X.shape) < 0.1] = None
    return pd.DataFrame(X, columns=[f"f{j}" for j in range(n_columns)]), y


SETTINGS = {
    "defaults": {},
    "paper": {
        "multi_class": "ovr",
        "margin": 0.0,
        "average": False,
        "literal_weight": 1.0,
    },
    "capped": {"max_term_size": 2},
    "ordered": {"literals": "ordered", "max_term_size": 3},
    "gibbs": {"sampler": Gibbs(n_steps=100), "max_iter": 2, "cv": None},
    "exact": {"sampler": "exact", "max_iter": 3},
    "long": {"max_term_size": None},
}


def weights_of_all_terms(model, k, row):
    """Every term that a row satisfies, by its literals: {literals: weight}."""
    codes = model.encoding.with_literals(row[None])[0]
    specified = np.flatnonzero(codes)
    longest = len(specified) if model.max_term_size is None else model.max_term_size
    alpha = np.exp(model.log_alpha)
    weights = {}
    for size in range(longest + 1):
        for columns in combinations(specified.tolist(), size):
            alike = (model.literal_examples[:, columns] == codes[list(columns)]).all(1)
            net_count = int(model.net_counts[k, alike].sum())
            weights[columns] = np.exp(model.log_beta) ** size * alpha**net_count
    return weights


def values_of(model, row, columns):
    """The codes of each attribute that satisfy a term of a row."""
    codes, allowed = model.encoding.with_literals(row[None])[0], {}
    for i in columns:
        column = model.encoding.columns[i]
        among = set(np.flatnonzero(column.codes == codes[i]).tolist())
        allowed[column.attribute] = allowed.get(column.attribute, among) & among
    return frozenset((j, frozenset(values)) for j, values in allowed.items())


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("name", SETTINGS)
def test_contributions_are_those_of_all_terms(name):
    """Shares of sums, and what the log-odds lose without a term, to 1e-9."""
    X, y = random_table(0, n_classes=3)
    parameters = {"screening": None, **SETTINGS[name]}
    classifier = DNFWinnowClassifier(random_state=0, **parameters).fit(X, y)
    model = classifier._table_model()
    rows = classifier._model.encoding.encode(
        [column.to_numpy() for _, column in X[:4].items()], str
    )
    explanations = explain(classifier, X[:4], top=20_000)
    for explanation, row in zip(explanations, rows):
        assert explanation.log_odds_error == 0 and not explanation.effect_errors.any()
        pair, meanings = explanation.ranking[:2], defaultdict(lambda: np.zeros(2))
        totals = np.zeros(2)
        for i, k in enumerate(pair):
            for columns, weight in weights_of_all_terms(model, k, row).items():
                totals[i] += weight
                # Copies of a term, which the same rows satisfy, are one.
                meanings[values_of(model, row, columns)][i] += weight
        del meanings[frozenset()]
        shares = np.array([*meanings.values()]) / totals
        lost = -np.log1p(-shares) @ [classifier.scale_, -classifier.scale_]
        order = np.argsort(-np.abs(lost), kind="stable")
        found = [record["contribution"] for record in explanation.records]
        np.testing.assert_allclose(np.abs(found), np.abs(lost[order]), atol=1e-9)
        np.testing.assert_allclose(sum(found), lost.sum(), atol=1e-9)
        for record, contribution in zip(explanation.records, found):
            favoured = int(contribution < 0)
            assert record["class"] == classifier.classes_[pair[favoured]]
        favoured = shares[np.arange(len(lost)), (lost < 0).astype(int)]
        np.testing.assert_allclose(
            sum(record["share"] for record in explanation.records),
            favoured.sum(),
            atol=1e-9,
        )
        log_odds = classifier.scale_ * (np.log(totals[0]) - np.log(totals[1]))
        log_odds += classifier.intercept_[pair[0]] - classifier.intercept_[pair[1]]
        np.testing.assert_allclose(explanation.log_odds, log_odds, atol=1e-9)


@pytest.mark.slow
def test_estimates_come_with_their_errors():
    """Where a frontier is resampled; and they are what the effects are off by."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (100, 26)).astype(str)
    y = rng.integers(0, 2, 100)
    common = {"max_term_size": None, "literal_weight": 1.0, "max_iter": 2}
    classifier = DNFWinnowClassifier(
        random_state=0, sampler=Frontier(max_states=30), cv=None, **common
    ).fit(X, y)
    known = {"X": X[:1], "background": X[1:2], "n_permutations": 4, "top": 1}
    (rough,) = explain(classifier, **known)
    (exact,) = explain(classifier.set_params(sampler__max_states=10**6), **known)
    assert exact.log_odds_error == 0
    assert rough.log_odds_error > 0 and (rough.effect_errors > 0).all()
    z = (rough.feature_effects - exact.feature_effects) / rough.effect_errors
    # Errors are those of permutations, too, which are the same ones.
    assert 0 < np.sqrt((z**2).mean()) < 3.0


def test_explanations_depend_on_their_row_alone():
    """Not on other rows, nor on the order; equal rows have equal ones."""
    X, y = random_table(2)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    both = explain(classifier, X.iloc[[3, 7, 3]])
    (alone,) = explain(classifier, X.iloc[[3]])
    for other in (both[0], both[2]):
        assert other.records == alone.records
        np.testing.assert_array_equal(other.feature_effects, alone.feature_effects)
    assert both[1].records != alone.records


@pytest.mark.parametrize("weighted", [False, True])
def test_terms_are_measured_on_rows(weighted):
    """Support, precision, recall and share, after their definitions."""
    X, y = random_table(3)
    weights = np.arange(len(y)) % 3 if weighted else np.ones(len(y))
    classifier = DNFWinnowClassifier(random_state=0, max_term_size=None).fit(X, y)
    known = {"X": X, "y": y, "sample_weight": weights if weighted else None}
    table = classifier.terms(top=30, details=True, **known)
    assert table["class"].tolist() == [0] * 30 + [1] * 30
    few = ["class", "term", "lift", "support", "precision"]
    few += ["precision_low", "precision_high"]
    pd.testing.assert_frame_equal(classifier.terms(top=30, **known), table[few])
    model = classifier._table_model()
    rows = classifier._model.encoding.encode([c.to_numpy() for _, c in X.items()], str)
    totals = [
        [sum(weights_of_all_terms(model, k, row).values()) for row in rows]
        for k in range(2)
    ]
    for record in table.to_dict("records"):
        holds = np.ones(len(y), dtype=bool)
        literals = record["term"].split(" & ")
        for literal in literals:
            name, value = literal.split(" = ")
            holds &= X[name].to_numpy() == value
        assert record["size"] == len(literals)
        k = record["class"]
        of_class = y == k
        support = weights[holds].sum()
        assert record["support"] == support
        right = weights[holds & of_class].sum()
        precision = right / support if support else np.nan
        np.testing.assert_allclose(record["precision"], precision)
        lift = precision / np.average(of_class, weights=weights)
        np.testing.assert_allclose(record["lift"], lift)
        assert not lift < 1
        np.testing.assert_allclose(record["recall"], right / weights[of_class].sum())
        shares = holds * np.exp(record["log_weight"]) / totals[k]
        np.testing.assert_allclose(
            record["share"], np.average(shares[of_class], weights=weights[of_class])
        )
        net_count = model.candidate.log_alpha * record["net_promotion_count"]
        log_weight = net_count + model.log_beta * len(literals)
        np.testing.assert_allclose(record["log_weight"], log_weight)


def test_terms_without_rows():
    """They are measured on stored rows, with probabilities; no intervals."""
    X, y = random_table(4)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    table = classifier.terms(class_of_interest=1, top=5)
    assert [*table] == ["class", "term", "lift", "support", "precision"]
    p = classifier.predict_proba(X)[:, 1]
    for record in table.to_dict("records"):
        literals = [one.split(" = ") for one in record["term"].split(" & ")]
        holds = np.all([X[name] == value for name, value in literals], axis=0)
        assert record["support"] == holds.sum()
        np.testing.assert_allclose(record["precision"], p[holds].mean())
        np.testing.assert_allclose(record["lift"], p[holds].mean() / p.mean())
    every = classifier.terms(class_of_interest=1, top=10_000, details=True)
    names = ["size", "net_promotion_count", "log_weight", "share"]
    assert [*every] == [*table, *names] and len(every) < 10_000
    assert (every["net_promotion_count"] > 0).all() and (every["share"] >= 0).all()
    assert (every["lift"] >= 1).all() and (np.diff(every["log_weight"]) <= 0).all()
    pd.testing.assert_frame_equal(
        classifier.terms(X=X), classifier.terms(X=X, y=classifier.predict(X))
    )


def test_records_without_pandas(monkeypatch):
    """A list of dicts, the same figures."""
    X, y = random_table(4)
    classifier = DNFWinnowClassifier(random_state=0).fit(X.to_numpy(), y)
    (explanation,) = classifier.explain(X[:1].to_numpy())
    frames = classifier.terms(), explanation.terms
    monkeypatch.setitem(sys.modules, "pandas", None)
    for frame, records in zip(frames, (classifier.terms(), explanation.terms)):
        assert isinstance(records, list)
        assert frame.to_dict("records") == records


def test_terms_of_monks_and_its_rule():
    """The rule of monks-1 is on top, and is the short DNF."""
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    rule = {"a1 = 1 & a2 = 1", "a1 = 2 & a2 = 2", "a1 = 3 & a2 = 3", "a5 = 1"}
    table = terms(classifier, "1", 4, X=X, y=y)
    assert set(table["term"]) == rule
    assert (table["precision"] == 1.0).all()
    dnf = classifier.to_dnf("1", X=X, y=y)
    assert set(map(str, dnf.terms)) == rule
    perfect = dict.fromkeys(("precision", "recall", "f1"), 1.0)
    assert dnf.scores == perfect | {"error": 0.0, "share": 0.5}
    assert (dnf.class_, dnf.otherwise) == ("1", "0")
    np.testing.assert_array_equal(dnf.holds(X), y == "1")


@pytest.mark.parametrize("missing", ["unspecified", "category"])
def test_comparisons_with_counts_hold_for_counts_that_are_new(missing):
    """What is read as ``calls >= 3`` is not about 3, 4 and 5 alone."""
    rng = np.random.default_rng(0)
    calls = rng.integers(0, 6, 400).astype(float)
    calls[rng.random(400) < 0.1] = np.nan
    X = pd.DataFrame({"calls": calls, "plan": rng.choice(["a", "b"], 400)})
    classifier = DNFWinnowClassifier(missing=missing, random_state=0)
    new = pd.DataFrame({"calls": [2.0, 3.0, 99.0, -1.0, np.nan], "plan": "a"})
    for y, text, holds in (
        (calls >= 3, "calls >= 3", [False, True, True, False, False]),
        (calls <= 2, "calls <= 2", [True, False, False, True, False]),
        ((calls >= 2) & (calls <= 4), "calls in [2, 4]", [True, True, *[False] * 3]),
        (calls == 3, "calls = 3", [False, True, False, False, False]),
    ):
        dnf = to_dnf(classifier.fit(X, y), True, X=X, y=y)
        assert list(map(str, dnf.terms)) == [text]
        assert dnf.holds(new).tolist() == holds and dnf.scores["error"] == 0.0
        assert DNF.parse(dnf.to_text()).holds(new).tolist() == holds


@pytest.mark.parametrize("read", [to_dnf, terms])
@pytest.mark.parametrize("library", [pd.DataFrame, np.asarray, csr_array])
def test_data_without_their_names_have_a_message_of_their_own(read, library):
    """Also where they are taken for a number, or are too many arguments."""
    table, y = random_table(6)
    X = library(table == "a")
    classifier = DNFWinnowClassifier(cv=None, random_state=0).fit(X, y)
    expected = rf"takes X and y by name: write model\.{read.__name__}\(1, X=X, y=y\)"
    for positional in ((X,), (X, y), (1, X, y), (1, 5, X)):
        with pytest.raises(TypeError, match=expected):
            read(classifier, *positional)
    read(classifier, 1, X=X, y=y)


def test_all_of_it_through_a_pipeline_and_a_search():
    """Words of the table that was given; the same as of the steps one by one."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(
        ClassEntropyDiscretizer(max_intervals=3),
        DNFWinnowClassifier(alpha=1.1, cv=None, random_state=0),
    ).fit(X, y)
    table = terms(pipeline, class_of_interest=1, top=3, X=X, y=y)
    assert "petal width (cm) in (0.8, 1.75]" in table["term"].tolist()
    inside = X["petal width (cm)"].between(0.8, 1.75, inclusive="right")
    place = table["term"].tolist().index("petal width (cm) in (0.8, 1.75]")
    assert table["support"][place] == inside.sum()
    (explanation,) = explain(pipeline, X[:1])
    assert explanation.values[3] == "petal width (cm) <= 0.8"
    assert explanation.prediction == 0
    search = GridSearchCV(pipeline, {"dnfwinnowclassifier__alpha": [1.1]}, cv=2)
    pd.testing.assert_frame_equal(
        terms(search.fit(X, y), class_of_interest=1, top=3, X=X, y=y), table
    )
    dnf = to_dnf(pipeline, 1, X=X, y=y)
    assert dnf.otherwise is None
    assert np.mean(dnf.holds(X) == (y == 1)) > 0.9
    codes = pipeline[0].transform(X)
    np.testing.assert_array_equal(
        shapley_values(pipeline, X).values, shapley_values(pipeline[1], codes).values
    )


def test_search_that_gives_up_warns(monkeypatch):
    """Once it is clear that what was found may not be the heaviest."""
    monkeypatch.setattr(_heaviest_terms, "MOST_WORK", 1000)
    X, y = random_table(8, 200, 12)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    with pytest.warns(
        ConvergenceWarning, match="too many rules have almost the same weight"
    ):
        table = terms(classifier, 1, 50)
    assert len(table) < 50


@pytest.mark.parametrize(
    "function, needs_rows",
    [
        (terms, False),
        (explain, True),
        (partial(to_dnf, X=[[1]]), False),
        (shapley_values, True),
    ],
)
def test_what_cannot_be_read_is_refused(function, needs_rows):
    """Other estimators, and those not fitted."""
    X = random_table(9)[0]
    rows = (X,) * needs_rows
    with pytest.raises(NotFittedError):
        function(DNFWinnowClassifier(), *rows)
    with pytest.raises(TypeError, match="must be a DNFWinnowClassifier"):
        function(DecisionTreeClassifier(), *rows)


def test_wrong_arguments_are_named():
    """Classes, rows, numbers of terms."""
    X, y = random_table(9, n_classes=3)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    with pytest.raises(
        ValueError, match=r"class_of_interest must be one of .*; got 'x'"
    ):
        terms(classifier, "x")
    with pytest.raises(ValueError, match=r"'top' parameter of terms must be"):
        terms(classifier, top=0)
    with pytest.raises(ValueError, match=r"'max_conditions' parameter of"):
        to_dnf(classifier, 1, X=X, max_conditions=0)
    with pytest.raises(ValueError, match="class_of_interest must be given for a model"):
        to_dnf(classifier, X=X)
    with pytest.raises(TypeError, match="argument: 'X'"):
        to_dnf(classifier, 1)
    with pytest.raises(ValueError, match="y contains classes that are not in classes_"):
        terms(classifier, X=X, y=y + 1)
    with pytest.raises(ValueError, match="feature"):
        explain(classifier, X.iloc[:, :3])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        terms(classifier, X=X, y=y[:-1])


def test_names_are_imported_when_they_are_asked_for():
    """Importing the package does not import what reads models, or draws."""
    assert dir(inspection) == sorted(inspection.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        inspection.nothing  # noqa: B018
    code = (
        "import sys, sklearn_dnfwinnow.inspection, sklearn_dnfwinnow.diagnostics\n"
        "modules = 'inspection._term_decoder', 'diagnostics._diagnose'\n"
        "print(*(f'sklearn_dnfwinnow.{name}' in sys.modules for name in modules))\n"
        "from sklearn_dnfwinnow.inspection import *\n"
        "print('sklearn_dnfwinnow.inspection._term_decoder' in sys.modules)\n"
        "print('matplotlib' in sys.modules)\n"
        "print(terms.__name__, to_dnf.__name__)"
    )
    command = [sys.executable, "-c", code]
    output = subprocess.check_output(command, text=True)
    assert output.split() == ["False", "False", "True", "False", "terms", "to_dnf"]
