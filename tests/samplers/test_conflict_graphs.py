"""Sums over conflict graphs: vertices are attributes, edges are demoted updates.

An update of the edge {i, j} disagrees with the row on i and j alone. A term kills it if
it constrains i or j; otherwise the update multiplies the weight by alpha^c, c < 0. So
with large exponents the attributes that a heavy term leaves out are an independent set,
and W is the partition function of the hard-core model: many terms of equal weight, far
from each other. References are transfer matrices, closed forms and enumerations.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations
from math import comb, log

import numpy as np
import pytest
from internals.samplers import _frontier_run
from numpy.testing import assert_allclose
from reference import log_sum as log_sum_of_all

from sklearn_dnfwinnow.samplers import Frontier
from sklearn_dnfwinnow.sums import log_weighted_sum

# Standard deviations: of a normal law, one in 10^9. The errors of eight replicates have
# heavier tails, and seeds are fixed.
MOST_SIGMAS = 6
logsumexp = np.logaddexp.reduce


# -- graphs ----------------------------------------------------------------------------


def agreements_of(n, edges):
    """What the update of each edge agrees with the row on."""
    agreements = np.ones((len(edges), n), dtype=bool)
    for update, edge in zip(agreements, edges):
        update[list(edge)] = False
    return agreements


def path(n):
    return [(i, i + 1) for i in range(n - 1)]


def cycle(n):
    return [*path(n), (0, n - 1)]


def clique(n):
    return list(combinations(range(n), 2))


def grid(n_rows, n_columns):
    places = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)
    across = zip(places[:, :-1].ravel(), places[:, 1:].ravel())
    down = zip(places[:-1].ravel(), places[1:].ravel())
    return [(int(i), int(j)) for i, j in (*across, *down)]


def tree(n, seed):
    random = np.random.default_rng(seed)
    return [(int(random.integers(i)), i) for i in range(1, n)]


def bipartite(n_left, n_right, degree, seed):
    """Each vertex of the left has as many neighbours on the right."""
    random = np.random.default_rng(seed)
    return [
        (i, n_left + int(j))
        for i in range(n_left)
        for j in random.choice(n_right, degree, replace=False)
    ]


def complete_bipartite(m):
    return bipartite(m, m, m, seed=0)


def copies(n_copies, n, edges):
    """Disjoint copies of a graph."""
    return [(k * n + i, k * n + j) for k in range(n_copies) for i, j in edges]


# -- references ------------------------------------------------------------------------


def log_chain(n, x, log_beta, closed):
    """Paths and cycles by the transfer matrix; x is the logarithm of alpha^c."""
    totals = []
    for first in (0, 1):
        # By whether the last vertex is constrained.
        values = np.array([0.0, -np.inf] if first == 0 else [-np.inf, log_beta])
        for _ in range(n - 1):
            values = np.array(
                [np.logaddexp(values[0] + x, values[1]), log_beta + logsumexp(values)]
            )
        if closed and first == 0:
            values[0] += x
        totals.append(logsumexp(values))
    return logsumexp(totals)


def log_clique(n, x, log_beta):
    """By the number k of unconstrained vertices."""
    return logsumexp(
        [log(comb(n, k)) + (n - k) * log_beta + comb(k, 2) * x for k in range(n + 1)]
    )


def log_grid(n_rows, n_columns, x, log_beta):
    """Row by row."""
    rows = np.arange(1 << n_columns)
    full = len(rows) - 1
    across = (rows | rows >> 1) & (full >> 1)
    inside = np.bitwise_count(rows) * log_beta
    inside = inside + (n_columns - 1 - np.bitwise_count(across)) * x
    between = (n_columns - np.bitwise_count(rows[:, None] | rows)) * x
    logs = inside
    for _ in range(n_rows - 1):
        logs = inside + logsumexp(logs[:, None] + between, axis=0)
    return logsumexp(logs)


def log_tree(n, edges, net_counts, log_alpha, log_beta):
    """From the leaves up; edges lead from an earlier vertex to a later one."""
    values = np.tile([0.0, log_beta], (n, 1))
    for (i, j), c in sorted(zip(edges, net_counts), key=lambda e: -e[0][1]):
        values[i, 0] += np.logaddexp(values[j, 0] + c * log_alpha, values[j, 1])
        values[i, 1] += logsumexp(values[j])
    return logsumexp(values[0])


def log_bipartite(n, edges, net_counts, log_alpha, log_beta):
    """Over all subsets of the left half; the other vertices are independent then."""
    n_left = n // 2
    subsets = np.arange(1 << n_left)
    logs = np.bitwise_count(subsets) * log_beta
    for right in range(n_left, n):
        penalties = np.zeros(len(subsets))
        for (i, j), c in zip(edges, net_counts):
            if j == right:
                penalties += np.where(subsets >> i & 1, 0.0, c * log_alpha)
        logs += np.logaddexp(penalties, log_beta)
    return logsumexp(logs)


def count_covers(n, edges):
    """Terms that kill all updates, by size, in integers: inclusion and exclusion."""
    counts = [0] * (n + 1)

    def extend(vertices, size, left):
        if not left:
            for free in range(len(vertices) + 1):
                counts[size + free] += comb(len(vertices), free)
            return
        # An edge has one end constrained: the first, or not the first but the second.
        i, _ = left[0]
        extend(vertices - {i}, size + 1, [e for e in left if i not in e])
        # Without i, all its neighbours are constrained.
        forced = {a + b - i for a, b in left if i in (a, b)}
        rest = [e for e in left if not forced & set(e)]
        extend(vertices - {i} - forced, size + len(forced), rest)

    extend(frozenset(range(n)), 0, list(edges))
    return counts


# -- exact sums ------------------------------------------------------------------------

SMALL = {
    "path": (9, path(9)),
    "cycle": (9, cycle(9)),
    "clique": (8, clique(8)),
    "grid": (9, grid(3, 3)),
    "tree": (10, tree(10, seed=1)),
    "bipartite": (10, bipartite(5, 5, 2, seed=1)),
    "complete bipartite": (8, complete_bipartite(4)),
}


@pytest.mark.parametrize("name", SMALL)
def test_references_agree(name):
    n, edges = SMALL[name]
    agreements, alpha, beta = agreements_of(n, edges), 1.5, 0.3
    net_counts = np.random.default_rng(0).integers(-9, 0, len(edges))
    if name == "grid":
        net_counts[:] = -2
    others = {
        "tree": lambda: log_tree(n, edges, net_counts, log(alpha), log(beta)),
        "grid": lambda: log_grid(3, 3, -2 * log(alpha), log(beta)),
        "bipartite": lambda: log_bipartite(
            10, edges, net_counts, log(alpha), log(beta)
        ),
    }
    others["path"] = others["tree"]
    if name in others:
        expected = log_sum_of_all(agreements, net_counts, alpha, beta)
        assert_allclose(others[name](), expected, rtol=1e-12)
    # Where demotions cost all the weight, integers count what is left.
    expected = log_sum_of_all(agreements, np.full(len(edges), -1000), alpha, beta)
    counts = count_covers(n, edges)
    covers = [log(c) + k * log(beta) for k, c in enumerate(counts) if c]
    assert_allclose(logsumexp(covers), expected, rtol=1e-12)


@pytest.mark.slow_beyond(20)
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("alpha, beta", [(1.5, 1.0), (1.5, 0.01), (30.0, 4.0)])
@pytest.mark.parametrize("scale", [1, 30, 1000, 10**6])
def test_exact_engines(name, alpha, beta, scale):
    n, edges = SMALL[name]
    agreements = agreements_of(n, edges)
    random = np.random.default_rng(len(edges))
    for net_counts in (
        np.full(len(edges), -scale),
        -(scale ** random.integers(0, 2, len(edges))),
        random.integers(-scale, scale, len(edges), endpoint=True),
    ):
        expected = log_sum_of_all(agreements, net_counts, alpha, beta)
        for sampler in ("auto", "exact", "frontier"):
            found = log_weighted_sum(
                agreements,
                net_counts,
                alpha=alpha,
                literal_weight=beta,
                sampler=sampler,
            )
            assert found.exact and found.std_error == 0
            assert_allclose(found.log_value, expected, rtol=1e-9, atol=1e-9)


# -- estimates -------------------------------------------------------------------------


def estimates(n, edges, net_counts, beta, seeds, max_term_size=None, **options):
    """Estimates over seeds, attributes in an order of their own for each."""
    agreements = agreements_of(n, edges)
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(n)
        yield log_weighted_sum(
            agreements[:, order],
            net_counts,
            literal_weight=beta,
            sampler=Frontier(**options),
            max_term_size=max_term_size,
            random_state=seed,
        )


def sigmas(found, expected):
    """How many standard errors an estimate is off by."""
    return abs(np.expm1(min(found.log_value - expected, 50.0))) / found.std_error


def assert_covered(found, expected):
    assert np.isfinite(found.log_value)
    if found.exact:
        assert_allclose(found.log_value, expected, rtol=1e-9, atol=1e-9)
    else:
        assert found.std_error >= _frontier_run.ROUNDING
        assert sigmas(found, expected) < MOST_SIGMAS


LARGE = {
    "path": (44, path(44)),
    "cycle": (44, cycle(44)),
    "clique": (30, clique(30)),
    "grid": (30, grid(5, 6)),
    "tree": (44, tree(44, seed=2)),
    "bipartite": (36, bipartite(18, 18, 4, seed=5)),
    "complete bipartite": (20, complete_bipartite(10)),
    "copies": (40, copies(4, 10, complete_bipartite(5))),
}


def log_large(name, c, beta):
    """The sum over one of LARGE, all exponents equal."""
    n, edges = LARGE[name]
    x, log_beta, net_counts = c * log(1.5), log(beta), np.full(len(edges), c)
    if name in ("path", "cycle"):
        return log_chain(n, x, log_beta, closed=name == "cycle")
    if name == "clique":
        return log_clique(n, x, log_beta)
    if name == "tree":
        return log_tree(n, edges, net_counts, log(1.5), log_beta)
    if name == "copies":
        edges = complete_bipartite(5)
        return 4 * log_bipartite(10, edges, net_counts[:25], log(1.5), log_beta)
    if name == "grid":
        return log_grid(5, 6, x, log_beta)
    return log_bipartite(n, edges, net_counts, log(1.5), log_beta)


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("c, beta", [(-2, 1.0), (-100, 0.03)])
def test_estimates_are_covered_by_their_errors(name, c, beta):
    n, edges = LARGE[name]
    expected = log_large(name, c, beta)
    found = list(
        estimates(n, edges, np.full(len(edges), c), beta, range(2), max_states=1000)
    )
    for one in found:
        assert_covered(one, expected)
    # Negative control: another beta has another sum.
    wrong = log_large(name, c, beta / 2)
    assert any(not one.exact for one in found)
    assert all(one.exact or sigmas(one, wrong) > MOST_SIGMAS for one in found)


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("m, beta", [(10, 0.1), (10, 1.0), (12, 1.0), (20, 1.0)])
def test_both_modes_are_found(m, beta):
    # Half of the weight lies on terms with all of the left, half on the others.
    edges = complete_bipartite(m)
    # Of the covers of one side: (1 + beta)^m, less 1 for the one counted twice.
    full = (1 + beta) ** m
    expected = m * log(beta) + log(2 * full - beta**m)
    net_counts = np.full(len(edges), -1000)
    for found in estimates(2 * m, edges, net_counts, beta, range(3)):
        assert not found.exact and found.std_error >= _frontier_run.ROUNDING
        assert_covered(found, expected)
        assert abs(found.log_value - expected) < 1e-3


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("degree, beta", [(3, 0.03), (5, 0.01), (8, 0.3)])
def test_all_modes_are_found(degree, beta):
    n, edges = 36, bipartite(18, 18, degree, seed=degree)
    net_counts = np.full(len(edges), -1000)
    expected = log_bipartite(n, edges, net_counts, log(1.5), log(beta))
    for found in estimates(n, edges, net_counts, beta, range(2)):
        assert_covered(found, expected)
        assert abs(found.log_value - expected) < 0.05


def test_unbiased_over_seeds():
    # So few states that one run is off by a fifth.
    n, edges = 20, complete_bipartite(10)
    net_counts = np.full(len(edges), -3)
    expected = log_bipartite(n, edges, net_counts, log(1.5), log(0.5))
    options = {"max_states": 6, "n_replicates": 40}
    values = np.array(
        [
            found.log_value - expected
            for found in estimates(n, edges, net_counts, 0.5, range(40), **options)
        ]
    )
    ratios = np.exp(values)
    error = ratios.std(ddof=1) / np.sqrt(len(ratios))
    assert 1e-4 < error < 0.1
    assert abs(ratios.mean() - 1) < MOST_SIGMAS * error
    # Negative control: half of the modes.
    assert abs(ratios.mean() / 2 - 1) > MOST_SIGMAS * error


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("c", [-30, -100, -1000, -(10**6), -(2**55)])
def test_memory_is_not_short(c):
    # Exponents whose powers of alpha are 0 in double precision.
    n, edges = 36, bipartite(18, 18, 4, seed=5)
    net_counts = np.full(len(edges), c)
    expected = log_bipartite(n, edges, net_counts, log(1.5), 0.0)
    for found in estimates(n, edges, net_counts, 1.0, range(2), max_states=200):
        assert_covered(found, expected)
    for max_states in (1, 2, 3):
        (found,) = estimates(n, edges, net_counts, 1.0, [0], max_states=max_states)
        assert np.isfinite(found.log_value) and found.n_states <= 2 * max_states + 2
    (found,) = estimates(
        n, edges, net_counts, 1.0, [0], max_term_size=20, max_states=50
    )
    assert np.isfinite(found.log_value)
