"""The claims of Li and Neal on sequences: groups, time, error and log loss by order.

    python -m benchmarks.bayes.sequences [--orders 1 2] [--hyperpriors half_t]
    [--r-hat 1.1] [--seconds 200] [--judge]

Three pieces of the english text, and three sequences of hidden Markov chains, of the
paper's sizes: 1,000 windows to train with and 2,910 to test with. For each order, prior
and hyperprior results/sequences.jsonl has terms, groups, seconds of `fit`, error,
average minus log probability (AMLP) and the largest R-hat. Chains get longer until
R-hat is at most ``--r-hat``, or a fit would take more than ``--seconds``. What is there
is not run again, and ``--judge`` runs nothing. Then a table is printed, and of each
claim the mean over sequences, its standard error, and the largest R-hat behind it.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.accuracy.records import read, write
from benchmarks.bayes.generators import (
    kinds_of_letters,
    make_hidden_markov,
    make_windows,
)
from sklearn_dnfwinnow import BayesianInteractionClassifier

RESULTS = Path(__file__).parent / "results" / "sequences.jsonl"
ORDERS = 0, 1, 2, 3, 5, 10, 20
N_TRAIN, N_TEST, LONGEST = 1000, 2910, 20
SETTING = ["kind", "order", "prior", "hyperprior", "scale"]
KEY = ["sequence", *SETTING]
KINDS, N_SEQUENCES, PRIORS = ("english", "hidden"), 3, ("cauchy", "normal")
# Draws of each chain, and the most sweeps.
N_DRAWS, MOST_SWEEPS = 250, 20_000


def sequence(kind, i):
    """Return the windows of a sequence and the symbols after them."""
    if kind == "hidden":
        return make_hidden_markov(N_TRAIN + N_TEST, LONGEST, seed=i)
    length = N_TRAIN + N_TEST + LONGEST
    symbols = kinds_of_letters()
    start = i * (len(symbols) - length) // (N_SEQUENCES - 1)
    return make_windows(symbols[start : start + length], LONGEST)


def fitted(X, y, setting, options):
    """Return a classifier whose chains agree or are as long as allowed, and seconds."""
    clf = BayesianInteractionClassifier(
        interactions="nested",
        max_order=setting["order"],
        prior=setting["prior"],
        hyperprior=setting["hyperprior"],
        scale=setting["scale"],
        n_draws=N_DRAWS,
        max_rhat=options.r_hat,
        max_sweeps=MOST_SWEEPS,
        max_time=options.seconds,
        random_state=0,
    )
    began = process_time()
    clf.fit(X, y)
    return clf, process_time() - began


def r_hat(clf):
    """Return the largest R-hat; that of constants is not a number."""
    return float(np.nanmax(np.hstack([*clf.r_hat_.values(), 1.0])))


def measured(X, y, setting, options):
    """Return what one fit has to show."""
    X = X[:, X.shape[1] - max(setting["order"], 1) :]
    clf, seconds = fitted(X[:N_TRAIN], y[:N_TRAIN], setting, options)
    log_proba = clf.predict_log_proba(X[N_TRAIN:])
    places = np.searchsorted(clf.classes_, y[N_TRAIN:])
    return {
        "terms": clf.n_terms_,
        "groups": clf.n_groups_,
        "sweeps": clf.n_sweeps_,
        "seconds": round(seconds, 2),
        "error": round(float(np.mean(log_proba.argmax(axis=1) != places)), 5),
        "amlp": round(float(-log_proba[np.arange(len(places)), places].mean()), 5),
        "r_hat": round(r_hat(clf), 3),
    }


def run(options):
    """Run what is not stored yet, and append each record as it comes."""
    done = set(read(RESULTS, KEY)[KEY].itertuples(index=False, name=None))
    for order, hyperprior, kind, i, prior in product(
        options.orders, options.hyperpriors, KINDS, range(N_SEQUENCES), PRIORS
    ):
        values = i, kind, order, prior, hyperprior, 1.0
        if values not in done:
            record = dict(zip(KEY, values, strict=True))
            record |= measured(*sequence(kind, i), record, options)
            print(json.dumps(record), flush=True)
            write(RESULTS, record)


def claim(name, differences, of_fits):
    """Print the mean of some differences, its standard error, and the largest R-hat."""
    if len(differences) < 2:
        return
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    print(
        f"{name}: {differences.mean():+.4f} ± {error:.4f} "
        f"({len(differences)} sequences, R-hat up to {of_fits['r_hat'].max():.2f})"
    )


def judge(options):
    """Print a table of means over sequences, and the claims."""
    found = read(RESULTS, KEY)
    columns = ["terms", "groups", "sweeps", "seconds", "error", "amlp", "r_hat"]
    table = found.groupby(SETTING)[columns].mean()
    table["r_hat"] = found.groupby(SETTING)["r_hat"].max()
    print(table.round(4).to_string())
    apart = (found["r_hat"] > options.r_hat).sum()
    print(f"{apart} of {len(found)} fits have an R-hat above {options.r_hat}.")
    for (kind, hyperprior, scale), fits in found.groupby(
        ["kind", "hyperprior", "scale"]
    ):
        head = f"{kind}, {hyperprior} of scale {scale}"
        longest = fits["order"].max()
        last = fits[fits["order"] == longest]
        for measure in ("amlp", "error"):
            several = fits if len(fits["order"].unique()) > 1 else fits[:0]
            for prior, of_prior in several.groupby("prior"):
                by_order = of_prior.pivot(index="sequence", columns="order")[measure]
                claim(
                    f"{head}, {prior}: {measure} at order {longest} less the least",
                    (by_order[longest] - by_order.min(axis=1)).dropna(),
                    of_prior,
                )
            by_prior = last.pivot(index="sequence", columns="prior")[measure]
            by_prior = by_prior.reindex(columns=["cauchy", "normal"])
            claim(
                f"{head}: {measure} at order {longest}, cauchy less normal",
                (by_prior["cauchy"] - by_prior["normal"]).dropna(),
                last,
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--orders", type=int, nargs="+", default=ORDERS)
    parser.add_argument("--hyperpriors", nargs="+", default=["half_t", "inverse_gamma"])
    parser.add_argument("--r-hat", type=float, default=1.1)
    parser.add_argument("--seconds", type=float, default=200.0)
    parser.add_argument("--judge", action="store_true")
    options = parser.parse_args()
    if not options.judge:
        run(options)
    judge(options)


if __name__ == "__main__":
    main()
