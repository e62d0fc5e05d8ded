"""Rare classes: what class weights, cuts and thresholds change; a table of customers.

    python -m benchmarks.reading.rare_classes  # results/rare_classes.md

Training sets of `make_customers` with about 1.2 % fraud, three seeds each, and test
sets of 30,000 rows: average precision (AP), precision and recall of the predictions and
of `to_dnf`, and the number of its rules; rules of `DNFClassifier` for three weights of
the rare class. A random forest and the truth stand beside them: its probabilities give
the best average precision, its rules the best formula.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score, precision_score, recall_score
from sklearn.model_selection import TunedThresholdClassifierCV

from benchmarks.accuracy.tables import grid
from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFClassifier,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.datasets import make_customers
from sklearn_dnfwinnow.inspection import to_dnf

SIZES, N_TEST, SEEDS = (4000, 20_000), 30_000, range(3)
WEIGHTS = 1, 3, 10
COLUMNS = ["AP", "precision", "recall", "rules: precision", "rules: recall", "number"]
MDL = ClassEntropyDiscretizer(selection="mdl")
SETTINGS = {
    "default": {},
    "balanced": {"class_weight": "balanced"},
    "mdl": {"discretizer": MDL},
    "balanced, mdl": {"class_weight": "balanced", "discretizer": MDL},
}


def precision_and_recall(y, predicted):
    """Both as a pair; precision is 0 if nothing is predicted."""
    return precision_score(y, predicted, zero_division=0), recall_score(y, predicted)


def numbers(X):
    """The table for a forest: a column for each category."""
    return pd.get_dummies(X).astype(float).fillna(-1.0)


def measure(n_rows, seed):
    """Yield the name of a method and its measures, on one table."""
    X, y, truth = make_customers(
        n_rows + N_TEST, target="fraud", random_state=seed, return_truth=True
    )
    X = X.drop(columns=["customer_id", "signup_date"])
    known, new = slice(n_rows), slice(n_rows, None)
    best = truth.proba[new, 1]
    rules = precision_and_recall(y[new], best > 0.5)
    n_rules = truth.formula.count(" or") + 1
    yield "truth", average_precision_score(y[new], best), *rules, *rules, n_rules
    Z = numbers(X)
    forest = RandomForestClassifier(200, random_state=0).fit(Z[known], y[known])
    ap = average_precision_score(y[new], forest.predict_proba(Z[new])[:, 1])
    of_forest = precision_and_recall(y[new], forest.predict(Z[new]))
    yield "forest of 200", ap, *of_forest, np.nan, np.nan, np.nan
    for name, params in SETTINGS.items():
        clf = DNFWinnowClassifier(random_state=0, **params).fit(X[known], y[known])
        ap = average_precision_score(y[new], clf.predict_proba(X[new])[:, 1])
        found = precision_and_recall(y[new], clf.predict(X[new]))
        dnf = to_dnf(clf, 1, X=X[known], y=y[known])
        rules = precision_and_recall(y[new], dnf.holds(X[new]))
        yield name, ap, *found, *rules, len(dnf.terms)
        if "balanced" not in name:
            tuned = TunedThresholdClassifierCV(
                clf, scoring="f1", cv=3, random_state=0
            ).fit(X[known], y[known])
            found = precision_and_recall(y[new], tuned.predict(X[new]))
            yield f"{name}, threshold for F1", ap, *found, *rules, len(dnf.terms)
    for weight in WEIGHTS:
        learner = DNFClassifier(class_of_interest=1, miss_cost=weight, random_state=0)
        found = learner.fit(X[known], y[known])
        rules = precision_and_recall(y[new], found.predict(X[new]))
        n_rules = sum(len(dnf.terms) for dnf in found.dnfs_)
        yield f"rules, weight {weight}", np.nan, np.nan, np.nan, *rules, n_rules


def main():
    warnings.simplefilter("ignore", UserWarning)
    for n_rows in SIZES:
        print(f"\n{n_rows:,} rows, means of {len(SEEDS)} seeds")
        records = pd.DataFrame(row for seed in SEEDS for row in measure(n_rows, seed))
        means = records.set_index(0).set_axis(COLUMNS, axis=1)
        means = means.groupby(level=0, sort=False).mean()
        print(grid(means.map("{:.2f}".format).replace("nan", ""), of="method"))


if __name__ == "__main__":
    main()
