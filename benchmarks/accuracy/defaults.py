"""The study behind the defaults: settings that differ from them in one thing each.

    python -m benchmarks.accuracy.defaults

Nested cross-validation: of each of three outer folds of a set, the rows to train with
are divided into five inner folds, on which all settings are tried; the one of the least
mean log loss over all sets is then scored on the rows held out, as are the defaults. No
set has settings of its own.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

from benchmarks.sets import LOADERS, load
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

SETTINGS = {
    "defaults": {},
    "alpha 1.05": {"alpha": 1.05},
    "alpha 1.2": {"alpha": 1.2},
    "margin 0.25": {"margin": 0.25},
    "margin 1": {"margin": 1.0},
    "prior 1": {"term_prior": 1.0},
    "last epoch": {"average": False},
    "one against the rest": {"multi_class": "ovr"},
    "5 folds": {"n_folds": 5},
    "no folds, 20 epochs": {"n_folds": None},
    "complements": {"literals": "both"},
    "5 intervals": {"max_intervals": 5},
}


def scores(params, X, y, train, test):
    """Errors and log losses, summed over the rows to test with."""
    params = dict(params)
    discretizer = ClassEntropyDiscretizer(max_intervals=params.pop("max_intervals", 10))
    pipeline = make_pipeline(
        discretizer, DNFWinnowClassifier(random_state=0, **params)
    ).fit(X[train], y[train])
    # A class of few rows may lack among those to train with.
    known = np.isin(y[test], pipeline.classes_)
    X, y = X[test], y[test]
    chances = pipeline.predict_proba(X[known])
    losses = log_loss(y[known], chances, labels=pipeline.classes_, normalize=False)
    return np.sum(pipeline.predict(X) != y), losses


def folds_of(y, n_folds):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class in y has only")
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
        return list(folds.split(np.zeros(len(y)), y))


def main():
    """Print a table of the settings, and what the choice among them comes to."""
    shape = (3, len(LOADERS), len(SETTINGS), 2)
    inner, outer = np.zeros(shape), np.zeros(shape)
    for s, name in enumerate(LOADERS):
        X, y = load(name)
        for f, (train, test) in enumerate(folds_of(y, 3)):
            for c, params in enumerate(SETTINGS.values()):
                outer[f, s, c] = np.divide(scores(params, X, y, train, test), len(test))
                for some, others in folds_of(y[train], 5):
                    inner[f, s, c] += np.divide(
                        scores(params, X, y, train[some], train[others]), len(train)
                    )
    print(f"| setting | {' | '.join(LOADERS)} | mean error, % | log loss |")
    for c, setting in enumerate(SETTINGS):
        errors = 100 * inner[:, :, c, 0].mean(axis=0)
        figures = " | ".join(f"{error:.1f}" for error in errors)
        loss = inner[:, :, c, 1].mean()
        print(f"| {setting} | {figures} | {errors.mean():.2f} | {loss:.3f} |")
    for f in range(3):
        best = inner[f, :, :, 1].mean(axis=0).argmin()
        chosen, default = outer[f].mean(axis=0)[[best, 0]]
        print(
            f"outer fold {f + 1}: {list(SETTINGS)[best]!r} is chosen; error "
            f"{100 * chosen[0]:.2f} % and log loss {chosen[1]:.3f} on rows held out, "
            f"the defaults {100 * default[0]:.2f} % and {default[1]:.3f}"
        )


if __name__ == "__main__":
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn_dnfwinnow")
    main()
