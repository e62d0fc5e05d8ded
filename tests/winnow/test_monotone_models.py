"""Monotone models: scores that never fall, and sums over allowed terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd
import pytest
from allowed_checks import log_sums_of
from monotone_checks import falls, made_up_table
from numpy.testing import assert_allclose

from sklearn_dnfwinnow import DNFWinnowClassifier

MONOTONE = {"monotonic_cst": {"age": {"yes": 1, "no": -1}, "rank": {"no": 1}}}


def brute_force_sums(clf, X):
    """Scores of rows, term by term, from the updates and the allowed literals."""
    model = clf._table_model()
    return -model.log_thresholds + log_sums_of(
        model.encoding.with_literals(model.encoding.encode_table(X, clf)),
        model.literal_examples,
        model.net_counts,
        model.log_alpha,
        model.log_beta,
        model.allowed,
        model.max_term_size,
    )


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


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"literals": "ordered", "max_term_size": 3, "scale": 30.0},
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
    clf = DNFWinnowClassifier(**MONOTONE, **settings).fit(X, y)
    rows = X.iloc[:4]
    expected = brute_force_sums(clf, rows)
    assert_allclose(clf.log_weighted_sums(rows), expected, rtol=1e-9, atol=1e-9)
    model = clf._table_model()
    sums, errors = model.estimate_log_sums(model.encoding.encode_table(rows, clf))
    assert not errors.any()
    assert_allclose(sums - model.log_thresholds, expected, rtol=1e-9, atol=1e-9)
    # Negative control: the mask matters.
    free = DNFWinnowClassifier(**settings).fit(X, y)
    assert not np.allclose(free.log_weighted_sums(rows), expected)


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("rule", [{"margin": 0.4}, {"scale": 6.0}], ids=str)
@pytest.mark.parametrize("max_term_size", [None, 2])
def test_all_samplers_make_the_same_updates(table, max_term_size, rule, multi_class):
    X, y = (values[:45] for values in table)
    settings = {"literals": "equal", "cv": None, "max_iter": 4, "random_state": 0}
    settings |= {"max_term_size": max_term_size, "multi_class": multi_class, **rule}

    def learned(**params):
        clf = DNFWinnowClassifier(**settings, **params).fit(X, y)
        return clf.stored_examples_.tolist(), clf.net_promotion_counts_.tolist()

    samplers = "table", "auto", "exact", "brute_force"
    found = [learned(**MONOTONE, sampler=sampler) for sampler in samplers]
    assert all(one == found[0] for one in found)
    assert learned() != found[0]


def test_rows_are_predicted_by_the_same_sums(table):
    X, y = table
    clf = DNFWinnowClassifier(**MONOTONE, random_state=0).fit(X, y)
    winners = clf.classes_[clf.log_weighted_sums(X).argmax(axis=1)]
    assert (clf.predict(X) == winners).all()


def test_batches_learn_monotone_scores(table):
    X, y = table
    clf = DNFWinnowClassifier(
        **MONOTONE, max_term_size=2, literals="equal", random_state=0
    )
    for start in range(0, len(X), 30):
        part = slice(start, start + 30)
        clf.partial_fit(X[part], y[part], classes=["no", "perhaps", "yes"])
    expected = brute_force_sums(clf, X.iloc[:8])
    assert_allclose(clf.log_weighted_sums(X.iloc[:8]), expected, rtol=1e-9)


def test_terms_that_are_listed_are_allowed(table):
    X, y = table
    clf = DNFWinnowClassifier(
        **MONOTONE, literals="ordered", max_term_size=3, random_state=0
    ).fit(X, y)
    listed = clf.terms("yes", top=200)["term"]
    assert listed.str.contains("age >").sum() > 20
    assert not listed.str.contains("age <|age =|age in").any()
    assert clf.terms("no", top=200)["term"].str.contains("age <=").any()
    explanation = clf.explain(X.iloc[[0]], top=50)[0]
    terms = [r["term"] for r in explanation.records if r["class"] == "yes"]
    assert not any("age <" in term for term in terms)


@pytest.mark.parametrize("seed", range(20))
def test_scores_are_monotone(seed):
    X, y, parameters, grids = made_up_table(np.random.RandomState(seed))
    clf = DNFWinnowClassifier(**parameters, random_state=0).fit(X, y)
    assert falls(clf, X, grids) == []


def test_scores_without_directions_are_not():
    """The negative control: the check finds what falls."""
    found = 0
    for seed in range(10):
        X, y, parameters, grids = made_up_table(np.random.RandomState(seed))
        del parameters["monotonic_cst"]
        clf = DNFWinnowClassifier(**parameters, random_state=0).fit(X, y)
        found += bool(falls(clf, X, grids))
    assert found > 3
