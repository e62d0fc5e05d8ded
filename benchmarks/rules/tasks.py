"""Tasks: a table, its classes, and five folds.

Each set has the task 'one': one class against the rest, see `sets.target_of`. Sets of
several classes have the task 'all', too. Folds are stratified; the MONK's problems have
the split that they come with.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from benchmarks.sets import load, splits, target_of

KINDS = ("one", "all")
REST = "(rest)"


@dataclass(frozen=True)
class Task:
    """A table with labels; `target` is the class that rules are for, None for all."""

    name: str
    kind: str
    X: pd.DataFrame
    y: np.ndarray
    target: Any

    def folds(self):
        """Return rows to train with and rows to test with, five times."""
        if self.name.startswith("monks"):
            return splits(self.name, self.y)
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        return list(folds.split(np.zeros(len(self.y)), self.y))


def task(name, kind, folder=None):
    """Return the task of a set, None if the set has two classes and no task 'all'."""
    X, y = load(name, folder)
    y = np.asarray(y).astype(str).astype(object)
    X = X.reset_index(drop=True).set_axis(X.columns.map(str), axis=1)
    classes = np.unique(y)
    if kind == "all":
        return Task(name, kind, X, y, None) if len(classes) > 2 else None
    target = target_of(name, y)
    if len(classes) > 2:
        y = np.where(y == target, target, REST).astype(object)
    return Task(name, kind, X, y, target)
