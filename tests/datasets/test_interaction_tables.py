"""Interactions: the classes follow the model that the parameters are drawn for."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations
from math import comb

import numpy as np
import pytest
from internals.datasets import _patterns
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import cauchy, chisquare, kstest, norm

from sklearn_dnfwinnow.datasets import make_interactions


def sets_of_attributes(n_features, max_order, nested):
    """All sets of attributes that patterns are about."""
    for order in range(max_order + 1):
        if nested:
            yield (*range(n_features - order, n_features),)
        else:
            yield from combinations(range(n_features), order)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("max_order", [0, 1, 2, 4])
def test_rows_share_patterns_if_they_agree(nested, max_order, global_random_seed):
    random = np.random.RandomState(global_random_seed)
    X = random.randint(0, [2, 3, 2, 5], size=(20, 4))
    found = sorted(
        (order, tuple((p[:, np.newaxis] == p).ravel()))
        for order, p in _patterns(X, max_order, nested)
    )
    expected = sorted(
        (
            len(columns),
            tuple(
                (X[:, np.newaxis, columns] == X[:, columns])
                .all(axis=2)
                .ravel()
                .tolist()
            ),
        )
        for columns in sets_of_attributes(4, max_order, nested)
    )
    assert found == expected
    for _, patterns in _patterns(X, max_order, nested):
        assert_array_equal(np.unique(patterns), np.arange(patterns.max() + 1))


def log_odds(n_tables, **parameters):
    """Two rows in each of many tables, and their linear predictors."""
    tables = [
        make_interactions(2, random_state=seed, return_proba=True, **parameters)
        for seed in range(n_tables)
    ]
    log_proba = np.log([proba for _, _, proba in tables])
    return np.array([X for X, _, _ in tables]), log_proba[..., 1] - log_proba[..., 0]


LAWS = {"cauchy": (cauchy, 1), "normal": (norm, 2)}


@pytest.mark.parametrize("prior", LAWS)
@pytest.mark.parametrize("interactions", ["all", "nested"])
# So narrow that probabilities, which they are read from, are not 0.
@pytest.mark.parametrize("widths", [0.01, [0.02, 0.01, 0.005, 0.002]])
def test_linear_predictors_have_the_law_of_the_prior(prior, interactions, widths):
    law, power = LAWS[prior]
    X, scores = log_odds(
        1500,
        n_features=3,
        n_values=2,
        prior=prior,
        interactions=interactions,
        widths=widths,
    )
    counts = np.array([comb(3, o) if interactions == "all" else 1 for o in range(4)])
    of_order = np.array(widths) ** power * (counts if np.ndim(widths) else np.ones(4))
    width = of_order.sum() ** (1 / power)
    assert kstest(scores[:, 0], law(scale=width).cdf).pvalue > 1e-4
    assert kstest(scores[:, 0], law(scale=1.5 * width).cdf).pvalue < 1e-4

    # Differences of two rows: patterns that both satisfy cancel.
    per_pattern = of_order / counts
    agree = X[:, 0] == X[:, 1]
    shared = np.array(
        [
            [comb(row.sum(), o) for o in range(4)]
            if interactions == "all"
            else [row[3 - o :].all() for o in range(4)]
            for row in agree
        ]
    )
    widths_apart = (2 * (counts - shared) @ per_pattern) ** (1 / power)
    differ = ~agree.all(axis=1)
    apart = (scores[:, 1] - scores[:, 0])[differ] / widths_apart[differ]
    assert kstest(apart, law.cdf).pvalue > 1e-4
    assert_array_equal(scores[~differ, 0], scores[~differ, 1])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_follow_the_probabilities(n_classes, global_random_seed):
    X, y, proba = make_interactions(
        40_000,
        4,
        n_values=2,
        n_classes=n_classes,
        random_state=global_random_seed,
        return_proba=True,
    )
    assert_allclose(proba.sum(axis=1), 1.0)
    rows, first, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    # Equal rows have equal probabilities, and all rows are equally likely.
    inverse = inverse.ravel()
    assert_array_equal(proba, proba[first][inverse])
    assert len(rows) == 16
    assert chisquare(np.bincount(inverse)).pvalue > 1e-5
    for k in range(n_classes):
        expected = np.bincount(inverse, weights=proba[:, k])
        variance = np.bincount(inverse, weights=proba[:, k] * (1 - proba[:, k]))
        seen = np.bincount(inverse, weights=y == k)
        assert (abs(seen - expected) < 5 * np.sqrt(variance) + 1).all()


@pytest.mark.parametrize("n_classes", [3, 5])
def test_classes_have_parameters_of_their_own(n_classes):
    _, _, proba = make_interactions(
        300,
        n_features=1,
        n_values=200,
        n_classes=n_classes,
        prior="normal",
        widths=[0.0, 1.0],
        random_state=0,
        return_proba=True,
    )
    scores = np.log(proba)
    scores = np.unique(scores - scores.mean(axis=1, keepdims=True), axis=0)
    correlations = np.corrcoef(scores.T)[np.triu_indices(n_classes, 1)]
    assert_allclose(correlations, -1 / (n_classes - 1), atol=0.25)
    assert_allclose(scores.var(axis=0), 1 - 1 / n_classes, rtol=0.4)


def test_orders_without_width_have_no_part():
    def probabilities(widths, **parameters):
        return make_interactions(
            50,
            n_features=3,
            widths=widths,
            random_state=0,
            return_proba=True,
            **parameters,
        )[2]

    assert_array_equal(probabilities(0.0), 0.5)
    assert len(np.unique(probabilities([1.0, 0, 0, 0])[:, 1])) == 1
    assert len(np.unique(probabilities([1.0, 1.0], max_order=1)[:, 1])) > 2
    X = make_interactions(50, 3, widths=0.0, random_state=0)[0]
    nested = probabilities([0, 1.0, 0, 0], interactions="nested")
    by_last = {value: nested[X[:, -1] == value] for value in (1, 2, 3)}
    assert all(len(np.unique(rows)) == 2 for rows in by_last.values())


def test_numbers_of_values_by_feature():
    n_values = [2, 5, 3, 7]
    X, y = make_interactions(500, 4, n_values=n_values, random_state=0)
    assert X.dtype == y.dtype == np.int64
    assert_array_equal(X.min(axis=0), 1)
    assert_array_equal(X.max(axis=0), n_values)
    assert set(y.tolist()) <= {0, 1}
    # Larger than any table of patterns.
    X, _ = make_interactions(50, 4, n_values=2**62, random_state=0)
    assert X.max() > 2**50


def test_same_seed_same_data():
    first, again, other = (make_interactions(random_state=seed) for seed in (3, 3, 4))
    rng = make_interactions(random_state=np.random.RandomState(3))
    proba = make_interactions(random_state=3, return_proba=True)
    for same in (again, rng, proba):
        assert_array_equal(first[0], same[0])
        assert_array_equal(first[1], same[1])
    assert not np.array_equal(first[0], other[0])
    assert len(first) == 2 and len(proba) == 3


@pytest.mark.parametrize(
    "parameters, message",
    [
        (dict(n_samples=0), r"'n_samples' .* range \[1, inf\). Got 0"),
        (dict(n_features=0), r"'n_features' .* range \[1, inf\). Got 0"),
        (dict(n_values=1), r"'n_values' .* range \[2, inf\) .* Got 1"),
        (dict(n_values=[2, 3]), r"n_values must .* shape \(8,\).* Got shape \(2,\)"),
        (dict(n_classes=1), r"'n_classes' .* range \[2, inf\). Got 1"),
        (dict(interactions="some"), r"'interactions' .* Got 'some'"),
        (dict(max_order=-1), r"'max_order' .* Got -1"),
        (dict(max_order=9), r"max_order=9 must not exceed n_features=8"),
        (dict(prior="laplace"), r"'prior' .* Got 'laplace'"),
        (dict(widths=-1.0), r"'widths' .* Got -1.0"),
        (dict(widths=np.nan), r"'widths' .* Got nan"),
        (dict(max_order=0, widths=[np.inf]), r"widths must be finite and not negative"),
        (dict(widths=[1, 2]), r"widths must be a number or of shape \(9,\)"),
        (dict(max_order=1, widths=[1, -2]), r"widths must be finite and not negative"),
        (dict(max_order=0, widths=["a"]), r"widths must be numbers. Got \['a'\]"),
        (dict(random_state="seed"), r"'random_state' .* Got 'seed'"),
        (dict(return_proba=None), r"'return_proba' .* Got None"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        make_interactions(**parameters)
