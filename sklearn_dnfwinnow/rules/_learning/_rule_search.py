"""best_rule_set: rules of the smallest loss, and a bound on the loss of any rules.

The method is column generation (Dash, Günlük & Wei, 2018). Candidates are given rules
and grown rules. The linear relaxation of the selection is solved over some candidates;
its dual variables price all rules, by an exact search; rules of negative reduced cost
are added, until there are none. The value of the relaxation is then a lower bound on
the loss of every rule set, and the integer programme over the candidates gives a rule
set. If its loss is above the bound, all rules are listed whose reduced cost is below
the difference: no other rule is part of a better rule set (Nemhauser & Wolsey,
*Integer and combinatorial optimization*, 1988, section II.1.2). The integer programme
over these gives the smallest loss there is.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from operator import itemgetter
from time import monotonic

import numpy as np

from sklearn_dnfwinnow.rules._learning._grown_rules import grown_rules
from sklearn_dnfwinnow.rules._learning._pricing import price_rules
from sklearn_dnfwinnow.rules._learning._problem import rounded
from sklearn_dnfwinnow.rules._learning._rule_pool import RulePool
from sklearn_dnfwinnow.rules._learning._selection import Duals, Programme

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


def best_rule_set(problem, pool=(), *, n_seeds=100, max_time=None, work=_WORK):
    """Return the rule set of the smallest loss that was found, with a bound.

    Parameters
    ----------
    problem : RuleProblem
    pool : iterable of tuple of int, default=()
        Rules that are candidates, such as the heaviest terms of a model; literals of
        each. Those against the limits of single rules are passed over.
    n_seeds : int, default=100
        Number of rows that further candidates grow around.
    max_time : float, default=None
        Seconds for the search. The search stops earlier if the rules are proven to be
        the best. None stops after a fixed amount of work, with the bound so far: the
        result is then a function of the problem and the pool.
    work : int, default=2^24
        Work of the search if `max_time` is None.

    Returns
    -------
    found : RuleSet
    """
    deadline = None if max_time is None else monotonic() + max_time
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
    place = {literal: i for i, literal in enumerate(useful.tolist())}
    pool = [
        tuple(place[literal] for literal in rule)
        for rule in pool
        if all(literal in place for literal in rule)
    ]
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
        self.chosen = np.zeros(0, dtype=np.int64)
        self.objective = self.total
        self.bound, self.duals = 0.0, None
        self.work = work
        self.is_timed_out = False
        # Whether all rules can be searched by a part of the work that is left.
        self.is_quick = True

    @property
    def tolerance(self):
        return _TOLERANCE * self.total

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

    def work_left(self):
        if self.deadline is None:
            return self.work
        return int(max(self.deadline - monotonic(), 0.01) * _WORK_OF_SECOND)

    @property
    def most_rules(self):
        """Return the number of rules of a best rule set, at most.

        Each of its rules covers a row of its own.
        """
        most = [len(self.pool.gains)]
        if self.problem.max_rules is not None:
            most.append(self.problem.max_rules)
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
            bound, duals = factor * value, duals.scaled(factor)
        if bound > self.bound or self.duals is None:
            self.bound, self.duals = max(float(bound), self.bound), duals
        return priced.is_searched

    def grow(self, duals):
        """Add rules that grow around rows, and return how many have a negative cost."""
        gains = -self.problem.losses
        gains[self.problem.gains > 0] = duals.of_rows
        n_before = len(self.pool)
        grown = grown_rules(
            self.problem, _FEW_SEEDS, gains=rounded(gains), is_late=self.is_late
        )
        self.pool.add(grown)
        self.work -= _FEW_SEEDS * self.problem.cells.work
        costs = self.pool.reduced_costs(duals)[n_before:]
        return np.count_nonzero(costs < -1e-2 * self.tolerance)

    def search(self, problem, duals, part=1, *, threshold=None, n_rules=2 * _AT_ONCE):
        """Add the rules of negative reduced cost, at most some, and return a Priced.

        With at most a part of the work that is left, 1 / `part`.
        """
        work = self.work_left() // part
        threshold = 1e-3 * self.tolerance if threshold is None else threshold
        priced = price_rules(
            problem, duals, threshold=threshold, n_rules=n_rules, work=work
        )
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

    def choose(self, positions):
        """Select the best rules among some. Return whether they are proven best."""
        positions = self.pool.undominated(positions)
        if not len(positions):
            return True
        chosen, is_best = Programme(self.pool, positions).solved(self.deadline)
        if chosen is not None:
            self.take(positions[chosen])
        if not is_best:
            self.is_over()
        return is_best

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
        if self.choose(self.near(difference)) and priced.is_complete:
            self.bound = self.objective
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
