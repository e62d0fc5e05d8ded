"""Draws of coefficients of single terms: sums of groups, laws of parts, and texts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from interaction_checks import Interactions
from internals.bayes import Draws, Prediction, Prior, _prediction
from internals.terms import all_interactions
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import cumulative_simpson
from scipy.stats import cauchy, kstest, norm, pearsonr
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import BayesianInteractionClassifier, ClassEntropyDiscretizer
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import interactions, sample_coefficients
from sklearn_dnfwinnow.rules import Term

FAMILIES = "cauchy", "normal"
SIGMA = np.array([0.5, 1.0, 0.3, 0.25])


def fitted(n_classes=2, seed=0, **options):
    """Return a classifier of short chains, and its table of three columns."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.choice(["x", "y", "z & z"], (30, 3)), columns=["a", "b", "c"])
    y = rng.integers(0, n_classes, 30)
    clf = BayesianInteractionClassifier(
        n_draws=20,
        burn_in=20,
        max_sweeps=1,
        n_chains=2,
        random_state=0,
        **options,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clf.fit(X, y), X


def constant(family, s=1.75, n=4000, n_rows=1):
    """Return predictions from equal draws; the terms of the first row are a group."""
    rows = np.array([[1, 1, 1], [2, 2, 2]], dtype=np.int32)[:n_rows]
    groups = all_interactions(rows, 3)
    draws = Draws(
        sums=np.full((n, groups.n_groups, 1), s, dtype=np.float32),
        log_sigma=np.tile(np.log(SIGMA), (n, 1)),
        log_likelihood=np.zeros(n),
    )
    prior = Prior(family=family, hyperprior="half_t", scales=np.ones(4))
    return Prediction(groups, prior, draws, seed=1)


def terms_of(row, orders=range(4)):
    """Return the codes of the terms of a row, sorted."""
    chosen = [c for o in orders for c in combinations(range(len(row)), o)]
    codes = np.zeros((len(chosen), len(row)), dtype=np.int32)
    for term, columns in zip(codes, chosen, strict=True):
        term[list(columns)] = np.array(row)[list(columns)]
    return np.unique(codes, axis=0)


def part_cdf(family, order, s, whole):
    """Return the distribution function of one term, given the sum of its group."""
    own = SIGMA[order]
    if family == "normal":
        own, ratio = own**2, own**2 / whole
        return norm(s * ratio, np.sqrt(own * (1 - ratio))).cdf
    places = np.sinh(np.linspace(-12, 12, 20_001))
    density = cauchy.pdf(places, 0, own) * cauchy.pdf(s - places, 0, whole - own)
    below = cumulative_simpson(density, x=places, initial=0)
    return lambda x: np.interp(x, places, below / below[-1])


@pytest.mark.parametrize("family", FAMILIES)
def test_terms_have_their_laws_given_the_sum(family):
    law = constant(family)
    terms = terms_of([1, 1, 1])
    drawn = law.parameters(terms)[..., 0]
    orders = np.count_nonzero(terms, axis=1)
    assert_allclose(drawn.sum(axis=1), 1.75, rtol=0, atol=1e-9 * np.abs(drawn).max())
    whole = (SIGMA[orders] ** law.prior.power).sum()
    for order, values in zip(orders, drawn.T, strict=True):
        assert kstest(values, part_cdf(family, order, 1.75, whole)).pvalue > 1e-4
    # Another order, or another sum, is found.
    values = drawn[:, list(orders).index(1)]
    for wrong in ((2, 1.75), (1, 0.0)):
        assert kstest(values, part_cdf(family, *wrong, whole)).pvalue < 1e-6


def test_normal_terms_of_a_group_are_negatively_correlated():
    law = constant("normal")
    drawn = law.parameters(terms_of([1, 1, 1], orders=[1]))[..., 0]
    whole = SIGMA**2 @ [1, 3, 3, 1]
    # The covariance of two parts is minus the product of their variances over all.
    expected = -1 / whole / (1 - 1 / whole)
    for i, j in combinations(range(3), 2):
        found = pearsonr(drawn[:, i], drawn[:, j]).statistic
        assert abs(found - expected) < 5.5 * (1 - expected**2) / np.sqrt(len(drawn))


@pytest.mark.parametrize("family", FAMILIES)
def test_terms_of_no_row_have_their_prior(family):
    law = constant(family, n_rows=2)
    terms = np.array([[1, 2, 0], [2, 1, 1], [3, 0, 0]], dtype=np.int32)
    drawn = law.parameters(terms)[..., 0]
    standard = cauchy if family == "cauchy" else norm
    for order, values in zip((2, 3, 1), drawn.T, strict=True):
        assert kstest(values, standard(0, SIGMA[order]).cdf).pvalue > 1e-4
    assert kstest(drawn[:, 0], standard(0, SIGMA[1]).cdf).pvalue < 1e-6


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("prior", FAMILIES)
def test_sums_over_groups_are_those_drawn(prior, nested, n_classes, monkeypatch):
    monkeypatch.setattr(_prediction, "_DRAWS_AT_ONCE", 16)
    clf, _ = fitted(
        n_classes, prior=prior, interactions="nested" if nested else "all", max_order=3
    )
    groups, sums = clf._model.groups, clf._model.sums
    found = {}
    for row in groups.rows:
        for term in terms_of(row):
            specified = np.flatnonzero(term)
            if not nested or np.array_equal(specified, range(3)[3 - len(specified) :]):
                (g,) = groups.groups_of(term[np.newaxis]).tolist()
                found.setdefault(g, set()).add(tuple(term.tolist()))
    assert sorted(found) == list(range(groups.n_groups))
    for g, terms in found.items():
        terms = np.array(sorted(terms), dtype=np.int32)
        orders = np.bincount(np.count_nonzero(terms, axis=1), minlength=4)
        assert_array_equal(orders, groups.counts[g])
        drawn = clf._model.parameters(terms)
        scale = np.abs(drawn).sum(axis=1)
        assert (np.abs(drawn.sum(axis=1) - sums[:, g]) <= 1e-12 * scale).all()


# -- the function ----------------------------------------------------------------------


def test_texts_are_those_of_interactions():
    clf, _ = fitted(3)
    table = interactions(clf, top=30)
    texts = table["term"].tolist()
    drawn = sample_coefficients(clf, texts)
    assert drawn.shape == (40, len(texts), 3)
    assert np.isfinite(drawn).all()
    # Each is drawn from its group: alone there, it is the sum.
    alone = (table["n_terms"] == 1).to_numpy()
    assert alone.any() and not alone.all()
    effects = clf._model._centred(drawn)[:, alone]
    medians = np.median(effects, axis=0)
    classes = table["class"].to_numpy()[alone]
    expected = table["median"].to_numpy()[alone]
    assert_allclose(medians[np.arange(len(classes)), classes], expected, atol=1e-6)


def test_results_are_a_function_of_the_set_of_terms():
    clf, _ = fitted()
    texts = ["a = x & b = y", "(baseline)", 'c = "z & z"', "b = y & a = x", "True"]
    together = sample_coefficients(clf, texts)
    assert_array_equal(together[:, 0], together[:, 3])
    assert_array_equal(together[:, 1], together[:, 4])
    assert_array_equal(clf.sample_coefficients(texts[:3][::-1]), together[:, 2::-1])
    term = Term.parse("a = x & b = y", features=["a", "b", "c"])
    assert_array_equal(sample_coefficients(clf, [term])[:, 0].shape, (40, 1))
    assert_array_equal(sample_coefficients(FrozenEstimator(clf), iter(texts)), together)
    assert sample_coefficients(clf, []).shape == (40, 0, 1)


def test_intervals_and_missing_values_are_read():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"real": rng.normal(size=60), "word": rng.choice(["u", "v"], 60)})
    X.loc[:9, "word"] = None
    y = (X["real"] > 0.123456789) ^ (rng.random(60) < 0.1)
    clf = make_pipeline(
        ClassEntropyDiscretizer(max_intervals=3),
        BayesianInteractionClassifier(
            n_draws=10,
            burn_in=10,
            max_sweeps=1,
            missing="category",
            random_state=0,
        ),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(X, y)
    texts = interactions(clf, top=30)["term"].tolist()
    assert any("<=" in text for text in texts)
    assert any("missing" in text for text in texts)
    assert sample_coefficients(clf, texts).shape == (40, len(texts), 1)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (["a = q"], "no condition 'a = q'(.|\n)*a = x"),
        (["d = x"], "the name of a column"),
        (["a = x & a = y"], "'a = x & a = y' has two conditions on the feature 'a'"),
        (["a = x & b = x & c = x"], "3 conditions; the model has terms of at most 2"),
        (["a = x or b = x"], "'&'"),
        ([""], "the name of a column"),
    ],
)
def test_other_terms_are_refused(terms, message):
    clf, _ = fitted(max_order=2)
    with pytest.raises(ValueError, match=message):
        sample_coefficients(clf, terms)


def test_nested_terms_end_with_the_last_column():
    clf, _ = fitted(interactions="nested")
    assert sample_coefficients(clf, ["b = x & c = x", "c = y"]).shape == (40, 2, 1)
    for text in ("b = x", "a = x & c = x"):
        with pytest.raises(ValueError, match=f"last features, .* got '{text}'"):
            sample_coefficients(clf, [text])


def test_other_arguments_are_refused():
    clf, _ = fitted()
    with pytest.raises(TypeError, match="terms must be a list"):
        sample_coefficients(clf, "a = x")
    other = LogisticRegression().fit([[0], [1]], [0, 1])
    with pytest.raises(TypeError, match="BayesianInteractionClassifier"):
        sample_coefficients(other, ["a = x"])


def test_monks_rule_is_in_single_coefficients():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    clf = BayesianInteractionClassifier(
        max_order=2,
        prior="cauchy",
        n_draws=50,
        burn_in=200,
        max_sweeps=1,
        random_state=0,
    )
    drawn = clf.fit(X, y).sample_coefficients(["a5 = 1", "a1 = 1 & a2 = 1", "a3 = 2"])
    low = np.quantile(drawn[..., 0], 0.05, axis=0)
    assert_array_equal(low > 0, [True, True, False])


def test_any_interaction_model_has_coefficients():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    model = Interactions().fit(X, y).model_
    terms = np.array([[0, 0, 0, 0, 1, 0], [1, 1, 0, 0, 0, 0]], dtype=np.int32)
    drawn = Interactions().fit(X, y).sample_coefficients(["a5 = 1", "a1 = 1 & a2 = 1"])
    assert_array_equal(drawn, model.parameters(terms))
