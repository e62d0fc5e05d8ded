"""Shapley values: the definition, their axioms, estimates, and other packages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import permutations

import matplotlib
import numpy as np
import pytest
from internals.inspection import attribute_game
from model_changes import change_model
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


def of_game(model, row, payoff):
    """Values of the games of a row, and what all features come to."""
    games = payoff(scores_by_definition(model, row))
    values = np.zeros((len(row), len(games)))
    values[row != 0] = shapley_by_definition(games).T
    return values, games[:, -1]


def by_definition(clf, rows, background):
    """Values of each class against the rest, relative to a background, and bases."""

    def payoff(scores):
        scores = clf.scale_ * scores
        others = (np.delete(scores, k, axis=0) for k in range(len(scores)))
        return scores - [logsumexp(those, axis=0) for those in others]

    model = clf._table_model()
    values = np.array([of_game(model, row, payoff)[0] for row in rows])
    others, totals = zip(*(of_game(model, row, payoff) for row in background))
    return values - np.mean(others, axis=0), np.mean(totals, axis=0)


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
    X, clf, _, codes = a_model(
        max_term_size=max_term_size, literals=literals, missing=missing
    )
    gaps, others = np.isnan(X).sum(axis=1), [5, 9, 5, 11]
    chosen = [gaps.argmax(), gaps.argmin()]
    found = shapley_values(clf, X[chosen], background=X[others])
    values, bases = by_definition(clf, codes[chosen], codes[others])
    assert_allclose(found.values, values, atol=1e-9)
    assert_allclose(found.base_values, np.tile(bases, (2, 1)), atol=1e-9)
    assert not found.std_errors.any()
    assert (codes == 0).any() == (missing == "unspecified")
    # Those of other players are others.
    assert abs(found.values - values[:, ::-1]).max() > 1e-3


@pytest.mark.parametrize("factor", [10**3, 10**6, 10**12])
@pytest.mark.parametrize("max_term_size", [None, 2])
def test_extreme_exponents(factor, max_term_size):
    """Weights that no float has."""
    X, clf, _, codes = a_model(max_term_size=max_term_size)
    change_model(clf, "stored", net_counts=clf.net_promotion_counts_ * factor)
    values, _ = by_definition(clf, codes[:4], codes[4:6])
    assert abs(values).max() > 60
    found = shapley_values(clf, X[:4], background=X[4:6]).values
    assert_allclose(found, values, rtol=0, atol=1e-9 * abs(values).max())


def test_values_add_up_to_the_log_odds(votes):
    """Efficiency."""
    X, clf = votes[0][:20], votes[1]
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
    """Dummies: unspecified in all rows, or equal."""
    X, y = a_table()
    X = np.column_stack([X, np.ones(len(X)), np.full(len(X), np.nan)])
    clf = DNFWinnowClassifier(
        cv=None, max_term_size=None, literal_weight=0.4, discretizer=None
    ).fit(X, y)
    values = shapley_values(clf, X).values
    assert_allclose(values[:, 4:], 0.0, atol=1e-12)


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
    with pytest.raises(ValueError, match="class_of_interest must be one of"):
        shapley_values(clf, X, class_of_interest=17)


def test_each_class_is_compared_to_all_others(votes):
    """Log-odds are those of `predict_proba`; the other of two classes is the rest."""
    X, clf, _, _ = a_model()
    found = shapley_values(clf, X)
    assert found.values.shape == (40, 4, 3) and found.against is None
    p = clf.predict_proba(X)
    total = found.values.sum(axis=1) + found.base_values
    assert_allclose(total, np.log(p / (1 - p)), atol=1e-9)
    X, clf = votes[0][:9], votes[1]
    found = shapley_values(clf, X)
    assert found.values.shape == X.shape
    assert (found.class_of_interest, found.against) == ("republican", "democrat")
    same = shapley_values(clf, X, class_of_interest="republican")
    assert_array_equal(same.values, found.values)
    turned = shapley_values(clf, X, class_of_interest="democrat")
    assert_allclose(turned.values, -found.values, atol=1e-12)


# -- other models ----------------------------------------------------------------------


@pytest.mark.parametrize("max_term_size", [None, 2])
def test_allowed_literals_count(max_term_size):
    X, y = a_table()
    clf = DNFWinnowClassifier(
        cv=None,
        max_iter=5,
        random_state=0,
        discretizer=None,
        max_term_size=max_term_size,
        monotonic_cst={0: {1: 1, 2: -1}, 3: {0: 1}},
    ).fit(X, y)
    found = shapley_values(clf, X, class_of_interest=2)
    total = found.values.sum(axis=1) + found.base_values
    p = clf.predict_proba(X)[:, 2]
    assert_allclose(total, np.log(p / (1 - p)), atol=1e-9)


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


@pytest.mark.parametrize("params", [{}, {"screening": 0.5, "literal_weight": 0.1}])
def test_values_of_many_features_are_estimated(params, monkeypatch):
    X, y = a_table(n_features=18)
    clf = DNFWinnowClassifier(
        cv=None,
        max_iter=2,
        max_term_size=2,
        discretizer=None,
        random_state=0,
        **params,
    ).fit(X, y)
    rows, options = X[6:16], {"background": X[:6], "class_of_interest": 1}
    with monkeypatch.context() as patch:
        patch.setattr(attribute_game, "_MOST_EXACT", 20)
        exact = shapley_values(clf, rows, **options)
    found = shapley_values(clf, rows, **options)
    assert not exact.std_errors.any() and found.std_errors.any()
    assert_allclose(found.base_values, exact.base_values, atol=1e-10)
    total = found.values.sum(axis=1) + found.base_values
    p = clf.predict_proba(rows)[:, 1]
    assert_allclose(total, np.log(p / (1 - p)), atol=1e-9)

    def ratio(found):
        gaps = (found.values - exact.values) ** 2
        return np.sqrt(gaps.mean() / (found.std_errors**2).mean())

    assert 0.7 < ratio(found) < 1.4
    finer = shapley_values(clf, rows, n_permutations=1600, **options)
    assert 0.7 < ratio(finer) < 1.4
    # Errors of the background remain.
    assert (finer.std_errors <= found.std_errors).mean() > 0.9
    assert finer.std_errors.sum() < found.std_errors.sum()
    again = shapley_values(clf, rows[::-1], **options)
    assert_array_equal(found.values[::-1], again.values)
    assert_array_equal(found.std_errors[::-1], again.std_errors)
    # Up to 16 features, all values are exact.
    X[:, 16:] = np.nan
    assert not shapley_values(clf, X[6:9], **options).std_errors.any()


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
    (one,) = explain(clf, X[:1], n_permutations=20)
    assert (one.effect_errors > 0).all()
    assert_allclose(one.feature_effects.sum() + one.base_value, one.log_odds)


# -- texts and pictures ----------------------------------------------------------------


def test_texts_say_what_the_values_are(votes):
    X, clf = votes
    (explanation,) = explain(clf, X[:1], top=1)
    for text in (str(explanation), explanation._repr_html_()):
        assert "Shapley values of the log-odds (natural log), 8 of 16" in text
        assert f"the log-odds are {explanation.log_odds:+.2f}, the sum of these" in text


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
        missing += any("missing or unseen" in line for line in lines[:end])
    assert missing


def test_pictures_say_what_the_values_are(votes):
    X, clf = votes
    display = ExplanationDisplay.from_estimator(clf, X)
    label = display.ax_.get_xlabel()
    base = f"average row {display.explanation.base_value:.2f}"
    assert label.startswith(f"Shapley value of the log-odds\n(natural log; {base})")


def test_parameters_are_validated(votes):
    X, clf = votes
    with pytest.raises(ValueError, match="'n_permutations' parameter of explain"):
        clf.explain(X[:1], n_permutations=2)
    with pytest.raises(ValueError, match="'n_permutations' parameter of shapley"):
        shapley_values(clf, X[:1], n_permutations=2)


# -- shap ------------------------------------------------------------------------------


@pytest.mark.parametrize("explainer", ["exact", "kernel", "permutation"])
def test_shap_finds_the_same_values(explainer):
    """The same game: known or not, instead of one value or another."""
    shap = pytest.importorskip("shap")
    X, y = load_monks(1, return_X_y=True)
    clf = DNFWinnowClassifier(cv=None, random_state=0).fit(X, y)
    row, n = X[:1].astype(object), X.shape[1]
    found = shapley_values(clf, row, background=np.full((1, n), None))
    expected = found.values[0]

    def log_odds(masks):
        known = np.where(np.asarray(masks) != 0, row, None)
        return clf.scale_ * clf.decision_function(known)

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
    explanation = shap.Explanation(
        values=found.values,
        base_values=found.base_values,
        data=found.data,
        feature_names=found.feature_names,
    )
    assert explanation.shape == (5, 16)
    # Missing values are None, whatever the table has.
    expected = X[:5].astype(object).where(X[:5].notna(), None).to_numpy()
    assert explanation.data.tolist() == expected.tolist()
    shap.plots.waterfall(explanation[0], show=False)
    shap.plots.bar(explanation, show=False)
    shap.plots.beeswarm(explanation, show=False)
