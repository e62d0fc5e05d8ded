"""RulePool: candidate rules, the rows that they cover, and their costs."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import rule_search
from sklearn_dnfwinnow.rules._learning._row_bits import packed, sums_of_rows, unpacked


class RulePool:
    """Distinct candidate rules of a problem, each inside the limits of single rules.

    Parameters
    ----------
    problem : RuleProblem

    Attributes
    ----------
    rules : list of tuple of int
        Literals of each rule, ascending.
    sizes : ndarray of shape (n_rules,), int32
    covers : ndarray of shape (n_rules, n_words), uint64
        Rows with a positive gain that each rule covers, as bits.
    costs : ndarray of shape (n_rules,), float64
        Cost of the rows with a negative gain that each rule covers, plus its price.
    """

    def __init__(self, problem):
        self.problem = problem
        self._is_own = problem.gains > 0
        self._words_own = packed(problem.holds[self._is_own].T)
        is_other = problem.gains < 0
        self._words_other = packed(problem.holds[is_other].T)
        self._losses = problem.losses[is_other]
        self.gains = problem.gains[self._is_own]
        self._known = set()
        self.rules = []
        self.sizes = np.zeros(0, dtype=np.int32)
        self.covers = np.zeros((0, self._words_own.shape[1]), dtype=np.uint64)
        self.costs = np.zeros(0)

    def __len__(self):
        return len(self.rules)

    def add(self, rules):
        """Add the rules that are new and inside the limits, and cover some rows."""
        new = sorted({tuple(sorted(rule)) for rule in rules} - self._known)
        self._known.update(new)
        problem = self.problem
        if problem.has_limits_of_rules:
            new = [rule for rule in new if problem.allows(rule)]
        if not new:
            return
        own = _common(self._words_own, new, len(self.gains))
        other = _common(self._words_other, new, len(self._losses))
        costs = sums_of_rows(other, self._losses)
        sizes = np.array([len(rule) for rule in new], dtype=np.int32)
        covers_some = own.any(axis=1)
        self.rules += [rule for rule, is_useful in zip(new, covers_some) if is_useful]
        self.sizes = np.append(self.sizes, sizes[covers_some])
        self.covers = np.vstack([self.covers, own[covers_some]])
        costs = (costs + problem.price(sizes))[covers_some]
        self.costs = np.append(self.costs, costs)

    def covered(self, positions):
        """Return the rows with a positive gain that some rules cover, a row each."""
        return unpacked(self.covers[positions], len(self.gains))

    def reduced_costs(self, duals):
        """Return the reduced cost of each rule, see `Duals`."""
        found = self.costs + duals.of_rule + duals.of_literal * self.sizes
        return found - sums_of_rows(self.covers, duals.of_rows)

    def undominated(self, positions):
        """Return the positions of rules that no other one of them dominates.

        A rule dominates those that cover a part of its rows with a positive gain, cost
        no less, and are no shorter if the number of literals is limited.
        """
        order = np.lexsort((positions, self.sizes[positions], self.costs[positions]))
        ordered = np.asarray(positions)[order]
        is_kept = np.zeros(len(ordered), dtype=np.uint8)
        sizes = self.sizes[ordered]
        if self.problem.max_literals is None:
            sizes = np.zeros_like(sizes)
        rule_search.undominated(
            covers=np.ascontiguousarray(self.covers[ordered]),
            sizes=np.ascontiguousarray(sizes),
            is_kept=is_kept,
        )
        return np.sort(ordered[is_kept > 0])


def _common(words, rules, n_bits):
    """Return the rows that satisfy all literals of each rule, as bits."""
    every = packed(np.ones((1, n_bits), dtype=bool))
    found = np.repeat(every, len(rules), axis=0)
    for of_rule, rule in zip(found, rules):
        if rule:
            np.bitwise_and.reduce(words[list(rule)], axis=0, out=of_rule)
    return found
