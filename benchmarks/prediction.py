"""Prediction: time per row beside that of a forest, and the sums that bounds spare.

    python benchmarks/prediction.py [CSV CLASS_COLUMN]

Measurements are cut into intervals once, for all rows and both classifiers. Then each
set is split in ten; the first three parts are held out in turn. A classifier with
`max_term_size` as in the table is fitted to the rest, and so is a random forest of 200
trees, on one core both. Times are the best of five calls of `predict`, encoding
included, in the first split; the ratio is that of our time to the forest's. 'Spared' is
the share of (row, class) pairs that bounds settled, of those that are not summed term
by term, all classes together, anyway ('-' if there are none). The last two columns are
the mean test errors. A CSV file, whose missing values are '?', makes one set more.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import time
import warnings
from functools import partial
from itertools import islice

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
    _evaluation,
    datasets,
)

SETS = {
    "iris": (load_iris, [None]),
    "car": (datasets.load_car, [None]),
    "breast-cancer": (datasets.load_breast_cancer_ljubljana, [None]),
    "house-votes-84": (datasets.load_house_votes_84, [3, None]),
    "auto": (datasets.load_auto, [3, 2, None]),
    "annealing": (datasets.load_annealing, [2, None]),
    "tic-tac-toe": (datasets.load_tic_tac_toe, [None]),
    **{f"monks-{k}": (partial(datasets.load_monks, k), [None]) for k in (1, 2, 3)},
}


def best(call, repeats=5):
    """Seconds of the fastest call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def spared(clf, X):
    """Share of sums that are not asked for in predicting some rows."""
    log_sum, asked = _evaluation.log_sum, []

    def counted(*args):
        asked.append(None)
        return log_sum(*args)

    counts = []
    _evaluation.log_sum = counted
    for call in (clf.predict, clf.log_weighted_sums):
        asked.clear()
        call(X)
        counts.append(len(asked))
    _evaluation.log_sum = log_sum
    return f"{100 * (1 - counts[0] / counts[1]):.0f} %" if counts[1] else "-"


def measure(X, y, max_term_size):
    """Time per row, the forest's, what is spared, and both errors."""
    errors, forest_errors = [], []
    discretizer = ClassEntropyDiscretizer().fit(X, y)
    codes = np.asarray(discretizer.transform(X), dtype=object)
    words = np.where(pd.isna(codes), "?", codes).astype(str)
    folds = StratifiedKFold(10, shuffle=True, random_state=0).split(X, y)
    for fold, (train, test) in enumerate(islice(folds, 3)):
        clf = DNFWinnowClassifier(max_term_size=max_term_size, random_state=0)
        clf.fit(codes[train], y[train])
        forest = make_pipeline(
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
            RandomForestClassifier(n_estimators=200, random_state=0),
        ).fit(words[train], y[train])
        errors.append(np.mean(clf.predict(codes[test]) != y[test]))
        forest_errors.append(np.mean(forest.predict(words[test]) != y[test]))
        if fold == 0:
            ours = best(partial(clf.predict, codes[test])) / len(test)
            theirs = best(partial(forest.predict, words[test])) / len(test)
            share = spared(clf, codes[test])
    return ours, theirs, share, np.mean(errors), np.mean(forest_errors)


def from_csv(path, target, **kwargs):
    """A table of categories in a file."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=["?"])
    y = frame.pop(target).to_numpy()
    return frame.astype(object).where(frame.notna(), None).to_numpy(), y


def main():
    warnings.simplefilter("ignore")
    sets = dict(SETS)
    if len(sys.argv) > 1:
        sets[sys.argv[1]] = (partial(from_csv, *sys.argv[1:3]), [3, 2])
    print(
        "| set | cap | us a row | forest | ratio | spared | error, % | forest |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |"
    )
    for name, (load, caps) in sets.items():
        X, y = load(return_X_y=True, as_frame=False)
        for cap in caps:
            ours, theirs, share, error, forest_error = measure(X, y, cap)
            print(
                f"| {name} | {cap} | {1e6 * ours:.0f} | {1e6 * theirs:.0f} | "
                f"{ours / theirs:.2f} | {share} | {100 * error:.1f} | "
                f"{100 * forest_error:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
