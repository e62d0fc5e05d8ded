"""Exact sums: errors, time of the superset sum and of the frontier.

    python -m benchmarks.sums.exact [errors superset frontier]

All on one core, best of several runs.

- errors: the reference sums of tests/data by the exact engine.
- superset: its time against n in-place NumPy additions of arrays of half its length
  and type, the least that the transform can do, in the same run.
- frontier: nanoseconds a state, and a split (a state looked at on an attribute), at
  each level of instruction set. The states are those left in the end when updates are
  not folded.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time

import numpy as np

from benchmarks.sums.trained_sums import (
    TRAINED,
    hard_sums,
    reference_sums,
    trained_sums,
)
from sklearn_dnfwinnow import _kernels
from sklearn_dnfwinnow.samplers import SAMPLERS
from sklearn_dnfwinnow.samplers._agreement_problem import (
    MAX_LOG_SPAN,
    AgreementProblem,
    log_one_plus,
)
from sklearn_dnfwinnow.samplers._look_ahead import no_guesses

LOG_ALPHA = np.log(1.5)
MAX_STATES = 5_000_000


def best_of(n_repeats, call):
    """Least seconds of some runs, and what the last one returned."""
    seconds = np.inf
    for _ in range(n_repeats):
        start = time.perf_counter()
        result = call()
        seconds = min(seconds, time.perf_counter() - start)
    return seconds, result


def random_problem(n, m, density, seed=0):
    """m random sets, of which equal ones are one, with exponents +-1 and +-2."""
    random = np.random.RandomState(seed)
    agreements = random.random_sample((m, n)) < density
    net_counts = random.choice([-2, -1, 1, 2], size=m)
    return AgreementProblem.of_row(
        examples=agreements.astype(np.int32),
        net_counts=net_counts.astype(np.int64),
        row=np.ones(n, dtype=np.int32),
    )


def frontier(problem, kernel=_kernels.frontier, log_beta=0.0, max_states=MAX_STATES):
    """Run a frontier: whether it fits, attributes left, most states and splits."""
    ordered = problem.fewest_first()
    span = (problem.phi_high - problem.phi_low) * LOG_ALPHA
    return kernel.log_sum(
        problem=ordered,
        log_either=log_one_plus(log_beta),
        log_alpha=LOG_ALPHA,
        logs=span > MAX_LOG_SPAN,
        log_completions=np.empty((ordered.n + 1, 0)),
        max_states=max_states,
        exact=True,
        stream=0,
        ahead=no_guesses(),
        log_values=np.empty(1),
        steps=np.empty(1),
    )


def superset(problem, log_beta=0.0):
    """log W but for free attributes, as the engine computes it."""
    return _kernels.superset.log_sum(
        sets=problem.sets,
        net_counts=problem.net_counts,
        log_odds=problem.log_odds(log_beta),
        log_alpha=LOG_ALPHA,
        max_term_size=problem.n,
    )


# -- errors ----------------------------------------------------------------------------


def errors():
    """Worst error of log W over all reference sums."""
    print("| file | sums | worst error of log W, relative | where |")
    print("| --- | --- | --- | --- |")
    for filename in ("weighted_sums.jsonl", "hard_sums.jsonl"):
        for sampler in ("exact", "frontier", "auto"):
            within = SAMPLERS[sampler](max_states=MAX_STATES)
            sums = reference_sums(filename)
            found = []
            for s in sums:
                value = s.estimate(sampler=within).log_value
                # Absolute near zero, as the references are.
                scale = max(abs(s.log_value), 1.0)
                found.append((abs(value - s.log_value) / scale, s.name))
            worst, name = max(found)
            print(f"| {filename}, {sampler} | {len(sums)} | {worst:.1e} | {name} |")


# -- superset --------------------------------------------------------------------------


def superset_sums():
    """Time against NumPy's additions."""
    print("| n | updates | superset sum, ms | n additions, ms | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for n in range(12, 21):
        for m in (64, 256):
            problem = random_problem(n, m, 0.6)
            assert problem.n == n
            f = np.zeros(1 << n, dtype=np.int16)
            low, high = f[: len(f) // 2], f[len(f) // 2 :]

            def add(low=low, high=high, n=n):
                for _ in range(n):
                    np.add(low, high, out=low)

            n_repeats = max(20, 2 ** (21 - n))
            problem.sets  # noqa: B018, made once
            summed, added = np.inf, np.inf
            for _ in range(5):  # by turns, so that other work slows both
                summed = min(
                    summed, best_of(n_repeats // 5, lambda p=problem: superset(p))[0]
                )
                added = min(added, best_of(n_repeats // 5, add)[0])
            print(
                f"| {n} | {m} | {1e3 * summed:.3f} | {1e3 * added:.3f} | "
                f"{summed / added:.1f} |"
            )


# -- frontier --------------------------------------------------------------------------


def plain_states(problem):
    """States that are left when updates are not folded."""
    ordered = problem.fewest_first()
    phi, _ = _kernels.frontier.density(
        problem=ordered,
        log_either=log_one_plus(0.0),
        logs=False,
        max_states=MAX_STATES,
    )
    return len(phi) - len(problem.net_counts) - 1


def frontier_states():
    """Nanoseconds a state and a split, at each level."""
    trained = [s for name in TRAINED for s in trained_sums(name)]
    groups = {
        "trained, 32 to 64 sets": [
            s.problem for s in trained if len(s.problem.net_counts) <= 64
        ],
        "trained, more sets": [
            s.problem for s in trained if len(s.problem.net_counts) > 64
        ],
        "hard, up to 64 sets": [
            s.problem for s in hard_sums() if len(s.problem.net_counts) <= 64
        ],
        "random, 64 sets": [random_problem(24, 64, 0.65)],
        "random, 512 sets": [random_problem(20, 512, 0.6)],
    }
    print("| problems | level | plain states | splits | ns a state | ns a split |")
    print("| --- | --- | --- | --- | --- | --- |")
    for label, problems in groups.items():
        states = sum(plain_states(problem) for problem in problems)
        for level in _kernels.levels():
            kernel = _kernels.kernel("_frontier", level)
            seconds, splits = 0.0, 0
            for problem in problems:
                n_repeats = 5 if len(problems) < 10 else 20
                least, found = best_of(
                    n_repeats, lambda p=problem, k=kernel: frontier(p, k)
                )
                assert found.fits
                seconds += least
                splits += found.n_splits
            print(
                f"| {label} | {level} | {states:,} | {splits:,} | "
                f"{1e9 * seconds / states:.1f} | {1e9 * seconds / splits:.1f} |"
            )


PARTS = {
    "errors": errors,
    "superset": superset_sums,
    "frontier": frontier_states,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", default=[], metavar="part")
    parts = parser.parse_args().parts or list(PARTS)
    for part in parts:
        if part not in PARTS:
            parser.error(f"part must be one of {', '.join(PARTS)}")
        print(f"\n{part}\n")
        PARTS[part]()


if __name__ == "__main__":
    main()
