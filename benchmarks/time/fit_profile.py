"""Where the time of a fit goes, and what two threads are worth.

    python -m benchmarks.time.fit_profile [--data FOLDER]

One fold of house-votes-84, car and mushroom, default parameters, one core: milliseconds
of each step of `fit`, the best of several fits. Beside the epochs, what they must cost:
the terms of the sums that are made and of the updates, gathered from a table in the
same run by NumPy (`take` of int16, without the powers and without the sum). Then the
whole fit with one thread and with two, of a larger table too; each thread takes a class
at a time.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings
from contextlib import contextmanager

import numpy as np

from benchmarks.sets import fold
from sklearn_dnfwinnow import DNFWinnowClassifier, _classifier
from sklearn_dnfwinnow._terms._term_index import n_subsets
from sklearn_dnfwinnow._winnow import _class_block, _model
from sklearn_dnfwinnow._winnow._class_block import ClassBlock
from sklearn_dnfwinnow.datasets import make_dnf

# Steps in the order of `fit`: what is timed, by where its name is looked up.
STEPS = {
    "check": [(_classifier, "check_table")],
    "encode": [(DNFWinnowClassifier, "_take_in")],
    "merge rows": [(_classifier, "canonical_rows")],
    "index": [(_class_block, "index_to_present")],
    "tables": [(_class_block, "TermTable")],
    "epochs": [(ClassBlock, "present")],
    "gather": [(_model, "union")],
}


@contextmanager
def timed(seconds):
    """Add up the seconds that each step takes."""
    originals = []
    for step, places in STEPS.items():
        for owner, name in places:
            original = getattr(owner, name)
            originals.append((owner, name, original))

            def wrapper(*args, _step=step, _original=original, **kwargs):
                start = time.perf_counter()
                try:
                    return _original(*args, **kwargs)
                finally:
                    seconds[_step] += time.perf_counter() - start

            setattr(owner, name, wrapper)
    try:
        yield
    finally:
        for owner, name, original in originals:
            setattr(owner, name, original)


def fit(X, y, **parameters):
    """A fitted classifier, and seconds."""
    # One training with all rows, of each class on its own.
    clf = DNFWinnowClassifier(random_state=0)
    clf.set_params(**DNFWinnowClassifier.paper_settings())
    clf.set_params(**{"max_term_size": "auto", **parameters})
    start = time.perf_counter()
    clf.fit(X, y)
    return clf, time.perf_counter() - start


def must_cost(clf, X):
    """Seconds that NumPy gathers as many terms in as the epochs have to."""
    n, cap = X.shape[1], clf.max_term_size_ or X.shape[1]
    n_terms = n_subsets(n, cap)
    n_gathers = clf.sums_["full"] + int(clf.n_updates_.sum())
    random = np.random.RandomState(0)
    table = np.zeros(min(4 * n_terms, 1 << 20), dtype=np.int16)
    terms = np.sort(random.randint(len(table), size=n_terms))
    start = time.perf_counter()
    for _ in range(1000):
        table.take(terms)
    return n_gathers * (time.perf_counter() - start) / 1000


def profile(name, X, y, repeats=5):
    """Print the line of one set."""
    best = None
    for _ in range(repeats):
        seconds = dict.fromkeys(STEPS, 0.0)
        with timed(seconds):
            clf, total = fit(X, y)
        if best is None or total < best[0]:
            best = total, seconds
    total, seconds = best
    cells = " | ".join(f"{1000 * s:.1f}" for s in seconds.values())
    rest = 1000 * (total - sum(seconds.values()))
    print(
        f"| {name} | {1000 * total:.1f} | {cells} | {rest:.1f} | "
        f"{1000 * must_cost(clf, X):.1f} |",
        flush=True,
    )


def threads(name, X, y, repeats=3, **parameters):
    """Print what a second thread is worth."""
    best = [
        min(fit(X, y, n_jobs=n_jobs, **parameters)[1] for _ in range(repeats))
        for n_jobs in (1, 2)
    ]
    n_classes = len(np.unique(y))
    print(
        f"| {name} | {len(y)} x {X.shape[1]}, {n_classes} classes | {best[0]:.3f} | "
        f"{best[1]:.3f} | {best[0] / best[1]:.2f} |",
        flush=True,
    )


def main():
    """Print both tables."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", help="more sets, see `sets`")
    path = parser.parse_args().data
    folds = {
        name: fold(name, path)[:2]
        for name in ("house-votes-84", "car", *(["mushroom"] if path else []))
    }
    print(f"| set | fit, ms | {' | '.join(STEPS)} | rest | terms gathered by NumPy |")
    print("| --- |" + " --- |" * (len(STEPS) + 3))
    for name, (X, y) in folds.items():
        profile(name, X, y)
    print("\n| set | rows | 1 thread, s | 2 threads, s | speed-up |")
    print("| --- | --- | --- | --- | --- |")
    for name, (X, y) in folds.items():
        threads(name, X, y)
    X, y = fold("house-votes-84")[:2]
    threads("house-votes-84, exact sums", X, y, sampler="exact")
    for n_classes in (2, 4):
        X, y = make_dnf(100_000, 14, noise=0.05, random_state=0)
        if n_classes == 4:
            y = 2 * y + (X[:, 0] == X[0, 0])
        threads("generated DNF", X, y, repeats=1)


if __name__ == "__main__":
    main()
