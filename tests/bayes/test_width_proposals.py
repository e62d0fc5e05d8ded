"""Proposals of widths with the sums integrated out, and traces that are thinned."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
import pytest
from bayes_problems import indicators, make_problem, shifts
from internals.bayes import (
    Given,
    GroupFactor,
    RowFactor,
    Sweeps,
    Trace,
    WidthProposals,
    draw_mixing,
    draw_sums,
    factor_for,
)
from scipy.stats import kstest, multivariate_normal, norm

PLACES = np.random.default_rng(1).normal(-0.5, 1.0, (200, 2))


class WrongProposals(WidthProposals):
    """Proposals by a density whose ratio is left out."""

    def draw(self, place, generator):
        proposal, _ = super().draw(place, generator)
        return proposal, 0.0


class StaleProposals(WidthProposals):
    """Proposals that are always accepted."""

    def draw(self, place, generator):
        return super().draw(place, generator)[0], np.inf


def problems():
    """Yield problems with more rows than groups, and with fewer."""
    yield make_problem(family="normal", n_rows=60, max_order=1)
    yield make_problem(family="normal", n_rows=6)
    yield make_problem(family="cauchy", n_rows=60, max_order=1)


def with_proposals(proposals):
    """Return a move that draws sums, and widths by some proposals."""

    def move(problem, state, generator):
        state.proposals = proposals
        draw_sums(problem, state, generator)

    return move


@pytest.mark.parametrize("factor", [RowFactor, GroupFactor])
def test_marginal_likelihoods_are_those_of_normal_distributions(factor):
    problem = make_problem(family="normal", n_rows=9, n_values=3)
    random = np.random.default_rng(0)
    n_rows, z = len(problem.totals), indicators(problem.groups)
    precision, information = random.uniform(0.1, 2, n_rows), random.normal(size=n_rows)
    found, expected = [], []
    for _ in range(3):
        sigma = random.uniform(0.2, 2.0, 3)
        variances = problem.groups.counts @ sigma**2
        given = Given(
            sigma=sigma,
            widths=np.sqrt(variances),
            variances=variances,
            precision=precision,
            information=information,
            sums=np.zeros(len(variances)),
        )
        found.append(factor(problem, given).log_marginal)
        covariance = z * variances @ z.T + np.diag(1 / precision)
        law = multivariate_normal(np.zeros(n_rows), covariance)
        expected.append(law.logpdf(information / precision))
    # Up to a constant.
    np.testing.assert_allclose(np.diff(found), np.diff(expected), rtol=1e-9)


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("n_places", [0, 200])
@pytest.mark.parametrize("number", range(3))
def test_proposals_leave_the_posterior_invariant(number, n_places, global_random_seed):
    problem = list(problems())[number]
    assert factor_for(problem) is (RowFactor if number == 1 else GroupFactor)
    places = PLACES[:n_places, : problem.groups.max_order]
    moves = [draw_mixing, with_proposals(WidthProposals(places))]
    found = shifts(problem, moves, global_random_seed)
    assert np.abs(found).max() < 5.5


@pytest.mark.parametrize("wrong", [WrongProposals, StaleProposals])
def test_wrong_proposals_are_found(wrong):
    # The places are far from the prior.
    problem = make_problem(family="normal", n_rows=6)
    move = with_proposals(wrong(PLACES + 1.5))
    assert np.abs(shifts(problem, [move], 0)).max() > 5.5


def test_a_ratio_makes_proposals_reversible():
    # A chain with the standard normal density in each of two directions.
    generator = np.random.default_rng(0)
    proposals, place, found = WidthProposals(PLACES), np.zeros(2), []
    for _ in range(20_000):
        other, log_ratio = proposals.draw(place, generator)
        log_ratio += 0.5 * (place @ place - other @ other)
        if np.log(generator.uniform()) < log_ratio:
            place = other
        found.append(place[0])
    assert kstest(found[::20], norm.cdf).pvalue > 1e-4


def test_widths_of_several_sets_are_not_proposed():
    assert factor_for(make_problem(family="normal", n_classes=3)) is None


def test_proposals_are_learned_in_the_warm_up_only():
    problem = make_problem(family="normal")
    sampler = Sweeps(problem, "gibbs")
    generators = [np.random.default_rng(seed) for seed in range(2)]
    states = [sampler.start(generator) for generator in generators]
    first = states[0].proposals
    for _ in range(30):
        sampler.sweep(states, generators)
    sampler.adapt(states)
    assert states[0].proposals is not first
    sampler.settle(states)
    learned = states[0].proposals
    sampler.sweep(states, generators)
    assert states[0].proposals is learned and states[0].places is None


@pytest.mark.parametrize("step", [1, 3])
def test_traces_are_thinned_evenly(step):
    trace = Trace(8, (2,), float, step)
    for sweep in range(1, 100):
        trace.hear([sweep, -sweep])
        kept = trace.values()[:, 0]
        assert (np.diff(kept) == trace.step).all() and len(kept) <= 8
        assert sweep < step or kept[0] == trace.step
        if sweep >= 8 * step:
            assert len(trace) >= 4
    np.testing.assert_array_equal(trace.values(0.25), trace.values()[len(trace) // 4 :])


def test_proposals_far_out_are_refused():
    problem = make_problem(family="normal")
    problem = replace(problem, prior=replace(problem.prior, hyperprior="half_t"))
    assert problem.prior.log_density(np.log(problem.prior.scales) + 31) == -np.inf
    far = with_proposals(WidthProposals(PLACES + 1e3))
    state = Sweeps(problem, "gibbs").start(np.random.default_rng(0))
    before = state.log_sigma.copy()
    for seed in range(5):
        far(problem, state, np.random.default_rng(seed))
    assert np.abs(state.log_sigma - before).max() < 60
