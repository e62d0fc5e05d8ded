"""The term table: against brute force, in all its forms, and at its limits."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
import pickle
import threading

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference import interrupt_after, learn_one, plain_winnow, subsets, weights_by

from sklearn_dnfwinnow import _kernels
from sklearn_dnfwinnow._terms import _term_index
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight
from sklearn_dnfwinnow._terms._term_index import (
    choose_max_term_size,
    group_terms,
    list_terms,
    number_terms,
    term_index,
)
from sklearn_dnfwinnow._utils._distinct_rows import distinct_in_order
from sklearn_dnfwinnow._winnow import _term_table
from sklearn_dnfwinnow._winnow._presentations import Presentations
from sklearn_dnfwinnow._winnow._weights import _weights
from sklearn_dnfwinnow._winnow._weights._term_table import TermTable
from sklearn_dnfwinnow.datasets import (
    load_car,
    load_house_votes_84,
    load_monks,
    load_tic_tac_toe,
    make_dnf,
)
from sklearn_dnfwinnow.samplers import BruteForce
from sklearn_dnfwinnow.sums import _batch_by_term
from sklearn_dnfwinnow.sums._batch_by_term import log_sums as log_sums_of_classes

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


def random_rows(n, k, n_rows, seed=0):
    """Distinct rows of codes, with unspecified ones among them."""
    random = np.random.RandomState(seed)
    return distinct_in_order(random.randint(0, k + 1, (n_rows, n)).astype(np.int32))[0]


def random_exponents(m, seed=1, largest=5):
    random = np.random.RandomState(seed)
    return random.randint(-largest, largest + 1, m).astype(np.int64)


def brute_force(updates, exponents, cap=None, log_alpha=LOG_ALPHA, log_beta=LOG_BETA):
    engine = BruteForce().engine(cap)
    return weights_by(engine, updates, exponents, log_alpha, log_beta)


def log_sums(updates, exponents, *args):
    """Of one class."""
    return log_sums_of_classes(updates, exponents[None], *args)[:, 0]


def sums_of(weights, rows):
    return [weights.log_sum(row).log_value for row in rows]


def log_sum_by_definition(updates, exponents, row, cap, alpha=1.5, beta=0.4):
    specified = np.flatnonzero(row)
    total = 0.0
    for term in subsets(len(specified)):
        if term.sum() <= cap:
            where = specified[term]
            inside = (updates[:, where] == row[where]).all(axis=1)
            total += beta ** term.sum() * alpha ** float(exponents[inside].sum())
    return np.log(total)


# -- sums ------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("cap", [None, 1, 2, 3, 5])
def test_sums_equal_brute_force_and_the_definition(case, cap):
    n, k, _ = case
    rows = random_rows(*case)
    exponents = random_exponents(len(rows) // 2)
    updates = rows[: len(exponents)]
    expected = sums_of(brute_force(updates, exponents, cap), rows)
    size = n if cap is None else min(cap, n)
    assert_allclose(
        expected,
        [log_sum_by_definition(updates, exponents, row, size) for row in rows],
        rtol=1e-12,
        atol=1e-12,
    )
    n_values = np.full(n, k)
    for make in KINDS.values():
        table = TermTable(make(rows, n_values, cap, LOG_BETA), LOG_ALPHA, exponents)
        assert_allclose(sums_of(table, rows), expected, rtol=1e-12, atol=1e-12)
    if cap is None:
        table = TermTable(group_terms(rows, n_values, LOG_BETA), LOG_ALPHA, exponents)
        assert_allclose(sums_of(table, rows), expected, rtol=1e-12, atol=1e-12)
    asked = log_sums(updates, exponents, rows, LOG_ALPHA, LOG_BETA, cap)
    assert_allclose(asked, expected, rtol=1e-12, atol=1e-12)


def test_a_wrong_cap_or_prior_is_seen():
    # The control of the test above.
    rows = random_rows(6, 3, 40)
    exponents = random_exponents(20)
    expected = sums_of(brute_force(rows[:20], exponents), rows)
    for cap, log_beta in ((5, LOG_BETA), (None, LOG_BETA + 1e-3)):
        index = list_terms(rows, np.full(6, 3), cap, log_beta)
        wrong = sums_of(TermTable(index, LOG_ALPHA, exponents), rows)
        assert np.abs(np.subtract(wrong, expected)).max() > 1e-6


@pytest.mark.parametrize("largest", [5, 5000])
@pytest.mark.parametrize("n, cap", [(8, None), (8, 2), (16, 2), (17, 3), (50, 2)])
def test_numbers_give_the_same_bits_as_lists(n, cap, largest):
    rows = random_rows(n, 3, 50)
    exponents = random_exponents(25, largest=largest)
    n_values = np.full(n, 3)
    sums = [
        sums_of(TermTable(make(rows, n_values, cap, LOG_BETA), 0.4, exponents), rows)
        for make in KINDS.values()
    ]
    assert sums[0] == sums[1]


@pytest.mark.parametrize("kind", KINDS)
def test_sums_far_below_the_largest_exponent_keep_their_terms(kind):
    # Two rows with the empty term in common: e^-4000 of the largest, and e^4000.
    rows = np.array([[1, 1, 1], [2, 2, 2]], dtype=np.int32)
    exponents = np.array([10_000, -10_000], dtype=np.int64)
    index = KINDS[kind](rows, np.full(3, 2), None, 0.0)
    table = TermTable(index, 0.4, exponents)
    expected = [4000 + np.log(7), 0.0]  # but for less than e^-4000
    assert_allclose(sums_of(table, rows), expected, rtol=1e-15)


def test_terms_are_numbered_once_each():
    rows = random_rows(4, 3, 200)
    n_values = np.full(4, 3)
    number = number_terms(rows, n_values, None, 0.0)
    assert number.n_terms == 4**4
    listed = list_terms(rows, n_values, None, 0.0)
    satisfied = set()
    for row in rows:
        specified = np.flatnonzero(row)
        for term in subsets(len(specified)):
            satisfied.add(tuple((j, row[j]) for j in specified[term]))
    assert listed.n_terms == len(satisfied)
    assert set(listed.terms) == set(range(listed.n_terms))


def test_groups_are_extents():
    rows = random_rows(5, 2, 20)
    index = group_terms(rows, np.full(5, 2), 0.0)
    weights = {}
    for codes in itertools.product(range(3), repeat=5):
        codes = np.array(codes)
        extent = ((rows == codes) | (codes == 0)).all(axis=1)
        if extent.any():
            key = tuple(np.flatnonzero(extent))
            weights[key] = weights.get(key, 0) + 1
    found = {}
    for i, (start, stop) in enumerate(index.starts):
        for group in index.terms[start:stop]:
            found.setdefault(group, []).append(i)
    assert len(found) == index.n_terms == len(weights)
    for group, extent in found.items():
        assert_allclose(np.exp(index.log_weights[group]), weights[tuple(extent)])


def test_groups_of_thousands_of_attributes_stay_finite():
    rows = np.ones((2, 3000), dtype=np.int32)
    rows[1, :1000] = 2
    table = TermTable(
        group_terms(rows, rows.max(axis=0), 0.0), LOG_ALPHA, np.array([4])
    )
    shared = 2000 * np.log(2)
    alone = 3000 * np.log(2) + np.log1p(-(2.0**-1000))
    assert_allclose(
        sums_of(table, rows),
        [
            3000 * np.log(2) + 4 * LOG_ALPHA,
            np.logaddexp(shared + 4 * LOG_ALPHA, alone),
        ],
        rtol=1e-12,
    )


def test_log_sums_do_not_depend_on_the_other_rows():
    rows = random_rows(7, 3, 80)
    exponents = random_exponents(40)
    args = LOG_ALPHA, LOG_BETA, 4
    together = log_sums(rows[:40], exponents, rows, *args)
    for order in (np.arange(len(rows))[::-1], np.arange(5)):
        alone = log_sums(rows[:40], exponents, rows[order], *args)
        assert_array_equal(alone, together[order])
    # Rows unlike any update, and no update at all.
    strange = np.full((1, 7), 9, dtype=np.int32)
    expected = log_initial_weight(np.ones(7), LOG_BETA, 4)
    assert_allclose(
        log_sums(rows[:40], exponents, strange, *args)[0],
        np.logaddexp(np.log(np.expm1(expected)), exponents.sum() * LOG_ALPHA),
    )
    none = log_sums(rows[:0], exponents[:0], rows[:1], *args)
    n_specified = (rows[0] != 0).sum()
    assert_allclose(none, log_initial_weight(np.ones(n_specified), LOG_BETA, 4))


@pytest.mark.parametrize("level", _kernels.levels())
def test_every_level_gives_the_same_bits(level, monkeypatch):
    rows = random_rows(9, 3, 60)
    exponents = random_exponents(30)

    def everything():
        sums = []
        for make in (list_terms, number_terms, lambda r, k, _, b: group_terms(r, k, b)):
            index = make(rows, np.full(9, 3), None, LOG_BETA)
            sums.append(sums_of(TermTable(index, LOG_ALPHA, exponents), rows))
        sums.append(log_sums(rows[:30], exponents, rows, LOG_ALPHA, LOG_BETA).tolist())
        return sums

    here = everything()
    table = _kernels.kernel("_term_table", level)
    for module in (_term_index, _term_table):
        monkeypatch.setattr(module, "term_table", table)
    kernel = _kernels.kernel("_batch_by_term", level)
    monkeypatch.setattr(_batch_by_term, "batch_by_term", kernel)
    extents = _kernels.kernel("_extents", level)
    monkeypatch.setattr(_term_index, "extents", extents)
    assert everything() == here


# -- range -----------------------------------------------------------------------------


@pytest.mark.parametrize("start", [32_700, -32_700, 2**31 - 70, -(2**31) + 70])
def test_exponents_widen_before_they_would_wrap(start):
    rows = random_rows(4, 2, 12)
    log_alpha = 1e-3
    exponents = np.array([start, 1, -2], dtype=np.int64)
    index = list_terms(rows, np.full(4, 2), None, LOG_BETA)
    table = TermTable(index, log_alpha, exponents)
    narrow = table._table.itemsize
    reference = brute_force(rows[:3], exponents, log_alpha=log_alpha)
    for step in range(300):
        row = rows[step % 4]
        for weights in (table, reference):
            weights._update(row, 1 if start > 0 else -1)
    assert table._table.itemsize == 2 * narrow
    assert_array_equal(table.exponents, reference.exponents)
    assert_array_equal(table.updates, reference.updates)
    assert table.version == reference.version == 300
    assert_allclose(sums_of(table, rows), sums_of(reference, rows), rtol=1e-12)


@pytest.mark.parametrize("start", [32_767, -32_768])
def test_the_epoch_widens_too(start):
    rows = random_rows(4, 2, 12)
    exponents = np.array([start], dtype=np.int64)
    index = list_terms(rows, np.full(4, 2), None, LOG_BETA)
    table = TermTable(index, 0.4, exponents)
    reference = brute_force(rows[:1], exponents, log_alpha=0.4)
    positive = np.full(len(rows), start > 0)
    results = []
    for weights in (table, reference):
        guesses = np.zeros(len(rows), dtype=bool)
        threshold = np.inf if start > 0 else -np.inf
        wrong = weights.epoch(
            np.arange(len(rows)),
            rows,
            positive,
            np.full(len(rows), 7, dtype=np.int64),
            2,
            threshold,
            guesses,
        )
        results.append((wrong, guesses.tolist(), weights.exponents.tolist()))
    assert results[0] == results[1]
    assert results[0][0] == 4 * len(rows)  # 2 + 2 + 2 + 1 units
    assert_allclose(sums_of(table, rows), sums_of(reference, rows), rtol=1e-12)


@pytest.mark.parametrize("log_alpha", [1e-9, 0.01, 5.0, 300.0])
@pytest.mark.parametrize("log_beta", [-40.0, 0.0, 40.0])
def test_nothing_overflows(log_alpha, log_beta):
    rows = random_rows(8, 2, 30)
    exponents = random_exponents(15, largest=3000)
    expected = sums_of(
        brute_force(rows[:15], exponents, log_alpha=log_alpha, log_beta=log_beta), rows
    )
    n_values = np.full(8, 2)
    for index in (
        list_terms(rows, n_values, None, log_beta),
        number_terms(rows, n_values, None, log_beta),
        group_terms(rows, n_values, log_beta),
    ):
        table = TermTable(index, log_alpha, exponents)
        assert_allclose(sums_of(table, rows), expected, rtol=1e-11, atol=1e-11)
    asked = log_sums(rows[:15], exponents, rows, log_alpha, log_beta)
    assert_allclose(asked, expected, rtol=1e-11, atol=1e-11)


# -- learning --------------------------------------------------------------------------

SHARED_SETS = {
    "monks-1": lambda: load_monks(1, return_X_y=True, as_frame=False),
    "monks-2": lambda: load_monks(2, return_X_y=True, as_frame=False),
    "monks-3": lambda: load_monks(3, return_X_y=True, as_frame=False),
    "tic-tac-toe": lambda: load_tic_tac_toe(return_X_y=True, as_frame=False),
    "car": lambda: load_car(return_X_y=True, as_frame=False),
    "house-votes-84": lambda: load_house_votes_84(return_X_y=True, as_frame=False),
}


def assert_same_model(first, second):
    assert_array_equal(first.updates_, second.updates_)
    assert_array_equal(first.exponents_, second.exponents_)
    assert_array_equal(first.n_mistakes_, second.n_mistakes_)
    assert first.log_threshold_ == second.log_threshold_


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize("cap", [None, 1, 2, 4])
@pytest.mark.parametrize("name", SHARED_SETS)
def test_learns_what_brute_force_learns(name, cap):
    X, y = SHARED_SETS[name]()
    few = np.random.RandomState(0).permutation(len(X))[:90]
    X, y = X[few], y[few]
    if name == "house-votes-84":
        X = X[:, :10]
    # 1/8 and 2/7: priors whose powers are exact, and not.
    for beta in (0.125, 2 / 7):
        options = {
            "max_term_size": cap,
            "term_prior": beta,
            "max_iter": 6,
            "random_state": 0,
        }
        exact, table = (
            plain_winnow(sampler=sampler, **options).fit(X, y)
            for sampler in ("brute_force", "table")
        )
        assert_same_model(exact, table)
        assert table.n_mistakes_.sum() > 0
        assert_allclose(
            table.log_weighted_sums(X), exact.log_weighted_sums(X), atol=1e-10
        )


@pytest.mark.parametrize("kind", ["lists", "numbers", "groups"])
def test_every_kind_of_index_learns_the_same(kind, monkeypatch):
    X, y = SHARED_SETS["tic-tac-toe"]()
    X, y = X[::4], y[::4]

    def index_of(rows, n_values, max_term_size, log_beta):
        if kind == "groups":
            return group_terms(rows, n_values, log_beta)
        return KINDS[kind](rows, n_values, max_term_size, log_beta)

    options = {
        "sampler": "table",
        "max_term_size": None,
        "term_prior": 0.3,
        "random_state": 0,
    }
    plain = plain_winnow(**options).fit(X, y)
    monkeypatch.setattr(_term_index, "term_index", index_of)
    assert_same_model(plain, plain_winnow(**options).fit(X, y))


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
    assert models[1]._versions == models[0]._versions


def test_results_do_not_depend_on_n_jobs_and_models_stay_small():
    X, y = SHARED_SETS["car"]()
    one, two = (
        plain_winnow(sampler="table", n_jobs=n_jobs, random_state=0).fit(X, y)
        for n_jobs in (1, 2)
    )
    assert_same_model(one, two)
    assert_array_equal(one.log_weighted_sums(X), two.log_weighted_sums(X))
    assert len(pickle.dumps(one)) < 100_000
    assert one.chains_ == {"run": 0, "ladder": 0, "simulated": 0}


def test_long_lists_are_grouped_and_wide_rows_predicted_by_estimates():
    random = np.random.RandomState(0)
    X = random.randint(2, size=(12, 24))
    y = X[:, 0]
    clf = plain_winnow(
        sampler="table",
        max_term_size=None,
        term_prior=0.05,
        max_iter=3,
        random_state=0,
    ).fit(X, y)
    index = term_index(
        np.ascontiguousarray(X + 1, dtype=np.int32), np.full(24, 2), None, 0.0
    )
    assert index.kind == "groups"
    assert np.isfinite(clf.log_weighted_sums(X[:2])).all()


def forced(table, *args):
    """An epoch in which bounds never settle anything."""
    order, *rest = args
    wrong = 0
    for i in order:
        table._bounds[:] = np.inf, -np.inf
        wrong += table.epoch([i], *rest)
    return wrong


@pytest.mark.parametrize("kind", ["lists", "numbers", "groups"])
def test_bounds_settle_sides_and_change_nothing(kind):
    rows = random_rows(6, 3, 300)
    random = np.random.RandomState(0)
    positive = (rows[:, 0] == 1) & (rows[:, 1] == 2)
    positive ^= random.random_sample(len(rows)) < 0.02
    units = random.randint(1, 30, len(rows))
    n_values = np.full(6, 3)
    if kind == "groups":
        index = group_terms(rows, n_values, LOG_BETA)
    else:
        index = KINDS[kind](rows, n_values, None, LOG_BETA)
    before = np.array([4, -3])
    tables = [TermTable(index, LOG_ALPHA, before) for _ in range(2)]
    guesses = [np.zeros(len(rows), dtype=bool) for _ in range(2)]
    threshold = log_initial_weight(n_values, LOG_BETA)
    settled = 0
    for _ in range(8):
        rest = (rows, positive, units, 4, threshold)
        order = random.permutation(len(rows))
        bounds = tables[0]._bounds.copy()
        wrong = tables[0].epoch(order, *rest, guesses[0])
        settled += (tables[0]._bounds == bounds).all(axis=1).sum()
        assert forced(tables[1], order, *rest, guesses[1]) == wrong
        assert_array_equal(*guesses)
        assert_array_equal(tables[0].updates, tables[1].updates)
        assert_array_equal(tables[0].exponents, tables[1].exponents)
    assert tables[0].version > 20
    assert settled > 100


def test_slices_of_epochs_make_no_difference(monkeypatch):
    X, y = SHARED_SETS["car"]()
    options = {"sampler": "table", "max_iter": 4, "random_state": 0}
    whole = plain_winnow(**options).fit(X, y)
    whole.partial_fit(X[::9], y[::9])
    monkeypatch.setattr(_term_table, "_TERMS_AT_ONCE", 500)
    sliced = plain_winnow(**options).fit(X, y)
    sliced.partial_fit(X[::9], y[::9])
    assert_same_model(whole, sliced)


def test_there_are_only_tables_of_classes_in_hand(monkeypatch):
    alive, most = [], []

    class Counted(TermTable):
        def __init__(self, *args, **options):
            alive.append(None)
            most.append(len(alive))
            super().__init__(*args, **options)

        def __del__(self):
            alive.pop()

    monkeypatch.setattr(_weights, "TermTable", Counted)
    random = np.random.RandomState(0)
    y = random.randint(100, size=400)
    X = (y[:, None] >> np.arange(7)) & 1
    X[random.random_sample(X.shape) < 0.02] = 2
    clf = plain_winnow(random_state=0).fit(X, y)
    assert len(most) == len(clf.classes_) > 90
    assert max(most) == 1 and not alive
    assert clf.score(X, y) > 0.8


def test_ctrl_c_ends_the_listing_of_terms():
    # 15 million terms; the interrupt comes before the first of them, or soon after.
    rows = random_rows(20, 3, 20_000)
    terms = np.full(16_000_000, -1, dtype=np.int32)
    starts = np.arange(len(rows))[:, None] * 800 + [0, 1, 21]
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.01):
        _term_index.term_table.list_terms(
            np.ascontiguousarray(np.tile(rows, 2).T),
            np.zeros(4, dtype=np.int32),
            np.empty(4, dtype=np.int32),
            starts,
            terms,
        )
    assert terms[-780:].min() == -1


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_ends_training(n_jobs):
    X, y = make_dnf(2000, 8, noise=0.2, random_state=0)
    clf = plain_winnow(max_iter=10**9, n_jobs=n_jobs, random_state=0)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.3):
        clf.fit(X, y)
    # Nor does it go on in threads of its own.
    for thread in threading.enumerate()[before:]:
        thread.join(timeout=60)
    assert threading.active_count() == before


def test_learn_takes_a_table():
    rows = random_rows(5, 2, 30)
    labels = np.where(rows[:, 0] == 1, 1, 0)
    results = []
    for weights in (
        TermTable(
            list_terms(rows, np.full(5, 2), 2, LOG_BETA), LOG_ALPHA, np.zeros(0, int)
        ),
        brute_force(rows[:0], np.zeros(0, dtype=np.int64), 2),
    ):
        trained = learn_one(
            weights,
            Presentations(rows, labels, np.ones(len(rows), dtype=int), n_epochs=10),
            1,
            log_initial_weight(np.full(5, 2), LOG_BETA, 2),
            np.zeros(len(rows), dtype=bool),
        )
        results.append((trained.mistakes, trained.exponents.tolist(), trained.version))
    assert results[0] == results[1]
    assert results[0][0][0] > 0


# -- sizes and limits ------------------------------------------------------------------


@pytest.mark.parametrize("cap", [1, 2, 3, 4, None])
def test_initial_weights_are_elementary_symmetric(cap):
    n_values, beta = [2, 5, 3, 1], 0.3
    expected = sum(
        beta**size * np.prod(chosen, dtype=float)
        for size in range((cap or 4) + 1)
        for chosen in itertools.combinations(n_values, size)
    )
    assert_allclose(log_initial_weight(n_values, np.log(beta), cap), np.log(expected))


def test_initial_weights_of_thousands_of_attributes_stay_finite():
    value = log_initial_weight(np.full(3000, 4), 0.0, 2999)
    assert_allclose(value, 3000 * np.log(5), rtol=1e-9)
    assert np.isfinite(log_initial_weight(np.full(3000, 4), 700.0, 5))
    assert_allclose(log_initial_weight([0, 2], 0.0, 1), np.log(3))


def test_budgets_choose_the_index():
    rows = random_rows(16, 7, 500)
    n_values = np.full(16, 7)
    kinds = [
        term_index(rows, n_values, 3, 0.0, budget=budget).kind
        for budget in (10**7, 10**6)
    ]
    assert kinds == ["lists", "numbers"]
    # A small table of all terms needs no lists.
    assert term_index(rows, n_values, 2, 0.0).kind == "numbers"
    assert group_terms(rows, n_values, 0.0, budget=10**5) is None
    with pytest.raises(ValueError, match="Set a smaller max_term_size"):
        term_index(rows, n_values, 3, 0.0, budget=10)


def test_budgets_choose_the_cap():
    rows = random_rows(10, 2, 500)
    n_values = np.full(10, 2)
    assert choose_max_term_size(rows, n_values, 2) is None
    caps = [choose_max_term_size(rows, n_values, 2, 10**e) for e in (6, 4, 3, 2, 1)]
    assert caps == sorted(caps, key=lambda cap: -(cap or 99))
    assert caps[0] is None and caps[-1] == 1


@pytest.mark.parametrize(
    "shape, n_classes, cap",
    [
        ((500, 12), 2, None),
        ((500, 16), 2, 3),
        ((500, 25), 2, 3),
        ((500, 60), 2, 2),
        ((50, 1000), 2, 1),
        ((50_000, 12), 2, None),
        ((50_000, 12), 20, 3),
        ((50_000, 12), 300, 1),
    ],
    ids=str,
)
def test_work_chooses_the_cap(shape, n_classes, cap):
    rows = np.random.RandomState(0).randint(1, 4, shape).astype(np.int32)
    assert choose_max_term_size(rows, np.full(shape[1], 3), n_classes) == cap


def test_too_many_terms_say_what_would_be_needed(monkeypatch):
    monkeypatch.setattr(_term_index, "MEMORY_BUDGET", 1 << 17)
    X = np.random.RandomState(0).randint(3, size=(200, 60))
    clf = plain_winnow(sampler="table", max_term_size=None, random_state=0)
    with pytest.raises(
        ValueError, match=r"max_term_size=None needs 2\^\d+ MiB.*1 MiB.*or 'auto'\.$"
    ):
        clf.fit(X, X[:, 0])
    clf.set_params(max_term_size="auto", max_iter=2).fit(X, X[:, 0])
    assert clf.max_term_size_ == 2  # all terms are numbered, none is listed


def test_only_exact_samplers_have_a_cap():
    X, y = [[0], [1]], [0, 1]
    for sampler in ("gibbs", "metropolis"):
        clf = plain_winnow(sampler=sampler, max_term_size=2)
        message = f"max_term_size=2.*sampler={sampler!r}"
        with pytest.raises(ValueError, match=message):
            clf.fit(X, y)
        with pytest.raises(ValueError, match=message):
            clf.partial_fit(X, y, classes=y)
    clf = plain_winnow(sampler="brute_force", max_term_size=2).fit(X, y)
    assert clf.max_term_size_ == 2
    for bad in (0, 1.5, "most"):
        with pytest.raises(ValueError, match="'max_term_size' parameter"):
            plain_winnow(sampler="table", max_term_size=bad).fit(X, y)


def test_a_table_says_which_rows_it_knows():
    rows = random_rows(4, 2, 8)
    index = list_terms(rows, np.full(4, 2), 2, 0.0)
    table = TermTable(index, LOG_ALPHA, np.zeros(0, dtype=np.int64))
    with pytest.raises(ValueError, match="knows the rows"):
        table.log_sum(np.full(4, 7, dtype=np.int32))


def test_edge_shapes_of_tables():
    for X in ([[0], [1]], [["a", None]], [[None], ["b"]]):
        X = np.array(X, dtype=object)
        y = np.arange(len(X)) if len(X) > 1 else [0]
        clf = plain_winnow(sampler="table", random_state=0)
        clf.partial_fit(X, y, classes=[0, 1])
        assert np.isfinite(clf.log_weighted_sums(X)).all()
