"""Sums over conflict graphs: vertices are attributes, edges are demoted updates.

An update of the edge {i, j} disagrees with the row on i and j alone. A term kills it if
it constrains i or j; otherwise the update multiplies the weight by alpha^c, c < 0. So
with large exponents the attributes that a heavy term leaves out are an independent set,
and W is the partition function of the hard-core model: many terms of equal weight, far
from each other.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations
from math import log

import numpy as np
import pytest
from numpy.testing import assert_allclose
from reference import log_sum as log_sum_of_all

from sklearn_dnfwinnow.samplers import Frontier
from sklearn_dnfwinnow.sums import log_weighted_sum

# Standard deviations: of a normal law, one in 10^9.
MOST_SIGMAS = 6


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


# -- references ------------------------------------------------------------------------


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
    return np.logaddexp.reduce(logs)


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


def test_the_reference_is_the_definition():
    n, edges = SMALL["bipartite"]
    net_counts = np.random.default_rng(0).integers(-9, 0, len(edges))
    expected = log_sum_of_all(agreements_of(n, edges), net_counts, 1.5, 0.3)
    found = log_bipartite(n, edges, net_counts, log(1.5), log(0.3))
    assert_allclose(found, expected, rtol=1e-12)


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
        # Nothing is promoted: the pilot knows no regions, so that errors are unknown.
        assert abs(found.log_value - expected) < 1 and found.std_error == np.inf
    for max_states in (1, 2, 3):
        (found,) = estimates(n, edges, net_counts, 1.0, [0], max_states=max_states)
        assert np.isfinite(found.log_value) and found.n_states <= 2 * max_states + 2
    (found,) = estimates(
        n, edges, net_counts, 1.0, [0], max_term_size=20, max_states=50
    )
    assert np.isfinite(found.log_value)
