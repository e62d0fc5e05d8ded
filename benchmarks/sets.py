"""The real data sets of the benchmarks: categories, and measurements in intervals.

The mushroom set does not come with the package; benchmarks that take it have an option
``--mushroom`` for its file: a CSV file, compressed or not, whose column ``class`` is
the class and whose missing values are ``?``.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from functools import partial

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold

from sklearn_dnfwinnow import ClassEntropyDiscretizer
from sklearn_dnfwinnow.datasets import (
    load_annealing,
    load_auto,
    load_breast_cancer_ljubljana,
    load_car,
    load_house_votes_84,
    load_monks,
    load_tic_tac_toe,
    make_dnf,
)

LOADERS = {
    "iris": load_iris,
    "car": load_car,
    "breast-cancer": load_breast_cancer_ljubljana,
    "house-votes-84": load_house_votes_84,
    "auto": load_auto,
    "annealing": load_annealing,
    "tic-tac-toe": load_tic_tac_toe,
    "monks-1": partial(load_monks, 1),
    "monks-2": partial(load_monks, 2),
    "monks-3": partial(load_monks, 3),
}


def load(name, mushroom=None, as_frame=False):
    """X, y of a set: objects, None where missing; or a data frame, NaN there.

    'DNF' is no real one: 20,000 rows of eight attributes, for what takes many updates.
    """
    if name == "DNF":
        X, y = make_dnf(20_000, 8, n_values=10, term_size=2, noise=0.1, random_state=0)
        X = X.astype(str).astype(object)
        return (pd.DataFrame(X) if as_frame else X), y
    if name == "mushroom":
        frame = pd.read_csv(
            mushroom, keep_default_na=False, na_values=["?"], dtype=object
        )
        y = frame.pop("class").to_numpy()
        if as_frame:
            return frame, y
        return frame.where(frame.notna(), None).to_numpy(), y
    X, y = LOADERS[name](return_X_y=True, as_frame=as_frame)
    return X, np.asarray(y)


def names(mushroom=None):
    """The sets there are."""
    return [*LOADERS, *(["mushroom"] if mushroom else [])]


def fold(name, mushroom=None):
    """One fold of ten: X and y to train with, X and y to test with.

    Cut points come from the training rows.
    """
    X, y = load(name, mushroom)
    train, test = next(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    discretizer = ClassEntropyDiscretizer().fit(X[train], y[train])
    X = np.asarray(discretizer.transform(X), dtype=object)
    return X[train], y[train], X[test], y[test]


def splits(name, y, random_state=0):
    """Rows to train with, rows to test with: ten folds, or the split a set comes with.

    The MONK's problems come with one; their training rows are the first.
    """
    if name.startswith("monks"):
        n_train = len(LOADERS[name](subset="train", return_X_y=True)[1])
        return [tuple(np.split(np.arange(len(y)), [n_train]))]
    folds = StratifiedKFold(10, shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        # A class may have fewer than ten rows, as '-2' of auto has, and lack in folds.
        warnings.filterwarnings("ignore", "The least populated class in y has only")
        return list(folds.split(np.zeros(len(y)), y))
