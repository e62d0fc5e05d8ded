"""Importances of features beside permutation importance, on all data sets.

    python -m benchmarks.reading.importances [--data FOLDER] [--only SETS]

Each set is split once: 70 % of the rows train, and up to 300 of the others measure. For
each set: the rank correlation (Spearman) of the mean absolute Shapley values with the
permutation importance of log loss on the same rows, ten permutations. What
results/importances.jsonl has is not run again.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr
from sklearn.inspection import permutation_importance
from sklearn.metrics import log_loss, make_scorer
from sklearn.model_selection import train_test_split

from benchmarks.accuracy.records import complete, read
from benchmarks.sets import load, names
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.inspection import shapley_values

RESULTS = Path(__file__).parent / "results" / "importances.jsonl"
MOST_ROWS, N_PERMUTATIONS = 300, 20


def of_set(name, folder):
    """Measure one set."""
    X, y = load(name, folder)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
    # The log loss needs labels that occur in training.
    kept = np.flatnonzero(np.isin(y_test, y))[:MOST_ROWS]
    X_test, y_test = X_test.iloc[kept], np.asarray(y_test)[kept]
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    start = time.process_time()
    found = shapley_values(clf, X_test, n_permutations=N_PERMUTATIONS)
    seconds = time.process_time() - start
    scoring = make_scorer(
        log_loss,
        response_method="predict_proba",
        greater_is_better=False,
        labels=clf.classes_,
    )
    expected = permutation_importance(
        clf, X_test, y_test, scoring=scoring, n_repeats=10, random_state=0
    ).importances_mean
    return {
        "features": X.shape[1],
        "classes": len(clf.classes_),
        "exact": bool(not found.std_errors.any()),
        "ms a row": 1e3 * seconds / len(kept),
        "relative": float(spearmanr(found.feature_importances(), expected)[0]),
    }


def main():
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER")
    parser.add_argument("--only", nargs="+")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    sets = arguments.only or names(arguments.data)
    wanted = [(name,) for name in sets]
    complete(RESULTS, ["set"], wanted, lambda name: of_set(name, arguments.data))
    print(read(RESULTS, ["set"])["relative"].mean())


if __name__ == "__main__":
    main()
