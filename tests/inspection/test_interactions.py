"""Interactions: tables, explanations and displays, of a model by brute force."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from interaction_checks import Groups, Interactions
from internals.inspection import satisfied_term
from internals.terms import all_interactions, nested_interactions
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import (
    explain,
    explain_interactions,
    interactions,
    terms,
    to_dnf,
)


@pytest.fixture(scope="module")
def monks():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    return Interactions().fit(X, y), X, y


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True, as_frame=True)
    steps = ClassEntropyDiscretizer(max_intervals=3), Interactions(max_order=4)
    return make_pipeline(*steps).fit(X, y), X, y


def fitted_to_gaps(group):
    """Three classes, and missing values."""
    rng = np.random.default_rng(1)
    X = rng.choice(np.array(["u", "v", "w", None], dtype=object), (25, 4))
    X = pd.DataFrame(X, columns=[*"abcd"])
    y = rng.choice(["p", "q", "r"], 25)
    return Interactions(max_order=3, group=group).fit(X, y), X, y


@pytest.fixture(scope="module")
def gaps():
    return fitted_to_gaps(Groups.of)


GROUPINGS = Groups.of, all_interactions, nested_interactions


@pytest.fixture(scope="module", params=GROUPINGS)
def grouped(request):
    return fitted_to_gaps(request.param)


def new_rows(seed=2, n=30):
    rng = np.random.default_rng(seed)
    values = np.array(["u", "v", "w", "new", None], dtype=object)
    return pd.DataFrame(rng.choice(values, (n, 4)), columns=[*"abcd"])


def literals_of(text):
    return [] if text == "(baseline)" else [t.split(" = ") for t in text.split(" & ")]


def holds(text, X):
    """Return which rows of a table of text satisfy a term."""
    return np.all(
        [np.full(len(X), True), *(X[n] == v for n, v in literals_of(text))], 0
    )


# -- table -----------------------------------------------------------------------------


@pytest.mark.parametrize("class_", ["p", "r", None])
def test_table(gaps, class_):
    clf, X, y = gaps
    model = clf.model_
    table = interactions(clf, class_, top=12, coverage=0.8)
    assert list(dict.fromkeys(table["class"])) == (
        [class_] if class_ else ["p", "q", "r"]
    )
    for label, of_class in table.groupby("class"):
        k = clf.classes_.tolist().index(label)
        medians = np.median(model.sums[..., k], axis=0)
        g = np.argsort(-np.abs(medians), kind="stable")[:12]
        assert_allclose(of_class["median"], medians[g])
        low, high = np.quantile(model.sums[:, g, k], [0.1, 0.9], axis=0)
        assert_allclose(of_class["low"], low)
        assert_allclose(of_class["high"], high)
        assert_allclose(of_class["p_positive"], (model.sums[:, g, k] > 0).mean(axis=0))
        for record in of_class.to_dict("records"):
            rows = holds(record["term"], X)
            assert_array_equal(rows, holds(record["closed"], X))
            assert len(literals_of(record["term"])) == record["size"]
            assert record["support"] == rows.sum()
            assert_allclose(record["precision"], (y[rows] == label).mean())
            n = sum(
                np.array_equal(holds(" & ".join(map(" = ".join, term)), X), rows)
                for o in range(4)
                for term in combinations(literals_of(record["closed"]), o)
                if term
            )
            assert record["n_terms"] == n + rows.all()


def test_table_of_two_classes(monks):
    clf, _, _ = monks
    of_second = interactions(clf)
    pd.testing.assert_frame_equal(of_second, interactions(clf, "1"))
    of_first = interactions(clf, "0")
    assert of_first["term"].tolist() == of_second["term"].tolist()
    assert_allclose(of_first["median"], -of_second["median"])
    assert_allclose(of_first["low"], -of_second["high"])
    assert_allclose(of_first["precision"], 1 - of_second["precision"])
    assert "(baseline)" in set(interactions(clf, top=10**6)["term"])
    assert len(interactions(clf, top=10**6)) == clf.model_.groups.n_groups


def test_numbers_of_terms_are_exact():
    X = np.array([["u"] * 4, ["v"] * 4], dtype=object)
    clf = Interactions(max_order=4).fit(X, [0, 1])
    counts = clf.model_.groups.counts.copy()
    counts[1] = 1, 0, 2.0**70, 0, 0
    model = replace(clf.model_, groups=replace(clf.model_.groups, counts=counts))
    for name in ("listed", "places"):
        object.__setattr__(model.groups, name, getattr(clf.model_.groups, name))
    clf.model_ = model
    found = interactions(clf, top=9)["n_terms"].tolist()
    assert 2**70 + 1 in found


def test_methods(monks):
    clf, X, _ = monks
    pd.testing.assert_frame_equal(
        clf.terms("0", 3, coverage=0.5), interactions(clf, "0", 3, coverage=0.5)
    )
    assert str(clf.explain(X[:1], 2, coverage=0.5)[0]) == str(
        explain_interactions(clf, X[:1], 2, coverage=0.5)[0]
    )


# -- explanations ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["monks", "flowers", *GROUPINGS])
def test_shares_add_up(name, request):
    if callable(name):
        estimator, X, _ = fitted_to_gaps(name)
        X = pd.concat([X, new_rows()])
    else:
        estimator, X, _ = request.getfixturevalue(name)
    clf = estimator if name != "flowers" else estimator[-1]
    table = X if name != "flowers" else estimator[0].transform(X)
    codes = clf.model_.encoding.encode_table(table, clf)
    scores = clf.model_.sample_scores(codes)
    probabilities = estimator.predict_proba(X)
    for i, explanation in enumerate(explain_interactions(estimator, X, coverage=0.6)):
        assert explanation.row == i
        assert explanation.prediction == clf.classes_[probabilities[i].argmax()]
        assert_allclose(explanation.probabilities, probabilities[i])
        first, second = explanation.ranking[:2]
        draws = scores[:, i, first]
        if len(clf.classes_) > 2:
            draws = draws - scores[:, i, second]
        found = clf.model_.groups.look_up(codes[i : i + 1])
        means = clf.model_.shares(found.groups, found.counts)
        means = means.sum(axis=1)
        means = means[:, first] - (means[:, second] if len(clf.classes_) > 2 else 0.0)
        mean = means.mean()
        assert_allclose(explanation.log_odds, mean)
        ends = np.quantile(draws, [0.2, 0.8])
        assert_allclose(explanation.log_odds_interval, ends)
        shares = sum(record["mean"] for record in explanation.records)
        assert_allclose(shares + explanation.rest["mean"], mean, atol=1e-9)
        effects = explanation.feature_effects
        assert_allclose(effects.sum() + explanation.base_value, mean, atol=1e-9)
        ends = np.quantile(draws - means, [0.2, 0.8])
        assert_allclose(explanation.unseen, ends, atol=1e-12)
        if not callable(name):
            assert_allclose(explanation.unseen, 0, atol=1e-12)
        assert explanation.records[0]["term"] == "(baseline)"
        sizes = np.abs([record["mean"] for record in explanation.records[1:]])
        assert (np.diff(sizes) <= 0).all()
        for record in [*explanation.records, explanation.rest]:
            assert record["low"] <= record["median"] <= record["high"]
        counted = sum(record["n_terms"] for record in explanation.records)
        assert counted + explanation.rest["n_terms"] == found.counts.sum()


def test_effects_of_features_are_shapley_values(grouped):
    clf = grouped[0]
    model = clf.model_
    X = new_rows(n=10)
    for row, explanation in zip(
        model.encoding.encode_table(X, clf), explain_interactions(clf, X)
    ):

        def mean_of(known, row=row, of=explanation.ranking[:2]):
            part = np.where(np.isin(np.arange(4), known), row, 0).astype(np.int32)
            found = model.groups.look_up(part[None])
            shares = model.shares(found.groups, found.counts).sum(axis=1).mean(axis=0)
            return shares[of[0]] - shares[of[1]]

        orders = list(permutations(range(4)))
        expected = np.zeros(4)
        for order in orders:
            for at, j in enumerate(order):
                expected[j] += mean_of(order[: at + 1]) - mean_of(order[:at])
        expected /= len(orders)
        assert_allclose(explanation.feature_effects, expected, atol=1e-12)
        assert_allclose(explanation.base_value, mean_of(()))
        assert (explanation.feature_effects[row == 0] == 0).all()
        assert [v is None for v in explanation.values] == (row == 0).tolist()


def test_terms_are_satisfied_by_the_row_and_belong_to_their_group(grouped):
    clf = grouped[0]
    groups = clf.model_.groups
    by_search = 0
    for row in clf.model_.encoding.encode_table(new_rows(n=200), clf):
        found = groups.look_up(row[None])
        for g, counts in zip(found.groups, found.counts):
            order = np.flatnonzero(counts)[0]
            term = satisfied_term(groups, g, row, order)
            assert len(term) == order
            assert all(row[j] == code for j, code in term)
            holds = np.all(
                [
                    groups.rows[:, 0] >= 0,
                    *(groups.rows[:, j] == code for j, code in term),
                ],
                axis=0,
            )
            members = groups.members[groups.starts[g] : groups.starts[g + 1]]
            assert_array_equal(np.flatnonzero(holds), members)
            by_search += term != groups.generator(g)
    # A row that satisfies some context of a group satisfies the shortest one.
    assert (by_search > 10) == (clf.group is not nested_interactions)


def test_records_of_a_row(gaps):
    clf, X, _ = gaps
    X = new_rows()
    for i, explanation in enumerate(explain_interactions(clf, X, top=100)):
        assert explanation.rest["n_groups"] == 0 == explanation.rest["mean"]
        assert all(holds(record["term"], X)[i] for record in explanation.records)
        assert len(explanation.terms) == len(explanation.records)


def test_text_tells_what_is_unseen(gaps):
    clf, X, _ = gaps
    for explanation in explain_interactions(clf, pd.concat([X, new_rows()])):
        low, high = explanation.unseen
        line = f"+0.00 [{low:+.2f}, {high:+.2f}] terms without training samples"
        is_told = line in re.sub(" +", " ", str(explanation).replace("[ ", "["))
        assert is_told == (max(-low, high) >= 0.005)
        assert is_told == (
            "terms without training samples" in explanation._repr_html_()
        )


def test_text(monks):
    clf, X, _ = monks
    (explanation,) = explain_interactions(clf, X[:1], top=2)
    first, shares, *lines = str(explanation).split("\n")
    p = explanation.probabilities.max()
    assert first.startswith(f"row 0: predicted {explanation.prediction} (p")
    low, high = explanation.probability_intervals.tolist()[explanation.ranking[0]]
    assert f", {low:.2f} to {'>0.99' if high > 0.995 else f'{high:.2f}'};" in first
    assert f"{explanation.log_odds:+.2f}" in shares
    assert repr(explanation) == (
        f"InteractionExplanation(row=0, prediction={explanation.prediction!r}, "
        f"probability={p:.2f})"
    )
    for line, record in zip(lines, explanation.records):
        number, low, high, text = re.fullmatch(
            r" *([-+.\d]+)  +\[([-+.\d]+), ([-+.\d]+)\]  (.*)", line
        ).groups()
        assert [number, low, high] == [
            f"{record[name]:+.2f}" for name in ("mean", "low", "high")
        ]
        assert text.startswith(record["term"])
        assert (f"(1 of {record['n_terms']} terms)" in text) == (record["n_terms"] > 1)
    assert lines[3].endswith("all other terms")
    assert "a1 = 1" in str(explanation) and str(explanation).endswith("\n")
    assert "terms without training samples" not in str(explanation)
    markup = explanation._repr_html_()
    assert markup.startswith("<table") and "a1 = 1" in markup
    assert markup.count("aria-hidden") == str(explanation).count("[") - 1


def test_pipelines_are_read_in_the_units_of_their_table(flowers):
    pipeline, X, _ = flowers
    for estimator in (pipeline, FrozenEstimator(pipeline)):
        table = interactions(estimator, class_of_interest=0, top=40)
        assert "petal length (cm) <= 2.5" in set(table["term"])
        (explanation,) = explain_interactions(estimator, X[:1])
        assert explanation.features == tuple(X.columns)
        assert "petal length (cm) <= 2.5" in explanation.values
        assert explanation.transformed_by == ()


def test_steps_that_cannot_be_inverted_are_told():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(FunctionTransformer(np.round), Interactions()).fit(X, y)
    with pytest.warns(UserWarning, match="columns as transformed by FunctionTransf"):
        interactions(pipeline)
    (explanation,) = explain_interactions(pipeline, X[:1])
    assert "columns as transformed by FunctionTransformer" in str(explanation)
    discretized = ClassEntropyDiscretizer(max_intervals=3).fit_transform(X, y)
    with pytest.warns(UserWarning, match="pass the whole pipeline"):
        interactions(Interactions().fit(discretized, y))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("prior", "kind"), [("cauchy", "all"), ("normal", "nested")])
def test_bayesian_interaction_classifier(prior, kind):
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = BayesianInteractionClassifier(
        interactions=kind,
        prior=prior,
        n_draws=20,
        burn_in=20,
        max_sweeps=1,
        n_chains=2,
        random_state=0,
    ).fit(X[::2], y[::2])
    # Each other one is of training.
    X = X[::3]
    pd.testing.assert_frame_equal(clf.terms(top=3), interactions(clf, top=3))
    probabilities, draws = clf.predict_proba(X), clf.sample_proba(X)
    unseen = []
    for i, explanation in enumerate(clf.explain(X)):
        first, second = explanation.ranking[:2]
        assert_allclose(explanation.probabilities, probabilities[i])
        assert_allclose(
            explanation.probability_intervals[first],
            np.quantile(draws[:, i, first], [0.05, 0.95]),
        )
        log_odds = explanation.log_odds
        shares = sum(record["mean"] for record in explanation.records)
        assert_allclose(shares + explanation.rest["mean"], log_odds, 1e-6, 1e-9)
        effects = explanation.feature_effects.sum()
        assert_allclose(effects + explanation.base_value, log_odds, 1e-6, 1e-9)
        unseen.append(np.abs(explanation.unseen).max())
        if i % 2 == 0:
            # All of a row of training is in the groups.
            odds = np.log(draws[:, i, first] / draws[:, i, second])
            if np.isfinite(odds).all():
                assert_allclose(log_odds, odds.mean(), 1e-6, 1e-6)
    assert max(unseen[::2]) < 1e-6 < max(unseen)


# -- bad input -------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [{"top": 0}, {"coverage": 1}, {"coverage": 0}])
def test_bad_parameters(monks, parameters):
    clf, X, _ = monks
    (name,) = parameters
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        interactions(clf, **parameters)
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        explain_interactions(clf, X, **parameters)


def test_bad_classes_and_rows(monks):
    clf, X, _ = monks
    with pytest.raises(
        ValueError, match=r"class_of_interest must be one of .*; got '2'"
    ):
        interactions(clf, "2")
    with pytest.raises(ValueError, match="feature names"):
        explain_interactions(clf, X.iloc[:, :3])


def test_functions_name_each_other(monks):
    clf, X, y = monks
    winnow = DNFWinnowClassifier(random_state=0).fit(X, y)
    for read in (terms, to_dnf, partial(explain, X=X)):
        for estimator in (clf, make_pipeline(clf)):
            with pytest.raises(
                TypeError,
                match=r"must be a DNFW.*inspection.interactions and explain_inter",
            ):
                read(estimator)
    for read in (interactions, partial(explain_interactions, X=X)):
        with pytest.raises(
            TypeError, match=r"must be a BayesianInt.*inspection.terms and explain read"
        ):
            read(winnow)
        with pytest.raises(TypeError, match=r"got ClassEntropyDiscretizer\.$"):
            read(ClassEntropyDiscretizer())
