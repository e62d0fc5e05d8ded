"""Seconds of a fit with default parameters, beside those of a forest of 200 trees.

    python -m benchmarks.time.fit [--data FOLDER] [--sets iris car] [--folds 10]

The folds of `python -m benchmarks.accuracy`. All are fitted to the same rows, as a data
frame, one after the other on one core: ours, which chooses among its candidates; ours
without folds, which trains one; and the forest. Seconds of the processor, medians over
folds, as are the ratios. FOLDER has more sets, see `sets`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from benchmarks.accuracy.peers import METHODS
from benchmarks.accuracy.tables import grid
from benchmarks.sets import load, names, splits

FITTED = "ours", "ours-single", "forest"
COLUMNS = "set size classes ours,ms single,ms forest,ms ratio single".split()


def seconds(method, X, y):
    """Return the seconds of a fit."""
    model = METHODS[method](0)
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def measure(name, folder, n_folds):
    """Return the seconds of each method in each fold, and the line of the set."""
    X, y = load(name, folder)
    found = []
    for train, _ in splits(name, y)[:n_folds]:
        # A split that a set comes with is fitted as often as there are folds.
        for _ in range(n_folds if name.startswith("monks") else 1):
            found.append([seconds(m, X.iloc[train], y[train]) for m in FITTED])
    found = np.array(found)
    ratios = np.median(found[:, :2] / found[:, 2:], axis=0)
    times = (f"{1000 * s:.0f}" for s in np.median(found, axis=0))
    size = f"{len(train)} x {X.shape[1]}", len(set(y))
    line = [name, *size, *times, f"{ratios[0]:.2f}", f"{ratios[1]:.3f}"]
    print(*line, flush=True)
    return ratios, line


def main():
    """Print the table, and the median ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", help="more sets, see `sets`")
    parser.add_argument("--sets", nargs="+", choices=names("all"))
    parser.add_argument("--folds", type=int, default=10)
    args = parser.parse_args()
    # Measurements with many values are cut into intervals; some folds lack a value.
    warnings.simplefilter("ignore")
    sets = args.sets or names(args.data)
    with threadpool_limits(1):
        found = [measure(name, args.data, args.folds) for name in sets]
    ratios, lines = zip(*found)
    print(grid(pd.DataFrame(lines, columns=COLUMNS).set_index("set")))
    for kind, some in zip(FITTED, np.transpose(ratios)):
        print(f"{kind}: median ratio {np.median(some):.3f}, largest {max(some):.3f}.")


if __name__ == "__main__":
    main()
