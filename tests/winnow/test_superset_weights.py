"""Sums made by the kernel: each presentation ends as it does by single calls."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from class_checks import one_class, ones, stored_of, summation_by, trained
from internals.winnow import Repetitions, UpdateRule
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow.samplers import Auto, BruteForce, Exact

EXACT = Exact(max_states=10**6).engine()
FEWER = Exact(max_states=10**5)


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
        stored=stored_of(2, examples, net_counts, version=5),
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


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("n", [3, 7, 12, 20, 70])
@pytest.mark.parametrize("log_beta", [0.0, -2.0, 0.5])
def test_outcomes_are_those_of_single_calls(n, log_beta):
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
