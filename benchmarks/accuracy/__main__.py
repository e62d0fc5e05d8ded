"""Error, log loss and time of Winnow over all terms, beside those of its peers.

    python -m benchmarks.accuracy [--mushroom PATH] [--sets iris car] [--methods ours]
    [--out CSV] [--again] [--figure PNG]

Ten stratified folds, with three repeats where a set has fewer than 500 rows; the MONK's
problems have the split they come with. One line for each set, method and repeat goes to
the CSV file; what it has is not run again, unless `--again` says so. The tables are of
all that the file has for these sets. PATH is the file of the mushroom set, see `sets`;
the methods are those of `peers`. PNG is to be a reliability diagram, over the rows of
all these sets. One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from threadpoolctl import threadpool_limits

from benchmarks.accuracy.peers import METHODS, TWO_CLASSES, missing
from benchmarks.sets import load, names, splits

OURS = ["ours", "paper"]
KEY = ["set", "method", "repeat"]
FIGURES = ["rows", "error", "log_loss", "fit_s", "predict_s"]
# Sets of fewer rows are cut into folds three times. The MONK's problems, for which
# there is but one split, have more.
SMALL = 500
# A method that needs more seconds for a fold is given up on that set.
LIMIT = 60
# What the reliability diagram shows.
SHOWN = ["ours", "logistic", "forest"]
N_BINS = 10
# Points of fewer rows are not drawn: they are anywhere.
FEWEST = 20


def held_out(method, X, y, folds):
    """Of each fold: rows, predictions, probabilities or None, and two durations."""
    for train, test in folds:
        model = METHODS[method]()
        start = time.perf_counter()
        model.fit(X.iloc[train], y[train])
        fitted = time.perf_counter()
        predictions = model.predict(X.iloc[test])
        durations = fitted - start, time.perf_counter() - fitted
        has_proba = hasattr(model, "predict_proba")
        probabilities = model.predict_proba(X.iloc[test]) if has_proba else None
        yield test, predictions, probabilities, durations


def measure(method, X, y, folds):
    """Figures of a method on a set; none if it is too slow or not made for the set."""
    nothing = dict.fromkeys(FIGURES, np.nan)
    if method in TWO_CLASSES and len(np.unique(y)) > 2:
        return nothing
    wrong, probabilities, truth, seconds = [], [], [], []
    for test, predictions, probability, durations in held_out(method, X, y, folds):
        if sum(durations) > LIMIT:
            return nothing
        wrong.extend(predictions != y[test])
        truth.extend(y[test])
        probabilities.append(probability)
        seconds.append(durations)
    has_proba = probabilities[0] is not None
    fit_s, predict_s = np.median(seconds, axis=0)
    return {
        "rows": len(wrong),
        "error": np.mean(wrong),
        "log_loss": log_loss(truth, np.vstack(probabilities)) if has_proba else np.nan,
        "fit_s": fit_s,
        "predict_s": predict_s,
    }


def run(sets, methods, path, out, again):
    """Measure what is not yet in the file, and return all that it has then."""
    if out.exists():
        results = pd.read_csv(out).set_index(KEY)
    else:
        index = pd.MultiIndex.from_tuples([], names=KEY)
        results = pd.DataFrame(columns=FIGURES, index=index, dtype=float)
    print(*KEY, *FIGURES)
    for name in sets:
        X, y = load(name, path, as_frame=True)
        for repeat in range(3 if len(y) < SMALL else 1):
            folds = splits(name, y, repeat)
            for method in methods:
                key = name, method, repeat
                if key in results.index and not again:
                    continue
                figures = measure(method, X, y, folds)
                results.loc[key, FIGURES] = [figures[field] for field in FIGURES]
                results.to_csv(out, float_format="%.6g")
                print(*key, *(f"{figures[field]:.4g}" for field in FIGURES), flush=True)
    return results


def table(title, frame, cell=str):
    """Print a reST table of methods by sets."""
    lines = [["method", *frame.columns]]
    lines += [[m, *map(cell, row)] for m, row in zip(frame.index, frame.to_numpy())]
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = "  ".join("=" * width for width in widths)
    lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
    print("", title, "", rule, lines[0], rule, *lines[1:], rule, sep="\n")


def percent(frame):
    """Texts for shares."""
    return (100 * frame).map("{:.1f}".format)


def decimals(value):
    """Text for a figure that may be missing."""
    return "-" if np.isnan(value) else f"{value:.3f}"


def report(results, sets):
    """Print the tables, and how ours stands."""
    means = results.groupby(["method", "set"], sort=False).mean()
    order = [m for m in METHODS if m in means.index.get_level_values("method")]
    means = {f: means[f].unstack().reindex(order, columns=sets) for f in FIGURES}
    error = means["error"]
    std_error = np.sqrt(error * (1 - error) / means["rows"])

    # Only methods that all sets have a figure of can be compared by their ranks.
    ranks = error.dropna().round(9).rank().mean(axis=1).reindex(order)
    texts = (percent(error) + " ± " + percent(std_error)).where(error.notna(), "-")
    texts["mean rank"] = ranks.map("{:.1f}".format).where(ranks.notna(), "-")
    table("Error, % ± its standard error", texts)

    has_proba = means["log_loss"].notna().any(axis=1)
    table("Log loss, nats", means["log_loss"][has_proba], decimals)
    fit_s, predict_s = (means[f].map(decimals) for f in ("fit_s", "predict_s"))
    texts = (fit_s + ", " + predict_s).where(error.notna(), "-")
    table("Seconds of fit and predict, medians of folds", texts)

    peers = error.drop(index=OURS, errors="ignore")
    if peers.empty:
        return
    best = peers.min()
    # One standard error of the best peer, whichever has it.
    allowed = best + np.sqrt(best * (1 - best) / means["rows"].max())
    print()
    for method in error.index.intersection(OURS):
        first = (error.loc[method] <= best + 1e-9).sum()
        near = (error.loc[method] <= allowed + 1e-9).sum()
        print(
            f"{method}: first on {first} of {len(sets)} sets, first or within one "
            f"standard error of the best peer on {near}."
        )


def reliability(sets, path, png):
    """Draw how often the predicted class is right, by the probability it was given."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(5, 5), layout="constrained")
    ax.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for method in SHOWN:
        given, right = [], []
        for name in sets:
            X, y = load(name, path, as_frame=True)
            folds = splits(name, y)
            for test, predictions, probabilities, _ in held_out(method, X, y, folds):
                given.extend(probabilities.max(axis=1))
                right.extend(predictions == y[test])
        given, right = np.array(given), np.array(right)
        bins = np.minimum((N_BINS * given).astype(int), N_BINS - 1)
        counts = np.bincount(bins, minlength=N_BINS)
        seen = counts > 0
        shown = counts[seen] >= FEWEST
        points = [
            np.bincount(bins, v, N_BINS)[seen] / counts[seen] for v in (given, right)
        ]
        # ECE: how far the points are from the diagonal, over all rows.
        ece = np.abs(points[0] - points[1]) @ counts[seen] / counts.sum()
        ax.plot(
            *(p[shown] for p in points),
            marker="o",
            label=f"{method} (ECE {100 * ece:.1f} %)",
        )
    ax.set(xlabel="probability of the predicted class", ylabel="share that is right")
    ax.legend()
    fig.savefig(png, dpi=120)


def main():
    """Measure, print the tables, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mushroom", metavar="PATH", help="its file, if there is one")
    parser.add_argument("--sets", nargs="+", choices=names(mushroom=True))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--again", action="store_true", help="run these anew")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="CSV",
        default=Path(__file__).parent / "results" / "accuracy.csv",
    )
    parser.add_argument("--figure", metavar="PNG", help="draw a reliability diagram")
    args = parser.parse_args()
    sets = args.sets or names(args.mushroom)
    for method, package in missing().items():
        if method in args.methods:
            print(f"{method} is left out: {package} is not installed.")
            args.methods.remove(method)

    # Some folds lack a value.
    warnings.filterwarnings("ignore", "Found unknown categories in columns")
    with threadpool_limits(1):
        results = run(sets, args.methods, args.mushroom, args.out, args.again)
        report(results, sets)
        if args.figure:
            reliability(sets, args.mushroom, args.figure)


if __name__ == "__main__":
    main()
