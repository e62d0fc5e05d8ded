"""Merged classifiers: parts of the rows, together, and as an ensemble.

    python -m benchmarks.accuracy.merging [--data FOLDER] [--sets car] [--folds 5]

Columns are cut with the training rows, all of them; a stratified half, quarter and
eighth of the rows is a part. Settings are those that folds of the first part chose,
with epochs and a scale of its own for each part. Means over folds of ten, or seeds of a
split, of error and log loss: of one classifier of all rows with the same settings, of
`merge` by the mean and by the sum of exponents, of the mean of the parts'
probabilities, and of the parts on average. Sets with a class of fewer rows than twice
the parts are left out.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from benchmarks.sets import load, names, splits
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier, merge

N_PARTS = 2, 4, 8


def figures(probabilities, classes, y):
    """Return the error in percent, and the log loss."""
    error = 100 * np.mean(classes[probabilities.argmax(axis=1)] != y)
    return error, log_loss(y, probabilities, labels=classes)


def compare(X, y, train, test, *, n_parts, seed):
    """Return figures by method."""
    discretizer = ClassEntropyDiscretizer().set_output(transform="pandas")
    discretizer.fit(X.iloc[train], y[train])
    codes = discretizer.transform(X)
    folds = StratifiedKFold(n_parts, shuffle=True, random_state=seed)
    parts = [train[part] for _, part in folds.split(train, y[train])]

    def fit(rows, **settings):
        settings = {"discretizer": None, "random_state": seed, **settings}
        return DNFWinnowClassifier(**settings).fit(codes.iloc[rows], y[rows])

    first = fit(parts[0], screening=None, literal_weight=X.shape[1] ** -0.5)
    fixed = {**first.fitted_params(), "cv": "auto", "max_iter": "auto"}
    models = [fit(rows, **fixed) for rows in parts]
    rows, classes, expected = codes.iloc[test], models[0].classes_, y[test]
    of_parts = [model.predict_proba(rows) for model in models]
    found = {
        "together": fit(train, **fixed).predict_proba(rows),
        "mean": merge(models).predict_proba(rows),
        "sum": merge(models, how="sum").predict_proba(rows),
        "ensemble": np.mean(of_parts, axis=0),
    }
    found = {name: figures(p, classes, expected) for name, p in found.items()}
    each = [figures(p, classes, expected) for p in of_parts]
    return {**found, "parts": tuple(np.mean(each, axis=0))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER")
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--folds", type=int, default=5)
    args = parser.parse_args()
    records = []
    for name in args.sets or names(args.data):
        X, y = load(name, args.data)
        some = splits(name, y)
        some = some * args.folds if len(some) == 1 else some[: args.folds]
        fewest = np.unique(y[some[0][0]], return_counts=True)[1].min()
        for n_parts in N_PARTS:
            for seed, split in enumerate(some if fewest >= 2 * n_parts else []):
                found = compare(X, y, *split, n_parts=n_parts, seed=seed)
                records += [(n_parts, name, method, *v) for method, v in found.items()]
        print(name, flush=True)
    table = pd.DataFrame(records, columns=["parts", "set", "method", "error", "loss"])
    means = table.drop(columns="set").groupby(["parts", "method"], sort=False).mean()
    print(means.unstack("method").round(3).to_string())


if __name__ == "__main__":
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()
