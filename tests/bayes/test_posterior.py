"""The posterior: a parameter for each term gives the same predictions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations

import numpy as np
import pytest
from bayes_problems import dispersion
from internals.bayes import Prediction, Prior, Problem
from internals.terms import InteractionGroups, all_interactions
from scipy.special import expit

from benchmarks.bayes.chains import run_chains

FAMILIES = "cauchy", "normal"


def run(problem, sampler="gibbs", n_draws=2000, seed=0):
    """Return the draws of two chains."""
    draws = run_chains(
        problem,
        sampler=sampler,
        n_chains=2,
        burn_in=200,
        n_draws=n_draws,
        thin=1,
        seed=seed,
    )
    return draws


def a_group_for_each_term(rows, max_order):
    """Return groups of single terms, and the terms: columns and codes."""
    extents, terms = [], []
    for order in range(max_order + 1):
        for columns in combinations(range(rows.shape[1]), order):
            chosen = rows[:, list(columns)]
            for codes in np.unique(chosen, axis=0):
                extents.append(np.flatnonzero((chosen == codes).all(axis=1)))
                terms.append((list(columns), codes))
    orders = [len(columns) for columns, _ in terms]
    groups = InteractionGroups(
        rows=rows,
        max_order=max_order,
        counts=np.eye(max_order + 1)[orders],
        starts=np.cumsum([0] + [len(extent) for extent in extents]),
        members=np.concatenate(extents).astype(np.int32),
    )
    return groups, terms


def predictors_of_terms(draws, terms, new, family, generator):
    """Return the linear predictors of a row by parameters of single terms."""
    satisfied = [(new[columns] == codes).all() for columns, codes in terms]
    total = draws.sums[..., satisfied, 0].sum(axis=-1)
    standard = generator.standard_cauchy
    if family == "normal":
        standard = generator.standard_normal
    orders = [len(columns) for columns, _ in terms]
    n_known = np.bincount(np.array(orders)[satisfied], minlength=len(new))
    for order in range(draws.log_sigma.shape[-1]):
        n_terms = sum(1 for _ in combinations(new, order))
        # Terms that no training row satisfies have parameters of the prior.
        for _ in range(n_terms - n_known[order]):
            total = total + standard(total.shape) * np.exp(draws.log_sigma[..., order])
    return total


def means_of_parts(prediction, row):
    """Return predictors of a row, one a draw, without what splits add."""
    matches = prediction.groups.look_up(row[np.newaxis])
    counts = prediction.groups.counts[matches.groups]
    widths = prediction.prior.widths
    ratios = widths(prediction.log_sigma, matches.counts)
    ratios = (ratios / widths(prediction.log_sigma, counts)) ** prediction.prior.power
    return (prediction.sums[:, matches.groups, 0] * ratios).sum(axis=1)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_parameter_for_each_term_gives_the_same_predictions(family):
    codes = [[1, 1, 1], [1, 2, 1], [2, 1, 1], [2, 2, 2]]
    rows = np.array(codes, dtype=np.int32)
    new = np.array([[1, 1, 2], [2, 1, 2], [3, 1, 1], [2, 2, 1]], dtype=np.int32)
    weights = np.array([[0.0, 4.0], [1.0, 2.0], [2.0, 0.0], [3.0, 1.0]])
    prior = Prior(family, "log_normal", np.array([0.7, 0.5, 0.5]))
    compressed = all_interactions(rows, 2)
    groups, terms = a_group_for_each_term(rows, 2)
    assert compressed.n_groups < groups.n_groups == compressed.n_terms
    draws = run(Problem(compressed, weights, prior))
    prediction = Prediction(compressed, prior, draws, seed=0)
    ours = expit(prediction.predictors(new)[..., 0])
    ours = ours.reshape(*draws.log_likelihood.shape, len(new))
    draws = run(Problem(groups, weights, prior), seed=1)
    generator = np.random.default_rng(0)
    others = [predictors_of_terms(draws, terms, row, family, generator) for row in new]
    others = expit(np.stack(others, axis=-1))
    for power in (1, 2):
        gap = (ours**power).mean(axis=(0, 1)) - (others**power).mean(axis=(0, 1))
        error = np.hypot(dispersion(ours**power), dispersion(others**power))
        assert (np.abs(gap) < 5.5 * error).all()
        assert error.max() < 0.02
    # Without the law of what is not known the probabilities would vary less.
    means = [means_of_parts(prediction, row) for row in new]
    known = expit(np.stack(means, axis=-1)).reshape(ours.shape)
    gap = (known**2).mean(axis=(0, 1)) - (others**2).mean(axis=(0, 1))
    assert (np.abs(gap) > 5.5 * error).any()
