"""Terms and explanations of models with draws, by brute force."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from functools import partial
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from sklearn_dnfwinnow import BayesianInteractionClassifier, ClassEntropyDiscretizer
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import explain, terms, to_dnf

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def interactions(**params):
    """A Bayesian classifier of few draws, whose chains do not agree."""
    settings = {"max_order": 2, "prior": "normal", "n_draws": 30, "burn_in": 30}
    settings |= {"max_sweeps": 1, "n_chains": 2, "random_state": 0}
    return BayesianInteractionClassifier(**{**settings, **params})


@pytest.fixture(scope="module")
def monks():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    return interactions().fit(X, y), X, y


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True, as_frame=True)
    steps = ClassEntropyDiscretizer(max_intervals=3), interactions(max_order=4)
    return make_pipeline(*steps).fit(X, y), X, y


def fitted_to_gaps(kind):
    """Three classes, and missing values."""
    rng = np.random.default_rng(1)
    X = rng.choice(np.array(["u", "v", "w", None], dtype=object), (25, 4))
    X = pd.DataFrame(X, columns=[*"abcd"])
    y = rng.choice(["p", "q", "r"], 25)
    return interactions(max_order=3, interactions=kind).fit(X, y), X, y


@pytest.fixture(scope="module")
def gaps():
    return fitted_to_gaps("all")


@pytest.fixture(scope="module", params=["all", "nested"])
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
    """Groups with a positive effect and a lift of at least 1, but that of all rows."""
    clf, X, y = gaps
    model = clf._table_model()
    table = terms(clf, class_, top=6, coverage=0.8, details=True)
    few = ["lift", "support", "precision", "effect", "effect_low", "effect_high"]
    expected = table[["class", "term", *few]]
    pd.testing.assert_frame_equal(terms(clf, class_, 6, coverage=0.8), expected)
    assert list(dict.fromkeys(table["class"])) == (
        [class_] if class_ else ["p", "q", "r"]
    )
    for label, of_class in table.groupby("class"):
        k = clf.classes_.tolist().index(label)
        weights = model.groups.memberships() @ model.class_weights
        effects = model.effects(np.arange(len(weights)))[..., k]
        medians = np.median(effects, axis=0)
        lifts = weights[:, k] / weights.sum(axis=1) / (y == label).mean()
        is_empty = weights.sum(axis=1) == len(X)
        g = np.argsort(-medians, kind="stable")
        g = g[(medians > 0)[g] & (lifts >= 1)[g] & ~is_empty[g]][:6]
        assert_allclose(of_class["effect"], medians[g])
        low, high = np.quantile(effects[:, g], [0.1, 0.9], axis=0)
        assert_allclose(of_class["effect_low"], low)
        assert_allclose(of_class["effect_high"], high)
        assert_allclose(of_class["p_positive"], (effects[:, g] > 0).mean(axis=0))
        for record in of_class.to_dict("records"):
            rows = holds(record["term"], X)
            assert_array_equal(rows, holds(record["closed"], X))
            assert len(literals_of(record["term"])) == record["size"]
            assert record["support"] == rows.sum()
            assert_allclose(record["precision"], (y[rows] == label).mean())
            lift = (y[rows] == label).mean() / (y == label).mean()
            assert_allclose(record["lift"], lift)
            n = sum(
                np.array_equal(holds(" & ".join(map(" = ".join, term)), X), rows)
                for o in range(4)
                for term in combinations(literals_of(record["closed"]), o)
                if term
            )
            assert record["n_terms"] == n


def test_table_on_given_rows(monks):
    """The measures are those of the rows, with intervals, as of other models."""
    clf, X, y = monks
    table = terms(clf, "1", top=50, X=X[::2], y=y[::2])
    for record in table.to_dict("records"):
        rows = holds(record["term"], X[::2])
        assert record["support"] == rows.sum()
        precision = (y[::2][rows] == "1").mean()
        assert record["precision_low"] <= precision <= record["precision_high"]
        assert_allclose(record["precision"], precision)
    predicted = clf.predict(X)
    pd.testing.assert_frame_equal(terms(clf, X=X), terms(clf, X=X, y=predicted))
    assert set(terms(clf)["class"]) == {"0", "1"}
    assert "(baseline)" not in set(terms(clf, top=10**6)["term"])


# -- explanations ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["monks", "flowers", "all", "nested"])
def test_contributions_add_up(name, request):
    of_gaps = name in ("all", "nested")
    if of_gaps:
        estimator, X, _ = fitted_to_gaps(name)
        X = pd.concat([X, new_rows()])
    else:
        estimator, X, _ = request.getfixturevalue(name)
        X = X[::5]
    clf = estimator if name != "flowers" else estimator[-1]
    table = X if name != "flowers" else estimator[0].transform(X)
    codes = clf._table_model().encoding.encode_table(table, clf)
    scores = clf._table_model().sample_scores(codes)
    probabilities = estimator.predict_proba(X)
    whole = explain(estimator, X, top=10**6)
    for i, explanation in enumerate(explain(estimator, X, coverage=0.6)):
        assert explanation.row == i
        assert explanation.prediction == clf.classes_[probabilities[i].argmax()]
        assert_allclose(explanation.probabilities, probabilities[i])
        first, second = explanation.ranking[:2]
        draws = scores[:, i, first]
        if len(clf.classes_) > 2:
            draws = draws - scores[:, i, second]
        found = clf._table_model().groups.look_up(codes[i : i + 1])
        means = clf._table_model().shares(found.groups, found.counts)
        means = means.sum(axis=1)
        means = means[:, first] - (means[:, second] if len(clf.classes_) > 2 else 0.0)
        mean = means.mean()
        assert_allclose(explanation.log_odds, mean)
        ends = np.quantile(draws, [0.2, 0.8])
        assert_allclose(explanation.log_odds_interval, ends)
        effects = explanation.feature_effects
        assert_allclose(effects.sum() + explanation.base_value, mean, atol=1e-9)
        ends = np.quantile(draws - means, [0.2, 0.8])
        assert_allclose(explanation.unseen, ends, atol=1e-12)
        if not of_gaps:
            assert_allclose(explanation.unseen, 0, atol=1e-12)
        sizes = np.abs([record["contribution"] for record in explanation.records])
        assert (np.diff(sizes) <= 0).all()
        for record in explanation.records:
            favoured = first if record["contribution"] > 0 else second
            assert record["class"] == clf.classes_[favoured]
        # All of them, and the empty term, are the log-odds.
        every = whole[i]
        total = sum(record["contribution"] for record in every.records)
        assert_allclose(total + explanation.base_value, mean, atol=1e-9)
        counted = sum(record["n_terms"] for record in every.records)
        assert counted == found.counts.sum() - found.counts[:, 0].sum()


def test_effects_of_features_are_shapley_values(grouped):
    clf = grouped[0]
    model = clf._table_model()
    X = new_rows(n=10)
    for row, explanation in zip(model.encoding.encode_table(X, clf), explain(clf, X)):

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


def test_records_of_a_row(gaps):
    clf, X, _ = gaps
    X = new_rows()
    for i, explanation in enumerate(explain(clf, X, top=100)):
        assert all(holds(record["term"], X)[i] for record in explanation.records)
        assert len(explanation.terms) == len(explanation.records)


def test_text_tells_what_is_unseen(gaps):
    clf, X, _ = gaps
    for explanation in explain(clf, pd.concat([X, new_rows()])):
        low, high = explanation.unseen
        line = f"+0.00 [{low:+.2f}, {high:+.2f}] rules without training rows"
        is_told = line in re.sub(" +", " ", str(explanation).replace("[ ", "["))
        assert is_told == (max(-low, high) >= 0.005)
        assert is_told == ("rules without training rows" in explanation._repr_html_())


def test_text(monks):
    clf, X, _ = monks
    (explanation,) = explain(clf, X[:1], top=2)
    first, _, base, *lines = str(explanation).split("\n")
    p = explanation.probabilities.max()
    assert first.startswith(f"row 0: predicted {explanation.prediction} (p")
    low, high = explanation.probability_intervals.tolist()[explanation.ranking[0]]
    assert f", {low:.2f} to {'>0.99' if high > 0.995 else f'{high:.2f}'};" in first
    assert base.split() == f"{explanation.base_value:+.2f} without any column".split()
    assert repr(explanation) == (
        f"Explanation(row=0, prediction={explanation.prediction!r}, "
        f"probability={p:.2f})"
    )
    note = next(line for line in lines if "the log-odds are" in line)
    assert f"{explanation.log_odds:+.2f} [" in note and "90% of the draws" in note
    place = lines.index("  rules with the largest contributions to the log-odds")
    for line, record in zip(lines[place + 1 :], explanation.records, strict=False):
        number, low, high, text = re.fullmatch(
            r" *([-+.\d]+)  +\[([-+.\d]+), ([-+.\d]+)\]  (.*)", line
        ).groups()
        names = "contribution", "contribution_low", "contribution_high"
        assert [number, low, high] == [f"{record[name]:+.2f}" for name in names]
        assert text.startswith(record["term"])
        assert (f"(1 of {record['n_terms']} terms)" in text) == (record["n_terms"] > 1)
    assert "a1 = 1" in str(explanation) and str(explanation).endswith("\n")
    frame = explanation.to_frame()
    assert_array_equal(
        frame[["effect_low", "effect_high"]], explanation.effect_intervals
    )


def test_pipelines_are_read_in_the_units_of_their_table(flowers):
    pipeline, X, _ = flowers
    for estimator in (pipeline, FrozenEstimator(pipeline)):
        table = terms(estimator, class_of_interest=0, top=40)
        assert "petal length (cm) <= 2.5" in set(table["term"])
        (explanation,) = explain(estimator, X[:1])
        assert explanation.features == tuple(X.columns)
        assert "petal length (cm) <= 2.5" in explanation.values
        assert explanation.transformed_by == ()


def test_steps_that_cannot_be_inverted_are_told():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(FunctionTransformer(np.round), interactions()).fit(X, y)
    with pytest.warns(UserWarning, match="columns as transformed by FunctionTransf"):
        terms(pipeline)
    (explanation,) = explain(pipeline, X[:1])
    assert "columns as transformed by FunctionTransformer" in str(explanation)


@pytest.mark.parametrize(("prior", "kind"), [("cauchy", "all"), ("normal", "nested")])
def test_bayesian_interaction_classifier(prior, kind):
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = interactions(max_order="auto", interactions=kind, prior=prior)
    clf.fit(X[::2], y[::2])
    # Each other one is of training.
    X = X[::3]
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
        terms(clf, **parameters)
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        explain(clf, X, **parameters)


def test_bad_classes_and_rows(monks):
    clf, X, _ = monks
    with pytest.raises(
        ValueError, match=r"class_of_interest must be one of .*; got '2'"
    ):
        terms(clf, "2")
    with pytest.raises(ValueError, match="feature names"):
        explain(clf, X.iloc[:, :3])


def test_other_estimators_are_refused(monks):
    clf, X, _ = monks
    for estimator in (clf, make_pipeline(clf)):
        with pytest.raises(TypeError, match=r"must be a DNFWinnowClassifier, or"):
            to_dnf(estimator, X=X)
    for read in (terms, partial(explain, X=X)):
        with pytest.raises(TypeError, match=r"got ClassEntropyDiscretizer\.$"):
            read(ClassEntropyDiscretizer())
