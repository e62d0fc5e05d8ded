"""Special paths: fits and predictions with each of them, and without.

    python -m benchmarks.time.special_paths [--data FOLDER] [paths ...]

A special path is quicker than a more general one where both can compute the sums. Here
each is turned off in turn, on all sets, in pairs: CPU seconds of whole calls, medians
of three. A path that saves less than a fifth on every set is to be deleted. Updates
must be the same, and scores to twelve digits.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings
from contextlib import contextmanager
from unittest import mock

import numpy as np

from benchmarks.sets import fold, names
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._terms import _term_index as _index_choice
from sklearn_dnfwinnow.samplers import Exact
from sklearn_dnfwinnow.sums import _subset_sums as _batch_superset

N_PAIRS = 3
UNCAPPED = {"max_term_size": None, "cv": None, "max_iter": 10}


def none_in_reach(rows):
    return np.zeros(len(rows), dtype=bool)


def without_kind(kind):
    """Return the choice of an index without one of the two kinds of all terms."""
    other = {"numbers": "lists", "lists": "numbers"}[kind]
    choose = _index_choice._fitting_kind

    def chosen(*args):
        found, needed = choose(*args)
        return (other if found == kind else found), needed

    return chosen


#: From paths to what turns them off, the parameters of a fit that reaches them, and
#: what is measured.
PATHS = {
    "superset sums of batches": (
        mock.patch.object(
            _batch_superset, "in_reach", lambda _, rows, __: none_in_reach(rows)
        ),
        UNCAPPED,
        "predict_proba",
    ),
    "numbered terms": (
        mock.patch.object(_index_choice, "_fitting_kind", without_kind("numbers")),
        {},
        "fit",
    ),
    "listed terms": (
        mock.patch.object(_index_choice, "_fitting_kind", without_kind("lists")),
        {},
        "fit",
    ),
    "grouped terms": (
        mock.patch.object(_index_choice, "group_terms", lambda *_: None),
        UNCAPPED,
        "fit",
    ),
    "compiled epochs": (
        mock.patch.object(Exact, "prefers_exact", False),
        {"sampler": "exact", "multi_class": "ovr", "cv": None, **UNCAPPED},
        "fit",
    ),
}


@contextmanager
def nothing():
    yield


def measured(call, parameters, X, y):
    """Return the CPU seconds of a call, and the classifier afterwards."""
    clf = DNFWinnowClassifier(random_state=0, **parameters)
    if call != "fit":
        clf.fit(X, y)
    start = time.process_time()
    if call == "fit":
        clf.fit(X, y)
    elif call == "predict_proba":
        clf.predict_proba(X)
    else:
        for i in range(min(len(X), 20)):
            clf.partial_fit(X[i : i + 1], y[i : i + 1])
    return time.process_time() - start, clf


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", metavar="path")
    parser.add_argument("--data")
    options = parser.parse_args()
    print("| path | call | set | with, s | without, s | saved |")
    print("| --- | --- | --- | --- | --- | --- |")
    for path in options.paths or PATHS:
        turned_off, parameters, call = PATHS[path]
        for name in names(options.data):
            X, y, _, _ = fold(name, options.data)
            pairs = []
            for _ in range(N_PAIRS):
                pair = []
                for context in (nothing(), turned_off):
                    with context:
                        seconds, clf = measured(call, parameters, X, y)
                    pair.append(seconds)
                    scores = clf.decision_function(X[:50])
                    found = clf.stored_examples_, clf.net_promotion_counts_
                    if len(pair) == 1:
                        first, first_scores = found, scores
                assert all(map(np.array_equal, first, found))
                np.testing.assert_allclose(scores, first_scores, rtol=1e-12, atol=1e-12)
                pairs.append(pair)
            ours, others = np.median(pairs, axis=0)
            print(
                f"| {path} | {call} | {name} | {ours:.3f} | {others:.3f} | "
                f"{1 - ours / others:.0%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
