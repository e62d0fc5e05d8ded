"""Compiled epochs: training by exact sums with them, and with one call for each sum.

    python -m benchmarks.time.compiled_epochs [--mushroom FILE] [sets ...]

One fold of each set (a tenth held out), terms of any size, 20 epochs, sampler 'exact',
classes one by one: seconds of the whole of `fit`, and how many sums were skipped. One
core. Both must make the same updates.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings

from benchmarks.sets import fold, names
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._winnow._weights import _weights
from sklearn_dnfwinnow._winnow._weights._implicit_weights import ImplicitWeights
from sklearn_dnfwinnow._winnow._weights._superset_weights import SupersetWeights


def fit(kind, X, y):
    """A classifier fitted with one kind of weights, and seconds."""
    _weights.SupersetWeights = kind
    settings = DNFWinnowClassifier.paper_settings()
    clf = DNFWinnowClassifier(sampler="exact", random_state=0, **settings)
    start = time.perf_counter()
    clf.fit(X, y)
    return clf, time.perf_counter() - start


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--mushroom")
    options = parser.parse_args()
    print("| set | single calls, s | compiled, s | speed-up | skipped |")
    print("| --- | --- | --- | --- | --- |")
    for name in options.sets or names(options.mushroom):
        X, y, _, _ = fold(name, options.mushroom)
        clf, seconds = fit(SupersetWeights, X, y)
        reference, in_single_calls = fit(ImplicitWeights, X, y)
        assert clf.updates_.tolist() == reference.updates_.tolist()
        assert clf.exponents_.tolist() == reference.exponents_.tolist()
        skipped = clf.sums_["skipped"] / sum(clf.sums_.values())
        print(
            f"| {name} | {in_single_calls:.2f} | {seconds:.3f} | "
            f"{in_single_calls / seconds:.1f} | {skipped:.0%} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
