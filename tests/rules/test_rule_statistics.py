"""Statistics of rules, and evaluation of formulas: against their definitions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import builtins
from math import isnan

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binomtest, norm
from sklearn.metrics import precision_score, recall_score

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.inspection import terms
from sklearn_dnfwinnow.rules import DNF

STATISTICS = ["support", "precision", "recall", "lift"]
STATISTICS += ["precision_low", "precision_high", "recall_low", "recall_high"]

TEXT = "a = 1 & b = x or a = 2 or b = y & c > 0.5 or c > 9 or c is not missing"


def some_rows(seed, n=80):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 4, n),
            "b": rng.choice(list("xyz"), n),
            "c": rng.random(n),
        }
    )
    return X, rng.choice(["no", "yes"], n, p=[0.6, 0.4])


def measured(dnf, *args, **options):
    """The statistics of each term, and of all of them together."""
    return dnf.summary(*args, **options).table[:-1]


@pytest.mark.filterwarnings("ignore:No label is equal")
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("n", [1, 7, 100, 12345])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_wilson_intervals_are_those_of_scipy(share, n, confidence):
    k = round(share * n)
    X, y = np.ones((n, 1)), np.arange(n) < k
    table = measured(DNF.parse("a = 1", True), X, y, confidence=confidence)
    expected = binomtest(k, n).proportion_ci(confidence, method="wilson")
    found = table.loc[0, ["precision_low", "precision_high"]].astype(float)
    assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_statistics_are_those_of_scikit_learn_and_scipy(global_random_seed):
    X, y = some_rows(global_random_seed)
    dnf = DNF.parse(TEXT, "yes")
    table = measured(dnf, X, y, confidence=0.9)
    assert table["term"].tolist() == [*map(str, dnf.terms), "(any)"]
    assert table["size"].tolist() == [2, 1, 2, 1, 1, 7]
    names = ["class", "term", "size", "n", *STATISTICS, "n_decided"]
    assert table.columns.tolist() == names
    columns = dnf._columns(X)
    covers = [term.holds(columns) for term in dnf.terms] + [dnf.holds(X)]
    of_class = y == "yes"
    for holds, row in zip(covers, table.to_dict("records"), strict=True):
        a, b = (holds & of_class).sum(), (holds & ~of_class).sum()
        c = (~holds & of_class).sum()
        assert row["n"] == row["support"] == a + b
        assert_allclose(row["recall"], recall_score(of_class, holds))
        wilson = binomtest(int(a), int(a + c)).proportion_ci(0.9, method="wilson")
        assert_allclose((row["recall_low"], row["recall_high"]), wilson)
        if not a + b:
            assert isnan(row["precision"]) and isnan(row["precision_low"])
            assert isnan(row["lift"])
        else:
            precision = precision_score(of_class, holds)
            assert_allclose(row["precision"], precision)
            assert_allclose(row["lift"], precision / of_class.mean())
            wilson = binomtest(int(a), int(a + b)).proportion_ci(0.9, method="wilson")
            assert_allclose((row["precision_low"], row["precision_high"]), wilson)
    assert (table["n"] == 0).any() and (table["n"] == len(X)).any()


def test_weights_count(global_random_seed):
    X, y = some_rows(global_random_seed)
    dnf = DNF.parse(TEXT, "yes")
    weights = np.random.default_rng(global_random_seed).integers(0, 4, len(y))
    plain = ["support", "precision", "recall", "lift"]
    table = measured(dnf, X, y, weights)
    repeated = measured(dnf, X.loc[X.index.repeat(weights)], y.repeat(weights))
    assert_allclose(table[plain], repeated[plain])
    # Intervals do not grow narrower by the unit of the weights, but wider by unequal
    # ones: there are as many rows as (sum of weights)^2 / (sum of squares).
    ends = [f"{name}_{end}" for name in plain[1:3] for end in ("low", "high")]
    other = measured(dnf, X, y, weights * 1e-3)
    assert_allclose(table[ends], other[ends])
    same = measured(dnf, X, y, np.full(len(y), 7.0))
    assert_allclose(same[ends], measured(dnf, X, y)[ends])
    for place, term in enumerate(dnf.terms):
        covered = weights[term.holds(dnf._columns(X))]
        if not covered.any():
            continue
        p, n = table["precision"][place], covered.sum() ** 2 / (covered**2).sum()
        assert n <= (covered > 0).sum() + 1e-9
        # Both ends solve (p - x)^2 = z^2 x (1 - x) / n.
        share = norm.ppf(0.975) ** 2 / n
        solved = np.sort(np.roots([1 + share, -2 * p - share, p**2]).real)
        found = table["precision_low"][place], table["precision_high"][place]
        assert_allclose(found, solved, atol=1e-9)
    # A weight of 0 is as good as no row, in the correction of zeros, too.
    kept = weights > 0
    fewer = measured(dnf, X[kept], y[kept], weights[kept])
    assert_allclose(fewer[[*STATISTICS]], table[[*STATISTICS]])


def test_evaluation_of_odd_rows():
    X, y = some_rows(0)
    dnf = DNF.parse("a = 1", 1)
    with pytest.warns(
        UserWarning, match=r"No label is equal to the class 1 of the DNF"
    ):
        table = measured(dnf, X, y)
    assert table["precision"].tolist() == [0, 0] and table["recall"].isna().all()
    assert measured(DNF([], "yes"), X, y)["term"].tolist() == ["(any)"]
    # Labels are compared as Python does: 1 == 1.0 == True.
    labels = (y == "yes").astype(float)
    assert_array_equal(
        measured(dnf, X, labels)["precision"],
        measured(DNF.parse("a = 1", "yes"), X, y)["precision"],
    )
    for wrong in (0, 1, 1.5, -1):
        with pytest.raises(ValueError, match="a confidence between 0 and 1; got"):
            measured(dnf, X, labels, confidence=wrong)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        measured(dnf, X, labels[1:])
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        measured(dnf, X, labels, -np.ones(len(y)))
    with pytest.raises(ValueError, match="Input y contains NaN"):
        measured(dnf, X, [None, *labels[1:]])
    transformed = DNF.parse("transformed_by: PCA\nclass: 1\na = 1")
    with pytest.raises(ValueError, match="Pass transformed=True"):
        measured(transformed, X, labels)
    assert len(measured(transformed, X, labels, transformed=True)) == 2


def test_evaluation_without_pandas(monkeypatch):
    X, y = some_rows(0)
    dnf = DNF.parse(TEXT, "yes")
    expected = measured(dnf, X, y).to_dict("records")
    imported = builtins.__import__

    def without(name, globals=None, *args, **options):
        if name == "pandas" and globals["__name__"].startswith("sklearn_dnfwinnow."):
            raise ImportError(name)
        return imported(name, globals, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    found = measured(dnf, X, y)
    assert isinstance(found, list) and str(found) == str(expected)


# -- terms of models -------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_terms_have_the_same_statistics(weighted):
    X, y = load_house_votes_84(return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(random_state=0, cv=None, max_iter=3)
    clf.fit(X[:300], y[:300])
    weights = np.arange(435) % 3 if weighted else None
    rows = slice(300, None)
    if weighted:
        weights = weights[rows]
    known = {"X": X[rows], "y": y[rows], "sample_weight": weights}
    table = terms(clf, "democrat", 8, **known, details=True)
    dnf = DNF.parse(" or ".join(table["term"]), "democrat", values=X)
    expected = measured(dnf, X[rows], y[rows], weights)[: len(table)]
    assert_allclose(table[[*STATISTICS]], expected[[*STATISTICS]])
    with pytest.raises(ValueError, match="y and sample_weight require X"):
        terms(clf, y=y)


def test_statistics_of_a_perfect_rule():
    X = pd.DataFrame({"a": [1] * 30 + [2] * 70})
    (row, _) = measured(DNF.parse("a = 1", 1), X, X["a"]).to_dict("records")
    assert (row["precision"], row["recall"]) == (1, 1)
    assert_allclose(row["lift"], 1 / 0.3)
    assert row["precision_high"] == row["recall_high"] == 1
    assert 0.85 < row["precision_low"] < 0.9


def test_a_summary_has_the_rules_of_all_classes(global_random_seed):
    """Against `DNF.summary`, and rules that are tried one after another."""
    X, y = some_rows(global_random_seed)
    y = np.where(X["c"] > 0.9, "other", y)
    weights = np.random.default_rng(global_random_seed).integers(1, 4, len(y))
    rules = {"yes": "a = 1 & b = x or b = y", "no": "a = 1 or c > 0.5 or c > 0.7"}
    clf = DNFClassifier(rules).fit(X, y)
    table = clf.summary(X, y, weights, confidence=0.9).table
    left, start = np.ones(len(y), dtype=bool), 0
    for dnf in clf.dnfs_:
        expected = measured(dnf, X, y, weights, confidence=0.9)
        found = table[start : start + len(expected)].reset_index(drop=True)
        start += len(expected)
        assert set(found["class"]) == {dnf.class_}
        names = expected.columns.drop("n_decided")
        pd.testing.assert_frame_equal(found[names], expected[names])
        for term, n_decided in zip(dnf.terms, found["n_decided"]):
            holds = term.holds(dnf._columns(X))
            assert n_decided == (holds & left).sum()
            left &= ~holds
        assert found["n_decided"].iloc[-1] == found["n_decided"].iloc[:-1].sum()
    (last,) = table[start:].to_dict("records")
    assert last["class"] == clf.otherwise_ and last["term"] == "(otherwise)"
    assert last["n"] == last["n_decided"] == left.sum()
    assert_allclose(last["support"], weights[left].sum())
    assert_allclose(
        last["precision"], np.average((y == "no")[left], weights=weights[left])
    )


def test_a_summary_as_text_and_html():
    X = pd.DataFrame({"a<b>": ["x", "y", "y"]})
    clf = DNFClassifier({"<i>": "'a<b>' = y"}).fit(X, ["0", "<i>", "0"])
    summary = clf.summary(X, ["0", "<i>", "0"])
    assert str(summary) == repr(summary)
    assert "         2      0.50      1.00      1.50  'a<b>' = y" in str(summary)
    html = summary._repr_html_()
    assert "<i>" not in html and "&#x27;a&lt;b&gt;&#x27; = y" in html
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        clf.summary(X, ["0"])
    with pytest.raises(ValueError, match="a confidence between 0 and 1"):
        clf.summary(X, ["0", "0", "0"], confidence=1.0)
