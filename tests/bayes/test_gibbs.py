"""The Gibbs sampler: joint draws, and updates that leave the posterior invariant."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache

import numpy as np
import pytest
from bayes_problems import (
    HYPERPRIORS,
    dispersion,
    log_density,
    make_problem,
    shifts,
    with_prior,
)
from internals.bayes import (
    SWEEPS,
    Prior,
    Problem,
)

from benchmarks.bayes.chains import run_chains

FAMILIES = "cauchy", "normal"
# Every pair of a family, a number of classes and whether groups are nested.
CASES = [
    ("cauchy", 2, False),
    ("cauchy", 3, True),
    ("normal", 2, True),
    ("normal", 3, False),
]


draw_sums, centred, non_centred = SWEEPS["gibbs"]
MOVES = {
    "sums": (draw_sums,),
    "centred": (centred,),
    "non_centred": (non_centred,),
    "sweep": SWEEPS["gibbs"],
}


@pytest.mark.slow_beyond(6)
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("name", MOVES)
def test_updates_leave_the_posterior_invariant(name, case, global_random_seed):
    # Parameters of the prior, classes given them, updates given the classes: the
    # parameters still have the law of the prior (Geweke 2004, one step at a time).
    family, n_classes, nested = case
    problem = make_problem(
        family=family, n_classes=n_classes, nested=nested, seed=global_random_seed
    )
    assert np.abs(shifts(problem, MOVES[name], global_random_seed)).max() < 5.5


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["sums", "centred", "non_centred"])
def test_an_update_for_another_prior_is_found(name, family):
    problem = make_problem(family=family)
    scales = problem.prior.scales * 4
    wrong = with_prior(
        problem, Prior(family=family, hyperprior="log_normal", scales=scales)
    )
    if name == "sums":
        # Widths are those of the state: the likelihood has to be wrong.
        wrong.__dict__["weights_of_sets"] = problem.weights_of_sets * 0.7
    assert np.abs(shifts(problem, MOVES[name], 0, drawn_for=wrong)).max() > 5.5


WEIGHTS = (1.5, 0.25), (0.5, 4.0)


@cache
def integrals(family, scales):
    """Return what quadrature needs under any prior of the width.

    That is the grid of its logarithms, the densities of sums on the grid, tanh of the
    intercept, and for each row the integrals of its likelihood over the own sum, and
    of its likelihood times tanh of the own sum: (log_sigma, intercept).
    """
    log_sigma = np.linspace(-15, 15, 301) + np.log(scales[1])
    grid = np.linspace(-11, 11, 201)
    places = np.sinh(grid)
    mass = np.cosh(grid) / (1 + places**2)
    if family == "normal":
        mass = np.cosh(grid) * np.exp(-0.5 * places**2)
    own = np.exp(log_sigma)[:, np.newaxis] * places
    intercept = scales[0] * places
    marginals, shapes = [], []
    for row in np.array(WEIGHTS):
        # (log_sigma, own sum, intercept)
        log_odds = own[:, :, np.newaxis] + intercept
        likelihood = np.exp(row[1] * log_odds - row.sum() * np.logaddexp(0, log_odds))
        marginals.append(np.einsum("sti,t->si", likelihood, mass))
        shapes.append(np.einsum("sti,st->si", likelihood, mass * np.tanh(own)))
    return log_sigma, mass, np.tanh(intercept), marginals, shapes


def quadrature(prior):
    """Return posterior means of a model of two rows, and of two terms of order 1.

    The sums of groups are independent given the width of order 1 and the intercept.
    """
    log_sigma, mass, intercept, marginals, shapes = integrals(
        prior.family, tuple(prior.scales.tolist())
    )
    outer = np.exp(log_density(prior, 1, log_sigma))[:, np.newaxis] * mass
    joint = outer * marginals[0] * marginals[1]
    means = [
        joint.sum(axis=1) @ log_sigma,
        (joint @ intercept).sum(),
        (outer * shapes[0] * marginals[1]).sum(),
        (outer * marginals[0] * shapes[1]).sum(),
    ]
    return np.array(means) / joint.sum()


@pytest.mark.parametrize(
    "sampler, family, hyperprior",
    [
        # Every hyperprior; updates of widths of 'slice' are some of those of 'gibbs'.
        *(("gibbs", *pair) for pair in zip(2 * FAMILIES, HYPERPRIORS)),
        ("hmc", "cauchy", "inverse_gamma"),
        ("slice", "normal", "inverse_gamma"),
    ],
)
@pytest.mark.slow_beyond(2)
def test_means_are_those_of_quadrature(sampler, family, hyperprior):
    problem = make_problem(
        family=family, hyperprior=hyperprior, n_columns=1, max_order=1, n_rows=20
    )
    problem = Problem(problem.groups, np.array(WEIGHTS), problem.prior)
    # The empty term; and one for each row.
    assert problem.groups.n_groups == 3
    draws = run_chains(
        problem,
        sampler=sampler,
        n_chains=2,
        burn_in=200,
        n_draws=800,
        thin=1,
        seed=3,
    )
    values = np.concatenate(
        [draws.log_sigma[:, :, 1:], np.tanh(draws.sums[..., 0])], axis=2
    )
    gaps = values.mean(axis=(0, 1)) - quadrature(problem.prior)
    assert (np.abs(gaps) < 5.5 * dispersion(values)).all()
    assert dispersion(values).max() < 0.15
