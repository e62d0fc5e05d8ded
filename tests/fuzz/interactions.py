"""Targets: groups of interactions, and draws from posteriors of their parameters."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import warnings

import numpy as np
from interaction_checks import satisfied
from internals.bayes import HYPERPRIORS, Draws, Prediction, Prior
from internals.terms import all_interactions, nested_interactions
from internals.utils import distinct_rows
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow import BayesianInteractionClassifier

BUILDERS = all_interactions, nested_interactions
WEIGHTS = 1.0, 1.0, 0.0, 2.0, 0.3, 1e-9, 1e-300, 30.0, 1e4, 1e9, 1e10


def some_rows(draws):
    """Distinct rows of codes, with unspecified and constant ones."""
    n_rows, n_columns = draws.integer(1, 12), draws.integer(1, 5)
    rows = draws.integers(0, draws.choice([1, 2, 3, 200]), n_rows, n_columns)
    if draws.boolean():
        rows[:, draws.integer(0, n_columns - 1)] = draws.choice([0, 1, 2])
    if draws.boolean():
        rows = np.maximum(rows, 1)
    return distinct_rows(rows.astype(np.int32))[0]


def terms_of(build, row, max_order):
    """All terms of a row, or its contexts."""
    terms = satisfied(row, max_order)
    if build is nested_interactions:
        n = len(row)
        terms = [t for t in terms if [j for j, _ in t] == [*range(n - len(t), n)]]
    return terms


def by_order(terms, max_order):
    return np.bincount([len(term) for term in terms], minlength=max_order + 1)


def interaction_groups(draws):
    """Groups have all terms of some row, and only new terms are unmatched."""
    rows, build = some_rows(draws), draws.choice(BUILDERS)
    max_order = draws.integer(0, rows.shape[1] + 1)
    groups = build(rows, max_order)
    if draws.boolean():
        groups = pickle.loads(pickle.dumps(groups))
    extents = {}
    for i, row in enumerate(rows):
        for term in terms_of(build, row, max_order):
            extents.setdefault(term, []).append(i)
    members = np.split(groups.members, groups.starts[1:-1])
    place = {tuple(extent.tolist()): g for g, extent in enumerate(members)}
    assert len(place) == groups.n_groups == len(set(map(tuple, extents.values())))
    group_of = {term: place[tuple(extent)] for term, extent in extents.items()}
    for term, g in group_of.items():
        codes = np.zeros(rows.shape[1], dtype=np.int32)
        for column, code in term:
            codes[column] = code
            unknown = np.where(np.arange(len(codes)) == column, 300, codes)
            assert groups.groups_of(unknown[np.newaxis]) == -1
        assert groups.groups_of(codes[np.newaxis]) == g
    for g in range(groups.n_groups):
        terms = [term for term, of_term in group_of.items() if of_term == g]
        assert_array_equal(groups.counts[g], by_order(terms, max_order))
        assert groups.generator(g) in terms
        assert len(groups.generator(g)) == min(map(len, terms))
    new = np.concatenate(
        [rows, draws.integers(0, 4, draws.integer(0, 6), *rows[0].shape)]
    )
    new = new[draws.integers(0, len(new) - 1, draws.integer(0, 20))].astype(np.int32)
    matches = groups.look_up(new)
    for i, row in enumerate(new):
        expected, unmatched = {}, []
        for term in terms_of(build, row, max_order):
            known = term in group_of
            of_group = expected.setdefault(group_of[term], []) if known else unmatched
            of_group.append(term)
        part = slice(matches.starts[i], matches.starts[i + 1])
        assert matches.groups[part].tolist() == sorted(expected)
        for g, counts in zip(matches.groups[part], matches.counts[part]):
            assert_array_equal(counts, by_order(expected[g], max_order))
        assert_array_equal(matches.unmatched[i], by_order(unmatched, max_order))


def splits_of_sums(draws):
    """Training rows get whole sums; predictions of rows do not depend on others."""
    rows, build = some_rows(draws), draws.choice(BUILDERS)
    max_order = draws.integer(0, rows.shape[1])
    groups = build(rows, max_order)
    n_sets, n_draws = draws.choice([1, 2, 3]), draws.choice([1, 7, 300])
    rng = np.random.default_rng(draws.integer(0, 255))
    size = draws.choice([1.0, 1e-30, 1e10, 1e30])
    sums = rng.standard_cauchy((1, n_draws, groups.n_groups, n_sets)) * size
    scales = np.full(max_order + 1, draws.choice([1.0, 1e-9, 1e9]))
    far = rng.uniform(-30, 30, (1, n_draws, max_order + 1))
    prediction = Prediction(
        groups=groups,
        prior=Prior(draws.choice(["cauchy", "normal"]), "half_t", scales),
        draws=Draws(
            sums=sums.astype(np.float32),
            log_sigma=np.log(scales) + far,
            log_likelihood=np.zeros((1, n_draws)),
        ),
        seed=draws.integer(0, 2**31 - 1),
    )
    found = prediction.predictors(rows)
    indicators = np.zeros((len(rows), groups.n_groups))
    indicators[groups.members, np.repeat(np.arange(groups.n_groups), groups.sizes)] = 1
    whole = np.einsum("rg,dgk->drk", indicators, prediction.sums.astype(float))
    sizes = np.einsum("rg,dgk->drk", indicators, abs(prediction.sums.astype(float)))
    assert (abs(found - whole) <= 1e-12 * sizes).all()
    new = draws.integers(0, 4, draws.integer(1, 6), rows.shape[1]).astype(np.int32)
    found = prediction.predictors(new)
    assert np.isfinite(found).all()
    turned = prediction.predictors(new[::-1])[:, ::-1]
    assert_array_equal(turned, found)


def a_cell(draws):
    return draws.choice([None, "a", "a", "b", "c"])


def interaction_fits(draws):
    """Whatever the table is, probabilities sum to 1, for any order of rows."""
    n_rows, n_columns = draws.integer(2, 12), draws.integer(1, 4)
    X = np.array(
        [[a_cell(draws) for _ in range(n_columns)] for _ in range(n_rows)], dtype=object
    )
    if not draws.integer(0, 3):
        X[:] = X[0]
    if draws.boolean():
        X[:, 0] = "same"
    y = draws.integers(0, draws.integer(1, 3), n_rows)
    weights = np.array([draws.choice(WEIGHTS) for _ in range(n_rows)])
    if draws.boolean():
        weights[:] = 1
    if len(np.unique(y[weights > 0])) < 2:
        return
    options = {
        "interactions": draws.choice(["all", "nested"]),
        "max_order": draws.choice(["auto", 0, 1, 2, 9]),
        "prior": draws.choice(["cauchy", "normal"]),
        "hyperprior": draws.choice(HYPERPRIORS),
        "hyperprior_shape": draws.choice([1.0, 1.0, 0.1, 1e3]),
        "fit_intercept_scale": draws.boolean(),
        "scale": draws.choice([1.0, 1.0, 0.1, 1e-6, 1e6]),
        "intercept_scale": draws.choice([2.5, 2.5, 1e-6, 1e6]),
        "sampler": draws.choice(["gibbs", "slice"]),
        "n_draws": draws.choice([4, 5, 20]),
        "burn_in": draws.choice([0, 1, 20]),
        "n_chains": draws.choice([1, 2]),
        "max_sweeps": draws.choice([1, 30]),
        "class_weight": draws.choice([None, "balanced", {int(y[weights > 0][0]): 3.0}]),
        "missing": draws.choice(["unspecified", "category", "most_frequent"]),
        "random_state": draws.integer(0, 255),
    }
    new = np.concatenate([X, [["unseen"] * n_columns, [None] * n_columns]])
    if draws.boolean():
        new[-2, draws.integer(0, n_columns - 1)] = "a"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        clf = BayesianInteractionClassifier(**options)
        probabilities = clf.fit(X, y, sample_weight=weights).sample_proba(new)
        assert np.isfinite(probabilities).all() and (probabilities >= 0).all()
        assert_allclose(probabilities.sum(axis=2), 1.0, atol=1e-12)
        assert all(np.isfinite(drawn).all() for drawn in clf.draws_.values())
        means = clf.predict_proba(new)
        assert_allclose(means, probabilities.mean(axis=0), atol=1e-12)
        order = np.random.default_rng(draws.integer(0, 255)).permutation(n_rows)
        other = BayesianInteractionClassifier(**options, n_jobs=draws.choice([1, 2]))
        other.fit(X[order], y[order], sample_weight=weights[order])
        assert_array_equal(other.predict_proba(new[::-1])[::-1], means)
