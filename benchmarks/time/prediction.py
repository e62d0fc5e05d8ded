"""Prediction: time per row beside that of a forest.

    python -m benchmarks.time.prediction [--data FOLDER]

The first three folds of `python -m benchmarks.accuracy` are held out in turn. A
classifier with default parameters, for some sets also one without a cap, and a random
forest of 200 trees are fitted to the rest, on one core all. Times are the best of five
calls of `predict`, encoding included, in the first fold. The last two columns are the
mean test errors. The last set is a made-up one, for its many updates.

A second table is about models that are trained by residuals, in which nearly all rows
are updates: milliseconds of `predict` for one row, and of the scores of many rows whose
codes are drawn at random, by tables of terms and, behind the arrow, from the updates.
'First' is the first call, which makes the tables.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from copy import deepcopy
from functools import partial
from unittest import mock

import numpy as np

from benchmarks.accuracy.peers import METHODS
from benchmarks.sets import load, names, splits
from benchmarks.timing import best
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._winnow import _sums as _term_sums
from sklearn_dnfwinnow.datasets import make_dnf

# Sets and caps of models that are trained by residuals.
RESIDUALS = {
    "car": (None, 3),
    "house-votes-84": (3,),
    "iris": (3,),
    "auto": (2,),
    "wide DNF": (2, 3),
}


def measure(name, folder, max_term_size):
    """Print the line of one set, and return its ratio."""
    X, y = load(name, folder, as_frame=True)
    errors = []
    for fold, (train, test) in enumerate(splits(name, y)[:3]):
        clf = DNFWinnowClassifier(max_term_size=max_term_size, random_state=0)
        clf.fit(X.iloc[train], y[train])
        trees = METHODS["forest"](0).fit(X.iloc[train], y[train])
        held_out = X.iloc[test]
        if fold == 0:
            ours = best(partial(clf.predict, held_out)) / len(test)
            theirs = best(partial(trees.predict, held_out)) / len(test)
        predicted = clf.predict(held_out), trees.predict(held_out)
        errors.append([np.mean(labels != y[test]) for labels in predicted])
    error, their_error = 100 * np.mean(errors, axis=0)
    print(
        f"| {name} | {clf.max_term_size_ or 'none'} | {1e6 * ours:.0f} | "
        f"{1e6 * theirs:.0f} | {ours / theirs:.2f} | {error:.1f} | "
        f"{their_error:.1f} |",
        flush=True,
    )
    return ours / theirs


def measure_residuals(name, max_term_size, n_rows=20_000):
    """Print the line of a model that is trained by residuals."""
    X, y = make_dnf(3196, 36, random_state=0) if name == "wide DNF" else load(name)
    X = np.asarray(X, dtype=object)
    clf = DNFWinnowClassifier(
        scale=30.0, max_term_size=max_term_size, cv=None, random_state=0
    )
    clf.fit(X, y)
    random = np.random.RandomState(0)
    n_values = clf._table_model().encoding.n_values
    codes = random.randint(n_values + 1, size=(n_rows, len(n_values)))
    codes = distinct_rows(codes.astype(np.int32))[0]
    cells = []
    for most in (_term_sums._MOST_TERMS, 0):
        with mock.patch.object(_term_sums, "_MOST_TERMS", most):
            twin = deepcopy(clf)
            one = partial(twin.predict, X[:1])
            many = partial(twin._table_model().log_scores, codes)
            times = best(one, repeats=1), best(one), best(many)
        cells.append([f"{1e3 * seconds:.2f}" for seconds in times])
    pairs = " | ".join(map(" <- ".join, zip(*cells)))
    print(
        f"| {name} | {clf.max_term_size_ or 'none'} | {len(clf.stored_examples_)} "
        f"| {pairs} | {len(codes)} |",
        flush=True,
    )


def main():
    """Print the table, and the median ratio of default parameters."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", help="more sets, see `sets`")
    folder = parser.parse_args().data
    warnings.simplefilter("ignore")
    print(
        "| set | cap | us a row | forest | ratio | error, % | forest, % |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |"
    )
    ratios = [measure(name, folder, "auto") for name in names(folder)]
    for name in ("house-votes-84", "auto", "annealing"):
        measure(name, folder, None)
    measure("DNF", folder, "auto")
    print(f"\nRatio: median {np.median(ratios):.3f}, largest {max(ratios):.3f}.\n")
    print(
        "| set | cap | updates | first, ms | one row, ms | many, ms | rows |\n"
        "| --- | --- | --- | --- | --- | --- | --- |"
    )
    for name, caps in RESIDUALS.items():
        for max_term_size in caps:
            measure_residuals(name, max_term_size)


if __name__ == "__main__":
    main()
