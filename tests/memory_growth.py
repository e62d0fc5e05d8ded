"""Memory that calls of one kind add to what this process has asked for."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ctypes
import gc
import warnings

import numpy as np
import pytest
from reference import plain_winnow, random_problem

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
    inspection,
)
from sklearn_dnfwinnow.samplers import Exact, Frontier, Gibbs, Metropolis
from sklearn_dnfwinnow.sums import log_weighted_sum

# Rounds of calls: caches grow in the first ones, and what is lost is lost in each.
N_ROUNDS, N_CALLS = 6, 30
# Bytes that a call may add on average, such as the updates of one more epoch: less than
# half of the smallest array of a kernel.
MOST_ADDED = 96
CASES = {}


def case(make):
    CASES[make.__name__] = make
    return make


def table(n_rows=12):
    random = np.random.RandomState(0)
    X = random.randint(3, size=(n_rows, 4))
    return X, X[:, 0] == X[:, 1]


@case
def fits():
    X, y = table(n_rows=40)  # for folds, and blocks of lanes
    clf = DNFWinnowClassifier(
        cv=2, max_term_size=2, n_estimators=1, max_iter=1, random_state=0
    )
    return lambda: clf.fit(X, y)


@case
def fits_by_sums():
    X, y = table()
    clf = plain_winnow(sampler="exact", max_iter=1)
    return lambda: clf.fit(X[:6], y[:6])


@case
def partial_fits():
    X, y = table()
    clf = DNFWinnowClassifier(max_stored_examples=5).fit(X, y)
    return lambda: clf.partial_fit(X[:4], ~y[:4])


@case
def predictions():
    X, y = table()
    tables = DNFWinnowClassifier(max_term_size=2).fit(X, y)
    sums = plain_winnow(sampler="exact").fit(X, y)
    return lambda: [clf.predict_proba(X[:3]) for clf in (tables, sums)]


@case
def sums():
    agreements, net_counts = random_problem(8, 9, seed=0)
    chains = {"n_steps": 10, "burn_in": 0}
    options = (
        {"sampler": "exact"},
        {"sampler": "brute_force"},
        {"sampler": "frontier", "max_term_size": 2},
        {"sampler": Frontier(max_states=5, n_replicates=2)},
        {"sampler": Gibbs(**chains)},
        {"sampler": Metropolis(tempering=True, **chains)},
    )
    return lambda: [
        log_weighted_sum(agreements, net_counts, random_state=0, **o) for o in options
    ]


@case
def discretizers():
    values = np.random.RandomState(0).normal(size=(20, 1))
    return lambda: ClassEntropyDiscretizer().fit(values, values[:, 0] > 0.3)


@case
def readings():
    X, y = table()
    clf = DNFWinnowClassifier(max_iter=1, max_term_size=2).fit(X, y)
    return lambda: inspection.terms(clf, top=2)


@case
def failures():
    agreements, net_counts = random_problem(40, 20, seed=0)

    def call():
        with pytest.raises(ValueError, match="max_states=3"):
            log_weighted_sum(agreements, net_counts, sampler=Exact(max_states=3))

    return call


@case
def lost_arrays():
    """The control: an array of 12 rows of four codes is lost in each call."""
    libc = ctypes.CDLL(None)
    return lambda: libc.malloc(12 * 4 * 4)


class MallInfo(ctypes.Structure):
    """The struct of that name of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena ordblks smblks hblks hblkhd "
            "usmblks fsmblks uordblks fordblks keepcost"
        ).split()
    ]


def in_use():
    """Bytes that were asked for and not given back: those of kernels and of arrays."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = MallInfo
    gc.collect()
    found = mallinfo2()
    return found.uordblks + found.hblkhd


def added_by(name):
    """Return the bytes that a call adds on average, in the round that adds least.

    Nothing is lost if a round adds few bytes: then it is the last one.
    """
    call, added = CASES[name](), []
    for _ in range(N_ROUNDS):
        before = in_use()
        for _ in range(N_CALLS):
            call()
        added.append((in_use() - before) / N_CALLS)
        if added[-1] < MOST_ADDED:
            break
    return min(added)


def print_growth():
    """Print what each case adds."""
    warnings.simplefilter("ignore")
    for name in CASES:
        print(name, added_by(name))
