"""The slice sampler: univariate updates, against the Gibbs sampler on monks-1."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from bayes_problems import (
    indicators,
    make_problem,
    shifts,
)
from internals.bayes import SWEEPS, State


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize(
    "family, n_classes, nested",
    [
        ("cauchy", 2, False),
        ("cauchy", 3, True),
        ("normal", 2, True),
        ("normal", 3, False),
    ],
)
def test_sweeps_leave_the_posterior_invariant(
    family, n_classes, nested, global_random_seed
):
    problem = make_problem(
        family=family, n_classes=n_classes, nested=nested, seed=global_random_seed
    )
    found = shifts(problem, SWEEPS["slice"], global_random_seed)
    assert np.abs(found).max() < 5.5


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("family", ["cauchy", "normal"])
def test_steps_by_the_width_leave_the_posterior_invariant(family, global_random_seed):
    # Of a prior so wide that no step is the least one.
    problem = make_problem(family=family, scale=60.0, seed=global_random_seed)
    found = shifts(problem, SWEEPS["slice"], global_random_seed)
    assert np.abs(found).max() < 5.5


@pytest.mark.parametrize("hyperprior", ["half_t", "inverse_gamma"])
@pytest.mark.parametrize("family", ["cauchy", "normal"])
@pytest.mark.parametrize("seed", range(3))
def test_wide_sums_come_back(family, hyperprior, seed):
    """Widths far above their scales shrink soon, and take their sums with them."""
    problem = make_problem(family=family, hyperprior=hyperprior)
    prior, groups = problem.prior, problem.groups
    generator = np.random.default_rng(seed)
    log_sigma = np.log(prior.scales) + [0.0, 9.0, 9.0]
    cauchy = family == "cauchy"
    draw = generator.standard_cauchy if cauchy else generator.standard_normal
    sums = prior.widths(log_sigma, groups.counts)[:, np.newaxis]
    sums = sums * draw((groups.n_groups, 1))
    state = State(log_sigma=log_sigma, sums=sums, predictors=indicators(groups) @ sums)
    n_sweeps = 0
    while (state.log_sigma - np.log(prior.scales)).max() > 4:
        for move in SWEEPS["slice"]:
            move(problem, state, generator)
        n_sweeps += 1
        assert n_sweeps < 200
