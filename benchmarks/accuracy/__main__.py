"""Error, log loss and time of Winnow over all terms, beside those of its peers.

    python -m benchmarks.accuracy [--data FOLDER] [--sets iris car] [--methods ours]
    [--repeats 3] [--folds 3] [--out FILE] [--again]

The folds are those of `sets`, with three repeats where a set has fewer than 500 rows;
the MONK's problems have the split they come with, and ten seeds; with `--repeats` no
more than so many, and with `--folds` only the first of the folds. One line for each
set, method and repeat goes to the file, see `records`; what it has is not run again,
unless `--again` says so.
The tables are of all that the file has for these sets, see `tables`. FOLDER has more
sets, see `sets`; the methods are those of `peers`. One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from functools import partial
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.accuracy.peers import METHODS, RULES, missing
from benchmarks.accuracy.records import KEY, measure, read, write
from benchmarks.accuracy.tables import report
from benchmarks.sets import load, names, splits, target_of

RESULTS = Path(__file__).parent / "results" / "accuracy.jsonl"
ALL = METHODS | RULES
# Sets of fewer rows are cut into folds three times.
SMALL = 500


def n_repeats(name, y):
    """Return how often a set is cut into folds, or its split learned by other seeds."""
    if name.startswith("monks"):
        return 10
    return 3 if len(y) < SMALL else 1


def run(sets, methods, folder, out, most_repeats=10, n_folds=10, again=False):
    """Measure what is not yet in the file; methods make an estimator for a seed."""
    done = {tuple(key) for key in read(out)[KEY].itertuples(index=False)}
    for name in sets:
        X, y = load(name, folder)
        for method, make in methods.items():
            if method in RULES:
                if len(set(y)) > 2:
                    continue
                make = partial(make, target=target_of(name, y))
            for repeat in range(min(most_repeats, n_repeats(name, y))):
                if (name, method, repeat) in done and not again:
                    continue
                folds = splits(name, y, repeat)[:n_folds]
                figures = measure(partial(make, repeat), X, y, folds)
                if figures is None:
                    print(f"{name} {method}: too slow", flush=True)
                    break
                record = dict(zip(KEY, (name, method, repeat))) | figures
                write(out, record)
                print(
                    f"{name} {method} {repeat}: "
                    f"{100 * figures['errors'] / figures['rows']:.2f} %, "
                    f"{figures['log_loss']} nats, {figures['fit_s']:.3f} s",
                    flush=True,
                )


def main():
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", help="more sets, see `sets`")
    parser.add_argument("--sets", nargs="+", choices=names("all"))
    parser.add_argument("--methods", nargs="*", choices=ALL, default=list(ALL))
    parser.add_argument("--repeats", type=int, default=10, help="at most so many")
    parser.add_argument("--folds", type=int, default=10, help="the first of them")
    parser.add_argument("--again", action="store_true", help="run these anew")
    parser.add_argument("--out", type=Path, metavar="FILE", default=RESULTS)
    args = parser.parse_args()
    sets = args.sets or names(args.data)
    for method, package in missing().items():
        if method in args.methods:
            print(f"{method} is left out: {package} is not installed.")
            args.methods.remove(method)

    # Some folds lack a value; measurements of many values are cut; few rows in a class.
    warnings.simplefilter("ignore")
    methods = {method: ALL[method] for method in args.methods}
    with threadpool_limits(1):
        run(
            sets=sets,
            methods=methods,
            folder=args.data,
            out=args.out,
            most_repeats=args.repeats,
            n_folds=args.folds,
            again=args.again,
        )
    records = read(args.out)
    records = records[records["set"].isin(sets) & (records["repeat"] < args.repeats)]
    report(records, sets)


if __name__ == "__main__":
    main()
