"""Sums made by the kernel: each presentation ends as it does by single calls."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from class_checks import one_class, ones, state_of, summation_by, trained
from internals.kernels import _kernels
from internals.winnow import (
    ClassState,
    Evaluation,
    Repetitions,
    UpdateRule,
    _implicit_weights,
)
from numpy.testing import assert_array_equal
from reference import interrupt_after, plain_winnow

from sklearn_dnfwinnow.samplers import Auto, BruteForce, Exact, Frontier

EXACT = Exact(max_states=10**6).engine()
FEWER = Exact(max_states=10**5)
CAPPED = Frontier(max_states=4, n_replicates=1).engine()


@pytest.fixture
def asked(monkeypatch):
    """The thresholds that the kernel asks for."""
    found, exceeds = [], Evaluation.exceeds

    def spy(evaluation, row, log_threshold, guess):
        found.append(log_threshold)
        return exceeds(evaluation, row, log_threshold, guess)

    monkeypatch.setattr(Evaluation, "exceeds", spy)
    return found


def random_table(n, k, n_rows, seed=0, missing=0.1):
    """Rows of codes with unspecified ones among them, and a class with some noise."""
    random = np.random.RandomState(seed)
    codes = random.randint(1, k + 1, (n_rows, n))
    labels = (codes[:, 0] == 1) & (codes[:, 1] <= 2) | (codes[:, 2] == 2)
    labels ^= random.random_sample(n_rows) < 0.1
    codes[random.random_sample(codes.shape) < missing] = 0
    return codes.astype(np.int32), labels.astype(np.intp)


def block_of(compiled, codes, labels, engine=EXACT, log_alpha=0.4, log_beta=0.0, **o):
    """A training whose sums are made by the kernel, or one by one."""
    random = np.random.RandomState(1)
    n = codes.shape[1]
    examples = random.randint(0, 3, (o.get("n_examples", 0), n))
    examples = np.unique(examples, axis=0).astype(np.int32)
    net_counts = random.randint(-4, 5, len(examples))
    units = o.get("units", ones(codes))
    return one_class(
        Repetitions(codes, labels, units, o.get("one", 1), 9, seed=2),
        state=ClassState(examples, net_counts, 5),
        rule=UpdateRule(margin=o.get("margin", 0.0)),
        log_threshold=o.get("log_threshold", 0.8 * n * np.log(3)),
        summation=summation_by(engine, log_alpha, log_beta, compiled),
        max_stored_examples=o.get("max_stored_examples", 10**6),
    )


def learned(compiled, codes, labels, **options):
    """What a training comes to."""
    return trained(block_of(compiled, codes, labels, **options), 8)[0]


def assert_same_outcome(codes, labels, **options):
    """The result by the kernel, which was compared with single calls."""
    ours = learned(True, codes, labels, **options)
    wanted = learned(False, codes, labels, **options)
    assert ours.mistakes == wanted.mistakes and sum(wanted.mistakes) > 0
    assert ours.version == wanted.version
    assert_array_equal(ours.examples, wanted.examples)
    assert_array_equal(ours.net_counts, wanted.net_counts)
    assert sum(ours.sums.values()) == sum(wanted.sums.values())
    return ours


@pytest.mark.slow_beyond(9)
@pytest.mark.parametrize("level", _kernels.levels())
@pytest.mark.parametrize("n", [3, 7, 12, 20, 70])
@pytest.mark.parametrize("log_beta", [0.0, -2.0, 0.5])
def test_outcomes_are_those_of_single_calls(n, log_beta, level, monkeypatch):
    kernel = _kernels.kernel("_implicit", level)
    monkeypatch.setattr(_implicit_weights, "implicit", kernel)
    # Few attributes are specified where there are many: single calls take their time.
    codes, labels = random_table(n, 3, 60, missing=0.1 if n < 15 else 1 - 10 / n)
    typical = np.median((codes != 0).sum(axis=1)) * np.log1p(np.exp(log_beta))
    result = assert_same_outcome(
        codes, labels, log_beta=log_beta, log_threshold=typical + 0.7
    )
    assert result.sums["skipped"] > 0


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize(
    "options",
    [
        {"n_examples": 20},
        {"max_stored_examples": 10},
        {
            "max_stored_examples": 10,
            "n_examples": 20,
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
    others, their_labels = random_table(8, 3, 50, seed=3)
    results = []
    for compiled in (True, False):
        first = learned(compiled, codes, labels)
        rows = Repetitions(others, their_labels, ones(others), seed=4)
        block = one_class(
            rows,
            ClassState(first.examples, first.net_counts, first.version),
            log_threshold=8.0,
            summation=summation_by(EXACT, compiled=compiled),
        )
        (after,) = trained(block, 1)
        assert after.version > first.version
        results.append(
            (after.mistakes, after.version, after.examples, after.net_counts)
        )
    for ours, wanted in zip(*results):
        assert_array_equal(ours, wanted)


def test_long_rows_are_summed_by_the_engine(asked):
    codes, labels = random_table(19, 3, 30, missing=0)
    codes[:10, 0] = 0
    block = block_of(True, codes, labels, log_threshold=20 * np.log(2))
    (result,) = trained(block, 1)
    assert 20 <= len(asked) <= result.sums["full"] - 10


def test_near_the_threshold_the_engine_decides(asked):
    codes, _ = random_table(6, 2, 1, missing=0)
    middle = 6 * np.log(2)
    for above, log_threshold, n_asked in [
        (True, middle, 1),
        (False, middle + 1e-10, 2),
        (False, middle + 1e-6, 2),
    ]:
        block = block_of(
            True, codes, np.array([int(above)]), log_threshold=log_threshold
        )
        block.present(np.array([0, 0]))
        # Where the sum is close to the threshold, bounds do not suffice either.
        assert len(set(asked)) == n_asked
        assert state_of(block) == [([], [], 5)]


def test_short_rows_are_not_estimated():
    codes, labels = random_table(9, 3, 80)
    ours = learned(True, codes, labels, engine=CAPPED)
    exact = learned(False, codes, labels)
    estimated = learned(False, codes, labels, engine=CAPPED)
    assert ours.mistakes == exact.mistakes != estimated.mistakes


def test_estimates_bound_nothing(asked):
    codes, labels = random_table(20, 3, 20, missing=0)
    block = block_of(True, codes, labels, engine=CAPPED, log_threshold=24 * np.log(2))
    (result,) = trained(block, 3)
    # Sums before there are many stored examples are exact.
    assert len(asked) == result.sums["full"] > result.sums["skipped"]


def test_an_epoch_can_be_interrupted(asked):
    codes, labels = random_table(18, 4, 20_000, missing=0)
    block = block_of(True, codes, labels, log_threshold=18 * np.log(2))
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.3):
        trained(block, 1)
    assert sum(block.classes[0].kernel.sums.values()) < len(codes)
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
    for prefers_exact in (True, False):
        for engine in (Exact, Auto):
            monkeypatch.setattr(engine, "prefers_exact", prefers_exact)
        clf = train()
        found.append([clf.stored_examples_, clf.net_promotion_counts_, clf.n_updates_])
    for ours, wanted in zip(*found):
        assert_array_equal(ours, wanted)
    assert found[0][2].sum() > 0
