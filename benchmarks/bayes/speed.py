"""Seconds of the Bayesian classifier until its chains agree, with all defaults.

    python -m benchmarks.bayes.speed

Tables of three values whose class follows a noisy rule of three columns: seconds of the
processor, and sweeps, for three seeds.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from time import process_time

import numpy as np

from sklearn_dnfwinnow import BayesianInteractionClassifier


def main():
    """Measure and print."""
    for n_rows, n_columns in (300, 6), (600, 10):
        for seed in range(3):
            random = np.random.default_rng(seed)
            X = random.integers(3, size=(n_rows, n_columns))
            y = ((X[:, 0] == 1) & (X[:, 1] != 2)) | (X[:, 2] == 0)
            y = np.where(random.random(n_rows) < 0.15, ~y, y)
            began = process_time()
            clf = BayesianInteractionClassifier(random_state=seed).fit(X, y)
            seconds = process_time() - began
            size = f"{n_rows} rows, {n_columns} columns"
            print(f"{size}: {seconds:.1f} s, {clf.n_sweeps_} sweeps", flush=True)


if __name__ == "__main__":
    main()
