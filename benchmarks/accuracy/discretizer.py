"""What the choice of intervals does to three classifiers, beside other binnings.

    python -m benchmarks.accuracy.discretizer [--out CSV] [--folds 10] [--sets iris ...]

Ten stratified folds (random_state 0). Numeric columns are cut by
`ClassEntropyDiscretizer` with each `selection`, at most 5 or 10 intervals, and, for
'max' at 10, at least 2 % of the rows in each; into quantiles or intervals of the same
width; by MDLP (Fayyad & Irani 1993); and by an entropy tree of so many leaves on each
column alone. Missing values stay missing, and other columns pass through. Then
DNFWinnowClassifier; naive Bayes over categories; logistic regression on one-hot
columns. The generated sets have 1000 rows: 'bands', 6 uniform columns, where a class is
to be inside, or outside, intervals of two of them (10 % of labels at random);
'clusters', `make_classification` with 3 classes and 5 informative of 8 columns.

Error and its standard error over rows, log loss, mean number of intervals of a column,
seconds to fit the binning (medians of folds).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder

from benchmarks.accuracy.binnings import Binned, mdlp, quantile, tree, uniform
from benchmarks.sets import load
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

RESULTS = Path(__file__).parent / "results" / "discretizer.csv"
FIELDS = (
    *("set", "classifier", "binning", "max_intervals", "error", "std_error"),
    *("log_loss", "intervals", "seconds"),
)


def bands():
    """Two terms over intervals."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(1000, 6))
    inside = (np.abs(X[:, :4] - 0.5) < 0.27) != [False, True, True, False]
    y = (inside[:, 0] & inside[:, 1]) | (inside[:, 2] & inside[:, 3])
    y = np.where(rng.random(1000) < 0.1, rng.integers(0, 2, 1000), y)
    return pd.DataFrame(X).add_prefix("x"), y.astype(int)


def clusters():
    """Gaussian clusters."""
    X, y = make_classification(
        n_samples=1000,
        n_features=8,
        n_informative=5,
        n_classes=3,
        random_state=0,
        flip_y=0.05,
    )
    return pd.DataFrame(X).add_prefix("x"), y


def table(name):
    """X, a data frame, and y."""
    if name in GENERATED:
        return GENERATED[name]()
    return load(name, as_frame=True)


GENERATED = {"bands": bands, "clusters": clusters}
SETS = ("iris", "auto", "annealing", *GENERATED)


def ours(**parameters):
    """Our discretizer, frame in and frame out."""
    return ClassEntropyDiscretizer(**parameters).set_output(transform="pandas")


def binnings():
    """(name, cap, transformer) of each binning."""
    for cap in (5, 10):
        for selection in ("max", "mdl", "balanced"):
            yield selection, cap, ours(max_intervals=cap, selection=selection)
        yield "quantile", cap, Binned(quantile, cap)
        yield "uniform", cap, Binned(uniform, cap)
        yield "tree", cap, Binned(tree, cap)
    yield "max, 2 %", 10, ours(min_samples_interval=0.02)
    yield "mdlp", "", Binned(mdlp)


def codes():
    """0 for a value that is missing or new, else 1, 2, ..."""
    encoder = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1
    )
    return make_pipeline(encoder, FunctionTransformer(lambda codes: codes + 1))


CLASSIFIERS = {
    "DNFWinnow": lambda: DNFWinnowClassifier(random_state=0),
    "naive Bayes": lambda: make_pipeline(codes(), CategoricalNB()),
    "logistic": lambda: make_pipeline(
        OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=1000)
    ),
}


def outcome(X, y, folds, binning):
    """Rows of results of one binning: of each classifier."""
    y = np.asarray(y)
    classes = np.unique(y)
    wrong = {name: [] for name in CLASSIFIERS}
    losses = {name: [] for name in CLASSIFIERS}
    seconds, intervals = [], []
    for train, test in folds:
        start = time.perf_counter()
        fitted = clone(binning).fit(X.iloc[train], y[train])
        seconds.append(time.perf_counter() - start)
        counts = np.asarray(fitted.n_intervals_)
        intervals.append(counts[counts > 0].mean())
        inside, outside = (
            fitted.transform(X.iloc[train]),
            fitted.transform(X.iloc[test]),
        )
        for name, make in CLASSIFIERS.items():
            model = make().fit(inside, y[train])
            found = np.full((len(test), len(classes)), 1e-12)
            seen = np.searchsorted(classes, model.classes_)
            found[:, seen] = np.maximum(model.predict_proba(outside), 1e-12)
            truth = np.searchsorted(classes, y[test])
            losses[name] += list(-np.log(found[np.arange(len(test)), truth]))
            wrong[name] += list(model.predict(outside) != y[test])
    for name in CLASSIFIERS:
        error = np.mean(wrong[name])
        yield (
            *(
                name,
                error,
                np.sqrt(error * (1 - error) / len(y)),
                np.mean(losses[name]),
            ),
            *(np.mean(intervals), np.median(seconds)),
        )


def main():
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    arguments = parser.parse_args()
    # A class may have fewer than ten rows, as '-2' of auto has.
    warnings.filterwarnings("ignore", "The least populated class in y has only")
    arguments.out.parent.mkdir(exist_ok=True)
    with arguments.out.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(FIELDS)
        for name in arguments.sets:
            X, y = table(name)
            folds = StratifiedKFold(arguments.folds, shuffle=True, random_state=0)
            folds = list(folds.split(X, y))
            for binning, cap, transformer in binnings():
                for row in outcome(X, y, folds, transformer):
                    classifier, error, std_error, loss, intervals, seconds = row
                    writer.writerow(
                        [name, classifier, binning, cap]
                        + [f"{error:.4f}", f"{std_error:.4f}", f"{loss:.4f}"]
                        + [f"{intervals:.2f}", f"{seconds:.4f}"]
                    )
                    print(
                        f"{name:<10} {classifier:<12} {binning:<9} {cap!s:>2} "
                        f"{100 * error:5.1f} ± {100 * std_error:.1f} %  {loss:.3f}  "
                        f"{intervals:4.1f} intervals  {seconds:.3f} s",
                        flush=True,
                    )
                file.flush()


if __name__ == "__main__":
    main()
