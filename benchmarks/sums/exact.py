"""Exact sums: errors, time of the superset sum and of the frontier, which is cheaper.

    python -m benchmarks.sums.exact [errors superset frontier predict limited]

All on one core, best of several runs.

- errors: the reference sums of tests/data by the exact engine.
- superset: its time against n in-place NumPy additions of arrays of half its length
  and type, the least that the transform can do, in the same run.
- frontier: nanoseconds a state, and a split (a state looked at on an attribute), at
  each level of instruction set. The states are those left in the end when updates are
  not folded.
- predict: time of both on random problems and trained sums; fits of the time from what
  is known beforehand, and how well rules built on them choose. Writes
  results/exact.csv and results/cost_model.json; `rules` repeats the latter from
  the former.
- limited: time of both on random problems where terms have a largest size; the fit of
  the frontier's time, and how well it chooses.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import json
import time
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares, nnls

from benchmarks.sums.trained_sums import (
    TRAINED,
    hard_sums,
    reference_sums,
    trained_sums,
)
from sklearn_dnfwinnow import _kernels
from sklearn_dnfwinnow._terms._term_index import n_subsets
from sklearn_dnfwinnow.samplers import SAMPLERS
from sklearn_dnfwinnow.samplers._agreement_problem import (
    AgreementProblem,
    log_one_plus,
)
from sklearn_dnfwinnow.samplers._cost_model import (
    _COST_OF_FRONTIER,
    MAX_LOG_SPAN,
    MAX_SUPERSET,
    frontier_cost,
    superset_cost,
)
from sklearn_dnfwinnow.samplers._exact import superset_sum
from sklearn_dnfwinnow.samplers._frontier_run import FrontierRun
from sklearn_dnfwinnow.samplers._pilot import no_guesses

RESULTS = Path(__file__).parent / "results"
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


def random_problem(n, m, density, seed=0, compress=True):
    """m random sets, of which equal ones are one, with exponents +-1 and +-2."""
    random = np.random.RandomState(seed)
    agreements = random.random_sample((m, n)) < density
    net_counts = random.choice([-2, -1, 1, 2], size=m)
    return AgreementProblem.of_row(
        examples=agreements.astype(np.int32),
        net_counts=net_counts.astype(np.int64),
        row=np.ones(n, dtype=np.int32),
        compress=compress,
    )


def frontier(problem, kernel=_kernels.frontier, log_beta=0.0, max_states=MAX_STATES):
    """Run a frontier: whether it fits, attributes left, most states and splits."""
    ordered = problem.fewest_first()
    span = (problem.phi_high - problem.phi_low) * LOG_ALPHA
    return kernel.log_sum(
        columns=ordered.columns,
        planes=ordered.planes,
        net_counts=ordered.net_counts,
        multiplicities=ordered.multiplicities,
        log_either=log_one_plus(log_beta),
        log_alpha=LOG_ALPHA,
        logs=span > MAX_LOG_SPAN,
        log_completions=np.empty((ordered.n + 1, 0)),
        max_states=max_states,
        exact=True,
        stream=0,
        **no_guesses()._asdict(),
        log_values=np.empty(1),
        steps=np.empty(1),
    )


def superset(problem, log_beta=0.0):
    """log W but for free attributes, as the engine computes it."""
    return _kernels.superset.log_sum(
        sets=problem.sets,
        net_counts=problem.net_counts,
        log_odds=problem.log_odds(log_beta),
        narrow=max(problem.phi_high, -problem.phi_low) < 2**15,
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
        columns=ordered.columns,
        planes=ordered.planes,
        net_counts=ordered.net_counts,
        multiplicities=ordered.multiplicities,
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


# -- which is cheaper ------------------------------------------------------------------


def sizes(problem):
    """What can be known beforehand: bounds on the terms that matter."""
    set_sizes = np.bitwise_count(problem.sets[:, 0]).astype(float)
    m = len(set_sizes)
    shared = np.bitwise_count(problem.sets[:, 0, None] & problem.sets[:, 0])
    pairs = np.exp2(shared[np.triu_indices(m, 1)].astype(float))
    return {
        "n": problem.n,
        "m": m,
        "words": problem.columns.shape[1],
        "mean_set": set_sizes.mean(),
        # Terms that leave an update alive, and two: at most so many.
        "log2_singles": np.log2(np.exp2(set_sizes).sum()),
        "log2_pairs": np.log2(pairs.sum()),
    }


def measure(problem, label):
    """Sizes and times of one problem, in the order of the CSV."""
    problem.sets  # noqa: B018, made once
    frontier_s, found = best_of(3, lambda: frontier(problem))
    if frontier_s < 5e-3:
        frontier_s = min(frontier_s, best_of(20, lambda: frontier(problem))[0])
    superset_s, _ = best_of(3 if problem.n > 17 else 20, lambda: superset(problem))
    assert found.fits
    # Giving up at a share of 2^n states, and starting over.
    given_up = {}
    for shift in BUDGETS:
        budget = max(1, (1 << problem.n) >> shift)
        seconds, tried = best_of(5, lambda b=budget: frontier(problem, max_states=b))
        seconds += 0 if tried.fits else superset_s
        given_up[f"try_{shift}_us"] = 1e6 * seconds
    return {
        "problem": label,
        **sizes(problem),
        "states": found.n_states,
        "splits": found.n_splits,
        "frontier_us": 1e6 * frontier_s,
        "superset_us": 1e6 * superset_s,
        **given_up,
    }


BUDGETS = 4, 5, 6, 7
# What the logarithm of the frontier's time, less a constant time, is linear in.
FEATURES = {
    "n, m": lambda r: (r["n"], np.log2(r["m"])),
    "n, m, mean set": lambda r: (r["n"], np.log2(r["m"]), r["mean_set"]),
    "m, singles": lambda r: (np.log2(r["m"]), r["log2_singles"]),
    "n, m, singles": lambda r: (r["n"], np.log2(r["m"]), r["log2_singles"]),
    "m, pairs": lambda r: (np.log2(r["m"]), r["log2_pairs"]),
    "m, pairs up to 2^n": lambda r: (
        np.log2(r["m"]),
        np.minimum(r["log2_pairs"], r["n"]),
    ),
    "n, m, pairs": lambda r: (r["n"], np.log2(r["m"]), r["log2_pairs"]),
}


def fitted(features, times, weight):
    """Times c + 2^(linear), and its coefficients, by least squares of logarithms."""
    x = np.column_stack([np.ones(len(times)), *features])
    y = np.log2(times)

    def law(parameters):
        return 2 ** parameters[0] + 2 ** (x @ parameters[1:])

    root = np.sqrt(weight)
    first = np.linalg.lstsq(x * root[:, None], y * root, rcond=None)[0]
    fit = least_squares(
        lambda parameters: root * (np.log2(law(parameters)) - y),
        [np.log2(times.min()), *first],
        x_scale="jac",
    )
    return law(fit.x), fit.x


def predict():
    """Table of times, fits, and rules."""
    rows = []
    for n in range(8, 21):
        for m in (16, 32, 64, 128, 256, 512):
            for density in (0.3, 0.5, 0.65, 0.8):
                problem = random_problem(n, m, density, seed=n)
                if problem.n > 1 and len(problem.net_counts) > 1:
                    rows.append(measure(problem, f"random {density}"))
    for name in TRAINED:
        for s in trained_sums(name):
            if s.problem.n <= MAX_SUPERSET:
                rows.append(measure(s.problem, name))
    with open(RESULTS / "exact.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {k: f"{v:.4g}" if isinstance(v, float) else v for k, v in row.items()}
            )
    evaluate(rows)


def rules():
    """Fits and rules from the times on file."""
    with open(RESULTS / "exact.csv", newline="") as file:
        evaluate(
            [
                {k: v if k == "problem" else float(v) for k, v in row.items()}
                for row in csv.DictReader(file)
            ]
        )


def evaluate(rows):
    """Fit and compare rules over measured rows."""
    r = {key: np.array([row[key] for row in rows]) for key in rows[0]}
    trained = np.array([not label.startswith("random") for label in r["problem"]])
    weight = np.where(trained, 1 / trained.sum(), 1 / (~trained).sum())
    weight /= weight.sum()  # trained and random problems count alike
    best = np.minimum(r["frontier_us"], r["superset_us"])
    print_table(r, trained)

    # Superset sum: cells, additions, updates; relative least squares.
    cells = 2.0 ** np.maximum(r["n"], 6)
    terms = np.c_[np.ones(len(rows)), cells, cells * r["n"], r["m"]]
    superset_law, _ = nnls(terms / r["superset_us"][:, None], np.ones(len(rows)))
    superset_us = terms @ superset_law
    law = " + ".join(
        f"{c:.3g} {x}" for c, x in zip(superset_law, ("", "2^n", "n 2^n", "m"))
    )
    print(f"\nsuperset, us: {law}")
    off = np.abs(np.log2(superset_us / r["superset_us"]))
    print(f"off by a factor of {2 ** off.mean():.2f} on average")

    models = {"superset_us": superset_law.tolist(), "rules": {}}
    print("\n| rule | rms of log2 | right, % | mean regret, % | worst | trained, % |")
    print("| --- | --- | --- | --- | --- | --- |")

    def judge(label, taken, fit=None, spread=np.nan):
        regret = taken / best - 1
        right = weight @ (regret < 1e-9)
        cost = weight @ regret
        on_trained = regret[trained].mean()
        rms = "-" if np.isnan(spread) else f"{spread:.2f}"
        print(
            f"| {label} | {rms} | {100 * right:.0f} | {100 * cost:.0f} | "
            f"{regret.max() + 1:.1f} x | {100 * on_trained:.0f} |"
        )
        models["rules"][label] = {
            "coefficients": fit,
            "right": right,
            "regret": cost,
            "worst": regret.max() + 1,
        }

    def choose(is_superset):
        return np.where(is_superset, r["superset_us"], r["frontier_us"])

    judge("always superset", r["superset_us"])
    judge("always frontier", r["frontier_us"])
    for limit in range(10, 18):
        judge(f"superset if n <= {limit}", choose(r["n"] <= limit))
    for label, features in FEATURES.items():
        law, fit = fitted(features(r), r["frontier_us"], weight)
        spread = np.sqrt(weight @ np.log2(law / r["frontier_us"]) ** 2)
        judge(f"fit: {label}", choose(superset_us < law), fit.tolist(), spread)
    for shift in BUDGETS:
        judge(f"frontier up to 2^(n - {shift}) states", r[f"try_{shift}_us"])
    # Rules of one line: a bound on terms with company, against 2^n.
    for key in ("log2_singles", "log2_pairs"):
        least = min(
            (
                (weight @ (choose(r[key] > r["n"] - c) / best - 1), c)
                for c in np.arange(-10, 10, 0.5)
            ),
        )
        judge(
            f"superset if {key} > n + {-least[1]}", choose(r[key] > r["n"] - least[1])
        )
    (RESULTS / "cost_model.json").write_text(json.dumps(models, indent=1) + "\n")


def limited():
    """Times, fit and choices where terms have a largest size."""
    rows = []
    for n in (8, 12, 14, 16, 18, 20):
        for m in (20, 60, 200):
            for density in (0.4, 0.65, 0.85):
                problem = random_problem(n, m, density, seed=n * m, compress=False)
                problem.sets  # noqa: B018, made once
                for size in (1, 2, 3, 4, 6, 8):
                    if size < n:
                        rows.append(measure_limited(problem, size))
    n, terms, growing, frontier_us, superset_us = np.array(rows).T

    def law(logs):
        a, b, c, d = np.exp(logs)
        return a + b * n + np.minimum(c * growing, d * terms)

    fit = least_squares(lambda logs: np.log(law(logs) / frontier_us), [3, 1, 1.5, -3])
    print(
        "frontier, us: {:.3g} + {:.3g} n + min({:.3g} uncapped, {:.3g} terms)".format(
            *np.exp(fit.x)
        )
    )
    chosen = superset_cost(n) <= law(fit.x)
    taken = np.where(chosen, superset_us, frontier_us)
    regret = taken / np.minimum(superset_us, frontier_us) - 1
    print(
        f"right in {100 * (regret == 0).mean():.0f} % of {len(rows)}, mean regret "
        f"{100 * regret.mean():.0f} %, worst {regret.max() + 1:.1f} x"
    )


def measure_limited(problem, max_term_size):
    """n, terms, cost model of sums without a limit, microseconds of both engines."""
    question = problem, LOG_ALPHA, 0.0, max_term_size
    run = FrontierRun(*question)
    frontier_s, _ = best_of(5, lambda: run.exactly(MAX_STATES))
    superset_s, _ = best_of(5, lambda: superset_sum(*question))
    growing = frontier_cost(problem, None) - _COST_OF_FRONTIER
    n_terms = n_subsets(problem.n, max_term_size)
    return problem.n, n_terms, growing, 1e6 * frontier_s, 1e6 * superset_s


def print_table(r, trained):
    """Some of the rows: every trained set, and random problems of a few sizes."""
    print("| problem | n | m | set size | states | splits | frontier, us | superset |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    some = trained | (np.isin(r["n"], (10, 14, 18, 20)) & np.isin(r["m"], (32, 128)))
    for i in np.flatnonzero(some):
        counts = ("n", "m"), ("states", "splits", "frontier_us", "superset_us")
        before, after = (
            " | ".join(f"{r[key][i]:,.0f}" for key in keys) for keys in counts
        )
        print(f"| {r['problem'][i]} | {before} | {r['mean_set'][i]:.1f} | {after} |")


PARTS = {
    "errors": errors,
    "superset": superset_sums,
    "frontier": frontier_states,
    "predict": predict,
    "limited": limited,
    "rules": rules,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", default=[], metavar="part")
    parts = parser.parse_args().parts or list(PARTS)[:-1]
    for part in parts:
        if part not in PARTS:
            parser.error(f"part must be one of {', '.join(PARTS)}")
        print(f"\n{part}\n")
        PARTS[part]()


if __name__ == "__main__":
    main()
