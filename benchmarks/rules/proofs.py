"""Proofs: formulas that no other rules of up to three conditions are better than.

    python -m benchmarks.rules.proofs --data FOLDER

`to_dnf` with a limit of 60 seconds and three conditions a rule, for the target of each
set, from a model of all rows. The CSV file has the objective, its bound, the gap
between them, and the seconds of the processor. One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.rules.tasks import task
from sklearn_dnfwinnow import DNFWinnowClassifier

FILE = Path(__file__).parent / "results" / "proofs.csv"
SETS = (
    "tic-tac-toe",
    "monks-1",
    "monks-2",
    "monks-3",
    "house-votes-84",
    "breast-cancer",
)


def proof(one):
    """Return the figures of the formula of a Task."""
    model = DNFWinnowClassifier(random_state=0).fit(one.X, one.y)
    start = time.process_time()
    dnf = model.to_dnf(one.target, X=one.X, y=one.y, max_term_size=3, max_time=60)
    seconds = time.process_time() - start
    numbers = {name: dnf.scores[name] for name in ("objective", "bound", "gap")}
    return {
        "set": one.name,
        "rules": len(dnf.terms),
        "literals": sum(map(len, dnf.terms)),
        **{name: f"{number:.4g}" for name, number in numbers.items()},
        "seconds": f"{seconds:.2f}",
    }


def main():
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", help="more sets, see `sets`")
    folder = parser.parse_args().data
    with threadpool_limits(1):
        records = [proof(task(name, "one", folder)) for name in SETS]
    with FILE.open("w", newline="") as file:
        writer = csv.DictWriter(file, records[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    print(FILE.read_text())


if __name__ == "__main__":
    main()
