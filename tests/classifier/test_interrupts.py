"""Ctrl-C: control comes back within a second, wherever it was."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import signal
import time
import warnings

import numpy as np
import pytest
from reference import random_problem
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
    inspection,
)
from sklearn_dnfwinnow.sums import log_weighted_sum

# In seconds of processor time: a busy machine makes nothing late.
# An interrupt is lost if it falls into a callback of the garbage collector, such as
# that of distributed, which ignores exceptions. So it is repeated, as a user would.
AFTER, AGAIN, LATE = 0.1, 0.2, 1.0
CASES = {}


def case(make):
    CASES[make.__name__] = make
    return make


def noisy_model():
    random = np.random.RandomState(0)
    X, y = random.randint(3, size=(400, 20)), random.randint(2, size=400)
    clf = DNFWinnowClassifier(max_iter=2, max_term_size=3, random_state=0)
    return clf.fit(X, y), X


@case
def brute_force():
    agreements, net_counts = random_problem(28, 300, seed=0)
    return lambda: log_weighted_sum(agreements, net_counts, sampler="brute_force")


@case
def one_attribute_of_a_frontier():
    # A fifth of a second for each million states that it splits, and there are five.
    agreements, net_counts = random_problem(200, 400, seed=0, density=0.9)
    return lambda: log_weighted_sum(agreements, net_counts, sampler="exact")


@case
def predictions():
    clf, X = noisy_model()
    return lambda: clf.predict(np.tile(X, (100, 1))[:, ::-1])


@case
def terms():
    clf, _ = noisy_model()
    return lambda: inspection.terms(clf, top=300)


@case
def explanations():
    clf, X = noisy_model()
    return lambda: inspection.explain(clf, X)


@case
def dnf():
    clf, X = noisy_model()
    return lambda: inspection.to_dnf(clf, class_of_interest=1, X=X)


@case
def discretizers():
    random = np.random.RandomState(0)
    values, y = random.normal(size=(100_000, 1)), random.randint(5, size=100_000)
    discretizer = ClassEntropyDiscretizer(max_segments=None)
    return lambda: discretizer.fit(values, y)


def noisy_rows():
    random = np.random.RandomState(0)
    return random.randint(3, size=(300, 8)), random.randint(2, size=300)


@case
def chains():
    clf = BayesianInteractionClassifier(max_order=2, n_draws=10**4, random_state=0)
    X, y = noisy_rows()
    before = dict(vars(clf))

    def call():
        try:
            clf.fit(X, y)
        finally:
            assert vars(clf) == before

    return call


@case
def draws_of_probabilities():
    X, y = noisy_rows()
    clf = BayesianInteractionClassifier(
        n_draws=20, burn_in=5, max_sweeps=1, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        clf.fit(X, y)
    new = np.random.RandomState(1).randint(4, size=(20_000, 8))
    return lambda: clf.predict_proba(new)


@pytest.mark.slow_beyond(3)
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs setitimer")
@pytest.mark.parametrize("name", CASES)
def test_ctrl_c_is_soon_heard(name):
    call = CASES[name]()

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, interrupt)
    try:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, AFTER, AGAIN)
        with pytest.raises(KeyboardInterrupt):
            while True:
                call()
        late = time.process_time() - start - AFTER
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert late < LATE
