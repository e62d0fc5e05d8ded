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
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import sklearn_dnfwinnow
from benchmarks.accuracy.peers import METHODS, PACKAGES, missing
from benchmarks.accuracy.records import measure, read, write
from benchmarks.alone import alone, forget_peak, peak
from benchmarks.large.report import COMPARED, report
from benchmarks.large.tables import TABLES

RESULTS = Path(__file__).parent / "results" / "large.jsonl"
KEY = ["table", "method"]
# Seconds of the processor, and bytes of addresses.
LIMIT = 150
MEMORY = 16 << 30


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
    left_out = {m: f"{package} is not installed" for m, package in missing().items()}
    methods = [method for method in args.methods if method not in left_out]
    for method in set(args.methods) - set(methods):
        print(f"{method} is left out: {left_out[method]}.")
    tables = [name for name in args.tables if args.data or name != "adult"]
    done = {tuple(key) for key in read(args.out, KEY)[KEY].itertuples(index=False)}
    for name in [] if args.only_tables else tables:
        for method in methods:
            if (name, method) in done and not args.again:
                continue
            found = alone(partial(figures, name, method, args.data), args.limit, MEMORY)
            key = dict(zip(KEY, (name, method)))
            write(args.out, key | found | {"version": version(method)})
            print(name, method, said(found), flush=True)
    report(read(args.out, KEY))


def said(found):
    """Return a text for the figures of a fit."""
    if found["status"] != "done":
        return found["status"]
    error = 100 * found["errors"] / found["rows"]
    return f"{error:.2f} %, {found['log_loss']}, {found['fit_s']} s, {found['mib']} MiB"


if __name__ == "__main__":
    main()
