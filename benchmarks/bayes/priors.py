"""Log loss and time to converge by prior, on tables of at most 400 rows.

``python -m benchmarks.bayes.priors --data FOLDER --records FILE`` fits the first fold
of each set (at most 400 training rows, all or 1,000 test rows), with each prior of
``--priors``, and writes log loss, seconds of the processor, sweeps, R-hat and effective
samples, a line each. ``--max-time`` ends a fit. ``logistic`` among them is a logistic
regression on one-hot columns with C by inner folds. ``--report`` prints a table of the
records, and for each set the prior that is best on all other sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import warnings
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegressionCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from benchmarks.sets import LOADERS, OTHERS, load, splits
from sklearn_dnfwinnow import BayesianInteractionClassifier, ClassEntropyDiscretizer

MOST_ROWS, MOST_TESTED = 400, 1000
PRIORS = {
    "normal": {"prior": "normal"},
    "cauchy": {"prior": "cauchy"},
    "normal-half_cauchy": {"prior": "normal", "hyperprior": "half_cauchy"},
    "normal-wide": {"prior": "normal", "scale": 3.0},
}


def logistic():
    """Return logistic regression on one-hot columns."""
    return make_pipeline(
        ClassEntropyDiscretizer(selection="quantiles", max_intervals=8),
        OneHotEncoder(handle_unknown="ignore"),
        LogisticRegressionCV(
            Cs=np.logspace(-3, 2, 6), cv=3, scoring="neg_log_loss", max_iter=500
        ),
    )


def fold_of(name, folder):
    """Return the rows to train with and to test with of the first fold."""
    X, y = load(name, folder, as_frame=True)
    y = np.asarray(y)
    train, test = splits(name, y)[0]
    random = np.random.default_rng(0)
    train = np.sort(random.permutation(train)[:MOST_ROWS])
    test = np.sort(random.permutation(test)[:MOST_TESTED])
    # Classes that are not among the training rows have no probability.
    test = test[np.isin(y[test], y[train])]
    return X.iloc[train], y[train], X.iloc[test], y[test]


def log_loss(model, X, y):
    """Return the mean log loss of a fitted model."""
    places = np.searchsorted(model.classes_, y)
    proba = model.predict_proba(X)[np.arange(len(y)), places]
    return float(-np.log(np.maximum(proba, 1e-15)).mean())


def record_of(name, prior, options):
    """Return a record of a fit."""
    X, y, X_test, y_test = fold_of(name, options.data)
    model = logistic()
    if prior in PRIORS:
        model = BayesianInteractionClassifier(
            random_state=0, max_time=options.max_time, **PRIORS[prior]
        )
    began = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
        seconds = process_time() - began
        found = {"log_loss": log_loss(model, X_test, y_test)}
    if prior in PRIORS:
        convergence = model._model.convergence
        found |= {
            "sweeps": model.n_sweeps_,
            "r_hat": convergence.worst,
            "ess": convergence.fewest,
            "converged": convergence.reached(model),
            "groups": model.n_groups_,
        }
    return {"set": name, "prior": prior, "rows": len(y), "seconds": seconds, **found}


def report(records):
    """Print tables of the records."""
    losses = records.pivot(index="set", columns="prior", values="log_loss").dropna()
    bayesian = [prior for prior in losses if prior in PRIORS]
    seconds = records.pivot(index="set", columns="prior", values="seconds")
    ended = records.pivot(index="set", columns="prior", values="converged")
    table = pd.concat(
        {
            "log loss": losses,
            "seconds": seconds[bayesian],
            "converged": ended[bayesian],
        },
        axis=1,
    )
    print(table.round(3).to_string())
    print(losses.mean().round(4).to_string())
    print("converged:", ended[bayesian].sum().to_dict())
    chosen = [losses[bayesian].drop(name).mean().idxmin() for name in losses.index]
    print("chosen on the other sets:", pd.Series(chosen).value_counts().to_dict())
    if "logistic" in losses:
        for prior in bayesian:
            n_better = int((losses[prior] < losses["logistic"]).sum())
            print(f"{prior}: better than logistic on {n_better} of {len(losses)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=None)
    parser.add_argument("--records", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", default=[*LOADERS, *OTHERS])
    parser.add_argument("--priors", nargs="+", default=["logistic", *PRIORS])
    parser.add_argument("--max-time", type=float, default=30.0)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    if not options.report:
        for name in options.sets:
            for prior in options.priors:
                record = record_of(name, prior, options)
                with options.records.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(record) + "\n")
    report(pd.read_json(options.records, lines=True))


if __name__ == "__main__":
    main()
