"""Wide tables with rules between few columns: error, log loss, time and memory.

    python -m benchmarks.large.wide [--only two_rules] [--only-table]

Made-up tables with 3 % of wrong classes; three quarters of the rows are for training.
Each fit is a process of its own on one core, and a line of ``results/wide.jsonl``; what
is there is not run again. 'Rules named' counts the fits after which ``to_dnf`` has a
rule on exactly the columns of each true rule.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from benchmarks.accuracy.peers import METHODS
from benchmarks.accuracy.records import complete, measure, read
from benchmarks.accuracy.tables import grid
from benchmarks.alone import alone, forget_peak, peak

RESULTS = Path(__file__).parent / "results" / "wide.jsonl"
KEY = ["table", "method", "seed"]
COMPARED = ["ours", "boosting", "logistic"]
# Seconds of the processor, and bytes of addresses.
LIMITS = {"limit": 600, "memory": 16 << 30}


def two_rules(seed, n_rows=2000, n_columns=300):
    """Normal columns, and two rules of two conditions."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    y = ((X[:, 0] > 0) & (X[:, 1] > 0)) | ((X[:, 2] > 0.8) & (X[:, 3] < 0))
    return X, noisy(y, rng), [{0, 1}, {2, 3}]


def three_conditions(seed, n_rows=5000, n_columns=100):
    """Normal columns, and a rule of three conditions."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    return X, noisy((X[:, :3] > 0).all(axis=1), rng), [{0, 1, 2}]


def sequences(seed, n_rows=2000, size=4, n_rules=4, n_columns=60):
    """Letters at 60 positions; half of the rows satisfy a rule of `size` letters."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, n_columns))
    rules = [
        (rng.choice(n_columns, size, replace=False), rng.integers(0, 4, size))
        for _ in range(n_rules)
    ]
    for row in np.flatnonzero(rng.random(n_rows) < 0.5):
        places, letters = rules[rng.integers(n_rules)]
        X[row, places] = letters
    y = np.any([(X[:, p] == letters).all(axis=1) for p, letters in rules], axis=0)
    letters = np.array(list("ACGT"), dtype=object)[X]
    return letters, noisy(y, rng), [{*places.tolist()} for places, _ in rules]


def noisy(y, rng):
    """Flip 3 % of the classes."""
    return (y ^ (rng.random(len(y)) < 0.03)).astype(int)


# Tables by name: a maker for a seed, and the number of seeds.
TABLES = {"two_rules": (two_rules, 10), "three_conditions": (three_conditions, 10)}
for k in (3, 4, 5):
    TABLES[f"sequences, {k} letters"] = partial(sequences, size=k), 3
for n in (10, 100, 1000, 2000):
    TABLES[f"two_rules, {n} columns"] = partial(two_rules, n_columns=n), 1
for n in (1000, 4000, 16_000):
    TABLES[f"two_rules, {n} rows"] = partial(two_rules, n_rows=n, n_columns=100), 1


def figures(name, method, seed):
    """Return the figures of one fit."""
    X, y, rules = TABLES[name][0](seed)
    X, n = pd.DataFrame(X).add_prefix("v"), 3 * len(y) // 4
    fitted = METHODS[method](seed)
    forget_peak()
    before = peak()
    with threadpool_limits(1):
        found = measure(lambda: fitted, X, y, [(slice(n), slice(n, None))], np.inf)
    record = {
        "error": found["errors"] / found["rows"],
        "log_loss": found["log_loss"],
        "seconds": found["fit_s"],
        "mib": round(peak() - before),
    }
    if method == "ours":
        dnf = fitted.to_dnf(1, X=X[:n], y=y[:n])
        read = [{literal.column for literal in term.literals} for term in dnf.terms]
        record |= {"rules": str(dnf), "named": all(rule in read for rule in rules)}
    return record


def report(records):
    """Print the means of each table, and how often rules are named."""
    fields = ["error", "log_loss", "seconds", "mib"]
    error, loss, seconds, mib = (
        records.groupby(["table", "method"])[field].mean().unstack() for field in fields
    )
    ours = records[records["method"] == "ours"].groupby("table")["named"]
    columns = {f"{m}, %": (100 * error[m]).map("{:.1f}".format) for m in COMPARED}
    for m in COMPARED[:2]:
        columns[f"{m}, log loss"] = loss[m].map("{:.3f}".format)
        columns[f"{m}, s"] = seconds[m].map("{:.1f}".format)
    columns["MiB"] = mib["ours"].map("{:.0f}".format)
    columns["rules named"] = (
        ours.sum().astype(int).map(str) + " of " + ours.size().map(str)
    )
    order = [name for name in TABLES if name in error.index]
    print(grid(pd.DataFrame(columns).loc[order], of="table"))


def main():
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--only-table", action="store_true", help="measure nothing")
    args = parser.parse_args()
    wanted = [
        (name, method, seed)
        for name in ([] if args.only_table else args.only)
        for seed in range(TABLES[name][1])
        for method in COMPARED
    ]
    complete(RESULTS, KEY, wanted, lambda *one: alone(partial(figures, *one), **LIMITS))
    report(read(RESULTS, KEY))


if __name__ == "__main__":
    main()
