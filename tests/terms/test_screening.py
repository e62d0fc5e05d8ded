"""Screening: the search for conditions, and the terms that are chosen."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.kernels import condition_search
from internals.terms import Cells, Condition, Screening


def made_up_cells(seed, n_rows=60, n_times=1):
    """Return cells with missing values: two ordered features, and two of categories.

    There are so many features of each kind, `n_times`.
    """
    rng = np.random.default_rng(seed)
    n_codes = np.tile(np.array([5, 4, 3, 4], dtype=np.int32), n_times)
    codes = np.array([rng.integers(0, n, n_rows) for n in n_codes], dtype=np.uint8)
    ordered = np.tile(np.array([1, 0, 0, 1], dtype=np.uint8), n_times)
    return Cells(codes, ordered, n_codes)


def made_up_moments(seed, n_rows=60):
    rng = np.random.default_rng(seed)
    # Sums of few small integers are exact in float32.
    residuals = rng.integers(-4, 5, n_rows)
    return np.column_stack(
        [residuals, rng.integers(1, 4, n_rows), np.ones(n_rows)]
    ).astype(np.float32)


def conditions(cells, feature):
    last = cells.n_codes[feature] - cells.ordered[feature]
    return [
        Condition(feature, code, is_above)
        for code in range(1, last)
        for is_above in (False, True)
    ]


def gain(rows, moments, least, most):
    residual, curvature, n_rows = moments[rows].sum(axis=0, dtype=np.float64)
    return residual**2 / (curvature + 1) if least <= n_rows <= most else 0.0


@pytest.mark.parametrize("seed", range(4))
def test_the_best_pairs_are_those_of_a_search_through_all(seed):
    cells = made_up_cells(seed)
    moments = made_up_moments(seed)
    gains, places = np.zeros((4, 4), np.float32), np.zeros((4, 4), np.int32)
    condition_search.best_pairs(
        **cells.tables,
        moments=moments,
        least=4,
        gains=gains,
        places=places,
    )
    width = cells.n_codes.max()
    for f in range(4):
        for g in range(f + 1, 4):
            both = (cells.codes[f] > 0) & (cells.codes[g] > 0)
            most = both.sum() - 4
            found = {
                (one, two): gain(cells.holds((one, two)), moments, 4, most)
                for one in conditions(cells, f)
                for two in conditions(cells, g)
            }
            best = max(found.values(), default=0.0)
            np.testing.assert_allclose(gains[f, g], best, rtol=1e-6)
            if not best:
                continue
            rest, b = divmod(int(places[f, g]), 2)
            rest, a = divmod(rest, 2)
            x, y = divmod(rest, width)
            best = Condition(f, x, bool(a)), Condition(g, y, bool(b))
            np.testing.assert_allclose(found[best], gains[f, g], rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_times", [1, 30])  # one block of features, and three
def test_the_best_conditions_are_those_of_a_search_through_all(seed, n_times):
    cells = made_up_cells(seed, n_times=n_times)
    moments = made_up_moments(seed)
    terms = [(), (Condition(0, 2, True),), (Condition(1, 1, False),)]
    all_rows = [np.flatnonzero(cells.holds(term)).astype(np.int32) for term in terms]

    def search(least_gain):
        gains, places = np.zeros(3, np.float32), np.zeros((3, 2), np.int32)
        condition_search.best_conditions(
            **cells.tables,
            rows=np.concatenate(all_rows),
            starts=np.cumsum([0, *map(len, all_rows)]),
            moments=moments,
            least=4,
            least_gain=least_gain,
            gains=gains,
            places=places,
        )
        return gains, places

    gains, places = search(0.0)
    # Terms without a large gain may be passed over, and no others.
    for least_gain in gains:
        some, _ = search(least_gain)
        is_large = gains >= least_gain
        np.testing.assert_array_equal(some[is_large], gains[is_large])
    assert not search(1e6)[0].any()
    for term, rows, found, (f, place) in zip(terms, all_rows, gains, places):
        by_search = {
            one: gain(cells.holds((*term, one)), moments, 4, len(rows) - 4)
            for feature in range(len(cells.codes))
            for one in conditions(cells, feature)
        }
        np.testing.assert_allclose(found, max(by_search.values()), rtol=1e-6)
        best = Condition(int(f), int(place) // 2, bool(place % 2))
        np.testing.assert_allclose(by_search[best], found, rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_conditions_become_the_best_ones_given_the_others(seed):
    """In turn, each on its own feature; with as good ones, any of them."""
    cells = made_up_cells(seed)
    moments = np.stack([made_up_moments(seed), made_up_moments(seed + 10)])
    terms = [
        (Condition(0, 2, True), Condition(1, 1, False)),
        (Condition(3, 1, True),),
        (Condition(0, 1, False), Condition(2, 1, True), Condition(3, 2, False)),
    ]
    targets = [0, 1, 1]
    flat = [one for term in terms for one in term]
    places = np.array([2 * one.code + one.is_above for one in flat], dtype=np.int32)
    starts = np.cumsum([0, *map(len, terms)])
    condition_search.improve_terms(
        **cells.tables,
        features=np.array([one.feature for one in flat], dtype=np.int32),
        places=places,
        starts=starts,
        targets=np.array(targets, dtype=np.int32),
        moments=moments,
        least=2,
        n_sweeps=1,
    )
    for term, k, start in zip(terms, targets, starts):
        now = list(term)
        for j, old in enumerate(term):
            place = int(places[start + j])
            new = Condition(old.feature, place // 2, bool(place % 2))
            others = [*now[:j], *now[j + 1 :]]
            most = cells.holds(others).sum() - 2
            by_search = {
                one: gain(cells.holds([*others, one]), moments[k], 2, most)
                for one in conditions(cells, old.feature)
            }
            best = max(by_search.values(), default=0.0)
            if best:
                np.testing.assert_allclose(by_search[new], best, rtol=1e-6)
            else:
                assert new == old
            now[j] = new


def table(n_rows, n_features, seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(1, 33, (n_features, n_rows)).astype(np.uint8)
    ordered, n_codes = np.ones(n_features, np.uint8), np.full(n_features, 33, np.int32)
    return Cells(codes, ordered, n_codes)


def screened(cells, labels, weights=None, strength=1.0, max_term_size=3):
    return screening(cells, labels, weights).screen(
        strength, max_term_size=max_term_size, most_terms=500
    )[0]


def screening(cells, labels, weights=None, smooth=None):
    return Screening(
        cells,
        labels=labels,
        weights=np.ones(len(labels)) if weights is None else weights,
        n_classes=2,
        smooth=np.zeros((len(labels), 0)) if smooth is None else smooth,
    )


def test_a_rule_without_single_effects_is_found():
    # Parity: neither feature has an effect of its own.
    cells = table(n_rows=1000, n_features=40, seed=0)
    labels = ((cells.codes[3] > 16) ^ (cells.codes[7] > 16)).astype(int)
    first = screened(cells, labels)[0]
    assert [one.feature for one in first] == [3, 7]
    assert all(abs(one.code - 16) <= 1 for one in first)


def test_a_rule_of_three_conditions_is_learned():
    cells = table(n_rows=3000, n_features=30, seed=1)
    labels = (cells.codes[[2, 5, 9]] > 16).all(axis=0).astype(int)
    terms, model = screening(cells, labels).screen(1.0, max_term_size=3, most_terms=500)
    # Pairs lead to it: a sum over them can be as good as the rule.
    for pair in ([2, 5], [2, 9], [5, 9]):
        assert pair in [[one.feature for one in term] for term in terms]
    _, effects, intercepts = model.effects()
    satisfied = np.column_stack([cells.holds(term) for term in terms])
    logits = satisfied @ (effects[1] - effects[0]) + intercepts[1] - intercepts[0]
    assert np.mean((logits > 0) != labels) < 0.005


def test_nothing_is_found_in_noise():
    # A strength of 1 is the level of the best of all terms by chance; at 1.5, one of
    # them is above it with a probability of about 1e-4.
    for seed in range(5):
        cells = table(n_rows=500, n_features=30, seed=seed)
        labels = np.random.default_rng(100 + seed).integers(0, 2, 500)
        assert screened(cells, labels, strength=1.5) == []
        assert screened(cells, labels, strength=0.2) != []


def test_the_number_and_the_length_of_terms_are_limited():
    cells = table(n_rows=500, n_features=10, seed=0)
    labels = np.random.default_rng(1).integers(0, 2, 500)
    for size in (1, 2, 4):
        found = screened(cells, labels, strength=0.05, max_term_size=size)
        assert max(map(len, found)) == size
    assert len(found) == 500
    assert len(set(found)) == 500


def test_what_smooth_effects_say_is_not_searched_again():
    cells = table(n_rows=2000, n_features=6, seed=2)
    chance = np.random.default_rng(0).logistic(size=2000)
    smooth = (cells.codes[:1].T - 16.5) / 8
    labels = (smooth[:, 0] > chance).astype(int)
    assert screened(cells, labels)
    without = screening(cells, labels, smooth=smooth)
    assert without.screen(1.5, max_term_size=3, most_terms=500)[0] == []


def test_strengths_share_a_screening():
    """And do not depend on those before."""
    cells = table(n_rows=500, n_features=10, seed=0)
    labels = (cells.codes[[2, 5]] > 16).all(axis=0).astype(int)
    labels ^= np.random.default_rng(0).random(500) < 0.2
    asked = [(0.05, 3), (1.0, 3), (1.0, 1), (0.05, 3), (float("inf"), 3)]
    shared = screening(cells, labels)
    for strength, size in asked:
        terms, model = shared.screen(strength, max_term_size=size, most_terms=500)
        alone = screening(cells, labels)
        expected = alone.screen(strength, max_term_size=size, most_terms=500)
        assert terms == expected[0]
        for one, other in zip(model.effects(), expected[1].effects()):
            np.testing.assert_array_equal(one, other)
    assert terms == []
