"""The Bayesian classifier beside others: log loss, time, and coverage of intervals.

    python -m benchmarks.bayes.peers --data FOLDER  # results/peers.jsonl

runs what is missing in the records, prints the tables of the guide page "Bayesian
classifier and others", and takes about an hour. ``--methods`` takes some methods,
``--tables`` only prints. EBM needs interpret.

- ``sets``: up to 400 training rows of each set, and up to 600 others. For
  each method the error, the log loss, and seconds of the processor for `fit`. Then the
  test rows are divided into blocks of ten with similar probabilities of the most
  frequent class. The number of rows of this class in a block has a predictive
  distribution. The rank of the true number in it, ties broken at random, is inside
  the central 90 % for 90 % of the blocks if probabilities are right.
- ``simulated``: tables of 200 rows with known probabilities. Intervals of 90 % for 200
  other rows: credible intervals of the Bayesian classifier, percentiles of the 14 bags
  of EBM, of which it draws its error bars, and for all others percentiles of 20 fits to
  bootstrap samples. For each method how many true probabilities are inside, mean
  widths, and root mean squared errors of predictions.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings
from copy import copy
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit
from sklearn.model_selection import train_test_split

from benchmarks.accuracy.peers import METHODS as OTHERS
from benchmarks.accuracy.records import EPSILON, complete, read
from benchmarks.accuracy.tables import grid
from benchmarks.bayes.generators import make_interactions
from benchmarks.sets import load, names
from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import make_dnf

RECORDS = Path(__file__).parent / "results" / "peers.jsonl"
KEY = ["part", "of", "split", "method"]
METHODS = {
    "bayes": lambda seed: BayesianInteractionClassifier(random_state=seed),
    "winnow": OTHERS["ours"],
    "logistic": OTHERS["logistic"],
    "ebm": OTHERS["ebm"],
}
N_TABLES = 4
N_TRAIN, N_TEST, BLOCK = 400, 600, 10
N_KNOWN, N_COLUMNS, N_BOOTSTRAPS = 200, 6, 20
COVERAGE = 0.9


def measured(part, of, split, method, data):
    """Return the figures of one method on one split."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figures = PARTS[part](of, split, METHODS[method], data)
    return {name: float(f"{value:.5g}") for name, value in figures.items()}


def fitted(make, X, y, seed):
    """Return a fitted classifier, and seconds of the processor."""
    start = time.process_time()
    model = make(seed).fit(X, y)
    return model, time.process_time() - start


# -- sets ------------------------------------------------------------------------------


def on_set(name, split, make, data):
    """Return the figures of a method on a split of a set."""
    X, y = load(name, data)
    y = np.asarray(y)
    stratify = y if np.unique(y, return_counts=True)[1].min() > 1 else None
    n_test = min(len(y) - min(N_TRAIN, 2 * len(y) // 3), N_TEST)
    train, test = train_test_split(
        np.arange(len(y)),
        train_size=min(N_TRAIN, len(y) - n_test),
        test_size=n_test,
        stratify=stratify,
        random_state=split,
    )
    model, seconds = fitted(make, X.iloc[train], y[train], split)
    test = test[np.isin(y[test], model.classes_)]
    proba = model.predict_proba(X.iloc[test])
    labels = np.searchsorted(model.classes_, y[test])
    own = proba[np.arange(len(test)), labels]
    common = np.bincount(labels).argmax()
    if isinstance(model, BayesianInteractionClassifier):
        drawn = model.sample_y(X.iloc[test]) == model.classes_[common]
    else:
        generator = np.random.default_rng(split)
        drawn = generator.random((1000, len(test))) < proba[:, common]
    ranks = ranks_of_blocks(drawn, labels == common, proba[:, common], split)
    inside = np.abs(ranks - 0.5) <= COVERAGE / 2
    return {
        "rows": len(test),
        "errors": np.sum(proba.argmax(axis=1) != labels),
        "log_loss": -np.log(np.maximum(own, EPSILON)).mean(),
        "seconds": seconds,
        "blocks": len(ranks),
        "inside": inside.sum(),
    }


def ranks_of_blocks(drawn, observed, proba, seed):
    """Return the randomized rank of the number of rows of a class in each block.

    Parameters
    ----------
    drawn : ndarray of shape (n_draws, n_rows), bool
        Predictive draws: whether a row belongs to the class.
    observed : ndarray of shape (n_rows,), bool
        Whether it does.
    proba : ndarray of shape (n_rows,), float64
        Predicted probabilities; neighbours in their order form a block.
    """
    order = np.argsort(proba, kind="stable")
    starts = np.arange(0, len(order) - BLOCK + 1, BLOCK)
    points = np.random.default_rng(seed).random(len(starts))
    ranks = []
    for start, point in zip(starts, points):
        block = order[start : start + BLOCK]
        numbers, number = drawn[:, block].sum(axis=1), observed[block].sum()
        # One draw more, the true number, so that no rank is 0 or 1.
        ties = (numbers == number).sum() + 1
        ranks.append(((numbers < number).sum() + point * ties) / (len(numbers) + 1))
    return np.array(ranks)


# -- simulated -------------------------------------------------------------------------


def additive(n_rows, seed):
    """Main effects of three values of each column, standard normal log-odds."""
    generator = np.random.default_rng(seed)
    X = generator.integers(3, size=(n_rows, N_COLUMNS))
    effects = generator.normal(size=(N_COLUMNS, 3))
    return X, expit(effects[np.arange(N_COLUMNS), X].sum(axis=1))


def rules(n_rows, seed):
    """A DNF: probability 0.9 where it holds, and 0.1 elsewhere."""
    X, holds = make_dnf(n_rows, N_COLUMNS, term_size=2, random_state=seed)
    return X, np.where(holds == 1, 0.9, 0.1)


def interactions(n_rows, seed):
    """Normal parameters of all terms up to three literals."""
    X, _, proba = make_interactions(
        n_rows,
        N_COLUMNS,
        prior="normal",
        widths=(0.5, 0.5, 0.3, 0.15),
        seed=seed,
    )
    return X, proba[:, 1]


TRUTHS = {"additive": additive, "rules": rules, "interactions": interactions}


def simulated(name, split, make, data):
    """Return the figures of a method on a simulated table."""
    X, p = TRUTHS[name](2 * N_KNOWN, split)
    generator = np.random.default_rng(split)
    y = (generator.random(len(p)) < p).astype(int)
    X = pd.DataFrame(X).astype(str).add_prefix("x")
    known, new = slice(N_KNOWN), slice(N_KNOWN, None)
    model, seconds = fitted(make, X[known], y[known], split)
    if isinstance(model, BayesianInteractionClassifier):
        low, high = model.predict_interval(X[new], COVERAGE)[:, 1].T
    else:
        start = time.process_time()
        models = bags(model)
        for seed in range(0 if models else N_BOOTSTRAPS):
            rows = generator.integers(N_KNOWN, size=N_KNOWN)
            models.append(make(seed).fit(X[known].iloc[rows], y[rows]))
        seconds += time.process_time() - start
        drawn = [one.predict_proba(X[new])[:, 1] for one in models]
        tail = (1 - COVERAGE) / 2
        low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    truth = p[new]
    return {
        "inside": ((low <= truth) & (truth <= high)).mean(),
        "width": (high - low).mean(),
        "rmse": np.sqrt(((model.predict_proba(X[new])[:, 1] - truth) ** 2).mean()),
        "seconds": seconds,
    }


def bags(model):
    """Return a classifier of each bag of an EBM; no classifiers for others."""
    models = []
    for bag in range(len(getattr(model, "bagged_intercept_", ()))):
        models.append(copy(model))
        models[-1].intercept_ = model.bagged_intercept_[bag]
        models[-1].term_scores_ = [scores[bag] for scores in model.bagged_scores_]
    return models


PARTS = {"sets": on_set, "simulated": simulated}


# -- tables ----------------------------------------------------------------------------


def shared(records, part):
    """Return the records of a part on what all methods were measured on."""
    own = records[records["part"] == part]
    n_methods = own.groupby(["of", "split"])["method"].transform("nunique")
    return own[n_methods == len(METHODS)]


def losses_of(records):
    """Return the log loss of each method on each set, the mean over splits."""
    means = shared(records, "sets").groupby(["of", "method"])["log_loss"].mean()
    return means.unstack()[list(METHODS)]


def table_of_losses(records):
    """Return the log losses, and their means."""
    losses = losses_of(records)
    losses.loc["mean"] = losses.mean()
    return grid(losses.map("{:.3f}".format))


def table_of_methods(records):
    """Return mean error and log loss, coverage of blocks and time of each method."""
    own, losses = shared(records, "sets"), losses_of(records)
    lines = {}
    for method, found in own.groupby("method"):
        error = (found["errors"] / found["rows"]).groupby(found["of"]).mean().mean()
        inside = found["inside"].sum() / found["blocks"].sum()
        lines[method] = {
            "error, %": f"{100 * error:.1f}",
            "log loss": f"{losses[method].mean():.3f}",
            "lowest on": (losses.idxmin(axis=1) == method).sum(),
            "coverage, %": f"{100 * inside:.1f}",
            "seconds": f"{found['seconds'].median():.2g}",
        }
    return grid(pd.DataFrame(lines).T.loc[list(METHODS)], of="method")


def table_of_coverage(records):
    """Return coverage, width and error on simulated tables, by truth and method."""
    own = shared(records, "simulated").set_index(["of", "method"]).sort_index()
    lines = {}
    for key in product(TRUTHS, METHODS):
        found = own.loc[key]
        spread = found["inside"].std() / np.sqrt(len(found))
        lines[key] = {
            "method": key[1],
            "coverage, %": f"{100 * found['inside'].mean():.0f} ± {100 * spread:.0f}",
            "mean width": f"{found['width'].mean():.2f}",
            "error": f"{found['rmse'].mean():.3f}",
            "seconds": f"{found['seconds'].mean():.2g}",
        }
    return grid(pd.DataFrame(lines).T.droplevel(1), of="truth")


TABLES = table_of_methods, table_of_losses, table_of_coverage


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=None)
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--tables", action="store_true")
    options = parser.parse_args()
    wanted = [("sets", name, 0) for name in options.sets or names(options.data)]
    wanted += [("simulated", name, s) for s in range(N_TABLES) for name in TRUTHS]
    wanted = [(*one, method) for method in options.methods for one in wanted]
    if not options.tables:
        complete(RECORDS, KEY, wanted, partial(measured, data=options.data))
    found = read(RECORDS, KEY)
    if all(len(shared(found, part)) for part in PARTS):
        for make in TABLES:
            print(f"\n{make(found)}")


if __name__ == "__main__":
    main()
