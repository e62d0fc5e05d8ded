"""Monotone scores: errors and log losses with a right condition, and without.

    python -m benchmarks.accuracy.monotone [--data FOLDER] [--repeats 20]

Each repeat trains on some rows drawn at random, and tests on all others. Classes are
two, and grades are numbers. 'credit' is made up: labels are logistic in four columns,
and two more are noise. Of it and of 'balance-scale' the conditions are true; of 'car'
they are not quite, as 18 acceptable cars are in no grade better than one that is not. A
difference is that of the condition, less that without, with its standard error over
repeats; below 0 the condition is better.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedShuffleSplit

from benchmarks.sets import load
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_car

GRADES = {
    "buying": ["low", "med", "high", "vhigh"],
    "maint": ["low", "med", "high", "vhigh"],
    "doors": ["2", "3", "4", "5more"],
    "persons": ["2", "4", "more"],
    "lug_boot": ["small", "med", "big"],
    "safety": ["low", "med", "high"],
}
SIZES = 50, 200, 800
CAR = {
    "buying": -1,
    "maint": -1,
    "doors": 1,
    "persons": 1,
    "lug_boot": 1,
    "safety": 1,
}
CREDIT = {"income": 1, "years": 1, "debt": -1, "late": -1}


def car():
    """Whether cars are acceptable, by grades as numbers."""
    X, y = load_car(return_X_y=True, as_frame=True)
    X = X.astype(str).apply(lambda column: column.map(GRADES[column.name].index))
    return X, np.where(y == "unacc", "no", "yes"), CAR


def balance_scale(folder):
    """To which side a scale tips; without ties."""
    X, y = load("balance-scale", folder, as_frame=True)
    X, y = X.astype(float), np.asarray(y)
    signs = dict(zip(X.columns, (-1, -1, 1, 1)))
    return X[y != "B"], y[y != "B"], signs


def credit(n_rows=4000, seed=0):
    """Made-up applications for credit."""
    random = np.random.RandomState(seed)
    X = pd.DataFrame(
        {
            "income": random.lognormal(3.4, 0.5, n_rows).round(1),
            "debt": random.gamma(2.0, 6.0, n_rows).round(1),
            "late": random.poisson(0.7, n_rows),
            "years": random.exponential(6.0, n_rows).round(1),
            "purpose": random.choice(["car", "home", "study"], n_rows),
            "shoe": random.randint(36, 47, n_rows),
        }
    )
    risk = 0.12 * X["debt"] - 0.06 * X["income"] + 0.9 * X["late"] - 0.05 * X["years"]
    y = np.where(risk + random.logistic(size=n_rows) > 0.5, "bad", "good")
    return X, y, CREDIT


def figures(X, y, train, test, **parameters):
    """Return the error in percent, and the log loss."""
    clf = DNFWinnowClassifier(random_state=0, **parameters)
    probabilities = clf.fit(X.iloc[train], y[train]).predict_proba(X.iloc[test])
    predicted = clf.classes_[probabilities.argmax(axis=1)]
    loss = log_loss(y[test], probabilities, labels=clf.classes_)
    return 100 * np.mean(predicted != y[test]), loss


def compare(name, X, y, signs, n_train, n_repeats):
    """Print the figures of a set, for training sets of a size."""
    splits = StratifiedShuffleSplit(n_repeats, train_size=n_train, random_state=0)
    found = np.array(
        [
            [figures(X, y, *split, monotonic_cst=given) for given in (None, signs)]
            for split in splits.split(X, y)
        ]
    )
    differences = found[:, 1] - found[:, 0]
    errors = differences.std(axis=0, ddof=1) / n_repeats**0.5
    free, held = found.mean(axis=0)
    print(
        f"{name:14} {n_train:5} {free[0]:6.2f} {held[0]:6.2f} "
        f"{differences[:, 0].mean():6.2f} ± {errors[0]:.2f} "
        f"{free[1]:7.3f} {held[1]:6.3f} {differences[:, 1].mean():7.3f} ± "
        f"{errors[1]:.3f}",
        flush=True,
    )


def main():
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", help="folder of balance-scale.csv")
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sets = {"car": car(), "credit": credit()}
    if options.data:
        sets["balance-scale"] = balance_scale(options.data)
    print(f"{'set':14} {'rows':>5} {'error':>6}   with  difference  log loss   with")
    for name, (X, y, signs) in sets.items():
        for n_train in SIZES:
            if n_train < len(y) / 1.5:
                compare(name, X, y, signs, n_train, options.repeats)


if __name__ == "__main__":
    main()
