"""Large tables: error, seconds and memory of a default fit, beside 200 trees.

    python -m benchmarks.time.large [--rows 10000 100000] [--noises 0 0.1]
    [--forest-rows 100000] [--out CSV]

Random DNF from `make_dnf` over 8 attributes of 6 values, and over 14 of 4, without
noise and with a share of the labels flipped; 20,000 more rows, whose labels are not
flipped, to test with. Each model is fitted once, in a process of its own, on one core:
seconds of the processor for fit and prediction, and the most memory that was resident
during the fit, beyond what the table and the imports take. The forest takes the table
as it is, of no more than `--forest-rows`. Slopes are of the logarithms of seconds
against rows, over all sizes.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from threadpoolctl import threadpool_limits

from benchmarks.alone import peak
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_dnf

RESULTS = Path(__file__).parent / "results" / "large.csv"
ROWS = (10_000, 31_623, 100_000, 316_228, 1_000_000)
# Attributes, and their values.
TABLES = ((8, 6), (14, 4))
N_TEST = 20_000
METHODS = {
    "ours": lambda: DNFWinnowClassifier(random_state=0),
    "forest": lambda: RandomForestClassifier(200, random_state=0),
}


def table(n_rows, n_attributes, n_values, noise):
    """Return rows to train with, and rows to test with, with their labels."""
    X, y = make_dnf(
        n_rows + N_TEST,
        n_attributes,
        n_values=n_values,
        term_size=3,
        noise=0.0,
        random_state=0,
    )
    y = np.asarray(y).copy()
    flipped = np.random.RandomState(1).random_sample(n_rows) < noise
    classes = np.unique(y)
    y[:n_rows][flipped] = classes[1 - np.searchsorted(classes, y[:n_rows][flipped])]
    return X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:]


def measure(method, *of_table):
    """Return the figures of one fit."""
    X, y, test_X, test_y = table(*of_table)
    model, before = METHODS[method](), peak()
    start = time.process_time()
    model.fit(X, y)
    fitted = time.process_time()
    memory = peak() - before
    error = np.mean(model.predict(test_X) != test_y)
    found = {
        "fit_s": round(fitted - start, 3),
        "predict_s": round(time.process_time() - fitted, 3),
        "error": round(float(error), 5),
        "memory_mib": round(memory),
        "table_mib": round(X.nbytes / 2**20),
        "chosen": "",
    }
    if method == "ours":
        found["chosen"] = (
            f"margin {model.margin_}, alpha {model.alpha_:g}, "
            f"size {model.max_term_size_}, "
            f"{model.n_iter_} epochs, {model.stored_examples_.shape[0]} updates"
        )
    return found


def cases(rows, noises, forest_rows):
    """Yield a method, and rows, attributes, values and noise of a table."""
    for n_rows in sorted(rows):
        for n_attributes, n_values in TABLES:
            for noise in noises:
                yield "ours", n_rows, n_attributes, n_values, noise
                if n_rows <= forest_rows:
                    yield "forest", n_rows, n_attributes, n_values, noise


def slopes(lines):
    """Print how seconds grow with rows."""
    series = {}
    for line in lines:
        key = line["method"], line["attributes"], line["noise"]
        series.setdefault(key, []).append((line["rows"], line["fit_s"]))
    for key, points in series.items():
        if len(points) > 1:
            x, seconds = np.log(points).T
            slope = np.polyfit(x, seconds, 1)[0]
            print(*key, f"slope {slope:.2f} over {len(points)} sizes")


def main():
    """Measure each case in a process of its own, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--noises", type=float, nargs="+", default=(0.0, 0.1))
    parser.add_argument("--forest-rows", type=int, default=100_000)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        warnings.simplefilter("ignore")
        with threadpool_limits(1):
            print(json.dumps(measure(*json.loads(args.one))))
        return
    lines = []
    for case in cases(args.rows, args.noises, args.forest_rows):
        command = [sys.executable, "-m", "benchmarks.time.large"]
        output = subprocess.check_output([*command, "--one", json.dumps(case)])
        names = "method", "rows", "attributes", "values", "noise"
        lines.append(dict(zip(names, case)) | json.loads(output))
        print(lines[-1], flush=True)
        with args.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, lines[0])
            writer.writeheader()
            writer.writerows(lines)
    slopes(lines)


if __name__ == "__main__":
    main()
