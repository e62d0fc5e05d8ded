"""The term table: against brute force, in all its forms, and at its limits."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import time

import numpy as np
import pytest
from class_checks import (
    EVERY,
    all_classes,
    one_class,
    ones,
    state_of,
    stored_of,
    summation_by,
    summation_of_index,
)
from internals.terms import (
    group_terms,
    list_terms,
    number_terms,
)
from internals.winnow import Repetitions, StoredExamples, TermTable, UpdateRule
from internals.winnow import log_sums as log_sums_of_classes
from numpy.testing import assert_allclose, assert_array_equal
from reference import distinct, interrupt_after, plain_winnow, random_rows, subsets

from sklearn_dnfwinnow.samplers import BruteForce

LOG_ALPHA, LOG_BETA = np.log(1.5), np.log(0.4)
KINDS = {"lists": list_terms, "numbers": number_terms}
CASES = [  # attributes, values, rows
    (6, 3, 40),
    (5, 9, 30),
    (9, 2, 60),
    (1, 3, 4),
    (7, 2, 1),
    (3, 1, 8),
]


def random_exponents(m, seed=1, largest=5):
    random = np.random.RandomState(seed)
    return random.randint(-largest, largest + 1, m).astype(np.int64)


def brute_force(
    rows, examples, net_counts, cap=None, log_alpha=LOG_ALPHA, log_beta=LOG_BETA
):
    """Sums of rows over stored examples, by enumeration of all terms."""
    summation = summation_by(BruteForce().engine(cap), log_alpha, log_beta)
    evaluation = summation.in_training(examples, net_counts, k=0, version=0)
    return [evaluation.weighted_sum(row).log_value for row in rows]


def log_sums(examples, net_counts, *args):
    """Of one class."""
    return log_sums_of_classes(examples, net_counts[None], *args)[:, 0]


def sums_of(table, rows):
    return table.log_sums(table.index.positions(rows)).tolist()


def tabled(index, log_alpha=LOG_ALPHA):
    """What a block of classes needs for tables."""
    return {"index": index, "summation": summation_of_index(log_alpha)}


def forced_on(kinds, net_counts, sign, units, one=1, order=None):
    """What blocks learn whose one class moves up, or down, at each presentation."""
    rows = kinds[0]["index"].rows
    labels = np.full(len(rows), 1 if sign > 0 else 0)
    given = Repetitions(rows, labels, units, one)
    stored = stored_of(2, rows[: len(net_counts)], net_counts)
    blocks = [one_class(given, stored, 1, EVERY, **kind) for kind in kinds]
    for block in blocks:
        block.present(np.arange(len(rows)) if order is None else order)
    return blocks


def log_sum_by_definition(examples, net_counts, row, cap, alpha=1.5, beta=0.4):
    specified = np.flatnonzero(row)
    total = 0.0
    for term in subsets(len(specified)):
        if term.sum() <= cap:
            where = specified[term]
            inside = (examples[:, where] == row[where]).all(axis=1)
            total += beta ** term.sum() * alpha ** float(net_counts[inside].sum())
    return np.log(total)


# -- sums ------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("cap", [None, 1, 2, 3, 5])
def test_sums_equal_brute_force_and_the_definition(case, cap):
    n, k, _ = case
    rows = random_rows(*case)
    net_counts = random_exponents(len(rows) // 2)
    examples = rows[: len(net_counts)]
    expected = brute_force(rows, examples, net_counts, cap)
    size = n if cap is None else min(cap, n)
    assert_allclose(
        expected,
        [log_sum_by_definition(examples, net_counts, row, size) for row in rows],
        rtol=1e-12,
        atol=1e-12,
    )
    n_values = np.full(n, k)
    for make in KINDS.values():
        table = TermTable(make(rows, n_values, cap, LOG_BETA), LOG_ALPHA, net_counts)
        assert_allclose(sums_of(table, rows), expected, rtol=1e-12, atol=1e-12)
    if cap is None:
        table = TermTable(group_terms(rows, LOG_BETA), LOG_ALPHA, net_counts)
        assert_allclose(sums_of(table, rows), expected, rtol=1e-12, atol=1e-12)
    asked = log_sums(examples, net_counts, rows, LOG_ALPHA, LOG_BETA, cap)
    assert_allclose(asked, expected, rtol=1e-12, atol=1e-12)


def test_a_wrong_cap_or_prior_is_seen():
    # The control of the test above.
    rows = random_rows(6, 3, 40)
    net_counts = random_exponents(20)
    expected = brute_force(rows, rows[:20], net_counts)
    for cap, log_beta in ((5, LOG_BETA), (None, LOG_BETA + 1e-3)):
        index = list_terms(rows, np.full(6, 3), cap, log_beta)
        wrong = sums_of(TermTable(index, LOG_ALPHA, net_counts), rows)
        assert np.abs(np.subtract(wrong, expected)).max() > 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_sums_far_below_the_largest_exponent_keep_their_terms(kind):
    # Two rows with the empty term in common: e^-4000 of the largest, and e^4000.
    rows = np.array([[1, 1, 1], [2, 2, 2]], dtype=np.int32)
    net_counts = np.array([10_000, -10_000], dtype=np.int64)
    index = KINDS[kind](rows, np.full(3, 2), None, 0.0)
    table = TermTable(index, 0.4, net_counts)
    expected = [4000 + np.log(7), 0.0]  # but for less than e^-4000
    assert_allclose(sums_of(table, rows), expected, rtol=1e-15)


def test_groups_of_many_attributes_stay_finite():
    rows = np.ones((2, 900), dtype=np.int32)
    rows[1, :300] = 2
    table = TermTable(group_terms(rows, 0.0), LOG_ALPHA, np.array([4]))
    shared = 600 * np.log(2)
    alone = 900 * np.log(2) + np.log1p(-(2.0**-300))
    assert_allclose(
        sums_of(table, rows),
        [
            900 * np.log(2) + 4 * LOG_ALPHA,
            np.logaddexp(shared + 4 * LOG_ALPHA, alone),
        ],
        rtol=1e-12,
    )
    # Numbers of terms that exceed floats.
    assert group_terms(np.ones((2, 3000), dtype=np.int32), 0.0) is None


# -- range -----------------------------------------------------------------------------


@pytest.mark.parametrize("start", [32_700, -32_700, 2**31 - 70, -(2**31) + 70])
def test_exponents_widen_before_they_would_wrap(start):
    rows = random_rows(4, 2, 12)
    log_alpha = 1e-3
    net_counts = np.array([start, 1, -2], dtype=np.int64)
    index = list_terms(rows, np.full(4, 2), None, LOG_BETA)
    narrow = TermTable(index, log_alpha, net_counts)._term_net_counts.itemsize
    by = summation_by(BruteForce().engine(), log_alpha, LOG_BETA)
    kinds = [tabled(index, log_alpha), {"summation": by}]
    order = np.tile(np.arange(4), 75)
    table, reference = forced_on(
        kinds, net_counts, np.sign(start), ones(rows), 1, order
    )
    store = table.classes[0].store
    assert store._term_net_counts.itemsize == 2 * narrow
    assert state_of(table) == state_of(reference)
    assert state_of(table)[0][2] == 300
    found, counts, _ = state_of(table)[0]
    expected = brute_force(
        rows, np.array(found, np.int32), np.array(counts), log_alpha=log_alpha
    )
    assert_allclose(sums_of(store, rows), expected, rtol=1e-12)


@pytest.mark.parametrize("log_alpha", [1e-9, 0.01, 5.0, 300.0])
@pytest.mark.parametrize("log_beta", [-40.0, 0.0, 40.0])
def test_nothing_overflows(log_alpha, log_beta):
    rows = random_rows(8, 2, 30)
    net_counts = random_exponents(15, largest=3000)
    expected = brute_force(
        rows, rows[:15], net_counts, log_alpha=log_alpha, log_beta=log_beta
    )
    n_values = np.full(8, 2)
    for index in (
        list_terms(rows, n_values, None, log_beta),
        number_terms(rows, n_values, None, log_beta),
        group_terms(rows, log_beta),
    ):
        table = TermTable(index, log_alpha, net_counts)
        assert_allclose(sums_of(table, rows), expected, rtol=1e-11, atol=1e-11)
    asked = log_sums(rows[:15], net_counts, rows, log_alpha, log_beta)
    assert_allclose(asked, expected, rtol=1e-11, atol=1e-11)


# -- learning --------------------------------------------------------------------------


def assert_same_model(first, second):
    assert_array_equal(first.stored_examples_, second.stored_examples_)
    assert_array_equal(first.net_promotion_counts_, second.net_promotion_counts_)
    assert_array_equal(first.n_updates_, second.n_updates_)
    assert first.log_threshold_ == second.log_threshold_


@pytest.mark.parametrize("cap", [None, 2])
def test_sample_weights_and_partial_fit_with_new_values(cap):
    random = np.random.RandomState(0)
    models = [
        plain_winnow(sampler=sampler, max_term_size=cap, random_state=0)
        for sampler in ("brute_force", "table")
    ]
    for n_values in (2, 3, 5):
        X = random.randint(n_values, size=(40, 5)).astype(object)
        X[random.random_sample(X.shape) < 0.1] = None
        y = random.randint(3, size=40)
        w = random.choice([0.0, 0.5, 1.0, 2.25, 3.0], size=40)
        for model in models:
            model.partial_fit(X, y, classes=[0, 1, 2], sample_weight=w)
        assert_same_model(*models)
        sums = [model.log_weighted_sums(X) for model in models]
        assert_allclose(*sums, atol=1e-10)
    for model in models:
        model.fit(X, y, sample_weight=w)
    assert_same_model(*models)
    assert models[1]._model.stored.versions == models[0]._model.stored.versions


# Whole presentations of each row: until these are used up, or the margin is reached;
# until exponents need more bits; with updates that are dropped again.
LONG = {
    "used up": {"n_times": 500, "margin": 1e5},
    "reached": {"n_times": 4_000, "margin": 40.5},
    "widened": {"n_times": 30_000, "margin": 1e9, "log_alpha": 1e-3},
    "dropped": {"n_times": 150, "margin": 1e5, "max_stored_examples": 2},
    "residuals": {"n_times": 20_000, "scale": 1.0, "log_alpha": 1e-4},
    "steep residuals": {"n_times": 20_000, "scale": 30.0, "log_alpha": 1e-4},
    "flat residuals": {"n_times": 20_000, "scale": 0.02, "log_alpha": 1e-2},
}


@pytest.mark.parametrize("case", LONG)
def test_equal_updates_are_those_of_single_presentations(case):
    case = {"log_alpha": 0.4, "max_stored_examples": 10**6, **LONG[case]}
    rows = random_rows(4, 2, 12)
    index = list_terms(rows, np.full(4, 2), None, LOG_BETA)
    threshold = 4 * np.log1p(2 * np.exp(LOG_BETA))
    labels = np.arange(len(rows)) % 3
    found = []
    # All at once, and one by one.
    for n_repeats, weight in ((1, case["n_times"]), (case["n_times"], 1)):
        order = np.repeat(np.arange(len(rows)), n_repeats)
        rule = UpdateRule(margin=case.get("margin", 0.0))
        if "scale" in case:
            rule = UpdateRule(scale=case["scale"], by_residuals=True)
        one = 2 * rule.parts
        given = Repetitions(rows, labels, np.full(len(rows), one * weight), one=one)
        options = tabled(index, case["log_alpha"] / rule.parts)
        options["max_stored_examples"] = case["max_stored_examples"]
        blocks = [
            one_class(given, None, 0, rule, threshold, **options),
            all_classes(given, StoredExamples.empty(4, 3), rule, **options),
        ]
        for block in blocks:
            block.present(order)
        found.append([*state_of(blocks[0]), *state_of(blocks[1])])
    assert found[0] == found[1]
    assert min(version for _, _, version in found[0]) > 100


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_enormous_weights_take_no_time(multi_class):
    X, y = [["a", "x"], ["a", "y"], ["b", "x"]], [0, 1, 1]
    clf = plain_winnow(
        sampler="table", multi_class=multi_class, margin=1e9, max_iter=2, random_state=0
    )
    began = time.process_time()
    clf.partial_fit(X, y, [0, 1], sample_weight=[3e8, 1, 1])
    assert time.process_time() - began < 5
    assert clf.net_promotion_counts_.max() > 10**8
    assert clf.n_updates_.sum() > 10**8


def test_ctrl_c_ends_an_epoch():
    # Of one call, in which each presentation takes 2^16 terms.
    rows = random_rows(16, 1, 50)[:20]
    rows[:] = 1 + np.arange(20)[:, None] % 3
    rows = distinct(rows)
    index = number_terms(rows, np.full(16, 3), 8, LOG_BETA)
    given = Repetitions(rows, np.ones(len(rows), dtype=int), ones(rows))
    block = one_class(given, None, 1, EVERY, **tabled(index, 0.4))
    order = np.tile(np.arange(len(rows)), 10**6)
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.1):
        block.present(order)
    assert 0 < block.classes[0].kernel.version < 10**6


# -- limits ----------------------------------------------------------------------------


def test_edge_shapes_of_tables():
    for X in ([[0], [1]], [["a", None]], [[None], ["b"]]):
        X = np.array(X, dtype=object)
        y = np.arange(len(X)) if len(X) > 1 else [0]
        clf = plain_winnow(sampler="table", random_state=0)
        clf.partial_fit(X, y, classes=[0, 1])
        assert np.isfinite(clf.log_weighted_sums(X)).all()
