"""What representatives of posterior draws predict.

    python -m benchmarks.bayes.representatives [--data FOLDER] [--sets iris]

Draws of BayesianInteractionClassifier on five folds of real sets: regions, share of the
draws in the best one, and the log loss of held-out rows by the mean of all draws, by
the average of the representatives, by the best representative, and by single draws, on
average; by both searches.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import warnings

import numpy as np

from benchmarks.sets import load, splits
from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.summaries import representative_draws

SEARCHES = "exhaustive", "sequential"
SETS = (
    *("iris", "breast-cancer", "house-votes-84", "monks-1", "monks-2", "monks-3"),
    *("lymphography", "balance-scale", "glass"),
)


def log_losses(probabilities, places):
    """Return the log loss of each row: of shape (..., n_rows)."""
    chosen = probabilities[..., np.arange(len(places)), places]
    return -np.log(np.maximum(chosen, 1e-15))


def of_fold(X, y, train, test, prior):
    """Return, by search, what one fold has to show, and its log losses."""
    clf = BayesianInteractionClassifier(prior=prior, random_state=0)
    clf.fit(X.iloc[train], y[train])
    test = test[np.isin(y[test], clf.classes_)]
    places = np.searchsorted(clf.classes_, y[test])
    draws = clf.sample_proba(X.iloc[test])
    found = {}
    for search in SEARCHES:
        message = representative_draws(clf, search=search)
        chosen = draws[message.representatives]
        average = np.tensordot(message.weights, chosen, axes=1)
        found[search] = {
            "regions": len(message.regions),
            "best": len(message.regions[0]) / len(draws),
            "all": log_losses(draws.mean(axis=0), places).mean(),
            "average": log_losses(average, places).mean(),
            "representative": log_losses(chosen[0], places).mean(),
            "single": log_losses(draws, places).mean(),
        }
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER")
    parser.add_argument("--sets", nargs="*", default=SETS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.sets:
        X, y = load(name, options.data)
        y = np.asarray(y)
        for prior in "cauchy", "normal":
            folds = [
                of_fold(X, y, train, test, prior) for train, test in splits(name, y)[:5]
            ]
            for search in SEARCHES:
                means = {
                    key: round(float(np.mean([fold[search][key] for fold in folds])), 3)
                    for key in folds[0][search]
                }
                record = {"set": name, "prior": prior, "search": search, **means}
                print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
