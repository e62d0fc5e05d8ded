"""Nanoseconds per site update of the chains, by sampler, updates and instruction set.

    python -m benchmarks.sums.chain_sites [--profile]

A site update is one attribute's turn in one chain. Each figure is the best of five
runs on one core over random agreement problems of 16 attributes; the error beside it
is |W-hat - W| / W against brute force, and in brackets the standard error that the
estimate reports. The ratio is to one uniform number drawn by NumPy in the same run.
`--profile` splits the time of a site instead.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
from dataclasses import replace

import numpy as np

from sklearn_dnfwinnow import _kernels
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem
from sklearn_dnfwinnow.samplers._markov_chains import Observed

N = 16
LOG_ALPHA = np.log(1.5)
N_RUNGS = 2 * _kernels.chains.CHAINS_AT_ONCE  # whole groups
BURN_IN, N_STEPS = N**2, 100 * N**2


def problem_of_size(n_examples, seed=0):
    """A problem of exactly so many distinct agreement sets."""
    random = np.random.RandomState(seed)
    agreements = random.random_sample((4 * n_examples, N)) < 0.75
    net_counts = random.choice([-2, -1, 1, 2], size=4 * n_examples)
    problem = AgreementProblem.of_row(
        agreements.astype(np.int32), net_counts.astype(np.int64), np.ones(N, np.int32)
    )
    assert len(problem.net_counts) >= n_examples
    net_counts = problem.net_counts[:n_examples]
    columns = problem.columns[:, : n_examples // 64].copy()
    return AgreementProblem(columns, problem.multiplicities, net_counts, 0, net_counts)


def climb(kernel, problem, sampler, n_steps):
    """Seconds of one ladder, its estimate of log W, and the standard error."""
    observed = Observed(*np.zeros((2, N_RUNGS)))
    start = time.perf_counter()
    bound, _, _ = kernel.climb(
        columns=problem.columns,
        planes=problem.planes,
        phi_low=problem.phi_low,
        phi_high=problem.phi_high,
        log_odds=np.zeros(1),
        kinds=np.zeros(N, dtype=np.int64),
        log_alpha=LOG_ALPHA,
        log_first=N * np.log(2),
        transition=kernel.SAMPLERS[sampler],
        group_size=kernel.CHAINS_AT_ONCE,
        burn_in=BURN_IN,
        n_steps=n_steps,
        swap_probability=0.0,
        stream=1,
        log_threshold=np.nan,
        guess=True,
        phi_min=problem.phi_low,
        phi_max=problem.phi_high,
        observed=observed,
    )
    return time.perf_counter() - start, bound, np.sqrt(observed.variances.sum())


def numpy_uniform():
    """Nanoseconds of one uniform number by NumPy: the yardstick of a site."""
    generator = np.random.default_rng(0)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        generator.random(1_000_000)
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    if args.profile:
        profile()
        return
    print("| level | sampler | updates | ns a site | ratio | error, % (its s.e.) |")
    print("| --- | --- | --- | --- | --- | --- |")
    for level in _kernels.levels():
        kernel = _kernels.kernel("_chains", level)
        for sampler in kernel.SAMPLERS:
            for n_examples in (64, 256, 1024):
                problem = problem_of_size(n_examples)
                truth = _kernels.brute_force.log_sum(
                    columns=problem.columns,
                    planes=problem.planes,
                    log_alpha=LOG_ALPHA,
                    log_odds=np.zeros(N),
                    max_term_size=N,
                )
                runs = [climb(kernel, problem, sampler, N_STEPS) for _ in range(5)]
                seconds, value, error = min(runs)
                site = 1e9 * seconds / (N_RUNGS * (BURN_IN + N_STEPS))
                print(
                    f"| {level} | {sampler} | {n_examples} | {site:.2f} | "
                    f"{site / numpy_uniform():.2f} | "
                    f"{100 * abs(np.expm1(value - truth)):.1f} ({100 * error:.1f}) |"
                )


def profile():
    """Time of a ladder against steps, planes and words: what each part of a site costs.

    The intercept over n_steps is what a ladder costs besides its steps (tables of
    thresholds, sums of histograms); the slope over bit planes is the weighted popcount;
    the rest is the random draw, the table look-up, the prefix AND and the histogram.
    """
    kernel = _kernels.chains
    print(f"level {_kernels.LEVEL}; nanoseconds a site")
    print("| sampler | all | of it popcounts | of it set-up, at 10 n^2 steps |")
    print("| --- | --- | --- | --- |")
    for sampler in kernel.SAMPLERS:
        problem = problem_of_size(64)

        def best(problem, n_steps, sampler=sampler):
            runs = (climb(kernel, problem, sampler, n_steps)[0] for _ in range(9))
            return 1e9 * min(runs) / N_RUNGS

        slope = (best(problem, 4 * N_STEPS) - best(problem, N_STEPS)) / (3 * N_STEPS)
        set_up = best(problem, 10 * N**2) - slope * 11 * N**2
        n_planes = len(problem.planes)
        # Planes of zeros in front of the sign change no exponent, and cost as much.
        padded = replace(problem)
        padded.__dict__["planes"] = np.insert(
            problem.planes, n_planes - 1, np.zeros((8, 1), dtype=np.uint64), axis=0
        )
        padded.__dict__["planes"][-9:-1] = problem.planes[-1]  # sign extension
        wide = (best(padded, 4 * N_STEPS) - best(padded, N_STEPS)) / (3 * N_STEPS)
        popcounts = (wide - slope) / 8 * n_planes
        print(
            f"| {sampler} | {slope:.2f} | {popcounts:.2f} | "
            f"{set_up / (11 * N**2):.2f} |"
        )


if __name__ == "__main__":
    main()
