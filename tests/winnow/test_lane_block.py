"""Lanes: trainings side by side in float32 do not depend on each other."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
import pytest
from internals.kernels import _numerics_testing as numerics
from internals.winnow import Progress
from lane_checks import (
    MARGIN,
    RESIDUAL,
    block_of,
    index_of,
    lane,
    repetitions,
    train,
)
from numpy.testing import assert_allclose, assert_array_equal
from reference import subsets

RULES = {
    "margin": MARGIN,
    "no margin": {"margin": 0.0},
    "residual": RESIDUAL,
    "sharp residual": {"margin": None, "scale": 25.0},
}


# -- one lane --------------------------------------------------------------------------


def test_no_more_epochs_than_there_are_updates():
    rows = repetitions(1, n_rows=12)
    keys = [(*code, label) for code, label in zip(rows.codes.tolist(), rows.labels)]
    clear = [i for i, key in enumerate(keys) if keys.index(key) == i]
    firsts = {tuple(rows.codes[i]): i for i in reversed(clear)}
    chosen = np.array(sorted(firsts.values()))
    rows = replace(
        rows,
        codes=rows.codes[chosen],
        labels=rows.labels[chosen],
        units=rows.units[chosen],
        n_epochs=400,
    )
    block = block_of(rows, [lane(MARGIN, alpha=1.5)])
    assert block.train(400, Progress())
    assert block.n_epochs < 100 and not block.mistakes[-1].any()
    assert not block.active.any()
    # What was learned is the mean over all epochs, those left out as the last.
    net_counts, times = block.net_counts(0)
    assert times == 400
    last = block_of(rows, [lane(MARGIN, alpha=1.5)], average=False)
    assert last.train(400, Progress())
    total, times = last.net_counts(0)
    net = total // times
    assert_array_equal(net * times, total)
    assert_array_equal(np.rint(net_counts / 400), net)
    # More training changes nothing.
    assert block.train(3, Progress())
    assert_array_equal(block.net_counts(0)[0], 3 * net)


# -- several lanes ---------------------------------------------------------------------


def many_lanes():
    """Lanes of all kinds, in more than one chunk."""
    random = np.random.RandomState(0)
    lanes = [
        lane(
            rule,
            joint=bool(random.randint(2)),
            max_term_size=size,
            alpha=random.choice([1.05, 1.2, 1.5]),
            literal_weight=random.choice([0.3, 0.5, 1.0]),
            fold=int(random.randint(-1, 3)),
        )
        for rule in RULES.values()
        for size in (1, 2, 3, None)
    ]
    return [lanes[i] for i in random.permutation(len(lanes))]


def learned(block, t):
    """What is known of a training: exponents, updates, scores of rows held out."""
    net_counts, times = block.net_counts(t)
    counts = [wrong[t].tolist() for wrong in block.mistakes]
    while len(counts) > 1 and not any(counts[-1]):
        counts.pop()
    return net_counts / times, counts, block.held_out_scores()[t], block.diverged[t]


def assert_same(found, expected):
    for one, other in zip(found, expected):
        assert_array_equal(one, other)


@pytest.mark.parametrize("kind", ["lists", "numbers"])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_lanes_do_not_depend_on_those_beside_them(n_classes, kind):
    rows = repetitions(0, n_rows=60, n_classes=n_classes, fractions=n_classes == 3)
    folds = np.random.RandomState(1).randint(0, 3, 60)
    index, lanes = index_of(rows, kind), many_lanes()
    together = train(block_of(rows, lanes, index, folds), 4)
    for t, one in enumerate(lanes):
        alone = train(block_of(rows, [one], index, folds), 4)
        assert_same(learned(together, t), learned(alone, 0))
    backwards = train(block_of(rows, lanes[::-1], index, folds), 4)
    for t in range(len(lanes)):
        assert_same(learned(together, t), learned(backwards, len(lanes) - 1 - t))


def test_lanes_of_groups():
    rows = repetitions(0, n_rows=60)
    folds = np.random.RandomState(1).randint(0, 3, 60)
    lanes = [
        lane(rule, joint=joint, fold=fold)
        for rule in RULES.values()
        for joint in (True, False)
        for fold in (-1, 2)
    ]
    index = index_of(rows, "groups")
    together = train(block_of(rows, lanes, index, folds), 4)
    for t, one in enumerate(lanes):
        alone = train(block_of(rows, [one], index, folds), 4)
        assert_same(learned(together, t), learned(alone, 0))


@pytest.mark.parametrize("joint", [True, False], ids=["joint", "ovr"])
@pytest.mark.parametrize("rule", ["margin", "residual"])
def test_a_fold_held_out_is_as_good_as_absent(rule, joint):
    rows = repetitions(2, n_rows=60, fractions=True)
    rows = replace(rows, seed=None)
    folds = np.random.RandomState(1).randint(0, 3, 60)
    index = index_of(rows)
    for fold in range(3):
        held = folds == fold
        without = replace(
            rows,
            codes=rows.codes[~held],
            labels=rows.labels[~held],
            units=rows.units[~held],
        )
        one = lane(RULES[rule], joint=joint)
        block = train(block_of(rows, [replace(one, fold=fold)], index, folds), 6)
        other = train(block_of(without, [one], index), 6)
        assert_same(block.net_counts(0), other.net_counts(0))
        assert_array_equal(np.stack(block.mistakes), np.stack(other.mistakes))


def brute_force_scores(index, one, net_counts, codes):
    """log W of some rows, by all of their terms."""
    totals = np.zeros((len(codes), net_counts.shape[1]))
    for total, row in zip(totals, codes):
        for chosen in subsets(len(row)):
            size = chosen.sum()
            if row[chosen].all() and size <= (one.candidate.max_term_size or size):
                satisfied = (index.rows[:, chosen] == row[chosen]).all(axis=1)
                phi = net_counts[satisfied].sum(axis=0)
                total += one.candidate.literal_weight**size * one.alpha**phi
    return np.log(totals)


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("kind", ["lists", "numbers", "groups"])
def test_scores_of_rows_held_out_are_sums_over_their_terms(kind, average):
    rows = repetitions(3, n_rows=40, fractions=True)
    folds = np.random.RandomState(1).randint(0, 2, 40)
    index = index_of(rows, kind)
    sizes = [None] if kind == "groups" else [None, 1, 2]
    lanes = [
        lane(rule, joint=joint, max_term_size=size, fold=fold)
        for rule in (MARGIN, RESIDUAL)
        for joint in (True, False)
        for size in sizes
        for fold in (0, 1)
    ]
    block = train(block_of(rows, lanes, index, folds, average=average), 6)
    for t, (one, found) in enumerate(zip(lanes, block.held_out_scores())):
        units, times = block.net_counts(t)
        expected = brute_force_scores(
            index=index,
            one=one,
            net_counts=units / (times * one.rule.parts * rows.one),
            codes=rows.codes[folds == one.fold],
        )
        assert np.ptp(expected) > 0.1
        assert_allclose(found, expected, rtol=0, atol=1e-4)


def test_keep_changes_nothing_in_what_stays():
    rows = repetitions(0, n_rows=60, n_epochs=9)
    folds = np.random.RandomState(1).randint(0, 3, 60)
    index, lanes = index_of(rows), many_lanes()
    whole = block_of(rows, lanes, index, folds)
    cut = block_of(rows, lanes, index, folds)
    kept = list(range(len(lanes)))
    for n_epochs, chosen in ((2, range(1, 16, 2)), (3, [0, 2, 3, 7]), (4, [1])):
        for block in (whole, cut):
            block.train(n_epochs, Progress())
        cut.keep(list(chosen))
        kept = [kept[t] for t in chosen]
        for t, position in enumerate(kept):
            assert cut.trainings[t] is lanes[position]
            assert_same(learned(cut, t), learned(whole, position))


def test_diverged_lanes_are_marked_and_stop():
    rows = repetitions(0, n_rows=60)
    steep = lane({"margin": 60.0}, alpha=50.0)
    lanes = [lane(MARGIN), steep, lane(RESIDUAL)]
    block = train(block_of(rows, lanes), 6)
    assert block.diverged.tolist() == [False, True, False]
    assert not block.active[1] and block.active[[0, 2]].all()
    n_epochs = np.flatnonzero(np.stack(block.mistakes)[:, 1].any(axis=1)).max() + 1
    assert n_epochs < 6
    for t in (0, 2):
        alone = train(block_of(rows, [lanes[t]]), 6)
        assert_array_equal(block.net_counts(t)[0], alone.net_counts(0)[0])
    # A prior that float32 has no room for.
    for prior in (1e-300, 1e300):
        block = train(block_of(rows, [lane(RESIDUAL, literal_weight=prior)]), 2)
        assert np.isfinite(block.net_counts(0)[0]).all()
    assert block.diverged.all()


# -- functions of lanes ----------------------------------------------------------------


def relative_errors(found, exact):
    return np.abs(found.astype(np.float64) / exact - 1)


def test_powers_and_logarithms_are_those_of_float32():
    # NumPy's own functions of float32 are not as good.
    x = np.linspace(-125.9, 126.9, 200_001).astype(np.float32)
    powers = numerics.exp2_of_lanes(x)
    assert relative_errors(powers, np.exp2(x.astype(np.float64))).max() < 4e-7
    positive = powers
    logs = numerics.log2_of_lanes(positive)
    exact = np.log2(positive.astype(np.float64))
    assert (np.abs(logs - exact) / np.maximum(1, np.abs(exact))).max() < 4e-7
    near_one = (1 + np.linspace(-0.4, 0.4, 100_001)).astype(np.float32)
    exact = np.log2(near_one.astype(np.float64))
    assert np.abs(numerics.log2_of_lanes(near_one) - exact).max() < 2e-7
    # Halves, where the nearest integer changes, and integers, which are exact.
    whole = np.arange(-126, 128).astype(np.float32)
    assert_array_equal(numerics.exp2_of_lanes(whole), np.exp2(whole.astype(float)))
    assert_array_equal(numerics.log2_of_lanes(numerics.exp2_of_lanes(whole)), whole)
    assert (
        relative_errors(
            numerics.exp2_of_lanes(whole[1:-1] + np.float32(0.5)),
            np.exp2(whole[1:-1] + 0.5),
        ).max()
        < 4e-7
    )
    # A test that would not see a wrong polynomial sees nothing.
    assert relative_errors(powers * np.float32(1 + 1e-6), np.exp2(x * 1.0)).max() > 4e-7


def test_powers_beyond_the_range_stay_in_it():
    beyond = np.array([-1e30, -127, 128, 1e30, -np.inf, np.inf], dtype=np.float32)
    found = numerics.exp2_of_lanes(beyond)
    assert_array_equal(found, np.exp2([-126, -126, 127, 127, -126, 127]))
    assert numerics.exp2_of_lanes(np.array([np.nan], np.float32)) == np.float32(2**-126)
