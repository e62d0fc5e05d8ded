"""Rule search: rules of large gain, by beam search and by growing."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import reduce
from operator import and_, itemgetter
from time import monotonic

import numpy as np

from sklearn_dnfwinnow._kernels import rule_search
from sklearn_dnfwinnow.rules._rule_problem import (
    packed,
    rounded,
    sums_of_rows,
    unpacked,
)
from sklearn_dnfwinnow.rules._rule_selection import Duals, Programme, price_rules

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
            paths = _grow(problem, gains, part, criterion, rng=rng, is_late=is_late)
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


def _grow(problem, gains, seeds, criterion, *, rng, is_late):
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
        prices = self.costs + duals.of_rule + duals.of_literal * self.sizes
        return prices - sums_of_rows(self.covers, duals.of_rows)

    def undominated(self, positions):
        """Return the positions of rules that no other one of them dominates.

        A rule dominates those that cover a part of its rows with a positive gain, cost
        no less, and are no shorter if the number of literals is limited.
        """
        order = np.lexsort((positions, self.sizes[positions], self.costs[positions]))
        ordered = np.asarray(positions)[order]
        is_kept = np.zeros(len(ordered), dtype=np.uint8)
        covers, sizes = self.covers[ordered], self.sizes[ordered]
        if self.problem.max_literals == np.inf:
            sizes = np.zeros_like(sizes)
        rule_search.undominated(covers=covers, sizes=sizes, is_kept=is_kept)
        return np.sort(ordered[is_kept > 0])


def _common(words, rules, n_bits):
    """Return the rows that satisfy all literals of each rule, as bits."""
    (every,) = packed(np.ones((1, n_bits), dtype=bool))
    common = np.zeros((len(rules), len(every)), dtype=np.uint64)
    for i, rule in enumerate(rules):
        common[i] = np.bitwise_and.reduce(words[list(rule)], axis=0) if rule else every
    return common


# Differences up to this fraction of the sum of all gains count as none.
_TOLERANCE = 1e-7
# Rules that are added to a linear programme at once.
_AT_ONCE = 150
# Rules that are exchanged for one another.
_MOST_EXCHANGED = 500
# Literals of rules that are searched before longer ones.
_SHORT = 3
# Fewer rules of negative reduced cost are too few for another linear programme, and
# others are searched.
_FEW_RULES = 30
# Rows that rules grow around, by dual variables.
_FEW_SEEDS = 50
# Work of a search without a limit of time: words and rows that are looked at, and cells
# of linear programmes, which take longer.
_WORK = 1 << 24
_WORK_OF_CELL = 1 << 4
# Work of one second, at least (measured on a core of 2.5 GHz).
_WORK_OF_SECOND = 1 << 27
# Parts of the work that is left, as divisors: for a search of short rules, and for one
# of all rules that is little work.
_PART_OF_SHORT, _PART_OF_WORK = 2, 8
# Rules that are listed at once.
_MOST_LISTED = 1 << 17


@dataclass(frozen=True)
class RuleSet:
    """Rules, their loss, and what the smallest loss of any rules is.

    Attributes
    ----------
    rules : tuple of tuple of int
        Literals of each rule, ascending; the rules that gain most first.
    objective : float
        Loss of the rules, see `RuleProblem`.
    bound : float
        No rule set within the limits has a smaller loss.
    is_timed_out : bool
        Whether the search stopped because the time was over. If it did, the rules can
        differ from one call to the next.
    """

    rules: tuple
    objective: float
    bound: float
    is_timed_out: bool

    @property
    def gap(self):
        """Return the part of the loss that may be avoidable; 0 is a proof."""
        if self.objective <= self.bound:
            return 0.0
        return (self.objective - self.bound) / self.objective


def best_rule_set(problem, pool=(), *, n_seeds=100, deadline=None, work=_WORK):
    """Return the rule set of the smallest loss that was found, with a bound.

    Parameters
    ----------
    problem : RuleProblem
    pool : iterable of tuple of int, default=()
        Rules that are candidates, such as the heaviest terms of a model; literals of
        each. Those against the limits of single rules are passed over.
    n_seeds : int, default=100
        Number of rows that further candidates grow around.
    deadline : float, default=None
        The time of `monotonic` for the end. The search stops earlier if the rules are
        proven to be the best. None stops after a fixed amount of work, with the bound
        so far: the result is then a function of the problem and the pool.
    work : int, default=2^24
        Work of the search if `deadline` is None.

    Returns
    -------
    found : RuleSet
    """
    useful = problem.useful_literals()
    merged, unavoidable = problem.with_literals(useful).merged()
    # Solvers have absolute tolerances. A power of two changes no digit.
    largest = np.abs(merged.gains).max(initial=0.0)
    scale = 2.0 ** -np.floor(np.log2(largest)) if largest > 0 else 1.0
    scaled = replace(
        merged,
        gains=merged.gains * scale,
        rule_price=merged.rule_price * scale,
        literal_price=merged.literal_price * scale,
    )
    search = _Search(scaled, deadline, work)
    pool = [rule for rule in pool if np.isin(rule, useful).all()]
    pool = [tuple(np.searchsorted(useful, rule).tolist()) for rule in pool]
    search.pool.add([(), *filter(scaled.contains, pool)])
    search.pool.add(grown_rules(scaled, n_seeds, is_late=search.is_late))
    search.run()
    rules = scaled.with_first_literals(search.ordered_rules())
    return RuleSet(
        rules=tuple(tuple(useful[list(rule)].tolist()) for rule in rules),
        objective=float(search.objective / scale + unavoidable),
        bound=float(search.bound / scale + unavoidable),
        is_timed_out=search.is_timed_out,
    )


class _Search:
    """The state of a search: candidates, the best choice so far, and the bound."""

    def __init__(self, problem, deadline, work):
        self.problem = problem
        self.deadline = deadline
        self.pool = RulePool(problem)
        self.total = float(self.pool.gains.sum())
        self.tolerance = _TOLERANCE * self.total
        self.chosen = np.zeros(0, dtype=np.int64)
        self.objective = self.total
        self.bound, self.duals = 0.0, None
        self.work = work
        self.is_timed_out = False
        # Whether all rules can be searched by a part of the work that is left.
        self.is_quick = True

    @property
    def is_proven(self):
        return self.objective - self.bound <= self.tolerance

    def is_over(self):
        """Return whether the time, or the work, is over."""
        return self.work <= 0 if self.deadline is None else self.is_late()

    def is_late(self):
        """Return whether the time is over, if there is a limit, and record it."""
        if self.deadline is not None and monotonic() >= self.deadline:
            self.is_timed_out = True
        return self.is_timed_out

    @property
    def most_rules(self):
        """Return the number of rules of a best rule set, at most.

        Each of its rules covers a row of its own.
        """
        most = [len(self.pool.gains), self.problem.max_rules]
        if self.problem.rule_price > 0:
            most.append(int(self.objective / self.problem.rule_price))
        return min(most)

    def run(self):
        """Search until the rules are proven to be the best, or time or work is over."""
        if not self.total > 0:
            self.bound = self.objective
            return
        self.relax()
        while not self.is_proven and self.deadline is not None and not self.is_over():
            before = self.objective
            if self.list_all() or not self.objective < before:
                break
        if self.is_proven:
            self.bound = self.objective
            self.is_timed_out = False

    def relax(self):
        """Solve the linear relaxation over all rules, or as far as time allows."""
        pool = self.pool
        active = _smallest(pool.reduced_costs(Duals(pool.gains)), _AT_ONCE)
        last = np.inf
        while True:
            programme = Programme(pool, active)
            # An exact search takes longer than a relaxation. It finds fewer rules by
            # dual variables far from their limits: those of an interior-point method.
            is_inner = self.problem.max_term_size <= _SHORT and self.bound > 0
            duals, shares = programme.relaxed("highs-ipm" if is_inner else "highs-ds")
            self.work -= _WORK_OF_CELL * int(programme.covers.sum())
            value = duals.value(self.problem)
            if value <= self.bound + self.tolerance:
                break
            costs = pool.reduced_costs(duals)
            kept = active
            if value < last - self.tolerance:
                # The value remains without rules that it does not need.
                kept = active[_smallest(costs[active], _AT_ONCE)]
            last = value
            costs[active] = 0.0
            new = _smallest(costs, _AT_ONCE)
            new = new[costs[new] < -1e-2 * self.tolerance]
            if self.is_over():
                break
            if len(new) < _FEW_RULES:
                n_before = len(pool)
                self.price(duals)
                costs = pool.reduced_costs(duals)[n_before:]
                if not (len(new) or (costs < 0).any()) or self.is_timed_out:
                    break
                # Some more of them: those that cost little may cost less then.
                new = np.append(new, n_before + _smallest(costs, _AT_ONCE))
            active = np.union1d(kept, pool.undominated(new))
        shares = dict(zip(active.tolist(), shares))
        near = np.union1d(active, self.near(self.objective))
        self.choose_quickly(near, duals, shares)

    def price(self, duals):
        """Add rules of negative reduced cost, and raise the bound.

        The search among short rules is quick. All rules are searched if this is little
        work. Otherwise long ones grow around rows, by what the dual variables leave to
        gain, and are searched exactly when neither finds more.
        """
        if self.problem.max_term_size > _SHORT:
            n_before = len(self.pool)
            short = replace(self.problem, max_term_size=_SHORT)
            priced = self.search(short, duals, _PART_OF_SHORT)
            if priced.is_searched and len(self.pool) - n_before >= _FEW_RULES:
                return
            self.is_quick &= priced.is_searched
            if self.is_quick:
                self.is_quick = self.price_all(duals, _PART_OF_WORK)
            n_new = len(self.pool) - n_before
            if self.is_quick or n_new + self.grow(duals):
                return
        self.price_all(duals)

    def price_all(self, duals, part=1):
        """Search among all rules, see `search`. Return whether it came to an end."""
        priced = self.search(self.problem, duals, part)
        value = duals.value(self.problem)
        bound = value - self.most_rules * priced.most
        # Scaled, the dual variables give no rule a negative reduced cost: all rules
        # cost at least as much as the cheapest.
        cheapest = self.problem.price(0) or self.problem.price(1)
        factor = cheapest / (cheapest + priced.most)
        if factor * value > bound:
            bound, duals = factor * value, Duals(*(factor * dual for dual in duals))
        if bound > self.bound or self.duals is None:
            self.bound, self.duals = max(float(bound), self.bound), duals
        return priced.is_searched

    def grow(self, duals):
        """Add rules that grow around rows, and return how many have a negative cost."""
        n_before = len(self.pool)
        gains = rounded(self.problem.values(duals.of_rows))
        grown = grown_rules(self.problem, _FEW_SEEDS, gains, self.is_late)
        self.pool.add(grown)
        self.work -= _FEW_SEEDS * self.problem.cells.work
        costs = self.pool.reduced_costs(duals)[n_before:]
        return np.count_nonzero(costs < -1e-2 * self.tolerance)

    def search(self, problem, duals, part=1, *, threshold=None, n_rules=2 * _AT_ONCE):
        """Add the rules of negative reduced cost, at most some, and return a Priced.

        With at most a part of the work that is left, 1 / `part`.
        """
        work = self.work
        if self.deadline is not None:
            work = int(max(self.deadline - monotonic(), 0.01) * _WORK_OF_SECOND)
        work //= part
        threshold = 1e-3 * self.tolerance if threshold is None else threshold
        limits = {"threshold": threshold, "n_rules": n_rules, "work": work}
        priced = price_rules(problem, duals, **limits)
        self.work -= work - priced.work
        self.pool.add(priced.rules)
        return priced

    def near(self, difference):
        """Return the positions of rules of a reduced cost up to a difference."""
        if self.duals is None:
            return np.arange(len(self.pool))
        costs = self.pool.reduced_costs(self.duals)
        return np.flatnonzero(costs <= difference + self.tolerance)

    def choose_quickly(self, positions, duals, shares):
        """Select rules by exchanges, and begin with those of the largest shares.

        If there are many rules, those of the smallest reduced costs are exchanged.
        """
        costs = self.pool.reduced_costs(duals)[positions]
        positions = positions[_smallest(costs, _MOST_EXCHANGED)]
        positions = self.pool.undominated(positions)
        if not len(positions):
            return
        programme = Programme(self.pool, positions)
        share = np.array([shares.get(position, 0.0) for position in positions.tolist()])
        by_share = np.argsort(-share, kind="stable")
        rounded = by_share[share[by_share] > 0.5]
        starts = [[], rounded.tolist(), by_share[share[by_share] > 1e-6].tolist()]
        chosen, _ = min(map(programme.improved, starts), key=itemgetter(1))
        self.take(positions[chosen])

    def take(self, chosen):
        """Keep a choice of rules, as positions, if it is the best so far."""
        objective = self.problem.loss([self.pool.rules[i] for i in chosen])
        if objective < self.objective - 1e-2 * self.tolerance:
            self.objective, self.chosen = objective, chosen

    def list_all(self):
        """Select among all rules that a better rule set can contain.

        Returns whether they were all rules; the rules are then proven to be the best
        unless the selection stopped early.
        """
        difference = self.objective - self.bound
        threshold = -difference - self.tolerance
        priced = self.search(
            self.problem, self.duals, threshold=threshold, n_rules=_MOST_LISTED
        )
        positions, is_best = self.pool.undominated(self.near(difference)), True
        if len(positions):
            chosen, is_best = Programme(self.pool, positions).solved(self.deadline)
            if chosen is not None:
                self.take(positions[chosen])
        if is_best and priced.is_complete:
            self.bound = self.objective
        elif not is_best:
            self.is_late()  # record it
        return priced.is_complete

    def ordered_rules(self):
        """Return the chosen rules; each gains most of what those before leave."""
        pool = self.pool
        covered = pool.covered(self.chosen)
        left, rest, found = pool.gains.copy(), list(range(len(self.chosen))), []
        while rest:
            gained = covered[rest] @ left - pool.costs[self.chosen[rest]]
            i = rest.pop(int(gained.argmax()))
            found.append(pool.rules[self.chosen[i]])
            left = np.where(covered[i], 0.0, left)
        return tuple(found)


def _smallest(values, n):
    """Return the positions of the smallest values, ascending; ties in order."""
    return np.sort(np.argsort(values, kind="stable")[:n])
