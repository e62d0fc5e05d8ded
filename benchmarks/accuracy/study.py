"""The study behind the candidates: each set is judged by a list chosen without it.

    python -m benchmarks.accuracy.study --data FOLDER [--sets iris car]
    [--length 10] [--judge]

Of some of five folds of each set, of three above 3,000 rows (the MONK's problems:
seeds), what each candidate of `pool` comes to: its log loss inside of `fit`, and errors
and log loss on rows held out. Then, without each set in turn, a list of
candidates, one at a time the one that lowers the mean regret of the other sets most.
Regret is that of a list which chooses by the log loss inside of `fit`, against the best
candidate of each set, in the logarithms of log loss and error. With `--judge`, fits
with these lists go to the records of `python -m benchmarks.accuracy` as 'left-out'.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import time
import warnings
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold, StratifiedKFold
from threadpoolctl import threadpool_limits

from benchmarks.accuracy.__main__ import RESULTS as RECORDS
from benchmarks.accuracy.__main__ import run
from benchmarks.accuracy.pool import POOL, name, outcomes
from benchmarks.sets import load, names, splits
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._winnow import _settings as _candidate

RESULTS = Path(__file__).parent / "results"
OUTCOMES, LISTS = RESULTS / "study.jsonl", RESULTS / "study_lists.json"
# What is as good as no error, and no log loss.
NO_ERROR, NO_LOSS = 0.01, 0.02


class WithList(ClassifierMixin, BaseEstimator):
    """The classifier, its candidates another list."""

    def __init__(self, candidates, random_state=None):
        self.candidates = candidates
        self.random_state = random_state

    def fit(self, X, y):
        with patch.object(_candidate, "AUTO_CANDIDATES", self.candidates):
            self.model_ = DNFWinnowClassifier(random_state=self.random_state).fit(X, y)
        self.classes_, self.validation_ = self.model_.classes_, self.model_.validation_
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


def folds_of(of_set, y):
    """Return the folds of a set: fewer, the more rows there are."""
    if of_set.startswith("monks"):
        return splits(of_set, y) * 2
    n_folds = 3 if len(y) > 3000 else 5
    fewest = np.unique(y, return_counts=True)[1].min()
    kind = StratifiedKFold if fewest >= n_folds else KFold
    folds = kind(n_folds, shuffle=True, random_state=0).split(np.zeros(len(y)), y)
    n_used = 4 if len(y) <= 1100 else 3 if len(y) < 3000 else 2
    return list(folds)[:n_used]


def measure(sets, folder):
    """Measure what is not yet in the file: one line for each set and fold."""
    done = read()
    for of_set in sets:
        X, y = load(of_set, folder)
        for fold, (train, test) in enumerate(folds_of(of_set, y)):
            have = done.get(of_set, {}).get(fold, {"outcomes": {}})["outcomes"]
            pool = [one for one in POOL if name(one) not in have]
            if not pool:
                continue
            start = time.perf_counter()
            found = outcomes(
                pool=pool,
                X=X.iloc[train],
                y=y[train],
                test_X=X.iloc[test],
                test_y=y[test],
                seed=fold,
            )
            record = {
                "set": of_set,
                "fold": fold,
                "rows": len(test),
                "outcomes": have | dict(zip(map(name, pool), found)),
            }
            with OUTCOMES.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            print(of_set, fold, f"{time.perf_counter() - start:.1f} s", flush=True)


def read():
    """Return the records by set and fold, the last of each."""
    found = {}
    if OUTCOMES.exists():
        for line in OUTCOMES.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            found.setdefault(record["set"], {})[record["fold"]] = record
    return found


def as_array(records):
    """Return outcomes of a set: (3, n_folds, n_candidates), and its number of rows."""
    nothing = np.inf, np.nan, np.nan
    found = [
        [record["outcomes"].get(name(one)) or nothing for one in POOL]
        for record in records.values()
    ]
    return np.moveaxis(np.array(found, dtype=float), 2, 0), sum(
        record["rows"] for record in records.values()
    )


def figures(found, n_rows, chosen):
    """Return error and log loss of a list on a set."""
    inner, errors, losses = found[:, :, chosen]
    best = inner.argmin(axis=1)[:, None]
    of_best = [np.take_along_axis(a, best, axis=1).sum() for a in (errors, losses)]
    return np.array(of_best) / n_rows


def regret(found, n_rows, chosen):
    """Return by how much a list is worse than the best candidate of a set."""
    nothing = np.array([NO_ERROR, NO_LOSS])
    best = np.nanmin(found[1:].sum(axis=1), axis=1) / n_rows
    ratio = (figures(found, n_rows, chosen) + nothing) / (best + nothing)
    return np.log(ratio).mean()


def greedy(all_found, length):
    """Return positions of candidates in the pool, the most valuable first."""
    chosen = []
    while len(chosen) < length:
        left = [c for c in range(len(POOL)) if c not in chosen]
        means = [
            np.nanmean([regret(*found, [*chosen, c]) for found in all_found])
            for c in left
        ]
        chosen.append(left[int(np.argmin(means))])
    return chosen


def main():
    """Measure, choose, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", required=True)
    parser.add_argument("--sets", nargs="+", choices=names("all"))
    parser.add_argument("--length", type=int, default=10)
    parser.add_argument("--judge", action="store_true", help="fit with the lists")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    sets = args.sets or names(args.data)
    with threadpool_limits(1):
        measure(sets, args.data)
        all_found = {of_set: as_array(records) for of_set, records in read().items()}
        lists, regrets = {}, []
        for of_set, found in all_found.items():
            others = [all_found[other] for other in all_found if other != of_set]
            chosen = greedy(others, args.length)
            lists[of_set] = [POOL[c] for c in chosen]
            regrets.append(regret(*found, chosen))
            error, loss = figures(*found, chosen)
            print(f"{of_set}: {100 * error:.1f} %, {loss:.3f}, list", *chosen)
        everywhere = greedy(list(all_found.values()), args.length)
        print("\nAll sets:", *(name(POOL[c]) for c in everywhere), sep="\n")
        print(f"\nMean regret: lists without the set {np.mean(regrets):.3f}")
        own = [
            POOL.index({name: one[name] for name in one if name != "doubt"})
            for one in _candidate.AUTO_CANDIDATES
        ]
        for of, chosen in {
            "candidates of `fit`": own,
            "the list of all sets": everywhere,
            "all candidates": list(range(len(POOL))),
        }.items():
            mean = np.mean([regret(*found, chosen) for found in all_found.values()])
            print(f"{of} {mean:.3f}")
        texts = {of_set: list(map(name, some)) for of_set, some in lists.items()}
        LISTS.write_text(json.dumps(texts, indent=1) + "\n", encoding="utf-8")
        if args.judge:
            for of_set in sets:
                run(
                    sets=[of_set],
                    methods={"left-out": partial(WithList, tuple(lists[of_set]))},
                    folder=args.data,
                    out=RECORDS,
                )


if __name__ == "__main__":
    main()
