"""Log loss and time to converge by prior, on tables of at most 400 rows.

    python -m benchmarks.bayes.priors --data FOLDER [--sets iris] [--priors normal]
    [--max-time 30] [--report]

The first fold of each set (at most 400 training rows, all or 1,000 test rows), with
each prior: log loss, seconds of the processor, sweeps, R-hat and effective samples.
``logistic`` is a logistic regression on one-hot columns with C by inner folds. What
results/priors.jsonl has is not run again; `--report` runs nothing.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from functools import partial
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from benchmarks.accuracy.records import complete, read
from benchmarks.accuracy.tables import grid
from benchmarks.sets import LOADERS, OTHERS, load, splits
from sklearn_dnfwinnow import BayesianInteractionClassifier, ClassEntropyDiscretizer

RESULTS, KEY = Path(__file__).parent / "results" / "priors.jsonl", ["set", "prior"]
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


def figures(name, prior, options):
    """Return the figures of a fit."""
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
        proba = model.predict_proba(X_test)
    found = {"log_loss": log_loss(y_test, proba, labels=model.classes_)}
    if prior in PRIORS:
        convergence = model._model.convergence
        found |= {
            "sweeps": model.n_sweeps_,
            "r_hat": convergence.worst,
            "ess": convergence.fewest,
            "converged": convergence.reached(model),
            "groups": model.n_groups_,
        }
    return {"rows": len(y), "seconds": seconds, **found}


def report(records):
    """Print how each prior stands on the sets that all of them were fitted to."""
    fields = ["log_loss", "seconds", "converged"]
    losses, seconds, agree = (
        records.pivot(index="set", columns="prior", values=field) for field in fields
    )
    losses = losses.dropna()
    table = pd.DataFrame(
        {
            "log loss": losses.mean().map("{:.3f}".format),
            "lower than logistic on": losses.lt(losses["logistic"], axis=0).sum(),
            "sets that agree": agree.fillna(False).sum(),
            "median seconds": seconds.median().map("{:.1f}".format),
        }
    )
    print(grid(table, of="prior"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER")
    parser.add_argument("--sets", nargs="+", default=[*LOADERS, *OTHERS])
    parser.add_argument("--priors", nargs="+", default=["logistic", *PRIORS])
    parser.add_argument("--max-time", type=float, default=30.0)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    wanted = [] if options.report else product(options.sets, options.priors)
    complete(RESULTS, KEY, wanted, partial(figures, options=options))
    report(read(RESULTS, KEY))


if __name__ == "__main__":
    main()
