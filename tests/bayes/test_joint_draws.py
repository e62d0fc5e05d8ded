"""Joint draws of rows: terms of rows, their parameters, and means over rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.bayes import Draws, Prediction, Prior, _prediction
from internals.terms import all_interactions, nested_interactions
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ks_2samp

SIGMA = np.array([0.5, 1.0, 0.3, 0.7])
SOME = np.array([[1, 1, 1], [1, 2, 1], [2, 2, 0]], dtype=np.int32)
# Seen, seen in parts, with codes that no row has, and with a gap.
NEW = np.array([[1, 1, 1], [1, 2, 3], [2, 1, 3], [2, 0, 1]], dtype=np.int32)


def law(family, n_draws, n_sets=1, group=all_interactions, sums=None):
    """Return predictions from equal draws, or from draws of `sums`."""
    groups = group(SOME, 3)
    if sums is None:
        sums = np.random.default_rng(0).normal(size=(groups.n_groups, n_sets))
        sums = np.repeat(sums[np.newaxis], n_draws, axis=0)
    draws = Draws(
        sums=sums.astype(np.float32),
        log_sigma=np.tile(np.log(SIGMA), (n_draws, 1)),
        log_likelihood=np.zeros(n_draws),
    )
    prior = Prior(family=family, hyperprior="half_t", scales=np.ones(4))
    return Prediction(groups, prior, draws, seed=3)


def joint(prediction, rows):
    return np.concatenate(list(prediction.joint_predictors(rows)))


@pytest.mark.parametrize("n_sets", [1, 3])
@pytest.mark.parametrize("group", [all_interactions, nested_interactions])
@pytest.mark.parametrize("family", ["cauchy", "normal"])
def test_training_rows_are_exact(family, group, n_sets, monkeypatch):
    monkeypatch.setattr(_prediction, "_DRAWS_AT_ONCE", 16)
    monkeypatch.setattr(_prediction, "_TERMS_AT_ONCE", 5)
    n_groups = group(SOME, 3).n_groups
    sums = np.random.default_rng(0).normal(size=(40, n_groups, n_sets))
    found = law(family, 40, group=group, sums=sums)
    both = joint(found, SOME), found.predictors(SOME)
    scale = np.abs(both[0]).max(axis=0)
    assert (np.abs(both[0] - both[1]) <= 1e-9 * scale + 1e-9).all()


@pytest.mark.parametrize("family", ["cauchy", "normal"])
def test_each_row_has_the_law_of_single_predictions(family):
    found = law(family, 20_000)
    together, alone = joint(found, NEW), found.predictors(NEW)
    for i in (1, 2, 3):
        assert ks_2samp(together[:, i, 0], alone[:, i, 0]).pvalue > 1e-5
    assert ks_2samp(together[:, 1, 0], alone[:, 2, 0]).pvalue < 1e-6


def test_covariances_of_rows_are_those_of_normal_terms():
    n = 40_000
    found = law("normal", n)
    terms, satisfied = found.groups.terms_of(NEW)
    owners = found.groups.groups_of(terms)
    # The covariance of all terms of the model, given the sums of their groups.
    every, _ = found.groups.terms_of(np.concatenate([SOME, NEW]))
    groups = found.groups.groups_of(every)
    variances = SIGMA[np.count_nonzero(every, axis=1)] ** 2
    covariance = np.diag(variances)
    for g in set(groups[groups >= 0].tolist()):
        own = variances * (groups == g)
        covariance -= np.outer(own, own) / own.sum()
    place = {tuple(term): i for i, term in enumerate(every.tolist())}
    chosen = [place[tuple(term)] for term in terms.tolist()]
    assert_array_equal(groups[chosen], owners)
    linear = satisfied.toarray()
    expected = linear @ covariance[np.ix_(chosen, chosen)] @ linear.T
    widths = np.sqrt(np.maximum(expected.diagonal(), 0.0))
    errors = np.sqrt((expected**2 + np.outer(widths, widths) ** 2) / n)
    drawn = np.cov(joint(found, NEW)[..., 0].T)
    assert (np.abs(drawn - expected) <= 5.5 * errors + 1e-12).all()
    alone = np.cov(found.predictors(NEW)[..., 0].T)
    assert (np.abs(alone - expected) > 20 * errors).any()


def test_order_of_rows_does_not_matter():
    found = law("cauchy", 50)
    assert_allclose(joint(found, NEW[::-1])[:, ::-1], joint(found, NEW), rtol=1e-9)
