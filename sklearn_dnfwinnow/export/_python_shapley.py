"""Shapley values in Python: the part of an exported module that computes them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

SHAPLEY = '''

# -- Shapley values --------------------------------------------------------------------

from math import inf, log1p
from operator import add

# The features that Shapley values belong to, the position of that of each entry of
# COLUMNS, and the entry of each literal.
FEATURES = {features}
PLAYERS = {players}
OWNERS = {{
    literal: j
    for j, (_, _, cells) in enumerate(COLUMNS)
    for _, literals in cells
    for literal in literals
}}

# The mean log-odds of the background, by class, and its mean Shapley values.
BASE_VALUES = {base_values}
MEAN_VALUES = [
{mean_values}
]


def shapley_values(row):
    """Return the Shapley values of a sample: for each class, a list by feature.

    They say how each of FEATURES moves the log-odds of a class against all others away
    from BASE_VALUES. The base value and all values add up to the log-odds.
    """
    counts, satisfied = _satisfied(row)
    known = [j for j, of_groups in enumerate(counts) if any(of_groups)]
    log_odds = _log_odds_of_sets([counts[j] for j in known], satisfied, known)
    n = len(known)
    parts = [1 / (n * comb(n - 1, size)) for size in range(n)]
    found = [[-mean for mean in means] for means in MEAN_VALUES]
    for values, of_sets in zip(found, log_odds):
        for i, j in enumerate(known):
            values[PLAYERS[j]] += fsum(
                parts[bin(s).count("1") - 1] * (of_sets[s] - of_sets[s ^ 1 << i])
                for s in range(1 << n)
                if s >> i & 1
            )
    return found


def _log_odds_of_sets(counts, satisfied, known):
    """Return the log-odds of each class if only some columns are known, by bit set."""
    bits = {{j: 1 << i for i, j in enumerate(known)}}
    terms = [
        (sum(bits[j] for j in {{OWNERS[one] for one in term}}), len(term), weights)
        for term, weights in satisfied
    ]
    rest, logits = {{}}, []
    for k, group in enumerate(GROUPS):
        if group not in rest:
            of_group = [of_column[group] for of_column in counts]
            own = [term for term in terms if term[2][k] is not None]
            rest[group] = _log_rest_of_sets(of_group, own)
        logs = [-inf] * (1 << len(known))
        for s, _, weights in terms:
            if weights[k] is not None:
                logs[s] = _log_add(logs[s], weights[k])
        logs = map(_log_add, _over_subsets(logs, _log_add), rest[group])
        logits.append([SCALE * (one - LOG_THRESHOLDS[k]) for one in logs])
    return [
        [one[k] - _log_sum(one[:k] + one[k + 1 :]) for one in zip(*logits)]
        for k in range(len(CLASSES))
    ]


def _log_rest_of_sets(counts, terms):
    """Return the logarithm of the weight of all other terms, by bit set."""
    n_sets = 1 << len(counts)
    n_literals = [0] * n_sets
    for i, count in enumerate(counts):
        n_literals[1 << i] = count
    n_literals = _over_subsets(n_literals, add)
    logs = [-inf] * n_sets
    for size, log_prior in enumerate(LOG_PRIORS):
        listed = Counter(s for s, of_size, _ in terms if of_size == size)
        listed = _over_subsets([listed[s] for s in range(n_sets)], add)
        for s in range(n_sets):
            n = comb(n_literals[s], size) - listed[s]
            if n:
                logs[s] = _log_add(logs[s], log(n) + log_prior)
    return logs


def _over_subsets(values, add):
    """Return the sum over the subsets of each bit set."""
    bit = 1
    while bit < len(values):
        values = [
            add(values[s ^ bit], one) if s & bit else one
            for s, one in enumerate(values)
        ]
        bit *= 2
    return values


def _log_add(one, other):
    """Return the logarithm of the sum of two numbers, from their logarithms."""
    largest = max(one, other)
    if largest == -inf:
        return largest
    return largest + log1p(exp(min(one, other) - largest))
'''
