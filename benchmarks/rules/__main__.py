"""Error against literals: rule sets of ours, beside those of other methods and trees.

    python -m benchmarks.rules --data FOLDER [--sets kr-vs-kp] [--kinds one all]
    [--methods RIPPER FIGS] [--sizes default 8] [--limit 120] [--again] [--out FILE]
    [--only-tables]

Five folds, see `tasks`; methods and their sizes are those of `methods`, and what a
literal of a tree is says `leaves`. Each fit is a process with a limit of time, see
`trials`; after a fit without a result, the other folds of this size are not run. Each
fit is one line of the file, with the version of its package; what the file has is not
run again unless `--again` says so. The tables (CSV files beside the file, see `tables`)
and pictures (`frontiers_one.png`, `frontiers_all.png`) are of all that the file has.

The peers need ``pip install -r benchmarks/rules/requirements.txt``; methods whose
package is not installed are left out. One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.accuracy.records import read, write
from benchmarks.rules.frontiers import draw
from benchmarks.rules.methods import METHODS
from benchmarks.rules.tables import report
from benchmarks.rules.tasks import KINDS, task
from benchmarks.rules.trials import LIMIT, trial
from benchmarks.sets import names

RESULTS = Path(__file__).parent / "results" / "rules.jsonl"
KEY = ["set", "kind", "method", "size", "fold"]
# Sets on the front page: rules of categories, and of numbers.
FRONT = ["tic-tac-toe", "kr-vs-kp", "mushroom", "vehicle"]


def run(tasks, methods, out, sizes=None, limit=LIMIT, again=False):
    """Measure what is not yet in the file, of some sizes or all."""
    records = read(out, KEY)
    done = (
        {}
        if again
        else dict(
            zip(records[KEY].itertuples(index=False, name=None), records["status"])
        )
    )
    for one in tasks:
        n_folds = len(one.folds())
        for name, method in methods.items():
            if one.kind not in method.kinds:
                continue
            for size in method.sizes:
                if sizes and str(size) not in sizes:
                    continue
                sums = []
                for fold in range(n_folds):
                    key = (one.name, one.kind, name, str(size), fold)
                    status = done.get(key)
                    if status is None:
                        found = trial(method, size, one, fold, limit)
                        record = dict(zip(KEY, key)) | found
                        write(out, record | {"version": method.version()})
                        sums.append(found)
                        status = found["status"]
                    if status != "done":
                        break
                if sums:
                    print(one.name, one.kind, name, size, said(sums), flush=True)


def said(sums):
    """Return a text for the figures of some folds."""
    good = [found for found in sums if found["status"] == "done"]
    if len(good) < len(sums):
        return sums[-1]["status"]
    rows, errors, seconds = (
        sum(found[field] for found in good) for field in ("rows", "errors", "fit_s")
    )
    literals = [found["literals"] for found in good if found["literals"] is not None]
    mean = f"{sum(literals) / len(good):.1f} literals" if literals else "no size"
    return f"{100 * errors / rows:.1f} %, {mean}, {seconds / len(good):.2f} s"


def main():
    """Measure, print the tables, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", help="more sets, see `sets`")
    parser.add_argument("--sets", nargs="+", choices=names("all"))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--sizes", nargs="+", help="such as default, 8; or all")
    parser.add_argument("--limit", type=int, default=LIMIT, help="seconds for a fit")
    parser.add_argument("--again", action="store_true", help="run these anew")
    parser.add_argument("--out", type=Path, metavar="FILE", default=RESULTS)
    parser.add_argument("--only-tables", action="store_true", help="measure nothing")
    args = parser.parse_args()
    methods = {name: METHODS[name] for name in args.methods}
    # Modules are imported here, before a process measures its seconds.
    for name in [name for name, method in methods.items() if not method.version()]:
        print(f"{name} is left out: {methods.pop(name).module} is not installed.")
    if not args.only_tables:
        sets = args.sets or names(args.data)
        tasks = [task(name, kind, args.data) for name in sets for kind in args.kinds]
        with threadpool_limits(1):
            run(
                tasks=[one for one in tasks if one is not None],
                methods=methods,
                out=args.out,
                sizes=args.sizes,
                limit=args.limit,
                again=args.again,
            )
    records = read(args.out, KEY)
    report(records, args.out.parent)
    for kind in set(records["kind"]):
        draw(records, kind, args.out.with_name(f"frontiers_{kind}.png"))
    draw(records, "one", args.out.with_name("frontiers_front.png"), sets=FRONT)


if __name__ == "__main__":
    main()
