"""Made-up wide tables; `attrs` of data frames have the features of their rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd


def two_rules(seed, n_rows=2000, n_columns=300):
    """Normal columns, two rules of two conditions, and 3 % noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    y = ((X[:, 0] > 0) & (X[:, 1] > 0)) | ((X[:, 2] > 0.8) & (X[:, 3] < 0))
    return framed(X, "v", [(0, 1), (2, 3)]), noisy(y, rng)


def three_conditions(seed, n_rows=5000, n_columns=100):
    """Normal columns, a rule of three conditions, and 3 % noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    y = (X[:, :3] > 0).all(axis=1)
    return framed(X, "v", [(0, 1, 2)]), noisy(y, rng)


def sequences(seed, n_rows=2000, size=4, n_rules=4, n_columns=60):
    """Letters at 60 positions; half of the rows satisfy a rule of `size` letters."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, n_columns))
    rules = [
        (rng.choice(n_columns, size, replace=False), rng.integers(0, 4, size))
        for _ in range(n_rules)
    ]
    for row in np.flatnonzero(rng.random(n_rows) < 0.5):
        places, letters = rules[rng.integers(n_rules)]
        X[row, places] = letters
    y = np.any([(X[:, p] == letters).all(axis=1) for p, letters in rules], axis=0)
    letters = np.array(list("ACGT"), dtype=object)[X]
    return framed(letters, "p", [places for places, _ in rules]), noisy(y, rng)


def framed(X, prefix, rules):
    """Return a data frame that knows the columns of each rule."""
    frame = pd.DataFrame(X).add_prefix(prefix)
    frame.attrs["rules"] = [{f"{prefix}{j}" for j in columns} for columns in rules]
    return frame


def noisy(y, rng):
    """Flip 3 % of the classes."""
    return (y ^ (rng.random(len(y)) < 0.03)).astype(int)
