"""Threads that train and predict side by side.

    PYTHONPATH=tests python -m races [shared]

is run by `.ci/races`, which looks on: no two threads write to the same place, unless
they are to, on purpose, in an array that is `shared`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from internals.terms import list_terms
from internals.winnow import TermTable
from sklearn.base import clone

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import SAMPLERS

CHAINS = {"n_steps": 20, "burn_in": 5}
OPTIONS = {
    "frontier": {"max_states": 30, "n_replicates": 2},
    "metropolis": {"tempering": True, **CHAINS},
    "gibbs": CHAINS,
    "metropolized_gibbs": CHAINS,
}


def side_by_side(calls):
    """All calls at once, on four threads."""
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(call) for call in calls]:
            future.result()


def shared(classifier, X, y, reads):
    """One classifier in many threads, and many classifiers in one each."""
    calls = [
        lambda: classifier.predict_proba(X[10:]),
        lambda: classifier.log_weighted_sums(X[:50]),
        lambda: clone(classifier).fit(X, y).partial_fit(X[:9], y[:9]),
    ]
    if reads:
        calls += [
            lambda: classifier.terms(top=3),
            lambda: classifier.explain(X[:3]),
            lambda: classifier.to_dnf(1, X=X),
        ]
    side_by_side(calls * 4)


def estimators():
    """Classifiers of all samplers, and a discretizer."""
    random = np.random.default_rng(0)
    X, y = random.integers(0, 3, (150, 8)), random.integers(0, 3, 150)
    for name, cls in SAMPLERS.items():
        sampler = cls(**OPTIONS.get(name, {}))
        options = {"max_iter": 2, "cv": 2, "random_state": 0}
        options["max_term_size"] = 3 if name == "table" else "auto"
        for multi_class in ("joint", "ovr"):
            classifier = DNFWinnowClassifier(
                sampler=sampler, multi_class=multi_class, n_jobs=4, **options
            )
            shared(classifier.fit(X, y), X, y, reads=cls.term_by_term)
    values = random.normal(size=(2000, 4))
    discretizer = ClassEntropyDiscretizer(n_jobs=4).fit(values, values[:, 0] > 0)
    side_by_side([lambda: discretizer.transform(values)] * 4)


def one_array():
    """Sums of two threads into the same array."""
    rows = np.random.RandomState(0).randint(1, 4, size=(2000, 12)).astype(np.int32)
    rows = np.unique(rows, axis=0)
    index = list_terms(rows, np.full(12, 3), 4, -0.5)
    places, sums = np.arange(len(rows)), np.empty(len(rows))
    tables = [TermTable(index, 0.4, np.array([2, 0, -1])) for _ in range(4)]
    side_by_side([partial(table.kernel.log_sums, places, sums) for table in tables])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    one_array() if "shared" in sys.argv else estimators()
