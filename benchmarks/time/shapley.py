"""The background of Shapley values: seconds, and the error of the base value.

    python -m benchmarks.time.shapley

Random DNFs of two classes and terms of up to two literals: seconds of the processor of
the first call after training, which solves the games of the background. Then the
standard error of the base value from 256 of 2,000 rows, a root mean square over ten
data sets, beside the standard deviation of the log-odds.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import time
import warnings

import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_dnf
from sklearn_dnfwinnow.inspection import shapley_values


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


def standard_error():
    """Print the standard error of the base value, and the spread of the log-odds."""
    errors, spreads = [], []
    for seed in range(10):
        X, y = make_dnf(2000, 8, n_terms=5, noise=0.1, random_state=seed)
        clf = DNFWinnowClassifier(random_state=0, cv=None).fit(X, y)
        log_odds = clf.scale_ * clf.decision_function(X)
        base = shapley_values(clf, X[:1]).base_values[0]
        errors.append(base - log_odds.mean())
        spreads.append(log_odds.std())
    error = np.sqrt(np.mean(np.square(errors)))
    print(f"\nbase value: {error:.2g}; log-odds: {np.mean(spreads):.2g}")


def main():
    """Measure and print."""
    warnings.simplefilter("ignore")
    seconds_of_first_calls()
    standard_error()


if __name__ == "__main__":
    main()
