"""Seconds to cut one column, against rows, distinct values, classes and intervals.

    python -m benchmarks.time.discretizer [--out CSV] [--small] [--limit 60]

One column whose classes lie around different means ('signal') or anywhere ('noise').
One of four sizes is varied at a time: 100,000 rows, as many distinct values as the
first column says, 3 classes, at most 10 intervals. `exact` is the discretizer without
`max_segments`, `default` with 10,000; `naive` the dynamic programme without pruning,
one NumPy expression for each cell of its table (which finds the same entropies, or this
script ends with an error); the others find something else: KBinsDiscretizer
(quantiles), `tree` (best first, by entropy), `mdlp` (ours in `binnings`, of NumPy), and
where they are installed optbinning (`pip install optbinning`) and fimdlp (`pip install
fimdlp`).

The table has B, the segments after merging; the average class entropy that the
intervals leave, in bits; and how many intervals these are. A method is left out where
it would take more than the limit in seconds, to judge by the slowest of the sizes
before: `exact` and `naive` by the square of the segments, the others by the rows.
`--small` is a try of the script.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import time
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.preprocessing import KBinsDiscretizer

from benchmarks.accuracy.binnings import mdlp, n_entropies, n_log_n, tree
from sklearn_dnfwinnow import ClassEntropyDiscretizer
from sklearn_dnfwinnow._encoding._cuts import segments, tally

RESULTS = Path(__file__).parent / "results" / "discretizer.csv"
FIELDS = (
    *("method", "signal", "rows", "distinct", "classes", "intervals", "segments"),
    *("seconds", "entropy", "found"),
)


def column(rows, distinct, classes, signal):
    """Values and labels."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, rows)
    values = rng.normal(y if signal == "signal" else 0.0, 1.0, rows)
    if distinct < rows:  # about so many quantiles
        ranks = values.argsort().argsort()
        values = np.floor(ranks * (distinct / rows))
    return values, y


def merged(values, y, classes):
    """The segments of a column."""
    distinct, places = np.unique(values, return_inverse=True)
    rows = tally(distinct, places, y, np.ones(len(y)), classes)
    return segments(rows, classes)


def ours(max_segments):
    """Our discretizer."""

    def fit(values, y, intervals):
        return ClassEntropyDiscretizer(
            max_intervals=intervals, max_segments=max_segments
        ).fit(values[:, None], y)

    return fit


def naive(values, y, intervals):
    """Least entropy of 1, 2, ... intervals: a cell is one expression over starts."""
    classes = int(y.max()) + 1
    counts = merged(values, y, classes).counts
    prefix = np.vstack([np.zeros(classes), counts.cumsum(axis=0)])
    rows = prefix.sum(axis=1)
    best = n_entropies(prefix)
    path = [best[-1]]
    for k in range(1, min(intervals, len(counts))):
        fresh = np.full_like(best, np.inf)
        for j in range(k + 1, len(best)):
            cost = n_log_n(rows[j] - rows[k:j])
            cost -= n_log_n(prefix[j] - prefix[k:j]).sum(axis=1)
            fresh[j] = (best[k:j] + cost).min()
        best = fresh
        path.append(best[-1])
    return np.array(path) / len(y)


def kbins(values, y, intervals):
    """scikit-learn's bins."""
    bins = KBinsDiscretizer(intervals, encode="ordinal", strategy="quantile")
    return np.unique(bins.fit(values[:, None]).bin_edges_[0][1:-1])


def optbinning(values, y, intervals):
    """Optimal binning of CART's bins, by its own criterion."""
    from optbinning import MulticlassOptimalBinning, OptimalBinning

    binning = OptimalBinning if y.max() == 1 else MulticlassOptimalBinning
    return np.asarray(binning(max_n_bins=intervals).fit(values, y).splits)


def fimdlp(values, y, intervals):
    """MDLP in C++; it takes single precision."""
    from fimdlp.mdlp import FImdlp

    fitted = FImdlp(n_jobs=1).fit(values[:, None].astype(np.float32), y)
    return np.asarray(fitted.get_cut_points()[0])[1:-1]


METHODS = {
    "exact": ours(None),
    "default": ours(10_000),
    "naive": naive,
    "kbins": kbins,
    "tree": tree,
    "mdlp": mdlp,
    "optbinning": optbinning,
    "fimdlp": fimdlp,
}


def entropy_of(cut_points, values, y):
    """Average class entropy that some cut points leave, in bits."""
    codes = np.searchsorted(cut_points, values, side="left")
    counts = np.zeros((len(cut_points) + 1, int(y.max()) + 1))
    np.add.at(counts, (codes, y), 1)
    return n_entropies(counts).sum() / len(y)


def measure(name, values, y, intervals):
    """Seconds, entropy, and number of intervals; and what to compare with."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = METHODS[name](values, y, intervals)
    seconds = time.perf_counter() - start
    if isinstance(found, ClassEntropyDiscretizer):
        cut_points, path = found.cut_points_[0], found.entropy_path_[0]
        return seconds, entropy_of(cut_points, values, y), len(cut_points) + 1, path
    if name == "naive":
        return seconds, found.min(), 1 + int(found.argmin()), found
    return seconds, entropy_of(found, values, y), len(found) + 1, None


def cases(small):
    """(rows, distinct values, classes, intervals), each size varied in turn."""
    n = 1_000 if small else 100_000
    d = n // 20
    for rows in (n // 10, n, 10 * n):
        yield rows, d, 3, 10
    for distinct in (d // 10, d // 2, 2 * d, 5 * d, n):
        yield n, distinct, 3, 10
    for classes in (2, 10):
        yield n, d, classes, 10
    for intervals in (2, 5, 20):
        yield n, d, 3, intervals
    for classes in (2, 10):  # the size of the promise
        yield 10 * n, 5 * d, classes, 10
        yield 10 * n, 10 * n, classes, 10


def main():
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--limit", type=float, default=60.0)
    arguments = parser.parse_args()
    absent = [p for p in ("optbinning", "fimdlp") if find_spec(p) is None]
    methods = [name for name in METHODS if name not in absent]
    if absent:
        print(f"not installed: {', '.join(absent)}")
    for name in methods:  # what the first call loads
        measure(name, *column(1_000, 100, 3, "signal"), 10)
    arguments.out.parent.mkdir(exist_ok=True)
    # Most seconds that a method took for a unit of its work.
    rate = {}
    with arguments.out.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(FIELDS)
        for signal in ("signal", "noise"):
            for rows, distinct, classes, intervals in cases(arguments.small):
                values, y = column(rows, distinct, classes, signal)
                n_segments = merged(values, y, classes).n_merged
                paths = {}
                for name in methods:
                    work = rows
                    if name in ("exact", "naive"):
                        work = intervals * n_segments**2
                    if rate.get(name, 0.0) * work > arguments.limit:
                        continue
                    seconds, entropy, found, path = measure(name, values, y, intervals)
                    if seconds > 0.05:
                        rate[name] = max(rate.get(name, 0.0), seconds / work)
                    paths[name] = path
                    writer.writerow(
                        [name, signal, rows, distinct, classes, intervals, n_segments]
                        + [f"{seconds:.4f}", f"{entropy:.6f}", found]
                    )
                    print(
                        f"{signal:<6} {rows:>9,} rows {distinct:>9,} values "
                        f"{classes:>3} classes {intervals:>3} intervals "
                        f"{n_segments:>9,} segments  "
                        f"{name:<10} {seconds:8.3f} s  {entropy:.5f} bits in {found}",
                        flush=True,
                    )
                file.flush()
                if "naive" in paths and "exact" in paths:
                    np.testing.assert_allclose(
                        paths["exact"], paths["naive"], atol=1e-9
                    )


if __name__ == "__main__":
    main()
