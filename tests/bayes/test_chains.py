"""Chains: the same draws for any number of jobs, thinning, interrupts, starts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from time import monotonic

import numpy as np
import pytest
from bayes_problems import HYPERPRIORS, log_density, make_problem
from internals.bayes import Prior
from internals.winnow import Progress
from threadpoolctl import threadpool_info, threadpool_limits

from benchmarks.bayes.chains import run_chains

LENGTHS = {"n_chains": 3, "burn_in": 5, "n_draws": 4, "thin": 3, "seed": 7}


@pytest.mark.parametrize("sampler", ["gibbs", "slice"])
def test_draws_do_not_depend_on_the_number_of_jobs(sampler):
    problem = make_problem(n_rows=30, n_columns=5, n_values=3, n_classes=3)
    runs = []
    for n_jobs in (1, 2, 3):
        with threadpool_limits(n_jobs, user_api="blas"):
            runs.append(run_chains(problem, sampler=sampler, n_jobs=n_jobs, **LENGTHS))
    for draws in runs[1:]:
        np.testing.assert_array_equal(draws.sums, runs[0].sums)
        np.testing.assert_array_equal(draws.log_sigma, runs[0].log_sigma)
        np.testing.assert_array_equal(draws.log_likelihood, runs[0].log_likelihood)
    draws = runs[0]
    assert draws.sums.shape == (3, 4, problem.groups.n_groups, 3)
    assert draws.sums.dtype == np.float32
    every = {**LENGTHS, "n_draws": 12, "thin": 1}
    every = run_chains(problem, sampler=sampler, **every)
    assert every.log_sigma.shape == (3, 12, 3)
    for name in ("sums", "log_sigma", "log_likelihood"):
        thinned = getattr(every, name)[:, 2::3]
        np.testing.assert_array_equal(getattr(draws, name), thinned)
    assert len(np.unique(every.log_likelihood)) == 36
    other = run_chains(problem, sampler=sampler, **{**LENGTHS, "seed": 8})
    assert (other.log_sigma[..., 1:] != draws.log_sigma[..., 1:]).all()


@threadpool_limits.wrap(2, user_api="blas")
def test_threads_of_blas_are_restored():
    problem = make_problem()

    def n_threads():
        return [pool["num_threads"] for pool in threadpool_info()]

    before, seen = n_threads(), []

    class Watching(Progress):
        def check(self):
            seen.append(
                [
                    pool["num_threads"]
                    for pool in threadpool_info()
                    if pool["user_api"] == "blas"
                ]
            )

    lengths = {**LENGTHS, "n_draws": 1, "thin": 1, "burn_in": 1}
    run_chains(problem, sampler="gibbs", n_jobs=2, progress=Watching(), **lengths)
    assert len(seen) == 6
    assert all(set(threads) == {1} for threads in seen), seen
    assert n_threads() == before


def test_an_interrupt_ends_all_chains():
    problem = make_problem()
    ended = []

    class Interrupting(Progress):
        n_sweeps = 0

        def check(self):
            self.n_sweeps += 1
            if self.n_sweeps == 50:
                raise KeyboardInterrupt
            try:
                super().check()
            except Exception:
                ended.append("chain")
                raise

    began = monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_chains(
            problem,
            sampler="gibbs",
            n_chains=2,
            burn_in=10**7,
            n_draws=1,
            thin=1,
            seed=0,
            n_jobs=2,
            progress=Interrupting(),
        )
    while len(ended) != 1:
        assert monotonic() - began < 10


@pytest.mark.parametrize("hyperprior", HYPERPRIORS)
def test_drawn_widths_have_the_density(hyperprior):
    prior = Prior("cauchy", hyperprior, np.array([2.0, 0.3]))
    generator = np.random.default_rng(0)
    draws = np.array([prior.draw_log_sigma(generator)[1] for _ in range(20_000)])
    grid = np.linspace(-30, 30, 60_001) + np.log(0.3)
    mass = np.exp(log_density(prior, 1, grid))
    below = np.cumsum(mass) / mass.sum()
    for level in (0.1, 0.5, 0.9):
        place = grid[np.searchsorted(below, level)]
        error = np.sqrt(level * (1 - level) / len(draws))
        assert abs((draws < place).mean() - level) < 5 * error
