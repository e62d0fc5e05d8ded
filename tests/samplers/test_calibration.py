"""Calibration: whether estimates are as far from the truth as they say they are.

Every test here judges random numbers, with a bound on how often it may be wrong: a
check fails in one of ten million runs (`FALSE_ALARM`) if its numbers have the law they
should, which runs of some thousands support but cannot prove so far out. And every
check has its negative control: what it is there to find, which it must find.

By default a few seeds run, which tells a wrong sampler from a right one. Standard
errors that are some percent off take many. Before a release, nightly, and after any
change to samplers, random streams or standard errors, run all 100 of them (some ten
minutes on one core)::

    export SKLEARN_DNFWINNOW_TESTS_SEEDS=all
    python -m pytest tests/samplers/test_calibration.py

The variable also takes a range ("3-7") or a single number, to repeat what failed: the
seed of a test that runs for each stands in its name. A test that judges all seeds
together has to be repeated with the same ones. A failure is never to be mended by
another seed.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from math import isqrt

import numpy as np
import pytest
from internals.kernels import _chains_testing, _kernels
from internals.samplers import guesses
from internals.utils import stream
from kernel_sums import frontier_sums, nothing_observed
from model_changes import change_model
from numpy.testing import assert_array_equal
from reference import (
    CHAINS,
    hard_oracle,
    log_sum,
    oracle,
    phis,
    plain_winnow,
    problem_of,
    random_problem,
    sum_of,
)
from scipy import stats
from sklearn.base import clone

from sklearn_dnfwinnow.datasets import load_tic_tac_toe
from sklearn_dnfwinnow.samplers import SAMPLERS, Frontier
from sklearn_dnfwinnow.sums import log_weighted_sum

# Probability that a test fails though all is well.
FALSE_ALARM = 1e-7
# Of the standard error of a chain: batch means, from at most so many batches.
MOST_BATCHES = 32

every_chain = pytest.mark.parametrize(
    ("sampler", "tempering"), [(s, t) for s in CHAINS for t in (False, True)]
)


# -- the harness -----------------------------------------------------------------------


def random_states(seeds, n):
    """n states of each seed, all different."""
    return [n * seed + i for seed in seeds for i in range(n)]


def estimates(estimate, states):
    """Estimates of a sum, one for each random state."""
    sums = [estimate(random_state=state) for state in states]
    assert not any(s.exact for s in sums)
    return sums


def z_scores(sums, log_value):
    """Errors of estimates of a sum, in units of their own standard errors.

    Of 1 - W / W^, the relative error: of chains the mean of W / W^ is 1.
    """
    errors = -np.expm1([log_value - s.log_value for s in sums])
    return errors / [s.std_error for s in sums]


def law_of_chains(n_sweeps, n_rungs=1):
    """The law of a z-score by batch means of independent chains.

    That of b batches is Student's t with b - 1 degrees of freedom. Those of chains that
    contribute alike add up (Welch and Satterthwaite); tempered chains count as one.
    """
    n_batches = min(MOST_BATCHES, isqrt(n_sweeps))
    return stats.t(n_rungs * (n_batches - 1))


def law_of_replicates(n):
    """The law of a z-score by n replicates: Student's t, its spread brought to 1."""
    return stats.t(n - 1, scale=np.sqrt((n - 3) / (n - 1)))


def p_of_largest(z, law):
    """Probability that the largest of so many z-scores is as large."""
    return min(1.0, 2 * len(z) * law.sf(np.abs(z).max()))


def p_values(z, law, centred=True):
    """What is told by the mean of z-scores, their spread, and those within 1, 2, 3.

    Brought to the normal law the sum of n of them has variance n, and that of their
    squares is chi-square with n degrees of freedom, whatever n is. The mean tells
    nothing (not `centred`) where the standard error is larger the larger the estimate.
    """
    n = len(z)
    tails = np.maximum(law.sf(np.abs(z)), 1e-300)
    normal = np.sign(z) * stats.norm.isf(tails)
    squares = (normal**2).sum()
    p = {
        "spread": 2 * min(stats.chi2.cdf(squares, n), stats.chi2.sf(squares, n)),
        "largest": p_of_largest(z, law),
    }
    if centred:
        p["mean"] = 2 * stats.norm.sf(np.abs(normal.sum()) / np.sqrt(n))
    for k in (1, 2, 3):
        n_within = int((np.abs(z) < k).sum())
        p[f"within {k}"] = stats.binomtest(n_within, n, 1 - 2 * law.sf(k)).pvalue
    return p


def is_calibrated(z, law, centred=True):
    """Whether z-scores may follow a law."""
    p = p_values(z, law, centred)
    return min(p.values()) > FALSE_ALARM / len(p)


def assert_calibrated(z, law, centred=True):
    """They do; not so if standard errors were a third or three times as large."""
    assert is_calibrated(z, law, centred), p_values(z, law, centred)
    assert not is_calibrated(3 * z, law, centred)
    assert not is_calibrated(z / 3, law, centred)


def is_mean_one(ratios):
    """Whether the mean of some ratios may be 1, by their own spread."""
    return stats.ttest_1samp(ratios, 1.0).pvalue > FALSE_ALARM


# -- sums by chains --------------------------------------------------------------------

# Agreements, exponents, options. Neighbours on a ladder of long steps differ the most.
CHAINED = {
    "few": (*random_problem(5, 12, seed=1), {"ladder_scale": "sum"}),
    "more": (*random_problem(7, 25, seed=5), {}),
    "long steps": (*random_problem(8, 30, seed=3), {"ladder_step": 3.0}),
}
# Sweeps for standard errors to be honest. They are of 32 batches from 1024 sweeps on.
# Batches that are not long against the time that a chain remembers miss some variance:
# measured on "more" over 4000 seeds, the mean of std_error**2 is 0.87 of the variance
# of log W^ by Metropolis after 128 sweeps, 0.94 after 512, 0.98 after 2048; by both
# Gibbs kinds, which forget in a sweep or two, 0.98 after 128, and 1 within 0.03 beyond.
N_SWEEPS = {"metropolis": 2048, "gibbs": 1024, "metropolized_gibbs": 1024}


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("name", CHAINED)
@every_chain
def test_standard_errors_of_chains(sampler, tempering, name, global_random_seeds):
    agreements, net_counts, options = CHAINED[name]
    n, n_sweeps = agreements.shape[1], N_SWEEPS[sampler]
    options = {"tempering": tempering, "burn_in": 50 * n, **options}

    def estimate(n_steps=n_sweeps * n, random_state=None):
        chains = SAMPLERS[sampler](n_steps=n_steps, **options)
        return log_weighted_sum(
            agreements, net_counts, sampler=chains, random_state=random_state
        )

    n_rungs = 1 if tempering else estimate(n_steps=1).n_ladder
    law = law_of_chains(n_sweeps, n_rungs)
    sums = estimates(estimate, random_states(global_random_seeds, 64))
    assert_calibrated(z_scores(sums, log_sum(agreements, net_counts, 1.5, 1.0)), law)
    # Negative control: another alpha has another sum.
    wrong = log_sum(agreements, net_counts, 1.53, 1.0)
    assert not is_calibrated(z_scores(sums, wrong), law)


@every_chain
def test_chains_on_the_oracle(sampler, tempering, global_random_seed):
    # Left out are two edge cases whose exponents are in the thousands: between two
    # rungs their law jumps from one term to another, which no chain of single steps
    # finds in time.
    z, wrong, n_sweeps = [], [], N_SWEEPS[sampler]
    # Each seed takes a third of them.
    for instance in oracle()[global_random_seed % 3 :: 3]:
        n = instance["n"]
        if n > 16 or np.abs(instance["net_counts"]).sum() > 1000:
            continue
        found = sum_of(
            instance,
            sampler=SAMPLERS[sampler](
                tempering=tempering,
                n_steps=max(n_sweeps, 200 * n) * n + 1,
                burn_in=50 * n,
            ),
            random_state=global_random_seed,
        )
        error = found.log_value - instance["log_weighted_sum"]
        if found.std_error > 1e-9:
            z.append(error / found.std_error)
            other = sum_of(
                {**instance, "alpha": 1.03 * instance["alpha"]}, sampler="brute_force"
            )
            wrong.append((found.log_value - other.log_value) / found.std_error)
        else:
            assert abs(error) < 1e-9
    assert len(z) > 12
    law = law_of_chains(n_sweeps)
    assert p_of_largest(np.array(z), law) > FALSE_ALARM
    # Negative control: sums at another alpha.
    assert p_of_largest(np.array(wrong), law) < FALSE_ALARM


# -- the law that chains sample --------------------------------------------------------

N_RUNGS = 20


def phis_at_rungs(sampler, tempering, problem, log_alpha, streams):
    """phi of one term on each rung: (n_streams, N_RUNGS), the streams independent."""
    observed = nothing_observed(N_RUNGS, n_samples=1)
    drawn = np.empty((len(streams), N_RUNGS), dtype=np.int64)
    for phi, stream_ in zip(drawn, streams):
        _kernels.chains.climb(
            problem=problem,
            log_odds=np.zeros(1),
            kinds=np.zeros(problem.n, dtype=np.int64),
            log_alpha=log_alpha,
            log_first=0.0,
            transition=_kernels.chains.SAMPLERS[sampler],
            group_size=N_RUNGS,
            # One step, after enough of them to forget where they began.
            burn_in=50 * problem.n,
            n_steps=1,
            swap_probability=0.9 if tempering else 0.0,
            stream=stream_,
            log_threshold=np.nan,
            guess=True,
            phi_min=problem.phi_low,
            phi_max=problem.phi_high,
            observed=observed,
        )
        phi[:] = observed.traces[:, 0] + problem.phi_low
    return drawn


def ends_of_cells(phi, weights, least):
    """Where to part the values of phi into cells no less probable than `least`."""
    values, places = np.unique(phi, return_inverse=True)
    ends, below = [], 0.0
    for value, up_to in zip(
        values, np.bincount(places, weights / weights.sum()).cumsum()
    ):
        if min(up_to - below, 1 - up_to) >= least:
            ends.append(value)
            below = up_to
    return ends


def in_cells(phi, ends, weights=None):
    """How much is in each cell."""
    return np.bincount(np.searchsorted(ends, phi), weights, minlength=len(ends) + 1)


@every_chain
def test_chains_sample_their_law(sampler, tempering, global_random_seed):
    agreements, net_counts = random_problem(7, 25, seed=5)
    problem, phi = problem_of(agreements, net_counts), phis(agreements, net_counts)
    n, log_alpha = 1000, np.log(1.5)
    streams = [stream(global_random_seed, i, row=[]) for i in range(n)]
    drawn = phis_at_rungs(sampler, tempering, problem, log_alpha, streams)

    def expected(alpha, alpha_of_cells):
        # At least 25 in a cell, for the statistic to be chi-square.
        ends = ends_of_cells(phi, alpha_of_cells**phi, 25 / n)
        weights = alpha**phi
        return ends, in_cells(phi, ends, n * weights / weights.sum())

    for rung in range(N_RUNGS):
        alpha = np.exp((rung + 1) / N_RUNGS * log_alpha)
        ends, mean = expected(alpha, alpha)
        p = stats.chisquare(in_cells(drawn[:, rung], ends), mean).pvalue
        assert p > FALSE_ALARM / N_RUNGS, rung
    # Negative control: the last rung is not at 1.75. That so many terms should not tell
    # is as improbable as a false alarm (noncentral chi-square).
    ends, wrong = expected(1.75, 1.75)
    _, right = expected(1.5, 1.75)
    critical = stats.chi2.isf(FALSE_ALARM, len(ends))
    distance = ((right - wrong) ** 2 / wrong).sum()
    assert stats.ncx2.cdf(critical, len(ends), distance) < FALSE_ALARM
    p = stats.chisquare(in_cells(drawn[:, -1], ends), wrong).pvalue
    assert p < FALSE_ALARM


# -- independent streams ---------------------------------------------------------------


def are_uncorrelated(columns):
    """Whether columns of independent rows may be so, pair by pair."""
    n, n_columns = columns.shape
    r = np.corrcoef(columns, rowvar=False)[np.triu_indices(n_columns, 1)]
    r = np.minimum(np.abs(r).max(), 1 - 1e-12)
    p = 2 * stats.t.sf(r * np.sqrt((n - 2) / (1 - r**2)), n - 2)
    return p * n_columns * (n_columns - 1) / 2 > FALSE_ALARM


@pytest.mark.parametrize("sampler", CHAINS)
def test_neighbouring_chains_are_independent(sampler, global_random_seed):
    # 20 rungs are two blocks of lanes.
    assert N_RUNGS > _kernels.chains.CHAINS_AT_ONCE
    problem = problem_of(*random_problem(7, 25, seed=5))
    rows = np.array([[1, 2, 1, 1], [1, 2, 1, 2]])
    one, other = (
        [stream(global_random_seed, i, row=row) for i in range(500)] for row in rows
    )
    draw = partial(phis_at_rungs, sampler, False, problem)
    # Of one row, and of rows that differ in one value.
    drawn = draw(np.log(1.5), one)
    assert are_uncorrelated(np.hstack([drawn, draw(np.log(1.5), other)]))
    # Negative control: the same streams, on other rungs.
    assert not are_uncorrelated(np.hstack([drawn, draw(np.log(1.6), one)]))


def test_streams_next_to_each_other(global_random_seed):
    def uniforms(streams):
        draws = np.empty((len(streams), 2000), dtype=np.uint64)
        for stream_, row in zip(streams, draws):
            _chains_testing.draw_stream(stream_, row)
        # High and low halves: both are used.
        halves = np.stack([draws >> np.uint64(32), draws & np.uint64(2**32 - 1)])
        return halves.reshape(-1, draws.shape[1]).T / 2**32

    streams = 1000 * global_random_seed + np.arange(32)
    drawn = uniforms(streams)
    assert are_uncorrelated(drawn)
    # Nor with those a step later.
    assert are_uncorrelated(np.hstack([drawn[1:], drawn[:-1]]))
    streams[-1] = streams[0]
    assert not are_uncorrelated(uniforms(streams))


# -- sums by the capped frontier -------------------------------------------------------

# Few states, so that resampling does all there is to do.
CAPPED = {
    "any size": (*random_problem(14, 100, seed=4, density=0.8), None, 100),
    "size 3": (*random_problem(12, 60, seed=3, density=0.8), 3, 20),
    "size 5": (*random_problem(12, 60, seed=3, density=0.8), 5, 20),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, n_replicates", [("any size", 8), ("size 3", 32), ("size 5", 8)]
)
def test_standard_errors_of_the_capped_frontier(
    name, n_replicates, global_random_seeds
):
    agreements, net_counts, max_term_size, max_states = CAPPED[name]
    estimate = partial(
        log_weighted_sum,
        agreements,
        net_counts,
        sampler=Frontier(max_states=max_states, n_replicates=n_replicates),
        literal_weight=0.6,
        max_term_size=max_term_size,
    )
    law = law_of_replicates(n_replicates)
    truth = log_sum(agreements, net_counts, 1.5, 0.6, max_term_size)
    sums = estimates(estimate, random_states(global_random_seeds, 64))
    # The mean of W^ is W, but W^ is skewed. Measured on "any size" with 8 replicates,
    # z-scores have the mean -0.04; with 40 states instead of 100, -0.11.
    ratios = np.exp([s.log_value - truth for s in sums])
    assert is_mean_one(ratios)
    assert_calibrated(z_scores(sums, truth), law, centred=False)
    # Negative control: another alpha has another sum.
    wrong = log_sum(agreements, net_counts, 1.6, 0.6, max_term_size)
    assert not is_mean_one(ratios * np.exp(truth - wrong))
    assert not is_calibrated(z_scores(sums, wrong), law, centred=False)


def test_capped_frontier_on_the_oracle(global_random_seed):
    # Left out are two sums with heavy tails, which 32 replicates do not always see:
    # measured, the largest of 1200 z-scores is 9.4 on "dense-36b", and of 1000 on
    # "dense-36" 4.9. On the others, none of 300 to 1200 is beyond 3.6.
    z, std_errors = [], []
    for instance in hard_oracle():
        if instance["name"] in ("dense-36", "dense-36b"):
            continue
        found = sum_of(
            instance,
            sampler=Frontier(max_states=1000, n_replicates=32),
            random_state=global_random_seed,
        )
        assert not found.exact and found.n_replicates == 32
        assert found.n_states <= 2000
        error = found.log_value - instance["log_weighted_sum"]
        std_errors.append(found.std_error)
        if found.std_error > 1e-9:
            z.append(error / found.std_error)
        else:
            assert abs(error) < 1e-9  # what the oracle is good for
    # But for "planted-40", where the pilot misses some of the weight now and then.
    assert sorted(std_errors)[-2] < 0.01
    z, law = np.array(z), law_of_replicates(32)
    assert p_of_largest(z, law) > FALSE_ALARM
    # Negative control: sums that are a tenth larger.
    assert p_of_largest(z - 0.1 / std_errors[0], law) < FALSE_ALARM


def test_capped_frontier_is_unbiased(global_random_seeds):
    # So few states that one run is off by half: W^ is unbiased even so, log W^ is not.
    agreements, net_counts = random_problem(14, 100, seed=4, density=0.8)
    problem = problem_of(agreements, net_counts).fewest_first()
    truth = log_sum(agreements, net_counts, 1.5, 1.0)
    log_ratios = []
    for state in random_states(global_random_seeds, 4):
        stream_ = stream(state, row=[])
        ahead, _ = guesses(problem, np.log(1.5), 0.0, stream_)
        found, log_values = frontier_sums(
            problem,
            alpha=1.5,
            beta=1.0,
            max_states=5,
            stream=stream_,
            guesses=ahead,
            n_replicates=400,
        )
        assert not found.fits
        log_ratios.append(log_values - truth)
    log_ratios = np.concatenate(log_ratios)
    assert is_mean_one(np.exp(log_ratios))
    # Negative control: means of logarithms, in eights.
    eights = log_ratios.reshape(-1, 8)
    assert is_mean_one(np.exp(eights).mean(axis=1))
    assert not is_mean_one(np.exp(eights.mean(axis=1)))


# -- the classifier --------------------------------------------------------------------


@pytest.mark.slow_beyond(1)
@every_chain
def test_classifier_by_chains_agrees_with_the_exact_one(
    sampler, tempering, global_random_seed
):
    X, y = load_tic_tac_toe(return_X_y=True, as_frame=False)
    order = np.random.RandomState(0).permutation(len(X))
    training, test = order[:60], order[60:70]
    clf = plain_winnow(
        sampler="exact",
        max_term_size=None,
        max_iter=4,
        margin=1.5,
        random_state=global_random_seed,
    )
    clf.fit(X[training], y[training])
    exact, expected = clf.log_weighted_sums(X[test]), clf.predict(X[test])
    n, n_sweeps = X.shape[1], N_SWEEPS[sampler]
    chains = SAMPLERS[sampler](
        tempering=tempering, n_steps=n_sweeps * n, ladder_step=2.0
    )
    clf.set_params(sampler=clone(chains).set_params(burn_in=50 * n))
    # The classifier says no standard errors; other chains on the same sums do.
    _, rows, inverse = clf._model_and_rows(X[test])
    std_errors = np.array(
        [
            log_weighted_sum(
                clf.stored_examples_ == row, c, random_state=0, sampler=chains
            ).std_error
            for row in rows[inverse]
            for c in clf.net_promotion_counts_
        ]
    ).reshape(exact.shape)
    law = law_of_chains(n_sweeps)

    def agrees():
        z = (clf.log_weighted_sums(X[test]) - exact) / std_errors
        return is_calibrated(z.ravel(), law)

    assert agrees()
    gaps = np.abs(exact[:, 1] - exact[:, 0])
    clear = gaps > law.isf(FALSE_ALARM / len(test)) * np.hypot(*std_errors.T)
    assert clear.any()
    assert_array_equal(clf.predict(X[test])[clear], expected[clear])
    # Negative controls: another alpha, and the exponents of the other class.
    change_model(clf, "candidate", alpha=1.6)
    assert not agrees()
    change_model(clf, "candidate", alpha=1.5)
    change_model(clf, "stored", net_counts=clf.net_promotion_counts_[::-1])
    assert (clf.predict(X[test]) != expected)[clear].all()
