"""Grown rules: candidates that grow around rows, literal by literal, and are pruned.

Each row of a choice is the seed of some rules. A rule begins empty, and gets the
literal of its seed that is best by a criterion, until it covers no row with a negative
gain: by the information gain of FOIL (Quinlan, 1990), or by precision and the root of
coverage. All beginnings of a rule are candidates, and the rule without the literals
that exclude no row with a negative gain.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import reduce
from operator import and_

import numpy as np

# Literals of a grown rule at most: longer rules cover few rows.
_LONGEST = 8
# Values of literals are multiplied by random numbers from this one to 1 (from a fixed
# seed), so that similar rows have different rules.
_LEAST_FACTOR = 0.7
# Cells of the arrays that are made at once.
_MOST_CELLS = 1 << 22


def grown_rules(problem, n_seeds, gains=None, is_late=lambda: False):
    """Return rules that grow around rows.

    Parameters
    ----------
    problem : RuleProblem
    n_seeds : int
        Number of rows with a positive gain that rules grow around, evenly spaced.
    gains : ndarray of shape (n_rows,), default=None
        Other gains than those of the problem.
    is_late : callable, default=never
        Whether the time is over: rules then stop to grow.

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
    for part in np.array_split(seeds, -(-len(seeds) * n_cells // _MOST_CELLS)):
        for criterion in (_information_gain, _precision):
            paths = _grow(
                problem, gains, part, criterion=criterion, rng=rng, is_late=is_late
            )
            beginnings = (p[:k] for p in paths for k in range(1, len(p) + 1))
            found.update(tuple(sorted(rule)) for rule in beginnings)
            found.update(_pruned(problem, gains, paths))
    return sorted(found)


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


def _grow(problem, gains, seeds, *, criterion, rng, is_late):
    """Return one rule for each seed, as a list of literals in the order of growth."""
    cells, up, down = problem.cells, np.maximum(gains, 0.0), np.maximum(-gains, 0.0)
    allowed = problem.holds[seeds]
    # Rows that each distinct rule covers, and the rule of each seed that still grows.
    covers, rule_of = np.ones((1, len(gains)), dtype=bool), np.zeros_like(seeds)
    growing, paths = np.arange(len(seeds)), [[] for _ in seeds]
    for _ in range(min(_LONGEST, problem.max_term_size)):
        own_before, other_before = covers @ up, covers @ down
        is_impure = other_before[rule_of] > 0
        growing, rule_of = growing[is_impure], rule_of[is_impure]
        if not len(growing) or is_late():
            break
        values = criterion(
            cells.sums(covers, up),
            cells.sums(covers, down),
            own_before[:, None],
            other_before[:, None],
        )[rule_of]
        values *= rng.uniform(_LEAST_FACTOR, 1.0, size=values.shape)
        values = np.where(allowed[growing], values, 0.0)
        best = values.argmax(axis=1)
        is_better = values.max(axis=1) > 0
        growing, best, rule_of = growing[is_better], best[is_better], rule_of[is_better]
        allowed[growing] &= problem.may_meet(best)
        for i, literal in zip(growing.tolist(), best.tolist()):
            paths[i].append(literal)
        rules, rule_of = np.unique([rule_of, best], axis=1, return_inverse=True)
        covers = covers[rules[0]] & problem.holds[:, rules[1]].T
    return [path for path in paths if path]


def _pruned(problem, gains, paths):
    """Yield rules without literals that exclude no row with a negative gain."""
    is_other = gains < 0
    used = sorted({literal for path in paths for literal in path})
    # Sets of rows as bits of integers.
    rows = {
        literal: int.from_bytes(np.packbits(problem.holds[is_other, literal]).tobytes())
        for literal in used
    }
    for path in paths:
        wrong = reduce(and_, map(rows.get, path))
        for literal in list(path):
            rest = [other for other in path if other != literal]
            if rest and reduce(and_, map(rows.get, rest)) == wrong:
                path = rest
        yield tuple(sorted(path))
