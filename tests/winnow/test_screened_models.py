"""Screened models: sums over all terms, honest folds, readers, and errors."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from allowed_checks import may_have
from internals.encoding import FactorizedTable
from internals.terms import terms_of
from internals.winnow import (
    FoldedTable,
    Repetitions,
    given_candidates,
)
from monotone_checks import falls, made_up_table
from sklearn.model_selection import GroupKFold

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier, merge
from sklearn_dnfwinnow.datasets import make_customers
from sklearn_dnfwinnow.inspection import to_dnf
from sklearn_dnfwinnow.rules import DNF
from sklearn_dnfwinnow.samplers import BruteForce

STEPS = {"screening": 0.5, "scale": 100.0, "alpha": 1.01}
EFFECTS = {**STEPS, "max_term_size": 3}


def mixed_table(n=500, seed=0):
    """Return rows with two rules and 3 % noise: numbers, counts, words and gaps."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=n),
            "b": rng.normal(size=n),
            "c": rng.integers(0, 6, n),
            "d": np.array(list("xyzw"))[rng.integers(0, 4, n)],
            "e": rng.random(n) < 0.5,
        }
    )
    X.loc[rng.random(n) < 0.1, "a"] = np.nan
    y = ((X["a"] > 0.5) & (X["d"] == "x")) | ((X["c"] >= 3) & X["e"])
    return X, np.where(y ^ (rng.random(n) < 0.03), "yes", "no")


@pytest.fixture(scope="module")
def fitted():
    X, y = mixed_table()
    return selected(X, y)


def selected(X, y, candidate=EFFECTS, **params):
    """A classifier that selects among a single candidate."""
    with given_candidates(candidate):
        return DNFWinnowClassifier(random_state=0, **params).fit(X, y)


def additive(**params):
    """A classifier without internal cross-validation."""
    return DNFWinnowClassifier(cv=None, random_state=0, **STEPS, **params)


def weights_by_brute_force(model, rows):
    """Return W of rows, allowed term by term: (n_rows, n_classes)."""
    learned = dict(zip(terms_of(model.stored.examples), model.stored.net_counts.T))
    codes = model.encoding.with_literals(rows)
    sums = np.zeros((len(rows), model.n_classes))
    for i, row in enumerate(codes):
        literals = [(int(j), int(row[j])) for j in np.flatnonzero(row)]
        longest = len(literals)
        if model.max_term_size is not None:
            longest = min(longest, model.max_term_size)
        for size in range(longest + 1):
            for term in combinations(literals, size):
                counts = learned.get(term, np.zeros(model.n_classes))
                allowed = [
                    may_have(model.allowed, k, term) for k in range(model.n_classes)
                ]
                log_prior = len(term) * model.log_beta
                sums[i] += allowed * np.exp(log_prior + model.log_alpha * counts)
    return sums


def sums_of_rows(model, rows):
    """Return log W by the rows that move single terms, one term after the other."""
    summation = replace(model.summation, sampler=BruteForce())
    codes = model.encoding.with_literals(rows)
    by_rows = summation.evaluation(model.literal_examples, model.net_counts, codes)
    return by_rows.estimates(codes)[..., 0]


@pytest.mark.parametrize("literal_weight", [1e-3, 0.1])
@pytest.mark.parametrize("max_term_size", [1, 2, 3, None])
def test_sums_are_those_of_all_terms(literal_weight, max_term_size):
    X, y = mixed_table(n=200)
    X = X[["a", "c", "d", "e"]]
    candidate = {**EFFECTS, "screening": 1.0, "literal_weight": literal_weight}
    clf = selected(X, y, candidate, max_term_size=max_term_size, max_iter=8)
    model = clf._table_model()
    rows = model.encoding.encode_table(X.iloc[:4], clf)
    expected = np.log(weights_by_brute_force(model, rows))
    found, errors = model.estimate_log_sums(rows)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert not errors.any()
    # Rows that move single terms give the same sums, by another engine.
    np.testing.assert_allclose(sums_of_rows(model, rows), expected, rtol=0, atol=1e-10)


MONOTONE = [{"a": 1, "c": -1}, {"c": {"yes": 1}}]


@pytest.mark.parametrize("cv", [2, None])
@pytest.mark.parametrize("monotonic_cst", MONOTONE)
def test_sums_are_those_of_all_allowed_terms(monotonic_cst, cv):
    X, y = mixed_table(n=200)
    X = X[["a", "c", "d", "e"]]
    params = {"screening": 1.0, "max_iter": 8, "monotonic_cst": monotonic_cst}
    candidate = {**EFFECTS, "literal_weight": 0.05, "screening": 1.0}
    if cv is not None:
        clf = selected(X, y, candidate, cv=cv, **params)
    else:
        clf = DNFWinnowClassifier(cv=None, random_state=0, **{**candidate, **params})
        clf.fit(X, y)
    model = clf._table_model()
    rows = model.encoding.encode_table(X.iloc[:3], clf)
    expected = np.log(weights_by_brute_force(model, rows))
    found, errors = model.estimate_log_sums(rows)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert not errors.any()
    np.testing.assert_allclose(sums_of_rows(model, rows), expected, rtol=0, atol=1e-10)
    # Some class may have each of the chosen terms.
    chosen = [
        [may_have(model.allowed, k, term) for k in range(2)]
        for term in model.chosen_terms.terms
    ]
    assert len(chosen) > 3
    assert np.any(chosen, axis=1).all()
    copy = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(copy.predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize("monotonic_cst", MONOTONE)
def test_allowed_terms_are_learned(monotonic_cst):
    X, y = mixed_table()
    clf = DNFWinnowClassifier(screening=0.3, cv=None, max_iter=20, random_state=0)
    clf.set_params(monotonic_cst=monotonic_cst).fit(X, y)
    assert clf.score(X, y) > 0.75
    clf.partial_fit(X[:100], y[:100])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("screening", [0.05, np.inf])
def test_scores_of_chosen_terms_are_monotone(seed, screening):
    X, y, parameters, grids = made_up_table(np.random.RandomState(seed))
    clf = DNFWinnowClassifier(
        screening=screening,
        monotonic_cst=parameters["monotonic_cst"],
        # With two folds, the only candidate starts from an additive model.
        cv=2 if seed % 2 else None,
        max_iter=4,
        random_state=0,
    ).fit(X, y)
    assert not falls(clf, X, grids)


def test_training_moves_chosen_terms_only(fitted):
    model = fitted._table_model()
    before = selected(*mixed_table(), max_iter=1, average=False)
    one = model.stored.examples, before._table_model().stored.examples
    np.testing.assert_array_equal(*one)
    assert model.stored.are_terms
    # The empty term is among them.
    assert not one[0][0].any()


def test_the_rules_are_read(fitted):
    X, y = mixed_table()
    dnf = to_dnf(fitted, "yes", X=X, y=y)
    assert {tuple(sorted(x.feature for x in term.literals)) for term in dnf.terms} == {
        ("c", "e"),
        ("a", "d"),
    }
    assert dnf.scores["error"] < 0.05


def test_copies_predict_the_same(fitted):
    X, _ = mixed_table(seed=1)
    expected = fitted.predict_proba(X)
    copy = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(copy.predict_proba(X), expected)
    assert copy.screening_ == 0.5
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(fitted.predict_proba(X.iloc[order]), expected[order])


def test_neither_the_order_of_rows_nor_n_jobs_matters(fitted):
    X, y = mixed_table()
    order = np.random.default_rng(0).permutation(len(y))
    other = selected(X.iloc[order], y[order], n_jobs=2)
    np.testing.assert_array_equal(other.predict_proba(X), fitted.predict_proba(X))


def test_a_weight_is_so_many_copies():
    X, y = mixed_table(n=200)
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    many = np.repeat(np.arange(len(y)), weights)
    clf = additive()
    one = clf.fit(X, y, sample_weight=weights).predict_proba(X)
    two = clf.fit(X.iloc[many], y[many]).predict_proba(X)
    np.testing.assert_allclose(one, two, rtol=1e-9)


def test_held_out_labels_have_no_influence_on_the_choice():
    X, y = mixed_table()
    rng = np.random.default_rng(0)
    held_out = rng.random(len(y)) < 0.3
    found = [
        screened_table(X, labels, held_out)
        for labels in (
            (y == "yes").astype(int),
            np.where(held_out, rng.integers(0, 2, len(y)), y == "yes"),
        )
    ]
    one, two = found
    assert one.terms.terms == two.terms.terms
    np.testing.assert_array_equal(one.effects, two.effects)
    np.testing.assert_array_equal(one.codes, two.codes)
    # Labels of training rows have one.
    other = np.where(~held_out, rng.integers(0, 2, len(y)), y == "yes")
    assert screened_table(X, other, held_out).terms.terms != one.terms.terms


def screened_table(X, labels, held_out):
    table = FactorizedTable.of([X[name].to_numpy() for name in X], [*X])
    folded = FoldedTable(
        table=table,
        rows=Repetitions(table.codes, labels, np.ones(len(labels), dtype=int)),
        folds=np.where(held_out, 0, 1),
        n_folds=1,
        n_classes=2,
        missing="unspecified",
    )
    candidate = SimpleNamespace(
        view_key="screened",
        cuts_key="quantiles",
        screening=0.5,
        max_term_size=3,
        discretizer=ClassEntropyDiscretizer(
            columns=["a", "b"], selection="quantiles", max_intervals=255
        ),
    )
    return folded.view(candidate, folds=(0,)).screened


def test_later_batches_train_the_terms_of_the_first():
    X, y = mixed_table()
    clf = additive()
    clf.partial_fit(X[:300], y[:300], classes=["no", "yes"])
    terms = clf.stored_examples_.copy()
    before = clf.predict_proba(X)
    clf.partial_fit(X[300:], y[300:])
    np.testing.assert_array_equal(clf.stored_examples_, terms)
    assert (clf.predict_proba(X) != before).any()
    assert clf.score(X, y) > 0.93


def test_copies_of_a_model_are_merged():
    X, y = mixed_table()
    clf = additive()
    clf.partial_fit(X[:300], y[:300], classes=["no", "yes"])
    parts = [
        pickle.loads(pickle.dumps(clf)).partial_fit(X[i::2], y[i::2]) for i in range(2)
    ]
    assert merge(parts).score(X, y) > 0.93
    other = additive().fit(X[["c", "d", "e"]][:100], y[:100])
    another = additive().fit(X[["c", "d", "e"]], y)
    with pytest.raises(ValueError, match="chosen terms"):
        merge([other, another])


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"max_stored_examples": 100}, "max_stored_examples"),
        ({"sampler": "gibbs"}, "sampler"),
    ],
)
def test_what_screening_cannot_be_combined_with(parameters, name):
    X, y = mixed_table(n=60)
    clf = DNFWinnowClassifier(screening=1.0, cv=None, **parameters)
    with pytest.raises(ValueError, match=f"screening=1.0 .*{name}"):
        clf.fit(X, y)


def n_chosen(clf):
    """Return the number of terms that are not smooth effects of single values."""
    terms, n_features = clf.stored_examples_, clf.n_features_in_
    sizes = np.count_nonzero(terms, axis=1)
    return np.count_nonzero((sizes > 1) | terms[:, n_features:].any(axis=1))


def test_no_term_is_chosen_in_noise():
    X, y = mixed_table(n=200)
    y = np.random.default_rng(1).permutation(y)
    clf = DNFWinnowClassifier(screening=3.0, cv=None, random_state=0).fit(X, y)
    assert not n_chosen(clf)
    assert np.count_nonzero(clf.stored_examples_, axis=1).max() == 1


@pytest.mark.parametrize(
    ("n_samples", "n_classes", "most"),
    [
        (50, 2, 100),
        (400, 2, 512),
        (1600, 2, 800),
        (400, 4, 512),
        (400, 40, 800),
    ],
)
def test_terms_are_in_proportion_to_samples(n_samples, n_classes, most):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n_samples, 20)), np.arange(n_samples) % n_classes
    clf = DNFWinnowClassifier(screening=1e-6, max_iter=1, cv=None, random_state=0)
    # A condition of the lowest interval is its smooth effect.
    assert 0.9 * most < n_chosen(clf.fit(X, y)) <= most


def test_the_default_finds_few_rules_in_noise():
    X, y, truth = make_customers(2000, random_state=0, return_truth=True)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    found = [{one.column for one in term.literals} for term in to_dnf(clf, X=X).terms]
    true = DNF.parse(truth.formula, values=X)
    assert clf.estimators_[0].screening_ == 0.3
    assert len(found) == len(true.terms)
    assert all({one.column for one in term.literals} in found for term in true.terms)


def test_three_classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4))
    y = np.where((X[:, 0] > 0) & (X[:, 1] > 0), 2, (X[:, 2] > 0.5).astype(int))
    clf = selected(X[:300], y[:300], average=False)
    assert clf.score(X[300:], y[300:]) > 0.93


@pytest.mark.parametrize("selection", ["quantiles", "mdl"])
def test_numbers_of_one_interval_that_are_missing(selection):
    """That a value is known is a condition, also if no cut point is left."""
    random = np.random.RandomState(0)
    X = random.standard_normal((200, 3))
    X[random.random_sample(200) < 0.5, 0] = np.nan
    y = np.isnan(X[:, 0]) ^ (random.random_sample(200) < 0.1)
    cuts = ClassEntropyDiscretizer(selection=selection)
    clf = DNFWinnowClassifier(
        screening=0.3, discretizer=cuts, max_iter=4, random_state=0
    ).fit(X, y)
    assert clf.score(X, y) > 0.85
    clf = DNFWinnowClassifier(discretizer=cuts, random_state=0).fit(X, y)
    assert clf.score(X, y) > 0.85


@pytest.mark.parametrize("missing", ["category", "unspecified"])
@pytest.mark.parametrize(
    "discretizer",
    ["auto", None, ClassEntropyDiscretizer(selection="max", max_intervals=400)],
)
def test_numbers_of_more_values_than_cells(discretizer, missing):
    """Numbers are ordered, also with more than 255 values or with a missing one."""
    rng = np.random.default_rng(0)
    X = rng.permutation(600)[:, np.newaxis].astype(float) // [1, 2]
    X = np.column_stack([X, rng.integers(0, 2, 600)])
    y = (X[:, 0] < 240) & (X[:, 2] == 1)
    X[rng.random(600) < 0.05, 1] = np.nan
    clf = DNFWinnowClassifier(
        screening=1.0, missing=missing, discretizer=discretizer, cv=None, random_state=0
    ).fit(X, y)
    assert clf.score(X, y) > 0.99
    (term,) = to_dnf(clf, True, X=X, y=y).terms
    assert [one.feature for one in term.literals] == ["x0", "x2"]


@pytest.mark.parametrize("monotonic_cst", [None, [-1, 0]])
def test_no_term_may_be_left(monotonic_cst):
    """A column says everything, but against its direction; the other one is noise."""
    X = np.random.default_rng(0).normal(size=(300, 2))
    clf = DNFWinnowClassifier(
        screening=1.0, random_state=0, monotonic_cst=monotonic_cst
    )
    chances = clf.fit(X, X[:, 0] > 0).predict_proba(X)
    assert (np.ptp(chances) > 0.5) == (monotonic_cst is None)
    # With the candidates of 'auto', of which some use screening.
    clf.set_params(screening="auto").fit(X, X[:, 0] > 0)
    assert np.isfinite(clf.decision_function(X)).all()


@pytest.mark.parametrize(
    "params",
    [
        {"discretizer": ClassEntropyDiscretizer()},
        {"monotonic_cst": {1: 1}},
    ],
)
@pytest.mark.parametrize("n_known", [0, 100])
def test_a_column_without_values_in_some_folds(params, n_known):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    X[n_known:, 1] = np.nan
    y, groups = X[:, 0] > 0, np.arange(300) // 100
    for screening in (1.0, "auto"):
        clf = DNFWinnowClassifier(
            screening=screening, cv=GroupKFold(3), max_iter=1, random_state=0, **params
        )
        assert clf.fit(X, y, groups=groups).score(X, y) > 0.8
