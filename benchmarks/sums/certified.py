"""Certified sums: training with them and with all sums in full.

    python -m benchmarks.sums.certified [--mushroom FILE] [sets ...]

One fold of each set (a tenth held out), terms of any size, 20 epochs, sampler 'exact':
seconds of the whole of `fit`, with every sum in full and with certificates; how many
sums were made in full, brought up to date, and skipped; whether both made the same
updates; and the test error. One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings

import numpy as np

from benchmarks.sets import fold, names
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._winnow._weights import _weights
from sklearn_dnfwinnow._winnow._weights._certified_weights import CertifiedWeights
from sklearn_dnfwinnow._winnow._weights._implicit_weights import ImplicitWeights


def fit(kind, X, y):
    """A fitted classifier whose sums are made by a kind of weights, and seconds."""
    _weights.CertifiedWeights = kind
    settings = DNFWinnowClassifier.paper_settings()
    clf = DNFWinnowClassifier(sampler="exact", random_state=0, **settings)
    start = time.perf_counter()
    clf.fit(X, y)
    return clf, time.perf_counter() - start


def model(clf):
    return clf.updates_.tolist(), clf.exponents_.tolist(), clf.n_mistakes_.tolist()


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--mushroom")
    options = parser.parse_args()
    print(
        "| set | in full, s | certified, s | speed-up | full | up to date | skipped "
        "| same updates | test error, % |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in options.sets or names(options.mushroom):
        X, y, X_test, y_test = fold(name, options.mushroom)
        clf, seconds = fit(CertifiedWeights, X, y)
        reference, in_full = fit(ImplicitWeights, X, y)
        n = sum(clf.sums_.values())
        shares = " | ".join(f"{100 * count / n:.0f} %" for count in clf.sums_.values())
        error = 100 * np.mean(clf.predict(X_test) != y_test)
        print(
            f"| {name} | {in_full:.2f} | {seconds:.3f} | {in_full / seconds:.1f} | "
            f"{shares} | {'yes' if model(clf) == model(reference) else 'NO'} | "
            f"{error:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
