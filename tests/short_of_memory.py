"""Allocations that fail, one after another, in every kernel that has any.

Run by `test_memory.py` with `failing_malloc.c` loaded, whose countdown is set here.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ctypes
import pickle

import numpy as np
import pytest
from reference import plain_winnow, random_problem

from sklearn_dnfwinnow import inspection
from sklearn_dnfwinnow.datasets import make_dnf
from sklearn_dnfwinnow.diagnostics import diagnose_chains
from sklearn_dnfwinnow.samplers import Frontier, Gibbs, Metropolis
from sklearn_dnfwinnow.sums import log_weighted_sum

# Chains are kept short.
pytestmark = pytest.mark.filterwarnings("ignore:The Markov chains")
loaded = ctypes.CDLL(None)
# Those who look for doctests import this file, too.
if hasattr(loaded, "countdown"):
    countdown = ctypes.c_long.in_dll(loaded, "countdown")


def failures(call):
    """What a call comes to where one of its allocations fails: None for a MemoryError.

    The first of them fails, then the second, and so on; later on in longer steps.
    """
    n = 1
    while True:
        countdown.value = n
        try:
            found = call()
        except MemoryError:
            assert countdown.value == 0, "not for want of memory"
            found = None
        finally:
            unused, countdown.value = countdown.value, 0
        if unused:
            return
        yield found
        n += 1 + n // 4


def survives(call):
    """Check that a call either raises or is right, and is right afterwards."""
    expected = call()
    n_failures = 0
    for found in failures(call):
        assert found in (None, expected)
        assert call() == expected
        n_failures += 1
    return n_failures


SUMS = {
    "superset": {"sampler": "exact"},
    "superset, up to a size": {"sampler": "exact", "max_term_size": 3},
    "frontier": {"sampler": "frontier"},
    "frontier, up to a size": {"sampler": "frontier", "max_term_size": 3},
    "frontier, as logarithms": {"sampler": "frontier", "alpha": 1e60},
    "resampled": {"sampler": Frontier(max_states=20, n_replicates=2)},
    "gibbs": {"sampler": Gibbs(n_steps=20, burn_in=5)},
    "metropolis": {"sampler": Metropolis(n_steps=20, burn_in=5)},
    "tempering": {"sampler": Gibbs(n_steps=20, burn_in=5, tempering=True)},
}


@pytest.mark.parametrize("case", SUMS)
def test_sums(case):
    agreements, net_counts = random_problem(12, 30, seed=0)

    def value():
        return log_weighted_sum(
            agreements, net_counts, random_state=0, **SUMS[case]
        ).log_value

    assert survives(value) > 1


def test_a_frontier_that_grows():
    # Up to memory that is asked for in huge pages.
    agreements, net_counts = random_problem(24, 300, seed=0, density=0.9)

    def value():
        sampler = Frontier(max_states=10**6)
        return log_weighted_sum(agreements, net_counts, sampler=sampler).log_value

    expected = value()
    found = list(failures(value))
    assert set(found) == {None} and len(found) > 10
    assert value() == expected


@pytest.mark.parametrize("n", [8, 40])
def test_densities(n):
    agreements, net_counts = random_problem(n, 30, seed=0)

    def found():
        return log_weighted_sum(agreements, net_counts, sampler="exact").density

    assert survives(found) > 1


MODELS = {
    "table": {"sampler": "table", "max_term_size": 3},
    "numbered": {"sampler": "table", "max_term_size": 2, "multi_class": "ovr"},
    "groups": {"sampler": "table"},
    "exact": {"sampler": "exact"},
    "exact, one against rest": {"sampler": "exact", "multi_class": "ovr"},
    "exact, up to a size": {"sampler": "exact", "max_term_size": 2},
    "frontier": {"sampler": Frontier(max_states=8, n_replicates=2)},
    "gibbs": {"sampler": Gibbs(n_steps=10, burn_in=2), "max_iter": 1},
}


def state(clf):
    return {name: pickle.dumps(value) for name, value in vars(clf).items()}


@pytest.fixture(params=MODELS)
def model(request):
    X, y = make_dnf(n_samples=16, n_features=5, noise=0.1, random_state=0)
    clf = plain_winnow(random_state=0, **{"max_iter": 2, **MODELS[request.param]})
    return clf.partial_fit(X[:8], y[:8], classes=[0, 1]), X, y


@pytest.mark.parametrize("training", ["fit", "partial_fit"])
def test_training(model, training):
    clf, X, y = model
    packed = pickle.dumps(clf)
    twin = getattr(pickle.loads(packed), training)(X, y)

    def call():
        return getattr(clf, training)(X, y)

    def is_trained():
        return all(
            np.array_equal(getattr(clf, name), getattr(twin, name))
            for name in ("stored_examples_", "net_promotion_counts_", "n_updates_")
        )

    before, n_failures = state(clf), 0
    for trained in failures(call):
        n_failures += 1
        if trained is None:
            assert state(clf) == before
        else:
            # What a kernel had no memory for was summed by an engine.
            assert is_trained()
            clf = pickle.loads(packed)
            before = state(clf)
    assert n_failures and is_trained()


def test_prediction(model):
    clf, X, _ = model
    survives(lambda: clf.log_weighted_sums(X[:12]).tolist())


# The search for terms does not depend on how the sums were computed.
@pytest.mark.parametrize("model", ["table", "groups"], indirect=True)
def test_reading(model):
    clf, X, _ = model
    survives(
        lambda: (
            inspection.to_dnf(clf, class_of_interest=1, X=X, cv=None).to_text(),
            repr(inspection.explain(clf, X[:1])),
        )
    )


def test_diagnostics():
    X, y = make_dnf(n_samples=24, n_features=6, noise=0.1, random_state=0)
    clf = plain_winnow(max_iter=2, random_state=0, sampler="gibbs").fit(X, y)
    assert survives(lambda: repr(diagnose_chains(clf, X[:1]))) > 0
