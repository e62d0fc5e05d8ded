"""Superset weights: the outcome of every presentation is that of single calls."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from reference import interrupt_after, learn_one, plain_winnow, weights_by

from sklearn_dnfwinnow import _kernels
from sklearn_dnfwinnow._winnow._presentations import Presentations
from sklearn_dnfwinnow._winnow._update_rule import UpdateRule
from sklearn_dnfwinnow._winnow._weights import _superset_weights, _weights
from sklearn_dnfwinnow._winnow._weights._class_state import ClassState
from sklearn_dnfwinnow._winnow._weights._implicit_weights import (
    EngineSummer,
    ImplicitWeights,
)
from sklearn_dnfwinnow._winnow._weights._superset_weights import SupersetWeights
from sklearn_dnfwinnow.samplers import Auto, BruteForce, Exact, Frontier

EXACT = Exact(max_states=10**6).engine()
FEWER = Exact(max_states=10**5)
CAPPED = Frontier(max_states=4, n_replicates=1).engine()
KINDS = SupersetWeights, ImplicitWeights


class Spy(EngineSummer):
    """Remembers the thresholds that the engine was asked for."""

    def exceeds(self, updates, row, log_threshold, guess):
        self.asked.append(log_threshold)
        return super().exceeds(updates, row, log_threshold, guess)


def spied(n, engine=EXACT):
    summer = Spy(engine, log_alpha=0.4, log_beta=0.0, keys=(0,))
    object.__setattr__(summer, "asked", [])
    return SupersetWeights(ClassState.empty(n), summer), summer.asked


def random_table(n, k, n_rows, seed=0, missing=0.1):
    """Rows of codes with unspecified ones among them, and a class with some noise."""
    random = np.random.RandomState(seed)
    codes = random.randint(1, k + 1, (n_rows, n))
    labels = (codes[:, 0] == 1) & (codes[:, 1] <= 2) | (codes[:, 2] == 2)
    labels ^= random.random_sample(n_rows) < 0.1
    codes[random.random_sample(codes.shape) < missing] = 0
    return codes.astype(np.int32), labels.astype(np.intp)


def trained(kind, codes, labels, engine=EXACT, log_alpha=0.4, log_beta=0.0, **options):
    """Weights after some epochs, and what they came to."""
    m = options.get("n_updates", 0)
    n = codes.shape[1]
    random = np.random.RandomState(1)
    updates = np.unique(random.randint(0, 3, (m, n)), axis=0).astype(np.int32)
    exponents = random.randint(-4, 5, len(updates))
    weights = weights_by(
        engine,
        updates,
        exponents,
        log_alpha,
        log_beta,
        kind=kind,
        version=5,
        max_stored_examples=options.get("max_stored_examples", 10**6),
    )
    units = options.get("units", np.ones(len(codes), dtype=np.int64))
    rows = Presentations(codes, labels, units, options.get("one", 1), 8, seed=2)
    guesses = np.zeros(len(codes), dtype=bool)
    threshold = options.get("log_threshold", 0.8 * n * np.log(3))
    rule = UpdateRule(margin=options.get("margin", 0.0))
    return weights, learn_one(weights, rows, 1, threshold, guesses, rule)


def assert_same_outcome(codes, labels, **options):
    """The superset weights that were compared with single calls."""
    weights, ours = trained(SupersetWeights, codes, labels, **options)
    reference, wanted = trained(ImplicitWeights, codes, labels, **options)
    assert ours.mistakes == wanted.mistakes and sum(wanted.mistakes) > 0
    assert ours.version == wanted.version
    assert_array_equal(ours.updates, wanted.updates)
    assert_array_equal(ours.exponents, wanted.exponents)
    assert sum(weights.sums.values()) == reference.sums["full"]
    return weights


@pytest.mark.slow_beyond(9)
@pytest.mark.parametrize("level", _kernels.levels())
@pytest.mark.parametrize("n", [3, 7, 12, 20, 70])
@pytest.mark.parametrize("log_beta", [0.0, -2.0, 0.5])
def test_outcomes_are_those_of_single_calls(n, log_beta, level, monkeypatch):
    kernel = _kernels.kernel("_superset_epochs", level)
    monkeypatch.setattr(_superset_weights, "superset_epochs", kernel)
    # Few attributes are specified where there are many: single calls take their time.
    codes, labels = random_table(n, 3, 60, missing=0.1 if n < 15 else 1 - 10 / n)
    typical = np.median((codes != 0).sum(axis=1)) * np.log1p(np.exp(log_beta))
    weights = assert_same_outcome(
        codes, labels, log_beta=log_beta, log_threshold=typical + 0.7
    )
    assert weights.sums["skipped"] > 0


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize(
    "options",
    [
        {"n_updates": 20},
        {"max_stored_examples": 10},
        {
            "max_stored_examples": 10,
            "n_updates": 20,
            "one": 2,
            "units": np.arange(1, 81),
        },
        {"margin": 0.7},
        {"log_alpha": 3.0},
        {"log_alpha": 1e-3, "log_threshold": 9 * np.log(2) + 1e-3},
        {"engine": BruteForce().engine(2), "log_threshold": np.log(60)},
        {"engine": BruteForce().engine()},
        {"engine": FEWER.engine(2), "log_threshold": np.log(60)},
        {"engine": FEWER.engine(4), "log_threshold": np.log(250)},
        {"engine": Auto(max_states=10**5, n_replicates=1).engine()},
        {"one": 4, "units": np.arange(1, 81)},
        {"one": 1, "units": np.full(80, 10**5)},
        {"one": 10**6, "units": np.full(80, 10**6), "log_alpha": 1e-6},
        {"log_beta": -100.0, "log_threshold": 0.5},
        {"log_beta": -900.0, "log_threshold": 0.5},
        {"log_alpha": 80.0},
    ],
    ids=lambda options: "-".join(map(str, options)),
)
def test_outcomes_with_other_options(options):
    assert_same_outcome(*random_table(9, 3, 80), **options)


def test_rows_that_come_later():
    codes, labels = random_table(8, 3, 50)
    results = []
    for kind in KINDS:
        weights, _ = trained(kind, codes, labels)
        others, their_labels = random_table(8, 3, 50, seed=3)
        rows = Presentations(others, their_labels, np.ones(50, dtype=np.int64), seed=4)
        guesses = np.zeros(50, dtype=bool)
        after = learn_one(weights, rows, 1, 8.0, guesses)
        results.append(
            (after.mistakes, after.version, guesses, after.updates, after.exponents)
        )
    for ours, wanted in zip(*results):
        assert_array_equal(ours, wanted)


def test_long_rows_are_summed_by_the_engine():
    codes, labels = random_table(19, 3, 30, missing=0)
    codes[:10, 0] = 0
    weights, asked = spied(19)
    rows = Presentations(codes, labels, np.ones(30, dtype=np.int64))
    learn_one(weights, rows, 1, 20 * np.log(2), np.zeros(30, dtype=bool))
    assert 20 <= len(asked) <= weights.sums["full"] - 10


def test_near_the_threshold_the_engine_decides():
    codes, _ = random_table(6, 2, 1, missing=0)
    weights, asked = spied(6)
    for log_threshold, n_asked in [
        (6 * np.log(2), 1),
        (6 * np.log(2) + 1e-10, 2),
        (6 * np.log(2) + 1e-6, 2),
    ]:
        assert not weights.epoch(
            order=[0],
            codes=codes,
            positive=np.array([log_threshold <= 6 * np.log(2)]),
            units=np.ones(1, dtype=np.int64),
            one=1,
            log_threshold=log_threshold,
            guesses=np.zeros(1, dtype=bool),
            rule=UpdateRule(),
        )
        assert len(asked) == n_asked
    assert weights.sums == {"full": 2, "skipped": 1}


def test_short_rows_are_not_estimated():
    codes, labels = random_table(9, 3, 80)
    _, ours = trained(SupersetWeights, codes, labels, engine=CAPPED)
    _, exact = trained(ImplicitWeights, codes, labels)
    _, estimated = trained(ImplicitWeights, codes, labels, engine=CAPPED)
    assert ours.mistakes == exact.mistakes != estimated.mistakes


def test_estimates_bound_nothing():
    codes, labels = random_table(20, 3, 20, missing=0)
    weights, asked = spied(20, CAPPED)
    rows = Presentations(codes, labels, np.ones(20, dtype=np.int64), n_epochs=3)
    learn_one(weights, rows, 1, 24 * np.log(2), np.zeros(20, dtype=bool))
    # Sums before there are many updates are exact.
    assert len(asked) == weights.sums["full"] > weights.sums["skipped"]


def test_an_epoch_can_be_interrupted():
    codes, labels = random_table(18, 4, 20_000, missing=0)
    weights, asked = spied(18)
    rows = Presentations(codes, labels, np.ones(len(codes), dtype=np.int64))
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.3):
        learn_one(weights, rows, 1, 18 * np.log(2), np.zeros(len(codes), dtype=bool))
    assert sum(weights.sums.values()) < len(codes)
    assert len(asked) < 10  # the kernel itself looked for it


@pytest.mark.parametrize("sampler", ["exact", "auto"])
@pytest.mark.parametrize(
    "params",
    [{}, {"margin": 0.5, "max_stored_examples": 12}, {"average": True, "alpha": 1.1}],
    ids=["paper", "forgetting", "averaged"],
)
def test_models_of_batches_are_those_of_single_calls(sampler, params, monkeypatch):
    codes, _ = random_table(7, 3, 90)
    X = codes.astype(object)
    X[X == 0] = None
    y = np.random.RandomState(5).randint(3, size=90)
    weights = np.random.RandomState(0).randint(1, 8, 90) / 2

    def train():
        clf = plain_winnow(
            sampler=sampler, max_term_size=None, random_state=0, max_iter=3, **params
        )
        # 'auto' keeps no table where there are more updates than rows.
        for start, stop in [(0, 40), (40, 80), *((i, i + 1) for i in range(80, 90))]:
            some = slice(start, stop)
            clf.partial_fit(X[some], y[some], [0, 1, 2], sample_weight=weights[some])
        return clf

    found = []
    for kind in KINDS:
        monkeypatch.setattr(_weights, "SupersetWeights", kind)
        clf = train()
        found.append([clf.stored_examples_, clf.net_promotion_counts_, clf.n_updates_])
    for ours, wanted in zip(*found):
        assert_array_equal(ours, wanted)
    assert found[0][2].sum() > 0
