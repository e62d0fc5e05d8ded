"""Models under conditions: monotone scores, and sums over allowed terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations
from math import inf, log

import numpy as np
import pandas as pd
import pytest
from monotone_checks import falls, made_up_table
from numpy.testing import assert_allclose
from scipy.special import logsumexp

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.rules import Literal, Term


def brute_force_sums(clf, X):
    """Return log W of rows, term by term, from the updates and the conditions."""
    model = clf._term_model()
    conditions = model.conditions
    rows = model.encoding.with_literals(model.encoding.encode_table(X, clf))
    examples = model.literal_examples
    given = {(term.k, term.literals): term for term in conditions.initial_terms}
    sums = np.empty((len(rows), model.n_classes))
    for i, row in enumerate(rows):
        specified = np.flatnonzero(row)
        cap = len(specified)
        if model.max_term_size is not None:
            cap = min(cap, model.max_term_size)
        for k in range(model.n_classes):
            logs = []
            for size in range(cap + 1):
                for columns in map(list, combinations(specified.tolist(), size)):
                    literals = tuple((j, int(row[j])) for j in columns)
                    if not all(conditions.allowed[j][k, code] for j, code in literals):
                        continue
                    of_columns = map(conditions.conflicts.with_column, columns)
                    if any(conflicting[columns].any() for conflicting in of_columns):
                        continue
                    holds = (examples[:, columns] == row[columns]).all(axis=1)
                    net_count = model.net_counts[k] @ holds / model.denominator
                    initial = size * model.log_beta
                    if (k, literals) in given:
                        initial = given[k, literals].log_weight
                    logs.append(initial + net_count * log(model.alpha))
            sums[i, k] = logsumexp(logs)
    return sums - model.log_thresholds


@pytest.fixture(scope="module")
def table():
    random = np.random.RandomState(1)
    n = 90
    X = pd.DataFrame(
        {
            "age": random.randint(18, 80, n).astype(float),
            "color": random.choice(["red", "green", "blue"], n),
            "size": random.choice(["s", "m"], n),
            "rank": random.randint(0, 4, n),
        }
    )
    X.loc[random.uniform(size=n) < 0.1, "age"] = np.nan
    y = np.where((X["age"] > 45) ^ (X["color"] == "red"), "yes", "no").astype("<U7")
    y[random.uniform(size=n) < 0.1] = "perhaps"
    return X, y


RED = Literal(1, "color", "=", "red", ("red",))
OLD = Literal(0, "age", ">", "40", None, ((40.0, inf),))
CONDITIONS = {
    "monotonic_cst": {"age": {"yes": 1, "no": -1}},
    "forbidden": [
        ("color", "size"),
        ("rank", "age"),
        Literal(3, "rank", "=", "2", (2,)),
    ],
    "initial_terms": [(Term([RED]), "no", 8.0), (Term([OLD, RED]), "yes", 0.01)],
}


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"literals": "ordered", "max_term_size": 2},
        {"literals": "ordered", "max_term_size": 3, "update": "residual"},
        {"literals": "intervals", "max_term_size": 2},
        {"multi_class": "ovr", "literals": "equal", "max_term_size": None},
        {"sampler": "exact", "literals": "equal"},
        {"sampler": "brute_force", "literals": "equal", "multi_class": "ovr"},
        {"sampler": "table", "max_term_size": None, "literals": "equal"},
        {"cv": 3, "n_estimators": 1, "max_term_size": 2},
        {"missing": "category", "max_term_size": 2},
        {"average": False, "max_stored_examples": 20, "max_term_size": 2},
    ],
)
def test_sums_are_over_allowed_terms(table, parameters):
    X, y = table
    settings = {"cv": None, "max_iter": 6, "random_state": 0, **parameters}
    clf = DNFWinnowClassifier(**CONDITIONS, **settings).fit(X, y)
    rows = X.iloc[:4]
    expected = brute_force_sums(clf, rows)
    assert_allclose(clf.log_weighted_sums(rows), expected, rtol=1e-9, atol=1e-9)
    model = clf._term_model()
    sums, errors = model.estimate_log_sums(model.encoding.encode_table(rows, clf))
    assert not errors.any()
    assert_allclose(sums - model.log_thresholds, expected, rtol=1e-9, atol=1e-9)
    # Negative control: the conditions matter.
    free = DNFWinnowClassifier(**settings).fit(X, y)
    assert not np.allclose(free.log_weighted_sums(rows), expected)


def test_rows_are_predicted_by_the_same_sums(table):
    X, y = table
    clf = DNFWinnowClassifier(**CONDITIONS, random_state=0).fit(X, y)
    winners = clf.classes_[clf.log_weighted_sums(X).argmax(axis=1)]
    assert (clf.predict(X) == winners).all()


def test_batches_learn_under_conditions(table):
    X, y = table
    clf = DNFWinnowClassifier(
        **CONDITIONS, max_term_size=2, literals="equal", random_state=0
    )
    for start in range(0, len(X), 30):
        part = slice(start, start + 30)
        clf.partial_fit(X[part], y[part], classes=["no", "perhaps", "yes"])
    expected = brute_force_sums(clf, X.iloc[:8])
    assert_allclose(clf.log_weighted_sums(X.iloc[:8]), expected, rtol=1e-9)


def test_initial_terms_decide_where_nothing_is_known(table):
    X, y = table
    rule = [(Term([RED]), "yes", 50.0)]
    clf = DNFWinnowClassifier(
        initial_terms=rule, cv=None, max_iter=1, alpha=1.0001, random_state=0
    ).fit(X, y)
    assert (clf.predict(X[X["color"] == "red"]) == "yes").all()
    table = clf.terms("yes", top=1)
    assert table["term"].tolist() == ["color = red"]
    assert_allclose(table["log_weight"], log(50), atol=0.1)


def test_terms_that_are_listed_are_allowed(table):
    X, y = table
    clf = DNFWinnowClassifier(
        forbidden=["rank", ("age", "color")], max_term_size=3, random_state=0
    ).fit(X, y)
    listed = clf.terms(top=200)["term"]
    assert len(listed) > 20
    assert not listed.str.contains("rank").any()
    assert not (listed.str.contains("age") & listed.str.contains("color")).any()
    explanation = clf.explain(X.iloc[[0]], top=50)[0]
    assert not any("rank" in record["term"] for record in explanation.records)
    assert explanation.feature_shares[:, 3].max() == 0


@pytest.mark.parametrize("seed", range(40))
def test_scores_are_monotone(seed):
    X, y, parameters, grids = made_up_table(np.random.RandomState(seed))
    clf = DNFWinnowClassifier(**parameters, random_state=0).fit(X, y)
    assert falls(clf, X, grids) == []


def test_scores_without_conditions_are_not():
    """The negative control: the check finds what falls."""
    found = 0
    for seed in range(10):
        X, y, parameters, grids = made_up_table(np.random.RandomState(seed))
        del parameters["monotonic_cst"]
        clf = DNFWinnowClassifier(**parameters, random_state=0).fit(X, y)
        found += bool(falls(clf, X, grids))
    assert found > 3
