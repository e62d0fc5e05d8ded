"""Tables of today's size: error, log loss, seconds and memory beside peers.

    python -m benchmarks.large [--data FOLDER] [--tables adult hastie]
    [--methods ours lightgbm] [--limit 150] [--again] [--out FILE] [--only-tables]

Tables are those of `tables`; adult comes from FOLDER, see `benchmarks.sets`. Methods
are those of `benchmarks.accuracy.peers`, with their defaults. Each fit is a process of
its own on one core, which may use so many seconds of the processor for fit and
prediction. Each is one line of the file, with the version of its package; what the file
has is not run again unless `--again` says so. Texts of tables are of all that the file
has.

The peers need ``pip install -r benchmarks/large/requirements.txt``; methods whose
package is not installed are left out.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
from functools import partial
from importlib import metadata
from itertools import product
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import sklearn_dnfwinnow
from benchmarks.accuracy.peers import METHODS, PACKAGES, missing
from benchmarks.accuracy.records import complete, measure, read
from benchmarks.accuracy.tables import grid
from benchmarks.alone import alone, forget_peak, peak
from benchmarks.large.tables import TABLES

RESULTS = Path(__file__).parent / "results" / "large.jsonl"
KEY = ["table", "method"]
# Seconds of the processor, and bytes of addresses.
LIMIT = 150
MEMORY = 16 << 30


COMPARED = [
    *("ours", "lightgbm", "xgboost", "boosting"),
    *("catboost", "ebm", "forest", "logistic"),
]
# Title, field of the records, and how a figure is written.
FIGURES = {
    "Error, %": ("error", lambda share: f"{100 * share:.2f}"),
    "Log loss, nats": ("log_loss", "{:.3f}".format),
    "Seconds of fit": ("fit_s", "{:.1f}".format),
    "Seconds of prediction": ("predict_s", "{:.2f}".format),
    "Memory beside the table, MiB": ("mib", "{:.0f}".format),
}


def report(records):
    """Print the tables."""
    records = records.assign(error=records["errors"] / records["rows"])
    for title, (field, write) in FIGURES.items():
        print("", title, "", grid(_cells(records, field, write), of="table"), sep="\n")


def _cells(records, field, write):
    """Return a frame of texts: tables by methods; a limit where a fit reached it."""
    done = records["status"] == "done"
    cells = records[field].map(write, na_action="ignore")
    cells = cells.where(done, records["status"].str.replace("more than", "over"))
    cells = cells.set_axis([records["table"], records["method"]]).unstack()
    size = records[done].groupby("table")[["train_rows", "columns"]].first()
    tables = [name for name in TABLES if name in cells.index]
    methods = [method for method in COMPARED if method in cells.columns]
    cells = cells.loc[tables, methods].fillna("-")
    rows, columns = size.loc[tables].astype(int).to_numpy().T
    cells.insert(0, "rows", [f"{n:,}" for n in rows])
    cells.insert(1, "columns", [f"{n:,}" for n in columns])
    return cells


def figures(of_table, method, folder):
    """Return the figures of one fit."""
    X, y, (train, test) = TABLES[of_table](folder)
    y = np.asarray(y)
    forget_peak()
    before = peak()
    with threadpool_limits(1):
        found = measure(partial(METHODS[method], 0), X, y, [(train, test)], np.inf)
    return {
        "train_rows": len(y[train]),
        "columns": X.shape[1],
        **found,
        "mib": round(peak() - before),
    }


def version(method):
    """Return the name and the version of the package of a method."""
    if method == "ours":
        return f"sklearn_dnfwinnow {sklearn_dnfwinnow.__version__}"
    package = PACKAGES.get(method, "scikit-learn")
    return f"{package} {metadata.version(package)}"


def main():
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", help="of adult, see `sets`")
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--methods", nargs="+", choices=COMPARED, default=COMPARED)
    parser.add_argument("--limit", type=int, default=LIMIT, help="seconds for a fit")
    parser.add_argument("--again", action="store_true", help="run these anew")
    parser.add_argument("--out", type=Path, metavar="FILE", default=RESULTS)
    parser.add_argument("--only-tables", action="store_true", help="measure nothing")
    args = parser.parse_args()
    methods = [method for method in args.methods if method not in missing()]
    print("Not installed:", *sorted(set(args.methods) - set(methods)))
    tables = [name for name in args.tables if args.data or name != "adult"]

    def one(name, method):
        call = partial(figures, name, method, args.data)
        return alone(call, args.limit, MEMORY) | {"version": version(method)}

    wanted = [] if args.only_tables else product(tables, methods)
    complete(args.out, KEY, wanted, one, args.again)
    report(read(args.out, KEY))


if __name__ == "__main__":
    main()
