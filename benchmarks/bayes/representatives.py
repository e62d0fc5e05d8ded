"""How many draws a region holds, by dimension, and what representatives predict.

``python -m benchmarks.bayes.representatives --data FOLDER`` prints two tables. One is
of draws from a normal posterior of some numbers of parameters: regions, draws in the
best one, and seconds. The other is of draws of BayesianInteractionClassifier on real
sets, folds as in `comparison`: regions, share of the draws in the best one, and the log
loss of held-out rows by the mean of all draws, by the average of the representatives,
by the best representative, and by single draws, on average. ``--draws``,
``--dimensions``, ``--sets`` and ``--folds`` take others than the default.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import warnings
from time import perf_counter

import numpy as np

from benchmarks.sets import load, splits
from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.summaries import message_from_monte_carlo, representative_draws

SEARCHES = "exhaustive", "sequential"
SETS = (
    *("iris", "breast-cancer", "house-votes-84", "monks-1", "monks-2", "monks-3"),
    *("lymphography", "balance-scale", "glass"),
)


def by_dimension(n_draws, n_parameters):
    """Yield what each search finds in draws from a normal posterior."""
    draws = np.random.default_rng(0).standard_normal((n_draws, n_parameters))
    squares = (draws**2).sum(axis=1)
    divergences = 0.5 * (squares[:, None] + squares) - draws @ draws.T
    divergences = np.maximum(divergences, 0.0)
    np.fill_diagonal(divergences, 0.0)
    for search in SEARCHES:
        began = perf_counter()
        message = message_from_monte_carlo(-0.5 * squares, divergences, search=search)
        yield {
            "parameters": n_parameters,
            "search": search,
            "regions": len(message.regions),
            "best": len(message.regions[0]),
            "seconds": round(perf_counter() - began, 2),
        }


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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=None)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument(
        "--dimensions", type=int, nargs="*", default=[1, 2, 5, 8, 12, 20, 30, 50]
    )
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for n_parameters in options.dimensions:
        for record in by_dimension(options.draws, n_parameters):
            print(json.dumps(record), flush=True)
    for name in options.sets:
        X, y = load(name, options.data, as_frame=True)
        y = np.asarray(y)
        for prior in "cauchy", "normal":
            folds = [
                of_fold(X, y, train, test, prior)
                for train, test in splits(name, y)[: options.folds]
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
