"""Long streams: time, memory and accuracy by tenth of a stream, bounded or not.

    python -m benchmarks.time.stream  # results/stream.md

`partial_fit` over rows of a random DNF with noise, 10,000 at a time: a million with
``max_stored_examples=500``, then 200,000 without a bound. Accuracy is prequential: on
the first 1,000 rows of each batch, before it is learned; its time is not counted. Times
are those of the processor. The size of the model is that of its pickle. Then the recipe
of the guide, `fit` and then `partial_fit`, on tables of customers, with the accuracy
after each batch.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import time
import warnings

import numpy as np
import pandas as pd

from benchmarks.accuracy.tables import grid
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_customers, make_dnf

N_ROWS, BATCH, N_SCORED, N_TENTHS = 1_000_000, 10_000, 1_000, 10
NOISE = 0.05
# Of tables of customers: seeds, rows of `fit`, of each batch, of all, and for tests.
SEEDS, FIRST, NEXT, LAST, TEST = range(5), 4000, 1000, 20_000, 8000
BOUNDS = (None, 4000, 2000, 1000, 500, 200, 100, 50)


def stream(X, y, max_stored_examples):
    """Print the table of one stream."""
    clf = DNFWinnowClassifier(
        max_term_size=3,
        max_stored_examples=max_stored_examples,
        alpha=1.35,
        random_state=0,
    )
    print(f"\nmax_stored_examples={max_stored_examples}")
    seconds, scores, lines = 0.0, [], []
    for stop in range(BATCH, len(y) + 1, BATCH):
        batch = slice(stop - BATCH, stop)
        if hasattr(clf, "classes_"):
            scored = slice(batch.start, batch.start + N_SCORED)
            scores.append(clf.score(X[scored], y[scored]))
        start = time.process_time()
        clf.partial_fit(X[batch], y[batch], classes=[0, 1])
        seconds += time.process_time() - start
        if stop % (len(y) // N_TENTHS) == 0:
            lines.append(
                [
                    *(f"{stop:,}", f"{1e6 * N_TENTHS * seconds / len(y):.1f}"),
                    f"{len(clf.stored_examples_):,}",
                    f"{len(pickle.dumps(clf)) / 1024:.0f}",
                    f"{np.mean(scores):.4f}",
                ]
            )
            seconds, scores = 0.0, []
    columns = ["rows", "us a row", "updates", "model, KiB", "accuracy"]
    table = pd.DataFrame(lines, columns=columns).set_index("rows")
    print(grid(table, of="rows"), flush=True)


def customers(seed):
    """A stream of customers without identifiers and dates, and a test set."""
    X, y = make_customers(LAST + TEST, random_state=seed)
    X = X.drop(columns=["customer_id", "signup_date"])
    return (X[:LAST], y[:LAST]), (X[LAST:], y[LAST:])


def recipe():
    """Print the accuracy of `fit` and `partial_fit` by their bound."""
    streams = [customers(seed) for seed in SEEDS]
    once = [
        DNFWinnowClassifier(random_state=0).fit(*rows).score(*test)
        for rows, test in streams
    ]
    print(f"\nCustomers; a single fit on all {LAST:,} rows: {np.mean(once):.3f}")
    lines = {}
    for bound in BOUNDS:
        found = [follow(bound, *stream) for stream in streams]
        scores = np.array([of_one for of_one, _ in found])
        lines[str(bound)] = {
            "mean": f"{scores.mean():.3f}",
            "last": f"{scores[:, -1].mean():.3f}",
            "worst": f"{scores.min():.3f}",
            "worst - single fit": f"{(scores.min(axis=1) - once).min():+.3f}",
            "warnings": f"{sum(n for _, n in found)} of {scores.size}",
        }
    print(grid(pd.DataFrame(lines).T, of="max_stored_examples"))


def follow(bound, rows, test):
    """Accuracy after each call, and the number of calls with a warning."""
    X, y = rows
    clf = DNFWinnowClassifier(max_stored_examples=bound, random_state=0)
    scores = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clf.fit(X[:FIRST], y[:FIRST])
        scores.append(clf.score(*test))
        for start in range(FIRST, LAST, NEXT):
            batch = slice(start, start + NEXT)
            clf.partial_fit(X[batch], y[batch])
            scores.append(clf.score(*test))
    return scores, len(caught)


def main():
    X, y = make_dnf(
        n_samples=N_ROWS, n_features=20, n_terms=5, noise=NOISE, random_state=0
    )
    X = X.astype(np.int8)
    print(f"A DNF of 5 terms over 20 attributes of 3 values, {NOISE:.0%} noise")
    # Warnings of a limit that may be too small are counted in the recipe.
    warnings.simplefilter("ignore", UserWarning)
    stream(X, y, 500)
    stream(X[:200_000], y[:200_000], None)
    recipe()


if __name__ == "__main__":
    main()
