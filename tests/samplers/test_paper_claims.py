"""What the paper says too much of, by brute force over all terms of small sums."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import product

import numpy as np
from scipy.sparse.csgraph import connected_components


def random_phis(random, n, n_examples):
    """Net promotion counts of all terms, and the number of updates."""
    agreements = random.random((n_examples, n)) < 0.6
    signs = random.choice([-1, 1], n_examples)
    terms = np.array(list(product([False, True], repeat=n)))
    satisfied = (~terms[:, None] | agreements).all(axis=2)
    return satisfied @ signs


def chains_needed(phis, n_examples, alpha, offset):
    """Sizes of the ladder and of a minimum prediction set, for theta = W / e^offset.

    By the ladder of section 3.1 and conditions (1) and (2), with exact ratios.
    """
    step = np.log1p(1 / n_examples)
    n_chains = int(np.ceil(np.log(alpha) / step))
    log_alphas = step * np.arange(n_chains + 1)
    log_sums = np.log(np.exp(np.outer(log_alphas, phis)).sum(axis=1))
    log_theta = log_sums[-1] - offset
    # Theorem 6: from the last ratio down if W is above theta, from the first one up
    # if it is below.
    extreme, order = (phis.min(), -1) if offset >= 0 else (phis.max(), 1)
    gains = (np.diff(log_sums) - step * extreme)[::order]
    start = log_sums[0] + log_alphas[-1] * extreme
    bounds = start + np.append(0, np.cumsum(gains))
    settled = bounds >= log_theta if offset >= 0 else bounds < log_theta
    return n_chains, int(np.argmax(settled))


def test_theorem_7_holds_in_whole_chains_only():
    random = np.random.default_rng(0)
    below = {"as printed": 0, "rounded down": 0, "rounded up": 0}
    for _ in range(1200):
        n, n_examples = random.integers(2, 6), random.integers(4, 30)
        phis = random_phis(random, n, n_examples)
        offset = random.uniform(-3, 3)
        n_chains, needed = chains_needed(phis, n_examples, 1.5, offset)
        # No more than all of them can be saved.
        promised = min(abs(offset), n_chains)
        saved = n_chains - needed
        below["as printed"] += saved < promised
        below["rounded down"] += saved < np.floor(promised)
        below["rounded up"] += saved < np.ceil(promised)
    assert below["rounded down"] == 0
    # It is false, by less than one chain.
    assert below["as printed"] == below["rounded up"] > 0


def n_classes(log_weights, n):
    """Number of classes of terms that the sweep of section 4.3 never leaves."""
    terms = np.arange(2**n)
    sweep = np.eye(2**n)
    for j in range(n):
        proposals = terms ^ (1 << j)
        accepted = np.exp(np.minimum(0, log_weights[proposals] - log_weights))
        site = np.zeros((2**n, 2**n))
        site[terms, proposals] = accepted
        site[terms, terms] = 1 - accepted
        sweep = sweep @ site
    return connected_components(sweep > 0, connection="strong")[0]


def test_metropolized_gibbs_as_printed_is_reducible_where_all_ratios_are_one():
    # Each class is a term and its complement.
    assert n_classes(np.zeros(16), 4) == 8
    # The number of classes depends on the ratios: there is mostly one.
    random = np.random.default_rng(0)
    counts = []
    for _ in range(90):
        n = random.integers(2, 5)
        counts.append(n_classes(0.4 * random_phis(random, n, 3 * n), n))
    assert counts.count(1) == 88
    assert max(counts) == 2
