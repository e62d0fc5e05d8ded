"""Seconds of a fit with default parameters, beside those of a forest of 200 trees.

    python -m benchmarks.time.fit [--data FOLDER]

Ten stratified folds, both models fitted to the same nine tenths one after the other, on
one core. Numeric columns are discretized before, which is not counted; turning values
into codes is, for both: the forest gets ordinal ones, missing values as a category.
The ratio is the median over folds. PATH is the file of the mushroom set, see `sets`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from benchmarks.sets import load, names
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow._preprocessing._columns import is_missing


def categories(X, y, train):
    """The table with its numeric columns cut into intervals by the training rows."""
    discretizer = ClassEntropyDiscretizer().fit(X[train], y[train])
    return np.asarray(discretizer.transform(X), dtype=object)


def as_text(X):
    """What the forest's encoder takes."""
    texts = ["?" if is_missing(value) else str(value) for value in X.ravel()]
    return np.array(texts, dtype=object).reshape(X.shape)


def forest():
    """A forest of 200 trees over ordinal codes."""
    return make_pipeline(
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
        RandomForestClassifier(n_estimators=200, random_state=0),
    )


def fitted(model, X, y, train, test):
    """Seconds of a fit, and the test error."""
    start = time.perf_counter()
    model.fit(X[train], y[train])
    seconds = time.perf_counter() - start
    return seconds, np.mean(model.predict(X[test]) != y[test])


def measure(name, path):
    """Print the line of one set, and return its ratio."""
    X, y = load(name, path)
    ours, theirs, cap = [], [], None
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    for train, test in folds.split(X, y):
        table = categories(X, y, train)
        clf = DNFWinnowClassifier(random_state=0)
        ours.append(fitted(clf, table, y, train, test))
        theirs.append(fitted(forest(), as_text(table), y, train, test))
        cap = clf.max_term_size_
    seconds, errors = np.array([ours, theirs]).transpose(2, 0, 1)
    ratio = np.median(seconds[0] / seconds[1])
    times, errors = 1000 * np.median(seconds, axis=1), 100 * errors.mean(axis=1)
    print(
        f"| {name} | {len(train)} x {X.shape[1]} | {cap or 'none'} | {times[0]:.1f} | "
        f"{times[1]:.0f} | {ratio:.3f} | {errors[0]:.1f} | {errors[1]:.1f} |",
        flush=True,
    )
    return ratio


def main():
    """Print the table, and the median ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", help="more sets, see `sets`")
    path = parser.parse_args().data
    # Measurements with many values are cut into intervals; some folds lack a value.
    warnings.simplefilter("ignore")
    print(
        "| set | rows x attributes | cap | fit, ms | forest, ms | ratio | error, % | "
        "forest, % |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    ratios = [measure(name, path) for name in names(path)]
    print(f"\nRatio: median {np.median(ratios):.3f}, largest {max(ratios):.3f}.")


if __name__ == "__main__":
    main()
