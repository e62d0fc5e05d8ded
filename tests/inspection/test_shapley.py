"""Shapley values: the definition, their axioms, estimates, and other packages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from dataclasses import replace
from itertools import permutations

import matplotlib
import numpy as np
import pytest
from internals.inspection import (
    OneAgainstRest,
    Scores,
    _attribute_game,
    game_values,
)
from internals.kernels import _kernels
from internals.sums import by_rows
from internals.winnow import Cache, Directions, Model
from numpy.testing import assert_allclose, assert_array_equal
from reference import log_sum
from scipy.special import logsumexp
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84, load_monks
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    explain,
    shapley_values,
)

matplotlib.use("Agg")


def a_table(n_rows=40, n_features=4, n_values=3, n_classes=3, seed=0):
    """Numbers with missing values, and classes that depend on pairs of them."""
    random = np.random.RandomState(seed)
    X = random.randint(1, n_values + 1, (n_rows, n_features)).astype(float)
    y = (X[:, 0] + X[:, 1] * X[:, 2]).astype(int) % n_classes
    X[random.random_sample(X.shape) < 0.1] = np.nan
    return X, y


def a_model(**params):
    """Rows, a classifier fitted to them, its TermModel, and their codes."""
    of_table = {"n_classes": 3, "n_values": 3, "seed": 0}
    X, y = a_table(**{name: params.pop(name, of_table[name]) for name in of_table})
    settings = {"cv": None, "max_iter": 5, "random_state": 0, "discretizer": None}
    clf = DNFWinnowClassifier(**{**settings, **params}).fit(X, y)
    return X, clf, clf._table_model(), codes_of(clf, X)


def codes_of(clf, X):
    model = clf._table_model()
    return model.encoding.encode_table(X, clf)


def solved(model, row, n_permutations=4, payoff=None):
    """The game of a row, not relative to other rows."""
    return game_values(model, row, payoff or Scores(), n_permutations)


def scores_by_definition(model, row):
    """Scores of all classes with each set of specified attributes: (n_classes, 2^n)."""
    columns = model.encoding.with_literals(row[None])[0]
    agreements = (model.encoding.with_literals(model.examples) == columns) & (
        columns != 0
    )
    owners = [literal.attribute for literal in model.encoding.columns]
    specified = np.flatnonzero(row)
    scores = np.empty((model.n_classes, 1 << len(specified)))
    for S in range(scores.shape[1]):
        known = specified[(S >> np.arange(len(specified)) & 1).astype(bool)]
        own = agreements[:, np.isin(owners, known) & (columns != 0)]
        for k, net_counts in enumerate(model.net_counts):
            scores[k, S] = log_sum(
                agreements=own,
                net_counts=net_counts,
                alpha=np.exp(model.log_alpha),
                literal_weight=np.exp(model.log_beta),
                max_term_size=model.max_term_size,
            )
    return scores - model.log_thresholds[:, None]


def shapley_by_definition(scores):
    """What each player adds, on average over all orders: (n_games, n)."""
    n = scores.shape[1].bit_length() - 1
    values = np.zeros((len(scores), n))
    orders = [*permutations(range(n))]
    for order in orders:
        S = 0
        for player in order:
            values[:, player] += scores[:, S | 1 << player] - scores[:, S]
            S |= 1 << player
    return values / len(orders)


def check_shapley(found, row, model):
    """Refuse values, (n_classes, n_features), that are not those of a row."""
    expected, scores = np.zeros(found.shape), scores_by_definition(model, row)
    expected[:, row != 0] = shapley_by_definition(scores)
    assert_allclose(found, expected, rtol=0, atol=1e-9 * max(1.0, abs(scores).max()))


@pytest.fixture(scope="module")
def votes():
    X, y = load_house_votes_84(return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(cv=None, margin=0.5, max_term_size=2, random_state=0).fit(
        X, y
    )
    return X, clf


# -- exact values ----------------------------------------------------------------------


@pytest.mark.parametrize("max_term_size", [None, 1, 2, 3])
@pytest.mark.parametrize("literals", ["equal", "ordered", "intervals"])
@pytest.mark.parametrize("missing", ["unspecified", "category"])
def test_values_are_those_of_the_definition(max_term_size, literals, missing):
    X, _, model, codes = a_model(
        max_term_size=max_term_size, literals=literals, missing=missing
    )
    gaps = np.isnan(X).sum(axis=1)
    for row in codes[[gaps.argmax(), gaps.argmin()]]:
        game = solved(model, row)
        assert not game.estimates and not game.errors(np.ones(3)).any()
        check_shapley(game.values, row, model)
    assert (codes == 0).any() == (missing == "unspecified")


def test_what_is_no_shapley_value_is_found():
    """The check above fails: values of other players."""
    _, _, model, codes = a_model(max_term_size=None)
    values = solved(model, codes[0]).values
    check_shapley(values, codes[0], model)
    for wrong in (values[::-1], np.roll(values, 1, axis=1), values + 1e-8):
        with pytest.raises(AssertionError, match="Not equal"):
            check_shapley(wrong, codes[0], model)


@pytest.mark.parametrize("factor", [10**3, 10**6, 10**12])
@pytest.mark.parametrize("max_term_size", [None, 2])
def test_extreme_exponents(factor, max_term_size):
    """Weights that no float has."""
    _, _, model, codes = a_model(max_term_size=max_term_size)
    stored = replace(model.stored, net_counts=model.net_counts * factor)
    model = replace(model, stored=stored)
    assert np.ptp(scores_by_definition(model, codes[0])) > 60
    for row in codes[:4]:
        check_shapley(solved(model, row).values, row, model)


def test_values_add_up_to_the_log_odds(votes):
    """Efficiency."""
    X, clf = votes[0][:50], votes[1]
    found = shapley_values(clf, X)
    total = found.values.sum(axis=1) + found.base_values
    assert_allclose(total, clf.scale_ * clf.decision_function(X), rtol=0, atol=1e-12)


def test_equal_attributes_have_equal_values():
    """Symmetry: two columns with the same values."""
    X, y = a_table()
    X = np.column_stack([X, X[:, 1]])
    clf = DNFWinnowClassifier(cv=None, max_term_size=None, discretizer=None)
    values = shapley_values(clf.fit(X, y), X).values
    assert_allclose(values[:, 1], values[:, 4], atol=1e-12)
    assert abs(values[:, 1] - values[:, 2]).max() > 0.01


def test_attributes_that_tell_nothing_have_the_value_0():
    """Dummies: unspecified in all rows, or equal. In the game of a row, they have 0 and
    the logarithm of the terms that they double, weighted by the prior.
    """
    X, y = a_table()
    X = np.column_stack([X, np.ones(len(X)), np.full(len(X), np.nan)])
    clf = DNFWinnowClassifier(
        cv=None, max_term_size=None, literal_weight=0.4, discretizer=None
    ).fit(X, y)
    values = shapley_values(clf, X).values
    assert_allclose(values[:, 4:], 0.0, atol=1e-12)
    game = solved(clf._table_model(), codes_of(clf, X)[0])
    assert_allclose(game.values[:, 4], np.log(1.4), atol=1e-12)
    assert_array_equal(game.values[:, 5], 0.0)


def test_terms_of_one_literal_and_more_make_the_log_odds(votes):
    """Of explanations: the parts, the base value and the log-odds."""
    X, clf = votes
    arrays = shapley_values(clf, X[:20])
    for i, explanation in enumerate(explain(clf, X[:20], top=1)):
        sign = 1 if explanation.prediction == arrays.class_of_interest else -1
        assert_allclose(
            explanation.feature_effects, sign * arrays.values[i], atol=1e-12
        )
        assert_allclose(explanation.base_value, sign * arrays.base_values[i])
        total = explanation.feature_effects.sum() + explanation.base_value
        assert_allclose(total, explanation.log_odds, atol=1e-12)
        assert not explanation.effect_errors.any()


def test_one_class_is_a_part_of_all():
    X, clf, _, _ = a_model()
    every = shapley_values(clf, X)
    assert_array_equal(every.classes, clf.classes_)
    for k, class_ in enumerate(clf.classes_.tolist()):
        found = shapley_values(clf, X, class_of_interest=class_)
        assert_array_equal(found.values, every.values[..., k])
        assert_array_equal(found.base_values, every.base_values[:, k])
        assert_array_equal(found.std_errors, every.std_errors[..., k])
        assert found.classes is None
    for name in ("class_of_interest", "against"):
        with pytest.raises(ValueError, match=f"{name} must be one of"):
            shapley_values(clf, X, **{name: 17})


def test_two_classes_are_compared():
    """Differences of scores: of one class and of all."""
    X, clf, _, _ = a_model()
    scores = clf.log_weighted_sums(X)
    of_all = shapley_values(clf, X, against=1)
    assert not of_all.values[..., 1].any()
    for k, class_ in ((0, 0), (2, 2)):
        found = shapley_values(clf, X, class_of_interest=class_, against=1)
        assert (found.class_of_interest, found.against, found.classes) == (
            class_,
            1,
            None,
        )
        total = found.values.sum(axis=1) + found.base_values
        expected = clf.scale_ * (scores[:, k] - scores[:, 1])
        assert_allclose(total, expected, atol=1e-12)
        assert_array_equal(of_all.values[..., k], found.values)
        turned = shapley_values(clf, X, class_of_interest=1, against=class_)
        assert_allclose(turned.values, -found.values, atol=1e-12)
    with pytest.raises(ValueError, match="must be different classes; both are 1"):
        shapley_values(clf, X, class_of_interest=1, against=1)


def test_each_class_is_compared_to_all_others(votes):
    """Log-odds are those of `predict_proba`; the other of two classes is the rest."""
    X, clf, model, codes = a_model()
    found = shapley_values(clf, X)
    assert found.values.shape == (40, 4, 3) and found.against is None
    p = clf.predict_proba(X)
    total = found.values.sum(axis=1) + found.base_values
    assert_allclose(total, np.log(p / (1 - p)), atol=1e-9)
    of_sets = scores_by_definition(model, codes[0])
    others = [np.delete(of_sets, k, axis=0) for k in range(3)]
    log_odds = clf.scale_ * of_sets - [
        logsumexp(clf.scale_ * o, axis=0) for o in others
    ]
    expected = np.zeros((3, 4))
    expected[:, codes[0] != 0] = shapley_by_definition(log_odds)
    payoff = OneAgainstRest(float(clf.scale_))
    game = solved(model, codes[0], payoff=payoff)
    assert_allclose(game.values, expected, atol=1e-9)

    X, clf = votes[0][:9], votes[1]
    found = shapley_values(clf, X)
    assert found.values.shape == X.shape
    assert (found.class_of_interest, found.against) == ("republican", "democrat")
    for options in ({"class_of_interest": "republican"}, {"against": "democrat"}):
        assert_array_equal(shapley_values(clf, X, **options).values, found.values)
    turned = shapley_values(clf, X, class_of_interest="democrat")
    assert_allclose(turned.values, -found.values, atol=1e-12)


def test_kernels_of_every_level_give_the_same_bits(monkeypatch):
    random = np.random.RandomState(0)
    for n in (1, 4, 5, 9):
        values = random.normal(size=(2, 1 << n))
        found = []
        for level in _kernels.levels():
            kernel = _kernels.kernel("_shapley", level)
            monkeypatch.setattr(_attribute_game, "shapley", kernel)
            found.append(_attribute_game._shapley_values(values))
        for others in found[1:]:
            assert_array_equal(others, found[0])
        if n < 6:
            assert_allclose(found[0], shapley_by_definition(values), atol=1e-12)


# -- ways to the sums ------------------------------------------------------------------


@pytest.mark.parametrize("max_term_size", [None, 2])
def test_allowed_literals_count(max_term_size):
    """Sums of all sets are those of the model for rows with these attributes alone."""
    X, y = a_table()
    clf = DNFWinnowClassifier(
        cv=None,
        max_iter=5,
        random_state=0,
        discretizer=None,
        max_term_size=max_term_size,
        monotonic_cst={0: {1: 1, 2: -1}, 3: {0: 1}},
    ).fit(X, y)
    model = clf._table_model()
    free = replace(model, directions=Directions())
    differ = 0
    for row in codes_of(clf, X)[:10]:
        expected = by_rows(row, model.estimate_log_sums)
        assert_allclose(model.log_subset_sums(row), expected, atol=1e-12)
        differ += abs(expected - free.log_subset_sums(row)).max() > 0.1
    assert differ > 5
    found = shapley_values(clf, X, class_of_interest=2, against=0)
    total = found.values.sum(axis=1) + found.base_values
    scores = clf.log_weighted_sums(X)
    assert_allclose(total, scores[:, 2] - scores[:, 0], atol=1e-12)


def test_pipelines_have_the_columns_of_their_tables():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(
        ClassEntropyDiscretizer(max_intervals=4),
        DNFWinnowClassifier(cv=None, literals="ordered", random_state=0),
    ).fit(X, y)
    found = shapley_values(pipeline, X[::10])
    assert found.feature_names == tuple(X.columns)
    assert_array_equal(found.data.astype(float), X[::10])
    total = found.values.sum(axis=1) + found.base_values
    p = pipeline.predict_proba(X[::10])
    assert_allclose(total, np.log(p / (1 - p)), atol=1e-9)


def test_features_of_one_column_are_printed():
    """They have the same name."""
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(cv=None, max_term_size=2, random_state=0)
    found = shapley_values(make_pipeline(OneHotEncoder(), clf).fit(X, y), X[:5])
    assert found.feature_names.count("a1") == 3
    assert str(found).count("  a1\n") > 1


# -- estimates -------------------------------------------------------------------------


@pytest.fixture
def no_exact_values(votes, monkeypatch):
    """With a cache of its own, because that of the votes has exact values."""
    monkeypatch.setattr(votes[1], "_model", replace(votes[1]._model, cache=Cache()))
    monkeypatch.setattr(Model, "log_subset_sums", lambda model, row: None)


@pytest.mark.slow
def test_estimates_add_up_and_know_their_errors(votes, monkeypatch):
    """Of games, whose errors are independent, and relative to the background."""
    X, clf = votes
    model, rows = clf._table_model(), codes_of(clf, X)[:100]
    weights = np.array([-1.0, 1.0])
    relative = shapley_values(clf, X[:100])
    exact = np.array([weights @ solved(model, row).values for row in rows])
    monkeypatch.setattr(Model, "log_subset_sums", lambda model, row: None)

    def estimates(rows, n_permutations):
        games = [solved(model, row, n_permutations) for row in rows]
        total = [weights @ game.payoffs for game in games]
        scores, _ = model.estimate_log_sums(rows)
        assert_allclose(total, scores @ weights, atol=1e-12)
        return (
            np.array([weights @ game.values for game in games]),
            np.array([game.errors(weights) for game in games]),
        )

    values, errors = estimates(rows, 40)
    ratio = np.sqrt(np.mean((values - exact) ** 2) / np.mean(errors**2))
    assert 0.85 < ratio < 1.15

    def bias(exact):
        """Of each attribute, in standard errors."""
        total = (values - exact).sum(axis=0)
        return abs(total / np.sqrt((errors**2).sum(axis=0))).max()

    assert bias(exact) < 4 < 10 < bias(0.9 * exact)
    _, smaller = estimates(rows[:10], 640)
    ratio = np.sqrt(np.mean(errors[:10] ** 2) / np.mean(smaller**2))
    assert 3 < ratio < 5.3

    monkeypatch.setattr(clf, "_model", replace(clf._model, cache=Cache()))
    found = shapley_values(clf, X[:100])
    total = found.values.sum(axis=1) + found.base_values
    assert_allclose(total, clf.scale_ * clf.decision_function(X[:100]), atol=1e-12)
    assert_allclose(found.base_values, relative.base_values, atol=1e-12)
    z = (found.values - relative.values) / found.std_errors
    assert 0.85 < np.sqrt(np.mean(z**2)) < 1.15


def test_estimates_are_a_function_of_the_model_and_the_row(votes, no_exact_values):
    X, clf = votes
    found = shapley_values(clf, X[:6], n_permutations=10)
    again = shapley_values(clf, X[5::-1], n_permutations=10)
    assert_array_equal(found.values[::-1], again.values)
    assert_array_equal(found.std_errors[::-1], again.std_errors)
    model, row = clf._table_model(), codes_of(clf, X)[0]
    other = solved(replace(model, seed=1), row, 10).values
    assert (other != solved(model, row, 10).values).any()


def test_wide_rows_are_estimated():
    X, y = a_table(n_features=30)
    clf = DNFWinnowClassifier(
        cv=None, max_iter=1, max_term_size=2, discretizer=None
    ).fit(X, y)
    found = shapley_values(clf, X[:3], n_permutations=20)
    specified = codes_of(clf, X)[:3] != 0
    assert specified.sum(axis=1).min() > 20 and not specified.all()
    assert found.std_errors.all()
    total = found.values.sum(axis=1) + found.base_values
    p = clf.predict_proba(X[:3])
    assert_allclose(total, np.log(p / (1 - p)), atol=1e-9)
    for method in ("auto", "shapley"):
        (one,) = explain(clf, X[:1], method=method, n_permutations=20)
        assert one.method == "shapley" and one.effect_errors.any()
    # Too many sets of features: estimates would take long.
    X, y = a_table(n_features=150)
    clf = DNFWinnowClassifier(
        cv=None, max_iter=1, max_term_size=2, discretizer=None
    ).fit(X, y)
    (by_default,) = explain(clf, X[:1])
    assert by_default.method == "leave_one_out"


def test_many_features_are_estimated_unless_exact_values_are_asked_for():
    X, y = a_table(n_features=18)
    for params in ({}, {"screening": 0.5, "literal_weight": 0.1}):
        clf = DNFWinnowClassifier(
            cv=None, max_iter=2, max_term_size=2, discretizer=None, **params
        ).fit(X, y)
        options = {"background": X[:6], "class_of_interest": 1}
        exact = shapley_values(clf, X[6:9], n_permutations=None, **options)
        found = shapley_values(clf, X[6:9], **options)
        assert not exact.std_errors.any() and found.std_errors.any()
        assert_allclose(found.base_values, exact.base_values, atol=1e-10)
        squares = (found.values - exact.values) ** 2
        assert 0.5 < np.sqrt(squares.mean() / (found.std_errors**2).mean()) < 1.6
        # Up to 16 features, all values are exact.
        X[:, 16:] = np.nan
        found = shapley_values(clf, X[6:9], **options)
        assert not found.std_errors.any()
        X, y = a_table(n_features=18)


# -- texts and pictures ----------------------------------------------------------------


def test_texts_say_what_the_values_are(votes):
    X, clf = votes
    (explanation,) = explain(clf, X[:1], top=1)
    (other,) = explain(clf, X[:1], top=1, method="leave_one_out")
    assert (explanation.method, other.method) == ("shapley", "leave_one_out")
    assert other.base_value is None
    for text in (str(explanation), explanation._repr_html_()):
        assert "Shapley values of the log-odds (natural log), 8 of 16" in text
        assert f"the log-odds are {explanation.log_odds:+.2f}, the sum of these" in text
    for text in (str(other), other._repr_html_()):
        assert "Shapley" not in text and "average row" not in text
    for name in ("probabilities", "ranking", "records"):
        assert_array_equal(getattr(explanation, name), getattr(other, name))


def test_printed_numbers_add_up(votes):
    """From the average row, by the listed features and all others, to the log-odds."""
    X, clf = votes
    missing = 0
    for explanation in explain(clf, X[:50], top=1):
        lines = str(explanation).split("\n")[2:]
        end = next(i for i, line in enumerate(lines) if "the log-odds are" in line)
        numbers = [float(line.split()[0]) for line in lines[:end]]
        assert lines[0] == f"{explanation.base_value:+10.2f}  average row"
        assert lines[end - 1].endswith("  all other columns")
        assert_allclose(sum(numbers), explanation.log_odds, atol=0.005 * 11)
        missing += any("missing or unknown" in line for line in lines[:end])
    assert missing


def test_pictures_say_what_the_values_are(votes):
    X, clf = votes
    display = ExplanationDisplay.from_estimator(clf, X)
    label = display.ax_.get_xlabel()
    base = f"average row {display.explanation.base_value:.2f}"
    assert label.startswith(f"Shapley value of the log-odds\n(natural log; {base})")
    display = ExplanationDisplay.from_estimator(clf, X, method="leave_one_out")
    assert "not additive" in display.ax_.get_xlabel()


def test_parameters_are_validated(votes):
    X, clf = votes
    with pytest.raises(ValueError, match="'method' parameter of explain"):
        clf.explain(X[:1], method="lime")
    with pytest.raises(ValueError, match="'n_permutations' parameter of explain"):
        clf.explain(X[:1], method="shapley", n_permutations=2)
    with pytest.raises(ValueError, match="'n_permutations' parameter of shapley"):
        shapley_values(clf, X[:1], n_permutations=2)


# -- shap ------------------------------------------------------------------------------


def on_masks(clf, X):
    """The log-odds of a row of votes as a function of which attributes are known."""
    model, row = clf._table_model(), codes_of(clf, X)[0]

    def log_odds(masks):
        rows = np.where(np.asarray(masks) != 0, row, 0).astype(np.int32)
        log_sums, _ = model.estimate_log_sums(rows)
        return log_sums[:, 1] - log_sums[:, 0]

    return log_odds, len(row)


@pytest.mark.parametrize("explainer", ["exact", "kernel", "permutation"])
def test_shap_finds_the_same_values(explainer):
    """The same game: known or not, instead of one value or another."""
    shap = pytest.importorskip("shap")
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(cv=None, random_state=0).fit(X, y)
    game = solved(clf._table_model(), codes_of(clf, X[:1])[0])
    expected = game.values[1] - game.values[0]
    log_odds, n = on_masks(clf, X[:1])
    nothing, everything = np.zeros((1, n)), np.ones((1, n))
    if explainer == "exact":
        values = shap.ExactExplainer(log_odds, nothing)(everything).values
        assert_allclose(values[0], expected, atol=1e-9)
    elif explainer == "kernel":
        # Exact where it has all 2^6 sets.
        values = shap.KernelExplainer(log_odds, nothing).shap_values(
            everything, nsamples=2**n, silent=True
        )
        assert_allclose(values[0], expected, atol=1e-6)
    else:
        values = shap.PermutationExplainer(log_odds, nothing, seed=0)(
            everything, max_evals=40 * (2 * n + 1)
        ).values
        assert_allclose(values[0], expected, atol=0.1 * abs(expected).max())
        assert_allclose(values.sum(), expected.sum(), atol=1e-9)


def test_values_become_those_of_shap(votes):
    shap = pytest.importorskip("shap")
    X, clf = votes
    found = shapley_values(clf, X[:5])
    explanation = found.to_shap()
    assert isinstance(explanation, shap.Explanation)
    assert explanation.shape == (5, 16)
    assert explanation.feature_names == list(X.columns)
    assert_array_equal(explanation.values, found.values)
    assert_array_equal(explanation.base_values, found.base_values)
    # Missing values are None, whatever the table has.
    expected = X[:5].astype(object).where(X[:5].notna(), None).to_numpy()
    assert explanation.data.tolist() == expected.tolist()
    shap.plots.waterfall(explanation[0], show=False)
    shap.plots.bar(explanation, show=False)
    shap.plots.beeswarm(explanation, show=False)
    X, clf, _, _ = a_model()
    several = shapley_values(clf, X).to_shap()
    assert several.shape == (40, 4, 3) and several.output_names == ["0", "1", "2"]


def test_without_shap_the_error_says_what_to_install(votes, monkeypatch):
    X, clf = votes
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(ImportError, match="pip install shap"):
        shapley_values(clf, X[:1]).to_shap()
