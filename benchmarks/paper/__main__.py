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
from dataclasses import dataclass
from pathlib import Path

from benchmarks.paper import (
    coverage,
    distances,
    guess_error,
    ladders,
    plots,
    prediction_error,
    tables,
    variations,
)
from benchmarks.paper.protocol import EXACT
from benchmarks.paper.records import Records

RESULTS = Path(__file__).parent / "results"

#: Where the lines of each kind of task are, and what runs it.
KINDS = {
    "prediction_error": prediction_error.uci,
    "prediction_error_simulated": prediction_error.monotone,
    "guess_error": guess_error.votes,
    "guess_error_simulated": guess_error.monotone,
    "chain_counts": ladders.uci,
    "chain_counts_simulated": ladders.monotone,
    "varied_error": variations.run,
    "cut_error": variations.run_cut,
    "distances": distances.run,
    "promised_error": coverage.promise,
    "standard_error": coverage.error,
}


@dataclass
class Experiments:
    """What each experiment runs: by its name, tasks of some kinds."""

    quick: bool

    def tasks(self, name):
        """The tasks of an experiment, as pairs of a kind and a list."""
        return getattr(self, name)()

    def table_v(self):
        tasks = prediction_error.table_v(
            **self._if_quick(sets=("iris",), samplers=(EXACT, "G"), folds=2)
        )
        return [("prediction_error", tasks)]

    def table_vi(self):
        quick = self._if_quick(
            all_steps=(800,), samplers=("G",), scales=("range",), folds=1
        )
        tasks = prediction_error.table_vi(**quick)
        if not self.quick:
            # To compare with: exact sums, which take no steps.
            tasks += prediction_error.table_v(("house-votes-84",), (EXACT,))
        return [("prediction_error", tasks)]

    def table_vii(self):
        quick = self._if_quick(all_n=(10,), samplers=(EXACT, "M", "G"), n_sets=2)
        return [("prediction_error_simulated", prediction_error.table_vii(**quick))]

    def table_viii(self):
        quick = self._if_quick(all_n=(10,), n_sets=2)
        return [("chain_counts_simulated", ladders.table_viii(**quick))]

    def table_ix(self):
        quick = self._if_quick(sets=("iris",), folds=1, every=4)
        return [("chain_counts", ladders.table_ix(**quick))]

    def figure_1(self):
        quick = self._if_quick(all_steps=(800,), folds=2, every=200)
        return [("guess_error", guess_error.figure_1(**quick))]

    def figure_2(self):
        quick = self._if_quick(all_n=(10, 20), n_sets=1, every=20)
        return [("guess_error_simulated", guess_error.figure_2(**quick))]

    def ladders(self):
        votes = ("house-votes-84",)
        # These take the longest.
        errors = [] if self.quick else prediction_error.ladders()
        guesses = guess_error.ladders(
            **self._if_quick(kappas=(1.0, 8.0), folds=2, every=100)
        )
        counts = ladders.table_ix(votes, **self._if_quick(folds=1, every=60))
        return [
            ("chain_counts", counts),
            ("guess_error", guesses),
            ("prediction_error", errors),
        ]

    def variations(self):
        tasks = variations.tasks(**self._if_quick(sets=("iris",), folds=1))
        if self.quick:
            # Once without missing classes, and once with them.
            classes = "make, symboling", "num-of-doors"
            tasks += variations.tasks(("auto",), ("class",), folds=1, classes=classes)
        return [("varied_error", tasks)]

    def cuts(self):
        quick = self._if_quick(sets=("iris",), arities=(5,), folds=1)
        return [("cut_error", variations.cut_tasks(**quick))]

    def distances(self):
        quick = self._if_quick(sets=("iris",), alphas=(1.5,), folds=1, every=4)
        return [("distances", distances.tasks(**quick))]

    def coverage(self):
        less = self._if_quick(sums=("iris/1", "house-votes-84/0"), n_runs=5)
        promises = coverage.promises(**less, **self._if_quick(epsilons=(1.0,)))
        errors = coverage.errors(
            **less, **self._if_quick(factors=(10,), samplers=("M", "G"))
        )
        return [("promised_error", promises), ("standard_error", errors)]

    def _if_quick(self, **less):
        return less if self.quick else {}


NAMES = (
    *("table_v", "table_vi", "table_vii", "table_viii", "table_ix"),
    *("figure_1", "figure_2", "ladders", "variations", "cuts", "distances"),
    "coverage",
)

#: Experiments with several tables: records, the table, and what makes it.
SEVERAL = {
    "coverage": (
        ("promised_error", "coverage_promised_error", coverage.summary_of_promises),
        ("standard_error", "coverage_standard_error", coverage.summary_of_errors),
    ),
    "distances": (
        ("distances", "alpha", distances.summary_of_alpha),
        ("distances", "theorem_7", distances.summary_of_theorem_7),
    ),
}


def summarize(name, read, out):
    """The table of an experiment, and its figure if it has one, of what there is."""
    if name in SEVERAL:
        for kind, table, summary in SEVERAL[name]:
            tables.write(out / f"{table}.csv", *summary(read(kind)))
        return
    header, lines = _summary(name, read)
    tables.write(out / f"{name}.csv", header, lines)
    if name == "figure_1":
        rows = guess_error.of_figure_1(read("guess_error"))
        tables.write(
            out / "figure_1_pairs.csv", *guess_error.pairs(rows, "fold_", "effort")
        )
        if rows:
            plots.figure_1(rows, out / "figure_1.png")
    if name == "figure_2":
        rows = read("guess_error_simulated")
        tables.write(
            out / "figure_2_pairs.csv", *guess_error.pairs(rows, "set_", "law", "n")
        )
        for law, of_law in tables.grouped(rows, "law").items():
            plots.figure_2(of_law, out / f"figure_2_{law}.png")
    if name == "ladders":
        plots.ladders(_points(read), out / "ladders.png")
    if name in ("table_v", "table_vi"):
        header, lines = prediction_error.summary_of_cost(read("prediction_error"))
        tables.write(out / "cost.csv", header, lines)


def _summary(name, read):
    if name in ("table_v", "table_vi"):
        summary = getattr(prediction_error, name.replace("table", "summary"))
        return summary(read("prediction_error"))
    if name == "table_vii":
        return prediction_error.summary_vii(read("prediction_error_simulated"))
    if name == "table_viii":
        return ladders.summary_viii(
            read("chain_counts_simulated"), read("prediction_error_simulated")
        )
    if name == "table_ix":
        return ladders.summary_ix(read("chain_counts"), read("prediction_error"))
    if name == "figure_1":
        return guess_error.table_1(read("guess_error"))
    if name == "figure_2":
        return guess_error.table_2(read("guess_error_simulated"))
    if name == "ladders":
        return ladders.summary(_points(read))
    if name == "cuts":
        return variations.summary_of_cuts(read("cut_error"))
    return variations.summary(read("varied_error"))


def _points(read):
    lines = read("chain_counts"), read("guess_error"), read("prediction_error")
    return ladders.points(*lines, "house-votes-84")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="little of each, within two minutes"
    )
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
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

    experiments = Experiments(args.quick)
    for name in args.only:
        if not args.plot_only:
            for kind, tasks in experiments.tasks(name):
                records = Records(out / f"{kind}.csv")
                records.complete(KINDS[kind], tasks, args.n_jobs)
        summarize(name, read, out)
    if not args.plot_only:
        # Some tables have cells of experiments that came later.
        for name in args.only:
            summarize(name, read, out)
    print(f"Results are in {out}.")


if __name__ == "__main__":
    main()
