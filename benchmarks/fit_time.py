"""Seconds of a fit with default parameters, beside those of a forest of 200 trees.

    python benchmarks/fit_time.py [--mushroom PATH]

Ten stratified folds, both models fitted to the same nine tenths one after the other, on
one core. Numeric columns are discretized before, which is not counted; turning values
into codes is, for both: the forest gets ordinal ones, missing values as a category.
The ratio is the median over folds. PATH is a CSV file of the mushroom set with the
column 'class' and '?' for a missing value.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import gzip
import time
import warnings
from functools import partial

import numpy as np
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier, datasets
from sklearn_dnfwinnow._columns import columns_of, is_missing, is_numeric

SETS = {
    "iris": load_iris,
    "car": datasets.load_car,
    "breast-cancer": datasets.load_breast_cancer_ljubljana,
    "house-votes-84": datasets.load_house_votes_84,
    "auto": datasets.load_auto,
    "annealing": datasets.load_annealing,
    "tic-tac-toe": datasets.load_tic_tac_toe,
    "monks-1": partial(datasets.load_monks, 1),
    "monks-2": partial(datasets.load_monks, 2),
    "monks-3": partial(datasets.load_monks, 3),
}


def load_mushroom(path):
    """Attributes and classes from a file."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        rows = list(csv.DictReader(file))
    y = np.array([row.pop("class") for row in rows])
    X = np.array([list(row.values()) for row in rows], dtype=object)
    X[X == "?"] = None
    return X, y


def load(name, path):
    """Attributes and classes, as arrays."""
    if name == "mushroom":
        return load_mushroom(path)
    X, y = SETS[name](return_X_y=True, as_frame=False)
    return np.asarray(X, dtype=object), np.asarray(y)


def categories(X, y, train):
    """The table with its numeric columns cut into intervals by the training rows."""
    numeric = [j for j, column in enumerate(columns_of(X)) if is_numeric(column)]
    discretizer = ClassEntropyDiscretizer(columns=numeric).fit(X[train], y[train])
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
    parser.add_argument("--mushroom", metavar="PATH", help="its file, if there is one")
    path = parser.parse_args().mushroom
    # Measurements with many values are cut into intervals; some folds lack a value.
    warnings.simplefilter("ignore")
    print(
        "| set | rows x attributes | cap | fit, ms | forest, ms | ratio | error, % | "
        "forest, % |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    ratios = [measure(name, path) for name in [*SETS, *(["mushroom"] if path else [])]]
    print(f"\nRatio: median {np.median(ratios):.3f}, largest {max(ratios):.3f}.")


if __name__ == "__main__":
    main()
