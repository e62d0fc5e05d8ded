"""The background of Shapley values: seconds, and standard errors by number of rows.

    python -m benchmarks.time.shapley

Random DNFs of two classes and terms of up to two literals: seconds of the processor of
the first call after training, which solves the games of the background. Then standard
errors of the base value and of the mean values, by the number of background rows, as
root mean squares over ten data sets of 2,000 rows, beside the standard deviation of the
log-odds and the root mean square of the values.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import time
import warnings

import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow.datasets import make_dnf
from sklearn_dnfwinnow.inspection import shapley_values
from sklearn_dnfwinnow.inspection._attribute_game import Scores, game_values


def seconds_of_first_calls():
    """Print seconds by number of features."""
    print("\n| attributes | background rows | seconds of the first call |")
    print("| ---: | ---: | ---: |")
    for n in (8, 12, 16, 18, 20, 25, 50):
        X, y = make_dnf(2000, n, n_terms=5, noise=0.1, random_state=0)
        clf = DNFWinnowClassifier(
            random_state=0, cv=None, max_iter=5, max_term_size=2
        ).fit(X, y)
        seconds = []
        for _ in range(2):
            start = time.process_time()
            shapley_values(clf, X[:1])
            seconds.append(time.process_time() - start)
        n_rows = max(32, min(256, 2**24 >> n))
        print(f"| {n} | {n_rows} | {seconds[0] - seconds[1]:.2f} |", flush=True)


def standard_errors():
    """Print standard errors by number of background rows."""
    print("\n| background rows | of the base value | of values |")
    print("| ---: | ---: | ---: |")
    errors = {n_rows: [] for n_rows in (32, 64, 128, 256)}
    sizes = []
    for seed in range(10):
        X, y = make_dnf(2000, 8, n_terms=5, noise=0.1, random_state=seed)
        clf = DNFWinnowClassifier(random_state=0, cv=None).fit(X, y)
        model, weights = clf._table_model(), np.array([-1.0, 1.0])
        codes = model.encoding.encode_table(X, clf)
        games = [game_values(model, row, Scores(), n_permutations=4) for row in codes]
        values = np.array([weights @ game.values for game in games])
        log_odds = np.array([weights @ game.payoffs for game in games])
        sizes.append((log_odds.std(), np.sqrt(np.mean((values - values.mean(0)) ** 2))))
        places = {tuple(row): i for i, row in enumerate(codes)}
        every = Background.of_rows(codes, np.ones(len(codes)))
        for n_rows, found in errors.items():
            some = every.thinned(n_rows)
            chosen = [places[tuple(row)] for row in some.codes]
            parts = some.weights / some.weights.sum()
            base = parts @ log_odds[chosen] - log_odds.mean()
            means = parts @ values[chosen] - values.mean(axis=0)
            found.append((base, np.sqrt(np.mean(means**2))))
    for n_rows, found in errors.items():
        base, of_values = np.sqrt(np.mean(np.square(found), axis=0))
        print(f"| {n_rows} | {base:.2g} | {of_values:.2g} |")
    print("log-odds {:.2g}, values {:.2g}".format(*np.mean(sizes, axis=0)))


def main():
    """Measure and print."""
    warnings.simplefilter("ignore")
    seconds_of_first_calls()
    standard_errors()


if __name__ == "__main__":
    main()
