"""Grown rules: candidates that grow around rows, literal by literal, and are pruned.

Each row of a choice is the seed of some rules. A rule begins empty, and gets the
literal of its seed that is best by a criterion, until it covers no row with a negative
gain: by the information gain of FOIL (Quinlan, 1990), or by precision and the root of
coverage. All beginnings of a rule are candidates, and the rule without the literals
that exclude no row with a negative gain.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.rules._learning._row_bits import packed

# Literals of a grown rule at most: longer rules cover few rows.
_LONGEST = 8
# Values of literals are multiplied by random numbers from this one to 1 (from a fixed
# seed), so that similar rows have different rules.
_LEAST_FACTOR = 0.7
# Cells of the arrays that are made at once.
_MOST_CELLS = 1 << 22


def grown_rules(problem, n_seeds, gains=None):
    """Return rules that grow around rows.

    Parameters
    ----------
    problem : RuleProblem
    n_seeds : int
        Number of rows with a positive gain that rules grow around, evenly spaced.
    gains : ndarray of shape (n_rows,), default=None
        Other gains than those of the problem.

    Returns
    -------
    rules : list of tuple of int
        Literals of each rule, ascending. Rules are distinct, in a fixed order.
    """
    gains = problem.gains if gains is None else gains
    own = np.flatnonzero(gains > 0)
    if not len(own) or not problem.n_literals or not n_seeds:
        return []
    seeds = own[np.linspace(0, len(own) - 1, min(n_seeds, len(own))).astype(int)]
    n_cells = max(problem.holds.shape)
    found, rng = set(), np.random.default_rng(0)
    holds = problem.holds.astype(np.float64)
    for part in np.array_split(seeds, -(-len(seeds) * n_cells // _MOST_CELLS)):
        for criterion in (_information_gain, _precision):
            paths = _grow(problem, holds, gains, part, criterion, rng)
            found.update(tuple(sorted(p[:k])) for p in paths for k in _sizes(p))
            found.update(_pruned(problem, gains, paths))
    return sorted(found)


def _sizes(path):
    return range(1, len(path) + 1)


def _information_gain(own, other, own_before, other_before):
    """Return the information gain of FOIL for each literal."""
    with np.errstate(divide="ignore", invalid="ignore"):
        before = np.log2(own_before / (own_before + other_before))
        value = own * (np.log2(own / (own + other)) - before)
    return np.where(own > 0, value, 0.0)


def _precision(own, other, own_before, other_before):
    """Return the precision of each literal, times the root of its coverage."""
    total = own + other
    return np.where(own > 0, own * np.sqrt(own) / np.where(total > 0, total, 1.0), 0.0)


def _grow(problem, holds, gains, seeds, criterion, rng):
    """Return one rule for each seed, as a list of literals in the order of growth."""
    up, down = np.maximum(gains, 0.0), np.maximum(-gains, 0.0)
    covers = np.ones((len(seeds), len(gains)))
    allowed = problem.holds[seeds].copy()
    paths = [[] for _ in seeds]
    growing = np.arange(len(seeds))
    for _ in range(min(_LONGEST, problem.max_term_size)):
        own_before = (covers[growing] * up).sum(axis=1, keepdims=True)
        other_before = (covers[growing] * down).sum(axis=1, keepdims=True)
        is_impure = other_before[:, 0] > 0
        growing = growing[is_impure]
        if not len(growing):
            break
        inside = covers[growing]
        values = criterion(
            (inside * up) @ holds,
            (inside * down) @ holds,
            own_before[is_impure],
            other_before[is_impure],
        )
        values *= rng.uniform(_LEAST_FACTOR, 1.0, size=values.shape)
        values = np.where(allowed[growing], values, 0.0)
        best = values.argmax(axis=1)
        is_better = values.max(axis=1) > 0
        growing, best = growing[is_better], best[is_better]
        for i, literal in zip(growing.tolist(), best.tolist()):
            paths[i].append(literal)
            covers[i] *= holds[:, literal]
            allowed[i] &= problem.may_meet(literal)
    return [path for path in paths if path]


def _pruned(problem, gains, paths):
    """Yield rules without literals that exclude no row with a negative gain."""
    words = packed(problem.holds[gains < 0].T)
    for path in paths:
        wrong = np.bitwise_and.reduce(words[path])
        for literal in list(path):
            rest = [other for other in path if other != literal]
            if rest and np.array_equal(np.bitwise_and.reduce(words[rest]), wrong):
                path = rest
        yield tuple(sorted(path))
