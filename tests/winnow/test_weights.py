"""Weights: what every kind of them answers, update lists, and states of classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from class_checks import (
    EVERY,
    all_classes,
    one_class,
    ones,
    state_of,
    summation_by,
    summation_of_index,
)
from internals.terms import list_terms
from internals.utils import distinct_in_order
from internals.winnow import ClassState, Repetitions, UpdateRule
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow.samplers import BruteForce

LOG_ALPHA, LOG_BETA, CAP = 0.4, -0.5, 2
RULES = [
    UpdateRule(margin=0.0),
    UpdateRule(margin=0.4),
    UpdateRule(scale=0.02, by_residuals=True),
    UpdateRule(scale=5.0, by_residuals=True),
]


def some_rows(n_rows=40, seed=0):
    """Distinct rows of codes, and classes that do not follow from them."""
    random = np.random.RandomState(seed)
    codes = random.randint(0, 4, (n_rows, 5)).astype(np.int32)
    codes = distinct_in_order(codes)[0]
    return codes, random.randint(3, size=len(codes))


def kinds(codes):
    """What makes stores of each kind, with sums over terms of two literals."""
    engine = BruteForce().engine(CAP)
    parts = {"log_alpha": LOG_ALPHA, "log_beta": LOG_BETA}
    return {
        "implicit": {"summation": summation_by(engine, **parts)},
        "compiled": {"summation": summation_by(engine, **parts, compiled=True)},
        "by term": {"summation": summation_by(engine, **parts, by_term=True)},
        "table": {
            "summation": summation_of_index(LOG_ALPHA),
            "index": list_terms(codes, codes.max(axis=0), CAP, LOG_BETA),
        },
    }


def some_state(codes):
    places = np.array([7, 3, 11])
    return ClassState(codes[places], np.array([2, -1, 1]), 5, places)


@pytest.mark.parametrize("max_stored_examples", [10**6, 6, 2])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_kinds_make_the_same_updates(rule, max_stored_examples):
    codes, labels = some_rows()
    units = rule.parts * (np.arange(len(codes)) % 5 + 1)
    rows = Repetitions(codes, labels, units, one=2 * rule.parts)
    found = {}
    for name, kind in kinds(codes).items():
        state = some_state(codes)
        block = one_class(
            rows, state, 1, rule, 1.5, max_stored_examples=max_stored_examples, **kind
        )
        assert state_of(block) == [
            (state.examples.tolist(), state.net_counts.tolist(), 5)
        ]
        found[name] = []
        for step in (1, -1):
            block.present(np.ascontiguousarray(np.arange(len(codes))[::step]))
            found[name].append(state_of(block))
        assert len(block.classes[0].places) <= max(max_stored_examples, 3)
    assert found["implicit"][0][0][2] > 5
    assert all(states == found["implicit"] for states in found.values())


@pytest.mark.parametrize("max_stored_examples", [10**6, 6, 2])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_kinds_make_the_same_updates_jointly(rule, max_stored_examples):
    codes, labels = some_rows()
    units = rule.parts * (np.arange(len(codes)) % 5 + 1)
    rows = Repetitions(codes, labels, units, one=2 * rule.parts)
    found = {}
    for name, kind in kinds(codes).items():
        states = [some_state(codes) for _ in range(3)]
        block = all_classes(
            rows, states, rule, max_stored_examples=max_stored_examples, **kind
        )
        block.present(np.arange(len(codes)))
        found[name] = state_of(block)
    assert found["implicit"][0][2] > 5
    assert all(states == found["implicit"] for states in found.values())


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("kind", ["implicit", "compiled", "table"])
def test_a_row_that_moved_its_class_is_not_summed_for_again(kind, sign):
    codes, _ = some_rows()
    rows = Repetitions(codes, np.full(len(codes), int(sign > 0)), 9 * ones(codes))
    # All terms of the row move: 4.5 units away, there are 5 updates.
    log_sum = np.log1p(4 * np.exp(LOG_BETA) + 6 * np.exp(2 * LOG_BETA))
    i = np.flatnonzero((codes != 0).sum(axis=1) == 4)[0]
    threshold = log_sum + sign * 4.5 * LOG_ALPHA
    block = one_class(rows, log_threshold=threshold, **kinds(codes)[kind])
    block.present(np.array([i]))
    assert state_of(block) == [([codes[i].tolist()], [5 * sign], 5)]
    assert block.classes[0].kernel.sums["full"] <= 1


# -- stored examples -------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["implicit", "table"])
def test_stored_examples_are_sums_by_rows(kind):
    codes, labels = some_rows()
    rows = Repetitions(codes, labels, np.arange(len(codes)) % 3 + 1, one=9)
    state = some_state(codes)
    block = one_class(rows, state, 1, EVERY, **kinds(codes)[kind])
    wanted = dict(zip(map(tuple, state.examples.tolist()), state.net_counts.tolist()))
    random = np.random.RandomState(0)
    for step in range(200):
        i = random.randint(len(codes))
        block.present(np.array([i]))
        row, sign = tuple(codes[i].tolist()), 1 if labels[i] == 1 else -1
        wanted[row] = wanted.get(row, 0) + sign * rows.units[i]
        ((found, counts, version),) = state_of(block)
        assert version == 5 + step + 1
    # In order of arrival.
    assert list(map(tuple, found)) == list(wanted)
    assert counts == list(wanted.values())


@pytest.mark.parametrize("kind", ["implicit", "table"])
def test_training_leaves_alone_what_it_starts_from(kind):
    codes, _ = some_rows()
    state = some_state(codes)
    for array in (state.examples, state.net_counts):
        array.setflags(write=False)
    rows = Repetitions(codes, np.ones(len(codes), int), ones(codes))
    block = one_class(rows, state, 1, EVERY, **kinds(codes)[kind])
    block.present(np.array([3, 0, 3]))
    assert state_of(block)[0][1] == [2, 1, 1, 1]
    assert state.net_counts.tolist() == [2, -1, 1]


@pytest.mark.parametrize("compiled", [False, True])
def test_the_weakest_stored_examples_are_merged(compiled):
    codes = np.array([[1, 1], [2, 2], [3, 3], [1, 2], [2, 1], [3, 1]], dtype=np.int32)
    rows = Repetitions(
        codes, np.array([1, 1, 1, 1, 1, 0]), np.array([1, 2, 3, 4, 5, 9]), one=9
    )
    by = summation_by(BruteForce().engine(), compiled=compiled)
    block = one_class(rows, rule=EVERY, summation=by, max_stored_examples=5)
    block.present(np.arange(5))
    assert state_of(block)[0][1] == [1, 2, 3, 4, 5]
    block.present(np.array([5]))
    # The count of the first goes to the oldest that shares a code with it.
    ((found, counts, _),) = state_of(block)
    assert_array_equal(found, codes[1:6])
    assert counts == [2, 3, 5, 5, -9]
    # They are found again where they are now.
    block.present(np.array([3]))
    ((found, counts, version),) = state_of(block)
    assert counts == [2, 3, 9, 5, -9] and version == 7


def test_a_smaller_bound_takes_effect_with_the_next_presentation():
    codes, _ = some_rows()
    rows = Repetitions(codes, np.ones(len(codes), int), ones(codes))
    by = summation_by(BruteForce().engine())
    block = one_class(rows, some_state(codes), summation=by, max_stored_examples=2)
    assert len(block.classes[0].places) == 3
    block.present(np.array([], dtype=np.int64))
    assert len(block.classes[0].places) == 2
    assert sum(state_of(block)[0][1]) == 2
