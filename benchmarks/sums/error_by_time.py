"""Guess Error against time: every engine and sampler, on trained and on hard sums.

    python -m benchmarks.sums.error_by_time [--repeats 3] [--only-table]

The Guess Error of Tao & Scott (2004) is the mean of |W-hat - W| / W; here over repeats
with seeds of their own, and over those sums of a set that a setting estimates: sums
that a capped frontier finds exactly are left out of its error and its time. The time is
that of the whole call, compression included, least of repeats, and mean over sums.
'range' and 'sum' name the ladder (sum: the paper's). Writes results/error_by_time.csv.
One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.accuracy.tables import grid
from benchmarks.sums.trained_sums import TRAINED, hard_sums, trained_sums
from sklearn_dnfwinnow.samplers import SAMPLERS, Exact, Frontier

RESULTS = Path(__file__).parent / "results" / "error_by_time.csv"
FIELDS = "set sum family setting guess_error seconds exact".split()
CHAINS = ("metropolis", "gibbs", "metropolized_gibbs")
# Sums of a set that are measured.
N_SUMS = 6


def settings():
    """Yield family, label, sampler and steps / n^2 of each point."""
    yield "exact", "exact", Exact(max_states=5_000_000), None
    for n_replicates in (1, 2, 8):
        for max_states in (50, 200, 1_000, 2_000, 4_000, 16_000):
            yield (
                f"capped frontier, {n_replicates}",
                f"{max_states}",
                Frontier(max_states=max_states, n_replicates=n_replicates),
                None,
            )
    for name in CHAINS:
        for tempering in (False, True):
            for scale in ("sum", "range"):
                for factor in (1, 10) if name != "gibbs" else (1, 10, 100):
                    family = f"{name}{' + PT' if tempering else ''}, {scale}"
                    yield (
                        family,
                        f"{factor} n^2",
                        SAMPLERS[name](tempering=tempering, ladder_scale=scale),
                        factor,
                    )


def measure(s, sampler, factor, n_repeats):
    """Guess Error, least seconds, and whether the sum was exact, of one sum."""
    if factor is not None:
        sampler.set_params(n_steps=factor * s.problem.n**2)
    errors, seconds = [], []
    for repeat in range(n_repeats):
        start = time.perf_counter()
        found = s.estimate(random_state=repeat, sampler=sampler)
        seconds.append(time.perf_counter() - start)
        # What overshoots by e^50 is wrong enough.
        errors.append(abs(np.expm1(min(found.log_value - s.log_value, 50.0))))
        if found.exact and len(seconds) == 3:
            break
    return f"{np.mean(errors):.3g}", f"{min(seconds):.3g}", int(found.exact)


def run(n_repeats):
    """Measure all points of all sums, written set by set."""
    rows = []
    for name in (*TRAINED, "hard"):
        sums = hard_sums() if name == "hard" else trained_sums(name)[:N_SUMS]
        for family, label, sampler, factor in settings():
            for s in sums:
                found = measure(s, sampler, factor, n_repeats)
                rows.append([name, s.name, family, label, *found])
        pd.DataFrame(rows, columns=FIELDS).to_csv(RESULTS, index=False)


def report():
    """Print what the paper's ladder costs for the same error as the capped frontier.

    The ratio is that of error^2 times seconds, over the sums that the capped frontier
    with 8 replicates estimates.
    """
    rows = pd.read_csv(RESULTS)
    means = ["guess_error", "seconds"]
    exact = rows[rows["family"] == "exact"].groupby("set")["seconds"].mean()
    print("Exact, ms:", (1e3 * exact).round(2).to_dict(), "\n")
    paper = rows[(rows["family"] == "gibbs, sum") & (rows["setting"] == "10 n^2")]
    capped = rows[(rows["family"] == "capped frontier, 8") & (rows["exact"] == 0)]
    lines = []
    for (name, setting), some in capped.groupby(["set", "setting"], sort=False):
        error, seconds = some[means].mean()
        of_paper = paper[paper["sum"].isin(some["sum"])][means].mean()
        ratio = (of_paper["guess_error"] / error) ** 2 * of_paper["seconds"] / seconds
        texts = [
            f"{100 * e:.2g} %, {1e3 * t:.2g} ms"
            for e, t in ((error, seconds), of_paper)
        ]
        lines.append([name, setting, *texts, f"{ratio:.2g}"])
    columns = ["set", "states kept", "capped", "Gibbs ladder", "ratio"]
    print(grid(pd.DataFrame(lines, columns=columns).set_index("set")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only-table", action="store_true")
    args = parser.parse_args()
    if not args.only_table:
        run(args.repeats)
    report()


if __name__ == "__main__":
    main()
