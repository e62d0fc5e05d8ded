"""The experiments of section 6 of Tao & Scott (2004), and what the paper leaves open.

    python -m benchmarks.paper [--quick] [--only figure_1 table_v ...] [--n-jobs 2]
                            [--out DIR] [--plot-only]

Results of single folds and sets are lines of CSV files; what has one is not run again,
so a run can be interrupted. Tables and figures are made of all lines that are there.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import tempfile
from pathlib import Path

from benchmarks.paper import coverage as covers
from benchmarks.paper import distances as apart
from benchmarks.paper import guess_error as guesses
from benchmarks.paper import ladders, plots, tables
from benchmarks.paper import prediction_error as errors
from benchmarks.paper import variations as varied
from benchmarks.paper.protocol import EXACT
from benchmarks.paper.records import Records

RESULTS = Path(__file__).parent / "results"
VOTES = guesses.VOTES

#: Where the lines of each kind of task are, and what runs it.
KINDS = {
    "prediction_error": errors.uci,
    "prediction_error_simulated": errors.monotone,
    "guess_error": guesses.votes,
    "guess_error_simulated": guesses.monotone,
    "chain_counts": ladders.uci,
    "chain_counts_simulated": ladders.monotone,
    "varied_error": varied.run,
    "cut_error": varied.run_cut,
    "distances": apart.run,
    "promised_error": covers.promise,
    "standard_error": covers.error,
}


def tasks_of(name, quick):
    """Return the tasks of an experiment by their kinds; little of each if quick."""

    def less(**options):
        return options if quick else {}

    if name == "table_v":
        some = less(sets=("iris",), samplers=(EXACT, "G"), folds=2)
        return {"prediction_error": errors.table_v(**some)}
    if name == "table_vi":
        some = less(all_steps=(800,), samplers=("G",), scales=("range",), folds=1)
        # To compare with: exact sums, which take no steps.
        exact = [] if quick else errors.table_v((VOTES,), (EXACT,))
        return {"prediction_error": errors.table_vi(**some) + exact}
    if name == "table_vii":
        some = less(all_n=(10,), samplers=(EXACT, "M", "G"), n_sets=2)
        return {"prediction_error_simulated": errors.table_vii(**some)}
    if name == "table_viii":
        some = less(all_n=(10,), n_sets=2)
        return {"chain_counts_simulated": ladders.table_viii(**some)}
    if name == "table_ix":
        some = less(sets=("iris",), folds=1, every=4)
        return {"chain_counts": ladders.table_ix(**some)}
    if name == "figure_1":
        some = less(all_steps=(800,), folds=2, every=200)
        return {"guess_error": guesses.figure_1(**some)}
    if name == "figure_2":
        some = less(all_n=(10, 20), n_sets=1, every=20)
        return {"guess_error_simulated": guesses.figure_2(**some)}
    if name == "ladders":
        some = less(kappas=(1.0, 8.0), folds=2, every=100)
        return {
            "chain_counts": ladders.table_ix((VOTES,), **less(folds=1, every=60)),
            "guess_error": guesses.ladders(**some),
            # These take the longest.
            "prediction_error": [] if quick else errors.ladders(),
        }
    if name == "variations":
        found = varied.tasks(**less(sets=("iris",), folds=1))
        # Once without missing classes, and once with them.
        some = {"folds": 1, "classes": ("make, symboling", "num-of-doors")}
        more = varied.tasks(("auto",), ("class",), **some) if quick else []
        return {"varied_error": found + more}
    if name == "cuts":
        some = less(sets=("iris",), arities=(5,), folds=1)
        return {"cut_error": varied.cut_tasks(**some)}
    if name == "distances":
        some = less(sets=("iris",), alphas=(1.5,), folds=1, every=4)
        return {"distances": apart.tasks(**some)}
    some = less(sums=("iris/1", "house-votes-84/0"), n_runs=5)
    few = less(factors=(10,), samplers=("M", "G"))
    return {
        "promised_error": covers.promises(**some, **less(epsilons=(1.0,))),
        "standard_error": covers.errors(**some, **few),
    }


def _points(*lines):
    return ladders.points(*lines, VOTES)


_COST = "cost", errors.summary_of_cost, "prediction_error"
_LADDERS = "chain_counts", "guess_error", "prediction_error"
_SIMULATED = "chain_counts_simulated", "prediction_error_simulated"
#: Tables of each experiment: what makes them, and of which lines.
TABLES = {
    "table_v": [("table_v", errors.summary_v, "prediction_error"), _COST],
    "table_vi": [("table_vi", errors.summary_vi, "prediction_error"), _COST],
    "table_vii": [("table_vii", errors.summary_vii, "prediction_error_simulated")],
    "table_viii": [("table_viii", ladders.summary_viii, *_SIMULATED)],
    "table_ix": [("table_ix", ladders.summary_ix, "chain_counts", "prediction_error")],
    "figure_1": [
        ("figure_1", guesses.table_1, "guess_error"),
        ("figure_1_pairs", guesses.pairs_1, "guess_error"),
    ],
    "figure_2": [
        ("figure_2", guesses.table_2, "guess_error_simulated"),
        ("figure_2_pairs", guesses.pairs_2, "guess_error_simulated"),
    ],
    "ladders": [("ladders", lambda *of: ladders.summary(_points(*of)), *_LADDERS)],
    "variations": [("variations", varied.summary, "varied_error")],
    "cuts": [("cuts", varied.summary_of_cuts, "cut_error")],
    "distances": [
        ("alpha", apart.summary_of_alpha, "distances"),
        ("theorem_7", apart.summary_of_theorem_7, "distances"),
    ],
    "coverage": [
        ("coverage_promised_error", covers.summary_of_promises, "promised_error"),
        ("coverage_standard_error", covers.summary_of_errors, "standard_error"),
    ],
}


def summarize(name, read, out):
    """Write the tables of an experiment, and its figure if it has one."""
    for table, summary, *kinds in TABLES[name]:
        tables.write(out / f"{table}.csv", *summary(*map(read, kinds)))
    if name == "figure_1" and (rows := guesses.of_figure_1(read("guess_error"))):
        plots.figure_1(rows, out / "figure_1.png")
    if name == "figure_2":
        of_laws = tables.grouped(read("guess_error_simulated"), "law")
        for law, of_law in of_laws.items():
            plots.figure_2(of_law, out / f"figure_2_{law}.png")
    if name == "ladders":
        plots.ladders(_points(*map(read, _LADDERS)), out / "ladders.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="little of each, within two minutes"
    )
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--n-jobs", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, help="where results go; not needed for the full run"
    )
    parser.add_argument(
        "--plot-only", action="store_true", help="tables and figures of what is there"
    )
    args = parser.parse_args()
    out = args.out
    if out is None:
        out = Path(tempfile.mkdtemp(prefix="paper-")) if args.quick else RESULTS

    def read(kind):
        return Records(out / f"{kind}.csv").read()

    for name in [] if args.plot_only else args.only:
        for kind, tasks in tasks_of(name, args.quick).items():
            Records(out / f"{kind}.csv").complete(KINDS[kind], tasks, args.n_jobs)
        summarize(name, read, out)
    # Some tables have cells of experiments that came later.
    for name in args.only:
        summarize(name, read, out)
    print(f"Results are in {out}.")


if __name__ == "__main__":
    main()
