"""Weights: what every kind of them answers, update lists, and states of classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import inspect

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from reference import weights_by

from sklearn_dnfwinnow._terms._index_builders import list_terms
from sklearn_dnfwinnow._utils._distinct_rows import distinct_in_order
from sklearn_dnfwinnow._winnow._presentations import Presentations
from sklearn_dnfwinnow._winnow._update_rule import UpdateRule
from sklearn_dnfwinnow._winnow._weights._class_state import ClassState, union
from sklearn_dnfwinnow._winnow._weights._implicit_weights import (
    ImplicitWeights,
    TermSummer,
)
from sklearn_dnfwinnow._winnow._weights._superset_weights import SupersetWeights
from sklearn_dnfwinnow._winnow._weights._term_table import TermTable
from sklearn_dnfwinnow._winnow._weights._update_list import UpdateList
from sklearn_dnfwinnow._winnow._weights._weights import Weights
from sklearn_dnfwinnow.samplers import BruteForce

LOG_ALPHA, LOG_BETA, CAP = 0.4, -0.5, 2
# Superset weights are for one class alone, and for margins.
JOINT = {"implicit", "by_term", "table"}
RULES = [
    UpdateRule(margin=0.0),
    UpdateRule(margin=0.4),
    UpdateRule("residual", scale=0.02),
    UpdateRule("residual", scale=5.0),
]


def some_rows(n_rows=40, seed=0):
    """Distinct rows of codes, and classes that do not follow from them."""
    random = np.random.RandomState(seed)
    codes = random.randint(0, 4, (n_rows, 5)).astype(np.int32)
    codes = distinct_in_order(codes)[0]
    return codes, random.randint(3, size=len(codes))


def kinds(codes, state, max_stored_examples=10**6):
    """Weights of each kind, from one state, with sums over terms of two literals."""
    engine = BruteForce().engine(CAP)
    options = {
        "updates": state.updates,
        "exponents": state.exponents,
        "log_alpha": LOG_ALPHA,
        "log_beta": LOG_BETA,
        "version": state.version,
        "max_stored_examples": max_stored_examples,
    }
    index = list_terms(codes, codes.max(axis=0), CAP, LOG_BETA)
    return {
        "implicit": weights_by(engine, **options),
        "superset": weights_by(engine, **options, kind=SupersetWeights),
        "by_term": ImplicitWeights(
            state, TermSummer(CAP, LOG_ALPHA, LOG_BETA), max_stored_examples
        ),
        "table": TermTable(
            index,
            LOG_ALPHA,
            state.exponents,
            version=state.version,
            places=state.places,
            max_stored_examples=max_stored_examples,
        ),
    }


def some_state(codes):
    places = np.array([7, 3, 11])
    return ClassState(codes[places], np.array([2, -1, 1]), 5, places)


def state_of(weights):
    return [
        weights.updates.tolist(),
        weights.exponents.tolist(),
        weights.version,
        sorted(weights.chains),
        sorted(weights.sums),
    ]


@pytest.mark.parametrize("kind", [ImplicitWeights, SupersetWeights, TermTable])
def test_kinds_have_what_the_protocol_has(kind):
    wanted = inspect.signature(Weights.epoch).parameters
    assert list(inspect.signature(kind.epoch).parameters) == list(wanted)
    if kind is not SupersetWeights:
        wanted = list(inspect.signature(Weights.joint_epoch).parameters)
        found = list(inspect.signature(kind.joint_epoch).parameters)
        assert found[: len(wanted)] == wanted
    codes, _ = some_rows()
    state = some_state(codes)
    for weights in kinds(codes, state).values():
        assert all(hasattr(weights, name) for name in Weights.__annotations__)
        assert state_of(weights)[:3] == [
            state.updates.tolist(),
            state.exponents.tolist(),
            5,
        ]


@pytest.mark.parametrize("max_stored_examples", [10**6, 6, 2])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_kinds_make_the_same_updates(rule, max_stored_examples):
    codes, labels = some_rows()
    found = {}
    for name, weights in kinds(codes, some_state(codes), max_stored_examples).items():
        if rule.by_residuals and name not in JOINT:
            continue
        wrong = [
            weights.epoch(
                order=np.arange(len(codes))[::step],
                codes=codes,
                positive=labels == 1,
                units=rule.parts * (np.arange(len(codes)) % 5 + 1),
                one=2 * rule.parts,
                log_threshold=1.5,
                guesses=np.zeros(len(codes), dtype=bool),
                rule=rule,
            )
            for step in (1, -1)
        ]
        found[name] = [wrong, *state_of(weights)]
        assert len(weights.updates) <= max(max_stored_examples, 3)
    assert min(found["implicit"][0]) > 0
    assert all(state == found["implicit"] for state in found.values())


@pytest.mark.parametrize("max_stored_examples", [10**6, 6, 2])
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_kinds_make_the_same_updates_jointly(rule, max_stored_examples):
    codes, labels = some_rows()
    units = rule.parts * (np.arange(len(codes)) % 5 + 1)
    rows = Presentations(codes, labels, units, one=2 * rule.parts)
    found = {}
    of_classes = [
        kinds(codes, some_state(codes), max_stored_examples) for _ in range(3)
    ]
    for name in JOINT:
        all_weights = [of_class[name] for of_class in of_classes]
        all_weights[0].joint_epoch(all_weights, np.arange(len(codes)), rows, rule)
        found[name] = [state_of(weights) for weights in all_weights]
    assert found["implicit"][0][2] > 5
    assert all(states == found["implicit"] for states in found.values())


# -- update lists ----------------------------------------------------------------------


def test_update_lists_are_sums_by_rows():
    codes, _ = some_rows()
    state = some_state(codes)
    updates = UpdateList(state)
    wanted = dict(zip(map(tuple, state.updates.tolist()), state.exponents.tolist()))
    random = np.random.RandomState(0)
    for step in range(200):
        row, amount = codes[random.randint(len(codes))], random.choice([-3, -1, 1, 2])
        assert not updates.add(row, int(amount))
        wanted[tuple(row.tolist())] = wanted.get(tuple(row.tolist()), 0) + amount
        assert updates.version == 5 + step + 1
    # In order of arrival.
    assert list(map(tuple, updates.codes.tolist())) == list(wanted)
    assert updates.exponents.tolist() == list(wanted.values())
    net = updates.exponents.sum() - state.exponents.sum()
    assert updates.promoted - updates.demoted == net
    assert updates.promoted > 0 and updates.demoted > 0


def test_update_lists_leave_alone_what_they_start_from():
    codes, _ = some_rows()
    state = some_state(codes)
    for array in (state.updates, state.exponents):
        array.setflags(write=False)
    updates = UpdateList(state)
    updates.add(state.updates[1], 4)
    updates.add(codes[0], 1)
    assert updates.exponents.tolist() == [2, 3, 1, 1]
    assert state.exponents.tolist() == [2, -1, 1]


def test_update_lists_merge_the_weakest():
    codes = np.array([[1, 1], [2, 2], [3, 3], [1, 2], [2, 1], [3, 1]], dtype=np.int32)
    updates = UpdateList(ClassState.empty(2), max_stored_examples=5)
    for i in range(5):
        assert not updates.add(codes[i], i + 1)
    assert updates.add(codes[5], -9)
    # The exponent of the first goes to the oldest that shares a code with it.
    assert_array_equal(updates.codes, codes[1:6])
    assert updates.exponents.tolist() == [2, 3, 5, 5, -9]
    # They are found again where they are now.
    assert not updates.add(codes[3], 1)
    assert updates.exponents.tolist() == [2, 3, 6, 5, -9] and updates.version == 7


def test_a_smaller_bound_takes_effect_when_asked():
    codes, _ = some_rows()
    updates = UpdateList(some_state(codes), max_stored_examples=2)
    assert len(updates.codes) == 3
    assert updates.drop_excess() and not updates.drop_excess()
    assert len(updates.codes) == 2 and updates.exponents.sum() == 2


# -- unions ----------------------------------------------------------------------------


def test_unions_are_as_small_as_they_can_be():
    class Trained:
        def __init__(self, updates, exponents, times):
            self.updates = np.array(updates, dtype=np.int32)
            self.exponents = np.array(exponents, dtype=np.int64)
            self.times = times

    updates, exponents, owned, times = union(
        [Trained([[1], [2]], [6, -2], 4), Trained([[3], [1]], [1, 2], 2)]
    )
    assert updates.tolist() == [[1], [2], [3]] and times == 2
    assert exponents.tolist() == [[3, -1, 0], [2, 0, 1]]
    assert [own.tolist() for own in owned] == [[0, 1], [2, 0]]
