"""Made-up tables, and whether scores fall where they must not."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd

# Sums are of floats in some order.
ROUNDING = 1e-9


def made_up_table(random):
    """Return a table, labels, parameters, and what to vary.

    Parameters
    ----------
    random : RandomState

    Returns
    -------
    X : DataFrame
    y : ndarray
    parameters : dict
        Of DNFWinnowClassifier, `monotonic_cst` among them.
    grids : list of (column, numbers, class of sign 1, class of sign -1)
    """
    n, n_columns = random.randint(20, 60), random.randint(1, 4)
    kinds = random.randint(0, 3, n_columns)
    columns = {
        f"x{j}": [
            random.standard_normal(n).round(2),
            random.randint(0, 5, n),
            random.randint(-20, 20, n).astype(float),
        ][kind]
        for j, kind in enumerate(kinds)
    }
    names = list(columns)
    columns["kind"] = random.choice(["a", "b", "c"], n)
    X = pd.DataFrame(columns)
    score = sum(random.normal() * X[name] / (1 + X[name].std()) for name in names)
    score = score + random.normal(size=n) + (X["kind"] == "a")
    n_classes = random.choice([2, 2, 3])
    edges = np.quantile(score, np.arange(1, n_classes) / n_classes)
    y = np.array(["low", "mid", "top"])[[0, 2] if n_classes == 2 else [0, 1, 2]]
    y = y[np.searchsorted(edges, score)]
    if random.uniform() < 0.3:
        X[names[0]] = X[names[0]].astype(float).mask(random.uniform(size=n) < 0.1)
    chosen = [name for name in names if random.uniform() < 0.7] or names[:1]
    monotone, grids = {}, []
    for name in chosen:
        sign = int(random.choice([-1, 1]))
        up, down = ("top", "low") if sign > 0 else ("low", "top")
        monotone[name] = {up: 1, down: -1}
        low, high = np.nanmin(X[name]), np.nanmax(X[name])
        numbers = np.linspace(low - 1, high + 1, 23)
        grids.append((name, np.union1d(numbers, X[name].dropna()), up, down))
    if n_classes == 2 and random.uniform() < 0.5:
        monotone = {name: signs["top"] for name, signs in monotone.items()}
    parameters = {
        "monotonic_cst": monotone,
        "literals": random.choice(["auto", "equal", "ordered", "intervals"]),
        **random.choice([{}, {"margin": 0.5}, {"scale": 30.0}]),
        "multi_class": random.choice(["joint", "ovr"]),
        "max_term_size": int(random.randint(1, 4)),
        "cv": [None, None, None, 2][random.randint(4)],
        "max_iter": 4,
        "average": bool(random.randint(2)),
    }
    return X, y, parameters, grids


def falls(clf, X, grids):
    """Return where a score falls that must not: column, number, and by how much."""
    found = []
    for name, numbers, up, down in grids:
        a, b = (clf.classes_.tolist().index(class_) for class_ in (up, down))
        for i in range(0, len(X), max(1, len(X) // 5)):
            rows = X.iloc[[i] * len(numbers)].assign(**{name: numbers})
            sums = clf.log_weighted_sums(rows)
            steps = np.diff(sums[:, a] - sums[:, b])
            bound = ROUNDING * (1 + np.abs(sums).max())
            found += [
                (name, float(numbers[place]), float(steps[place]))
                for place in np.flatnonzero(steps < -bound)
            ]
    return found
