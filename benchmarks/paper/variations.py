"""Variations: what the paper leaves open, one thing at a time, by exact sums."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from benchmarks.paper.protocol import (
    ARITY,
    EXACT,
    MISSING,
    fold_of,
    in_intervals,
    load,
    n_folds,
    sampling,
    winnow,
)
from benchmarks.paper.published import SETS, TABLE_V
from benchmarks.paper.tables import NOTHING, cell, errors, grouped, number
from sklearn_dnfwinnow.datasets import load_auto

_MEASURED = ("iris", "auto", "annealing")
_WITH_GAPS = ("breast-cancer", "house-votes-84", "auto", "annealing")
#: What varies, the values it takes, and the sets that it matters to.
VARIATIONS = {
    "protocol": ((NOTHING,), SETS),
    "order": (("fixed",), SETS),
    "seed": ((1, 2, 3), SETS),
    "alpha": ((1.1, 1.25, 2.0, 3.0, 5.0), SETS),
    "arity": ((2, 3, 10), _MEASURED),
    "missing": (("unspecified", "category", "most_frequent"), _WITH_GAPS),
}
# Sums of annealing take long where '?' is a value.
FOLDS = {"annealing": 3}


def tasks(sets=SETS, names=(*VARIATIONS, "class"), folds=None, classes=None):
    """All variations of some sets; the class of auto may be one of a few."""
    found = [
        {"name": set_, "variation": name, "value": value, "fold_": i}
        for set_ in sets
        for name in names
        if name != "class"
        for value in VARIATIONS[name][0]
        if set_ in VARIATIONS[name][1] and value != _missing(set_, name)
        for i in range(n_folds(set_))[: folds or FOLDS.get(set_)]
    ]
    if "class" in names and "auto" in sets:
        found += [
            {"name": "auto", "variation": "class", "value": value, "fold_": i}
            for value in classes or classes_of_auto()
            for i in range(len(_of_auto(value)[1]) // 30)[:folds]
        ]
    return found


def _missing(set_, name):
    """The way of the protocol, which is no variation."""
    return MISSING.get(set_, "unspecified") if name == "missing" else None


def classes_of_auto():
    """Each nominal column as the class, with symboling as an attribute or without."""
    X, _ = load("auto")
    nominal = [
        name
        for name, column in zip(load_auto(as_frame=False).feature_names, X.T)
        if any(isinstance(value, str) for value in column)
    ]
    return [value for name in nominal for value in (name, f"{name}, symboling")]


def _of_auto(value):
    """auto with another class: rows where it is missing leave."""
    X, symboling = load("auto")
    name = value.removesuffix(", symboling")
    j = load_auto(as_frame=False).feature_names.index(name)
    X, y = np.delete(X, j, axis=1), X[:, j]
    if value != name:
        X = np.column_stack([X, symboling.astype(object)])
    known = np.array([label is not None for label in y])
    return X[known], y[known].astype(str)


def run(name, variation, value, fold_):
    """One fold of a set, where one thing differs from the protocol."""
    rows = _of_auto(value) if variation == "class" else load(name)
    seed = value if variation == "seed" else 0
    X, y, X_test, y_test = fold_of(*rows, fold_, seed)
    arity = value if variation == "arity" else ARITY
    X, X_test = in_intervals(X, y, X_test, arity)
    params = {"missing": MISSING.get(name, "unspecified"), "sampler": sampling(EXACT)}
    if variation in ("alpha", "missing"):
        params[variation] = value
    model = winnow(**params).set_params(random_state=seed)
    if variation == "order":
        _fit_sorted(model, X, y)
    else:
        model.fit(X, y)
    return {
        "error": round(1 - model.score(X_test, y_test), 6),
        "n_iter": model.n_iter_,
        "n_examples": int(np.abs(model.net_promotion_counts_).sum()),
    }


def _fit_sorted(model, X, y):
    """Train epochs in the order of the values, without shuffling."""
    keys = [[(value is not None, value) for value in row] for row in X.tolist()]
    order = sorted(range(len(y)), key=lambda i: (keys[i], y[i]))
    for _ in range(model.max_iter):
        model.partial_fit(X[order], y[order], classes=np.unique(y))
        if not model.n_updates_[-1].any():
            break


#: Section 5.1 sorts values "over all examples": perhaps those to test with, too.
CUTS = "in the folds", "before the folds"
CUT_ARITIES, CUT_ALPHAS = (3, 5, 10), (1.5, 2.0, 3.0)


def cut_tasks(sets=("iris", "auto"), arities=CUT_ARITIES, folds=None):
    """Measurements cut in the folds or before them, by arity and alpha."""
    return [
        {"name": name, "alpha": alpha, "cuts": cuts, "arity": arity, "fold_": i}
        for name in sets
        for alpha in CUT_ALPHAS
        for cuts in CUTS
        for arity in arities
        for i in range(n_folds(name))[:folds]
    ]


def run_cut(name, alpha, cuts, arity, fold_):
    """One fold of a set, whose measurements all rows may have cut."""
    X, y = load(name)
    before = cuts == CUTS[1]
    if before:
        X, _ = in_intervals(X, y, X, arity)
    X, y, X_test, y_test = fold_of(X, y, fold_)
    if not before:
        X, X_test = in_intervals(X, y, X_test, arity)
    model = winnow(sampling(EXACT), alpha=alpha).fit(X, y)
    return {"error": round(1 - model.score(X_test, y_test), 6)}


def summary_of_cuts(rows):
    """A line a set, an alpha and a way of cutting, a column an arity."""
    header = ("set", "alpha", "cut", *(f"{arity} intervals" for arity in CUT_ARITIES))
    found = grouped(rows, "name", "alpha", "cuts", "arity")
    lines = grouped(rows, "name", "alpha", "cuts")
    return (*header, "paper"), [
        (
            *(name, f"{alpha:g}", cuts),
            *(cell(errors(found[name, alpha, cuts, arity])) for arity in CUT_ARITIES),
            _range(name),
        )
        for name, alpha, cuts in lines
    ]


def summary(rows):
    """Means of folds beside the range of the paper's samplers: header and rows."""
    header = ("set", "what differs", "value", "error, %", "paper, %", "folds")
    names = (*VARIATIONS, "class")
    # Lines come as they were run.
    rows = sorted(
        rows,
        key=lambda row: (SETS.index(row["name"]), names.index(row["variation"])),
    )
    return header, [
        (*key, cell(errors(of_value)), _range(key[0]), len(of_value))
        for key, of_value in grouped(rows, "name", "variation", "value").items()
    ]


def _range(name):
    """From the least to the largest mean of Table V."""
    means = [pair[0] for (set_, _), pair in TABLE_V.items() if set_ == name and pair]
    return f"{number(min(means))} to {number(max(means))}"
