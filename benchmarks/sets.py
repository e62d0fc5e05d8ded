"""The real data sets of the benchmarks: categories, and measurements in intervals.

The mushroom set does not come with the package; benchmarks that take it have an option
``--mushroom`` for its file: a CSV file, compressed or not, whose column ``class`` is
the class and whose missing values are ``?``.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

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
)

LOADERS = {
    "iris": lambda **options: load_iris(return_X_y=True),
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


def load(name, mushroom=None):
    """X, y of a set: objects, None where missing."""
    if name == "mushroom":
        frame = pd.read_csv(
            mushroom, keep_default_na=False, na_values=["?"], dtype=object
        )
        y = frame.pop("class").to_numpy()
        return frame.where(frame.notna(), None).to_numpy(), y
    return LOADERS[name](return_X_y=True, as_frame=False)


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
