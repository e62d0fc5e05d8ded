"""Sets of KEEL, on which nothing was chosen but limits for tables of many classes.

    python -m benchmarks.accuracy.unseen --data FOLDER [--sets wine]
    [--methods ours forest] [--again]

FOLDER has the sets of KEEL, see `sets`. The first repeat of the folds; one core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from pathlib import Path

import pandas as pd
from threadpoolctl import threadpool_limits

from benchmarks.accuracy.__main__ import run
from benchmarks.accuracy.peers import METHODS
from benchmarks.accuracy.records import read
from benchmarks.accuracy.tables import by_method, decimals, percent, table
from benchmarks.sets import KEEL

RESULTS = Path(__file__).parent / "results" / "unseen.jsonl"
COMPARED = ["ours", "ours-one", "forest", "boosting", "logistic", "svm"]


def report(sets):
    """Print errors and log losses of all sets, and means over sets."""
    means = by_method(read(RESULTS), list(sets))
    error = means["error"]
    texts = (percent(error) + " ± " + percent(means["std_error"])).fillna("-")
    table("Error, % ± its standard error", texts.T)
    table("Log loss, nats", means["log_loss"].dropna(how="all").map(decimals).T)
    ratio = means["fit_s"] / means["fit_s"].loc["forest"]
    peers = error.drop(index="ours-one")
    behind = error > peers.min() + 2 * means["std_error"]
    lines = pd.DataFrame(
        {
            "mean error, %": (100 * error.mean(axis=1)).map("{:.2f}".format),
            "log loss": means["log_loss"].mean(axis=1).map(decimals),
            "fit / forest": ratio.median(axis=1).map("{:.2f}".format),
            "behind by 2 se": behind.apply(lambda of: " ".join(of.index[of]), axis=1),
        }
    )
    table("Means", lines.replace("", "none"), of="method")


def main():
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", required=True)
    parser.add_argument("--sets", nargs="+", choices=KEEL, default=KEEL)
    parser.add_argument("--methods", nargs="*", choices=COMPARED, default=COMPARED)
    parser.add_argument("--again", action="store_true", help="run these anew")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        run(
            sets=args.sets,
            methods={method: METHODS[method] for method in args.methods},
            folder=args.data,
            out=RESULTS,
            most_repeats=1,
            again=args.again,
        )
    report(args.sets)


if __name__ == "__main__":
    main()
