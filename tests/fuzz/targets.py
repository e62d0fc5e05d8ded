"""Targets: what lies between the estimators and the kernels, against references.

Each takes `Draws`, and raises where something is not as it must be.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
import warnings

import numpy as np
from internals.encoding import (
    Encoding,
    FactorizedTable,
    columns_of,
    in_working_units,
    multisplits,
    n_log_n,
    segments,
    tally,
)
from internals.inspection import _shapley_values as shapley_of
from internals.samplers import AgreementProblem
from internals.sums import by_rows, by_terms
from internals.sums import log_sum as engine_sum
from internals.terms import (
    TermSearch,
    TooManyTerms,
    group_terms,
    list_terms,
    number_terms,
    term_index,
)
from internals.utils import behind_examples, distinct_rows
from internals.winnow import Repetitions, TermTable, canonical_rows, whole_units
from monotone_checks import falls, made_up_table
from numpy.testing import assert_allclose, assert_array_equal
from reference import all_terms, log_sum, minimal_flips
from scipy.special import xlogy

from fuzz.conditions import conditioned_terms
from fuzz.formulas import texts_of_formulas
from fuzz.interactions import (
    interaction_fits,
    interaction_groups,
    splits_of_sums,
)
from fuzz.missing_values import read_missing_values
from fuzz.pipelines import read_pipelines
from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.samplers import SAMPLERS, BruteForce, Frontier
from sklearn_dnfwinnow.sums import log_weighted_sum

ALPHAS = 1.5, 1.1, 1 + 1e-9, 30.0, 1e5
PRIORS = 1.0, 0.3, 1e-5, 4.0
SCALES = 1, 1, 5, 1000, 2**30


def a_model(draws, most_columns=6, most_updates=14):
    """Distinct updates, their exponents, and the number of values."""
    n, n_values = draws.integer(1, most_columns), draws.integer(1, 4)
    m = draws.integer(0, most_updates)
    codes = draws.integers(0, n_values, m, n).astype(np.int32)
    examples = np.unique(codes, axis=0) if m else codes
    net_counts = draws.integers(-4, 4, len(examples)) * draws.choice(SCALES)
    return examples, net_counts, n_values


# -- sums ------------------------------------------------------------------------------


def exact_sums(draws):
    """Exact engines find the sum over all subsets."""
    n, m = draws.integer(0, 7), draws.integer(0, 12)
    agreements = draws.integers(0, 1, m, n).astype(bool)
    net_counts = draws.integers(-4, 4, m) * draws.choice(SCALES)
    alpha, literal_weight = draws.choice(ALPHAS), draws.choice(PRIORS)
    size = draws.choice([None, 1, 2, 3, 7, 9])
    with np.errstate(all="ignore"):
        expected = log_sum(agreements, net_counts, alpha, literal_weight, size)
    for sampler in ("exact", "frontier", "brute_force", "auto"):
        found = log_weighted_sum(
            agreements,
            net_counts,
            alpha=alpha,
            literal_weight=literal_weight,
            max_term_size=size,
            sampler=sampler,
        )
        assert found.exact and found.std_error == 0
        assert_allclose(found.log_value, expected, rtol=1e-9, atol=1e-9)
    if found.density is not None:
        logs = [v + k * np.log(alpha) for k, v in found.density.items()]
        assert_allclose(np.logaddexp.reduce(logs), expected, rtol=1e-9, atol=1e-9)


def subset_sums(draws):
    """Sums for all sets of known attributes, both ways, and their Shapley values."""
    examples, net_counts, n_values = a_model(draws)
    n_literals = examples.shape[1]
    row = draws.integers(1, n_values, n_literals).astype(np.int32)
    owners = np.unique(draws.integers(0, 5, n_literals), return_inverse=True)[1]
    if draws.boolean():
        owners = np.arange(n_literals)
    alpha, literal_weight = draws.choice(ALPHAS), draws.choice(PRIORS)
    size = draws.choice([None, 0, 1, 2, 3, 9])

    def sums_of(known):
        literals = np.isin(owners, np.flatnonzero(known))
        agreements = (examples == row)[:, literals]
        return log_sum(agreements, net_counts, alpha, literal_weight, size)

    def sums_of_rows(rows):
        sums = np.array([[sums_of(known)] for known in rows])
        return sums, np.zeros_like(sums)

    players = np.ones(owners.max() + 1, dtype=np.int32)
    with np.errstate(all="ignore"):
        expected = by_rows(players, sums_of_rows)
        by_small_sets = by_rows(players, sums_of_rows, size)
    found = by_terms(
        codes=row,
        owners=owners,
        examples=examples,
        net_counts=net_counts[None],
        log_alpha=np.log(alpha),
        log_beta=np.log(literal_weight),
        max_term_size=size,
    )
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert_allclose(by_small_sets, expected, rtol=1e-9, atol=1e-9)
    values, average = shapley_of(found), np.zeros(len(players))
    orders = [*itertools.permutations(range(len(players)))]
    for order in orders:
        known = np.cumsum([0, *(1 << player for player in order)])
        average[list(order)] += np.diff(found[0, known]) / len(orders)
    tolerance = 1e-9 * max(1.0, abs(found).max())
    assert_allclose(values[0], average, rtol=0, atol=tolerance)


def estimates(draws):
    """Engines that estimate come to a number, the same for the same seed."""
    n, m = draws.integer(0, 12), draws.integer(0, 70)
    agreements = draws.integers(0, 1, m, n).astype(bool)
    net_counts = draws.integers(-2, 2, m)
    name = draws.choice(["frontier", "metropolis", "gibbs", "metropolized_gibbs"])
    values = {
        "max_states": draws.choice([1, 2, 3, 10, 100]),
        "n_replicates": draws.choice([1, 2, 3, 8]),
        "tempering": draws.boolean(),
        "swap_probability": draws.choice([0.9, 0.0, 1.0]),
        "n_steps": draws.choice([1, 7, 50]),
        "burn_in": draws.choice([0, 1, 20]),
        "ladder_step": draws.choice([1.0, 0.3, 20.0]),
        "ladder_scale": draws.choice(["sum", "max", "range"]),
    }
    sampler = SAMPLERS[name]()
    own = values.keys() & sampler.get_params().keys()
    options = {
        "alpha": draws.choice([1.5, 1.1, 2.0]),
        "literal_weight": draws.choice(PRIORS),
        "sampler": sampler.set_params(**{key: values[key] for key in own}),
        "random_state": draws.integer(0, 255),
    }
    if sampler.takes_max_term_size:
        options["max_term_size"] = draws.choice([None, 1, 2, 5, 12])
    found = log_weighted_sum(agreements, net_counts, **options)
    assert np.isfinite(found.log_value) and found.std_error >= 0
    again = log_weighted_sum(agreements, net_counts, **options)
    assert again.log_value == found.log_value and again.std_error == found.std_error


def conflict_graphs(draws):
    """Updates that disagree on few attributes: sums are exact, or off by their error.

    Errors of replicates have heavy tails; what is refused is an estimate off by much
    that is called precise.
    """
    n, m = draws.integer(1, 9), draws.integer(1, 24)
    agreements = np.ones((m, n), dtype=bool)
    for update in agreements:
        for _ in range(draws.choice([2, 2, 2, 1, 3])):
            update[draws.integer(0, n - 1)] = False
    scale = draws.choice([1, 3, 10, 1000, 10**6, 2**55])
    net_counts = -scale * draws.choice(
        [np.ones(m, dtype=int), draws.integers(1, 3, m), draws.integers(-1, 3, m)]
    )
    alpha, literal_weight = (
        draws.choice([1.5, 1.1, 30.0]),
        draws.choice([1.0, 0.3, 0.01]),
    )
    with np.errstate(all="ignore"):
        expected = log_sum(agreements, net_counts, alpha, literal_weight)
    found = log_weighted_sum(
        agreements,
        net_counts,
        alpha=alpha,
        literal_weight=literal_weight,
        sampler=Frontier(max_states=draws.choice([1, 3, 10, 30, 100])),
        random_state=draws.integer(0, 255),
    )
    error = abs(found.log_value - expected)
    assert np.isfinite(found.log_value)
    if found.exact:
        assert error <= 1e-9 * max(1.0, abs(expected))
    else:
        assert found.std_error >= 1e-12
        assert error < 1.0 or found.std_error > 1e-3


def problems(draws):
    """Compressed or not, a problem is the same sum; and it is as compressed as said."""
    examples, net_counts, n_values = a_model(draws)
    row = draws.integers(0, n_values, examples.shape[1]).astype(np.int32)
    n_specified = int((row != 0).sum())
    log_alpha, log_beta = np.log(draws.choice(ALPHAS)), np.log(draws.choice(PRIORS))
    values = []
    for compress in (True, False):
        problem = AgreementProblem.of_row(examples, net_counts, row, compress)
        assert problem.n_free + problem.multiplicities.sum() == n_specified
        assert (problem.net_counts != 0).all()
        sets = {tuple(agreed) for agreed in problem.agreements}
        assert len(sets) == len(problem.net_counts)
        if compress:
            columns = {tuple(column) for column in problem.agreements.T}
            assert len(columns) == problem.n
            assert not problem.agreements.all(axis=0).any() or not len(sets)
        engine = BruteForce().engine(None if compress else len(row))
        found = engine_sum(engine, problem, log_alpha, log_beta, None)
        values.append(found.log_value)
        assert problem.n_promotions - problem.n_demotions == net_counts.sum()
    agreements = ((examples == row) & (row != 0))[:, row != 0]
    with np.errstate(all="ignore"):
        values.append(
            log_sum(agreements, net_counts, np.exp(log_alpha), np.exp(log_beta))
        )
    assert_allclose(values, values[0], rtol=1e-9, atol=1e-9)


def term_tables(draws):
    """Each index of terms, and the table over it, against the definition."""
    examples, net_counts, n_values = a_model(draws)
    n, n_rows = examples.shape[1], draws.integer(1, 8)
    codes = draws.integers(0, n_values, n_rows, n).astype(np.int32)
    rows, places = behind_examples(examples, codes)
    assert_array_equal(rows[places], codes)
    assert_array_equal(rows[: len(examples)], examples)
    size = draws.choice([None, 1, 2, 3])
    alpha, literal_weight = draws.choice(ALPHAS), draws.choice(PRIORS)
    log_beta = np.log(literal_weight)
    values = np.full(n, n_values)
    indices = [
        make(rows, values, size, log_beta) for make in (list_terms, number_terms)
    ]
    indices.append(term_index(rows, values, size, log_beta))
    if size is None:
        indices.append(group_terms(rows, log_beta))
    expected = []
    for row in rows:
        agreements = (examples == row)[:, row != 0]
        with np.errstate(all="ignore"):
            expected.append(
                log_sum(agreements, net_counts, alpha, literal_weight, size)
            )
    for index in indices:
        table = TermTable(index, np.log(alpha), net_counts)
        found = table.log_sums(np.arange(len(rows)))
        assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    budget = draws.integer(0, 4000)
    try:
        term_index(rows, values, size, log_beta, budget)
    except TooManyTerms:
        pass


def searches(draws):
    """Branch and bound finds the terms that a list of all begins with."""
    examples, net_counts, n_values = a_model(draws)
    row = None
    if draws.boolean():
        row = draws.integers(0, n_values, examples.shape[1]).astype(np.int32)
    model = (
        *(examples, net_counts, draws.choice([0.1, 0.5])),
        *(draws.choice([0.0, -0.3, -1.4, 0.2]), draws.choice([None, 1, 2, 3]), row),
    )
    top = draws.choice([1, 3, 10, 2000])
    terms = all_terms(*model)
    found = TermSearch(*model).heaviest(top)
    assert [(t.literals, t.net_count) for t in found] == [t[2:] for t in terms[:top]]


# -- rows ------------------------------------------------------------------------------


def rows_apart(draws):
    """Distinct rows are those of NumPy."""
    shape = draws.integer(0, 12), draws.integer(1, 9)
    codes = draws.integers(0, draws.choice([1, 3, 255]), *shape)
    codes = (codes * draws.choice([1, 1, 2**20, 2**24 - 1])).astype(np.int64)
    found, first, inverse = distinct_rows(codes)
    expected = np.unique(codes, axis=0, return_index=True, return_inverse=True)
    assert_array_equal(found, expected[0])
    assert_array_equal(first, expected[1])
    assert_array_equal(inverse, expected[2].ravel())


def repetitions(draws):
    """Weights go into units and presentations, and none is lost."""
    m, n = draws.integer(1, 10), draws.integer(1, 3)
    codes = draws.integers(0, 2, m, n).astype(np.int32)
    labels = draws.integers(0, 1, m)
    some = [1.0, 2.0, 0.5, 0.25, 0.01, 1e-9, 3.7, 100.0, 1e6, 1e13]
    weights = np.array([draws.choice(some) for _ in range(m)])
    units, one = whole_units(weights, draws.choice([1, 2, 20, 100]))
    assert (units >= 1).all() and (np.abs(units / one - weights) <= 0.01).all()
    rows = canonical_rows(Repetitions(codes, labels, units, one))
    assert (rows.units > 0).all() and rows.units.sum() == units.sum()
    for k, code in {(k, tuple(c)) for k, c in zip(labels.tolist(), codes.tolist())}:
        before = (labels == k) & (codes == code).all(axis=1)
        after = (rows.labels == k) & (rows.codes == code).all(axis=1)
        assert units[before].sum() == rows.units[after].sum()
        assert after.sum() <= 32


def a_value(draws):
    """Anything that a cell may hold."""
    kinds = [
        lambda: None,
        lambda: draws.integer(-3, 3),
        lambda: draws.integer(-(2**70), 2**70),
        draws.float,
        lambda: draws.bytes(2).decode("latin-1"),
        draws.boolean,
        lambda: draws.bytes(1),
        lambda: (draws.integer(0, 1), "t"),
        lambda: np.float32(draws.integer(0, 9) / 10),
        lambda: np.int8(draws.integer(-5, 5)),
        lambda: np.str_("a"),
        lambda: frozenset({draws.integer(0, 2)}),
        lambda: [],
    ]
    return draws.choice(kinds)()


def encodings(draws):
    """Codes tell apart what differs, and are found again whatever is beside them."""
    n_rows = draws.integer(1, 8)
    few = draws.integer(0, 3)
    pool = [a_value(draws) for _ in range(few + 1)]
    values = [draws.choice(pool) for _ in range(n_rows)]
    X = np.empty((n_rows, 1), dtype=object)
    for i, value in enumerate(values):
        X[i, 0] = value
    missing = draws.choice(["unspecified", "category", "most_frequent"])
    labels = draws.integers(0, 1, n_rows)
    try:
        column = columns_of(X, exact=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            encoding = Encoding.empty(1, 2, missing)
            table = FactorizedTable.of(column, str)
            encoding, learned = encoding.learn(table, labels, np.ones(n_rows))
    except TypeError as error:
        assert "hashable" in str(error)
        assert any(isinstance(value, list) for value in values)
        return
    except ValueError as error:
        assert "infinity" in str(error)
        assert any(isinstance(v, (float, np.floating)) and np.isinf(v) for v in values)
        return
    (n_codes,) = encoding.n_values
    assert ((learned >= 0) & (learned <= n_codes)).all()
    assert len(encoding.categories[0]) == n_codes
    if missing != "most_frequent":
        assert_array_equal(encoding.encode(column, str), learned)
    codes = encoding.encode(column, str)
    for i in range(n_rows):
        alone = encoding.encode(columns_of(X[[i]], exact=True), str)
        assert alone[0] == codes[i], (X[i], alone, codes[i])


# -- intervals -------------------------------------------------------------------------


def partitions(draws):
    """The dynamic programme against one that prunes nothing."""
    n_segments, n_classes = draws.integer(1, 12), draws.integer(1, 4)
    counts = draws.integers(0, 5, n_segments, n_classes).astype(float)
    if draws.boolean():
        counts *= 1 + draws.integers(0, 255, n_segments, n_classes) / 77
    counts[counts.sum(axis=1) == 0, 0] = 1.0
    most = draws.integer(1, 13)
    least = draws.choice([0.0, 0.0, 2.0, 7.0, 60.0])
    halted = np.zeros(1, dtype=np.uint8)
    found = multisplits(counts, most, least, n_log_n(counts), halted)
    prefix = np.vstack([np.zeros(n_classes), counts.cumsum(axis=0)])
    inside = np.maximum(prefix[None] - prefix[:, None], 0.0)
    weight = inside.sum(axis=2)
    total = counts.sum()
    costs = (xlogy(weight, weight) - xlogy(inside, inside).sum(axis=2)) / np.log(2)
    costs[weight < least - 1e-9 * total] = np.inf
    costs[np.tril_indices(n_segments + 1)] = np.inf
    best, expected = costs[0], [costs[0, -1]]
    for _ in range(1, min(most, n_segments)):
        best = (best[:, None] + costs).min(axis=0)
        expected.append(best[-1])
    if least:
        # One interval may hold less.
        expected[0] = xlogy(total, total) - xlogy(c := counts.sum(axis=0), c).sum()
        expected[0] /= np.log(2)
    expected = np.array(expected)[np.isfinite(expected)]
    assert_allclose(found.entropies * total, expected, rtol=1e-9, atol=1e-8)
    for arity, starts in enumerate(found.starts, start=1):
        assert len(starts) == arity and starts[0] == 0 and (np.diff(starts) > 0).all()
        kept = found.interval_counts(arity)
        assert_array_equal(kept.sum(axis=0).round(6), counts.sum(axis=0).round(6))
        assert arity == 1 or (kept.sum(axis=1) >= least - 1e-9 * total).all()
        cost = xlogy(s := kept.sum(axis=1), s).sum() - xlogy(kept, kept).sum()
        assert_allclose(
            cost / np.log(2), found.entropies[arity - 1] * total, rtol=1e-9, atol=1e-8
        )


def cuts(draws):
    """A column of any numbers: points ascend, and divide it as it was counted."""
    n_rows, n_classes = draws.integer(1, 20), draws.integer(1, 4)
    if draws.boolean():
        values = draws.integers(0, 9, n_rows) * draws.choice([1.0, 0.1, 1e300, 5e-324])
    else:
        values = np.array([draws.float() for _ in range(n_rows)])
    values[~np.isfinite(values)] = np.nan
    labels = draws.integers(0, n_classes - 1, n_rows)
    some = [1.0, 1.0, 2.0, 0.5, 0.1, 1e-12, 1e12, 1e-300]
    weights = np.array([draws.choice(some) for _ in range(n_rows)])
    given = {
        "max_intervals": draws.integer(2, 9),
        "selection": draws.choice(["max", "mdl", "balanced"]),
        "min_samples_interval": draws.choice([1, 2, 5, 0.1, 0.5, 0.99]),
        "max_segments": draws.choice([10_000, 2, 3, 5, None]),
    }
    cutter = ClassEntropyDiscretizer(**given, columns=[0])
    with np.errstate(all="raise", under="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cutter.fit(values[:, None], labels, weights)
    weights, _ = in_working_units(weights)
    counted = weights > 0
    values, labels, weights = (a[counted] for a in (values, labels, weights))
    (points,), (path,) = cutter.cut_points_, cutter.entropy_path_
    (names,), (representatives,) = cutter.interval_labels_, cutter.representatives_
    assert len(names) == len(representatives) == len(points) + 1
    assert (np.diff(points) > 0).all() and np.isfinite(points).all()
    assert len({*names.tolist()}) == len(names)
    known = values[~np.isnan(values)]
    if not len(known):
        assert np.isnan(path).all() and not len(points)
        return
    assert (path >= 0).all()
    assert given["min_samples_interval"] != 1 or (np.diff(path) <= 1e-12).all()
    places = np.searchsorted(points, known)
    assert {*places.tolist()} == {*range(len(points) + 1)}
    own = np.searchsorted(points, representatives)
    assert_array_equal(own, np.arange(len(points) + 1))
    seen = ~np.isnan(values)
    distinct, places = np.unique(known + 0.0, return_inverse=True)
    rows = tally(
        values=distinct,
        places=places,
        labels=labels[seen],
        weights=weights[seen],
        n_classes=n_classes,
    )
    assert (np.diff(rows.values) > 0).all()
    merged = segments(rows, n_classes, given["max_segments"])
    assert_allclose(merged.counts.sum(), weights[seen].sum(), rtol=1e-9)
    assert (np.diff(merged.starts) > 0).all() and merged.starts[0] == 0
    assert given["max_segments"] is None or len(merged.starts) <= max(
        1, given["max_segments"]
    )


def monotone_scores(draws):
    """Scores never fall where they are to rise."""
    random = np.random.RandomState(draws.integer(0, 2**31 - 1))
    X, y, parameters, grids = made_up_table(random)
    clf = DNFWinnowClassifier(**parameters, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert falls(clf.fit(X, y), X, grids) == []


# -- reading ---------------------------------------------------------------------------


def turned_rows(draws):
    """The cheapest changes of a row are those of an exhaustive search."""
    n, n_values, n_classes = (draws.integer(*ends) for ends in ((1, 4), (1, 4), (2, 3)))
    X = draws.integers(0, n_values - 1, draws.integer(n_classes, 20), n).astype(object)
    y = draws.integers(0, n_classes - 1, len(X))
    y[:n_classes] = np.arange(n_classes)
    clf = DNFWinnowClassifier(
        literals=draws.choice(["equal", "ordered", "intervals"]),
        discretizer=None,
        max_term_size=draws.choice([None, 1, 2]),
        cv=None,
        max_iter=2,
        random_state=0,
    ).fit(X, y)
    choices = [category.tolist() for category in clf.categories_]
    row = X[draws.integer(0, len(X) - 1)].tolist()
    if draws.boolean():
        row[draws.integer(0, n - 1)] = draws.choice([None, 99])
    fixed = [j for j in range(n) if not draws.integer(0, 4)]
    weights = [draws.choice([1, 2, 3, 0.1]) for _ in range(n)]
    class_ = draws.choice([None, 0, 1])
    expected = minimal_flips(clf, row, choices, class_=class_, fixed=fixed)
    (found,) = clf.counterfactuals(
        [row], class_of_interest=class_, n=99, weights=weights, fixed=fixed
    )
    if class_ is not None and found.prediction == class_:
        assert not found.found
        return
    sets = [tuple(int(name[1:]) for name in one.features) for one in found]
    costs = [sum(weights[j] for j in columns) for columns in sets]
    assert sorted(sets) == sorted(expected)
    assert_allclose([one.cost for one in found], costs)
    assert costs == sorted(costs) or np.allclose(costs, sorted(costs))
    for one, columns in zip(found, sets):
        changed = list(row)
        for j, change in zip(columns, one.changes):
            changed[j] = change.new
        assert changed in expected[columns] and one.exact


TARGETS = {
    target.__name__: target
    for target in (
        exact_sums,
        subset_sums,
        estimates,
        conflict_graphs,
        problems,
        term_tables,
        searches,
        interaction_groups,
        interaction_fits,
        splits_of_sums,
        conditioned_terms,
        rows_apart,
        repetitions,
        encodings,
        partitions,
        cuts,
        texts_of_formulas,
        read_pipelines,
        read_missing_values,
        monotone_scores,
        turned_rows,
    )
}
