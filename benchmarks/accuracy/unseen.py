"""Sets of KEEL, on which little was chosen, see ``benchmarks/README.rst``.

    python -m benchmarks.accuracy.unseen --data FOLDER [--sets wine]
    [--methods ours forest] [--again]

FOLDER has the sets of KEEL, see `sets`. The first repeat of the folds; one core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.accuracy.__main__ import run
from benchmarks.accuracy.peers import METHODS
from benchmarks.accuracy.records import read
from benchmarks.accuracy.tables import (
    among_peers,
    by_method,
    errors_and_losses,
    table,
)
from benchmarks.sets import KEEL

RESULTS = Path(__file__).parent / "results" / "unseen.jsonl"
COMPARED = ["ours", "forest", "boosting", "logistic", "svm"]


def report(sets):
    """Print errors and log losses of all sets, and how the methods stand."""
    means = by_method(read(RESULTS), list(sets))
    errors_and_losses(means)
    table("Among the peers", among_peers(means), of="method")


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
