"""The claims of Li and Neal on sequences: groups, time, error and log loss by order.

``python -m benchmarks.bayes.sequences --texts 4 --hidden 4`` takes pieces of the
english text, and sequences of hidden Markov chains, of the paper's sizes: 1,000 windows
to train with and 2,910 to test with. For each order and prior it prints terms, groups,
seconds of `fit`, error and average minus log probability (AMLP), then each claim with
the mean over sequences and its standard error. ``--orders`` and ``--draws`` take others
than the default.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import warnings
from collections import defaultdict
from time import perf_counter

import numpy as np

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_english, make_hidden_markov, make_windows

ORDERS = 0, 1, 2, 3, 5, 7, 10, 15, 20
N_TRAIN, N_TEST = 1000, 2910


def sequences(n_texts, n_hidden):
    """Yield the kind of each sequence, and windows with the symbols after them."""
    length = N_TRAIN + N_TEST + max(ORDERS)
    symbols = load_english(symbols="kinds", merge_other=True)
    for i in range(n_texts):
        start = i * (len(symbols) - length) // max(1, n_texts - 1)
        yield "english", make_windows(symbols[start : start + length], max(ORDERS))
    for seed in range(n_hidden):
        yield (
            "hidden",
            make_hidden_markov(N_TRAIN + N_TEST, order=max(ORDERS), random_state=seed),
        )


def measured(X, y, order, prior, options):
    """Return what one fit has to show."""
    X = X[:, X.shape[1] - max(order, 1) :]
    clf = BayesianInteractionClassifier(
        interactions="nested",
        max_order=order,
        prior=prior,
        n_draws=options.draws,
        burn_in=options.draws,
        random_state=0,
    )
    began = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(X[:N_TRAIN], y[:N_TRAIN])
    seconds = perf_counter() - began
    log_proba = clf.predict_log_proba(X[N_TRAIN:])
    places = np.searchsorted(clf.classes_, y[N_TRAIN:])
    worst = max(
        float(np.nanmax(np.append(values, 1.0))) for values in clf.r_hat_.values()
    )
    return {
        "terms": clf.n_terms_,
        "groups": clf.n_groups_,
        "seconds": round(seconds, 2),
        "error": float(np.mean(log_proba.argmax(axis=1) != places)),
        "amlp": float(-log_proba[np.arange(len(places)), places].mean()),
        "r_hat": round(worst, 3),
    }


def claim(name, differences):
    """Print the mean of some differences, with its standard error."""
    error = np.std(differences, ddof=1) / np.sqrt(len(differences))
    print(f"{name}: {np.mean(differences):+.4f} ± {error:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=4)
    parser.add_argument("--orders", type=int, nargs="+", default=ORDERS)
    parser.add_argument("--draws", type=int, default=200)
    options = parser.parse_args()
    found = defaultdict(dict)
    for i, (kind, (X, y)) in enumerate(sequences(options.texts, options.hidden)):
        for order in options.orders:
            for prior in ("cauchy", "normal"):
                record = measured(X, y, order, prior, options)
                found[kind, i][order, prior] = record
                head = {"kind": kind, "sequence": i, "order": order, "prior": prior}
                print(json.dumps({**head, **record}), flush=True)
    longest = max(options.orders)
    for kind in dict.fromkeys(kind for kind, _ in found):
        of_kind = [records for (k, _), records in found.items() if k == kind]
        for prior in ("cauchy", "normal"):
            for measure in ("amlp", "error"):
                claim(
                    f"{kind}, {prior}: {measure} at order {longest} less the least of "
                    "any order",
                    [
                        r[longest, prior][measure]
                        - min(r[o, prior][measure] for o in options.orders)
                        for r in of_kind
                    ],
                )
        for measure in ("amlp", "error"):
            claim(
                f"{kind}: {measure} of cauchy less that of normal, at order {longest}",
                [
                    r[longest, "cauchy"][measure] - r[longest, "normal"][measure]
                    for r in of_kind
                ],
            )


if __name__ == "__main__":
    main()
