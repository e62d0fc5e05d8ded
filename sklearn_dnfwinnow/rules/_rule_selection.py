"""Rule selection: the rules of a formula by integer programming, with a bound."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from concurrent.futures import Future, wait
from functools import cached_property
from threading import Thread
from time import monotonic
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csc_array, csr_array, hstack, identity

from sklearn_dnfwinnow._kernels import rule_search
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow.rules._rule_problem import packed

# Seconds between two looks for Ctrl-C.
_SECONDS = 0.1


class Duals(NamedTuple):
    """A price for covering each row, and for rules and literals that are limited.

    Attributes
    ----------
    of_rows : ndarray of shape (n_own_rows,), float64
        From 0 to the gain of the row.
    of_rule, of_literal : float
        Not negative; 0 if their number is not limited.
    """

    of_rows: np.ndarray
    of_rule: float = 0.0
    of_literal: float = 0.0

    def value(self, problem):
        """Return the bound, if no rule has a negative reduced cost."""
        value = self.of_rows.sum()
        if self.of_rule:
            value -= self.of_rule * problem.max_rules
        if self.of_literal:
            value -= self.of_literal * problem.max_literals
        return float(value)


class Programme:
    """The selection among some rules of a pool, with groups of rows.

    Parameters
    ----------
    pool : RulePool
    positions : ndarray of shape (n_rules,), int
        Positions of the rules in the pool.

    Attributes
    ----------
    covers : ndarray of shape (n_rules, n_groups), float64
        1 where a rule covers a group.
    group_of : ndarray of shape (n_own_rows,), int
        Group of each row.
    group_gains : ndarray of shape (n_groups,), float64
    rule_costs, sizes : ndarray of shape (n_rules,)
    max_rules, max_literals : float
        Infinite if there is no limit.
    """

    def __init__(self, pool, positions):
        self.pool, self.positions = pool, np.asarray(positions)
        covered = pool.covered(self.positions)
        _, first, self.group_of = distinct_rows(np.packbits(covered, axis=0).T)
        self.covers = covered[:, first].astype(np.float64)
        self.n_groups = len(first)
        self.group_gains = np.bincount(
            self.group_of, weights=pool.gains, minlength=self.n_groups
        )
        self.rule_costs = pool.costs[self.positions]
        self.sizes = pool.sizes[self.positions]
        self.total = float(self.group_gains.sum())
        self.max_rules = pool.problem.max_rules
        self.max_literals = pool.problem.max_literals

    def within_limits(self, chosen):
        """Return the first of some rules, as many as the limits allow."""
        first = []
        for rule in chosen:
            size = self.sizes[[*first, rule]].sum()
            if len(first) < self.max_rules and size <= self.max_literals:
                first.append(int(rule))
        return first

    def improved(self, chosen):
        """Return a choice that no addition, omission or replacement of a rule improves.

        Parameters
        ----------
        chosen : iterable of int
            Rules to start with, by their places here.

        Returns
        -------
        chosen : list of int
            Ascending.
        loss : float
        """
        covers, gains = self.covers, self.group_gains
        costs, sizes = self.rule_costs, self.sizes
        chosen = self.within_limits(chosen)
        while True:
            counts = covers[chosen].sum(axis=0)
            loss = costs[chosen].sum() + gains[counts == 0].sum()
            # One row for each choice without one rule, and one for the choice itself.
            fewer = [[rule for rule in chosen if rule != out] for out in chosen]
            fewer.append(chosen)
            left = np.vstack([counts - covers[chosen], counts[None, :]]) == 0
            base = left @ gains + np.array([costs[rules].sum() for rules in fewer])
            n_rules = np.array([len(rules) for rules in fewer])
            n_literals = np.array([sizes[rules].sum() for rules in fewer])
            with_one = base[:, None] + costs - (left * gains) @ covers.T
            with_one[
                (n_rules[:, None] + 1 > self.max_rules)
                | (n_literals[:, None] + sizes > self.max_literals)
            ] = np.inf
            i, rule = np.unravel_index(with_one.argmin(), with_one.shape)
            without = int(base.argmin())
            best = min(with_one[i, rule], base[without])
            if not best < loss - 1e-9 * self.total:
                return sorted(chosen), loss
            if with_one[i, rule] <= base[without]:
                chosen = [*fewer[i], int(rule)]
            else:
                chosen = fewer[without]

    def relaxed(self, method="highs-ds"):
        """Solve the linear relaxation by a method of `linprog`.

        The dual programme is solved: it has a constraint for each rule, and there are
        fewer of them than groups of rows. Presolving would take longer than it saves.

        Returns
        -------
        duals : Duals
        shares : ndarray of shape (n_rules,), float64
            From 0 to 1: how far each rule is chosen.
        """
        numbers, limits = zip(*self._limits.values()) if self._limits else ((), ())
        most = np.append(self.group_gains, np.full(len(limits), np.inf))
        found = interruptible(
            linprog,
            np.append(-np.ones(self.n_groups), limits),
            A_ub=csc_array(np.column_stack([self.covers, *map(np.negative, numbers)])),
            b_ub=self.rule_costs,
            bounds=np.column_stack([np.zeros(len(most)), most]),
            method=method,
            options={"presolve": False},
        )
        of_groups, of_limits = np.split(np.maximum(found.x, 0.0), [self.n_groups])
        # The price of rows in one group is shared in proportion to their gains.
        shares = np.minimum(of_groups / self.group_gains, 1.0)
        duals = Duals(
            of_rows=shares[self.group_of] * self.pool.gains,
            **dict(zip(self._limits, of_limits.tolist())),
        )
        # These are the dual variables of the dual programme.
        return duals, np.maximum(-found.ineqlin.marginals, 0.0)

    def solved(self, deadline=None):
        """Solve the integer programme, until a deadline of `monotonic`.

        Returns
        -------
        chosen : list of int or None
            The rules of the smallest loss; None if nothing was found in time.
        is_best : bool
            Whether no choice has a smaller loss.
        """
        n_rules = len(self.positions)
        # Rules are chosen or not, and groups are left uncovered or not.
        covers = hstack([csr_array(self.covers.T), identity(self.n_groups)])
        constraints = [LinearConstraint(csr_array(covers), 1, np.inf)]
        for numbers, limit in self._limits.values():
            numbers = np.append(numbers, np.zeros(self.n_groups))
            constraints.append(LinearConstraint(numbers, -np.inf, limit))
        # Gains are multiples of a much larger fraction of their sum.
        options = {"mip_rel_gap": 1e-9}
        if deadline is not None:
            options["time_limit"] = max(deadline - monotonic(), 0.01)
        found = interruptible(
            milp,
            np.append(self.rule_costs, self.group_gains),
            constraints=constraints,
            integrality=np.append(np.ones(n_rules), np.zeros(self.n_groups)),
            bounds=Bounds(0, 1),
            options=options,
        )
        if found.x is None:
            return None, False
        return np.flatnonzero(found.x[:n_rules] > 0.5).tolist(), found.status == 0

    @cached_property
    def _limits(self):
        """Return what each rule counts for a limit, and the limit, by its dual."""
        limits = {
            "of_rule": (np.ones(len(self.sizes)), self.max_rules),
            "of_literal": (self.sizes.astype(np.float64), self.max_literals),
        }
        return {name: both for name, both in limits.items() if both[1] < np.inf}


def interruptible(function, *args, **kwargs):
    """Call a function that does not listen to Ctrl-C in a thread, and listen here."""
    found = Future()

    def call():
        try:
            found.set_result(function(*args, **kwargs))
        except BaseException as error:
            found.set_exception(error)

    Thread(target=call, daemon=True).start()
    while not found.done():
        wait([found], _SECONDS)
    return found.result()


class Priced(NamedTuple):
    """Rules that were found, and what is known of all others.

    Attributes
    ----------
    rules : list of tuple of int
        In descending order of value, the negative reduced cost.
    values : ndarray of shape (n_rules,)
    most : float
        No rule of one literal or more has a larger value.
    is_complete : bool
        Whether these are all rules above the threshold, except for those that have a
        literal too many.
    is_searched : bool
        Whether all rules were searched.
    work : int
        What is left of the work.
    """

    rules: list
    values: np.ndarray
    most: float
    is_complete: bool
    is_searched: bool
    work: int


def price_rules(problem, duals, *, threshold, n_rules, work):
    """Return the rules whose value is above a threshold, the best first.

    The value of a rule is its negative reduced cost: the dual variables of its rows
    with a positive gain, less the cost of all others and the price of the rule.

    Parameters
    ----------
    problem : RuleProblem
    duals : Duals
    threshold : float
    n_rules : int
        Number of rules at most.
    work : int
        Work at most, in words and rows.

    Returns
    -------
    priced : Priced
    """
    values = problem.values(duals.of_rows)
    # Rows without a value matter only to the limits of rules.
    is_limited = problem.has_limits_of_rules
    is_up = values > 0
    first = np.flatnonzero(is_up)
    rest = np.flatnonzero(~is_up if is_limited else values < 0)
    bits_up, bits_rest = packed(problem.holds[first].T), packed(problem.holds[rest].T)
    n_up_words, n_words = bits_up.shape[1], bits_up.shape[1] + bits_rest.shape[1]
    # Literals that leave little to gain come first, with all others behind them.
    order = np.argsort(values[first] @ problem.holds[first], kind="stable")
    longest = min(problem.max_term_size, problem.n_literals)
    prices = problem.price(np.arange(longest + 1)) + duals.of_rule
    prices += duals.of_literal * np.arange(longest + 1)
    rules = np.zeros((n_rules, longest), dtype=np.int32)
    sizes = np.zeros(n_rules, dtype=np.int32)
    found_values = np.zeros(n_rules)

    def in_words(of_rows):
        padded = np.zeros(64 * n_words)
        padded[: len(first)] = of_rows[first]
        padded[64 * n_up_words :][: len(rest)] = of_rows[rest]
        return padded

    none = np.zeros(0)
    n_found, bound, work = rule_search.search(
        holds=np.ascontiguousarray(np.hstack([bits_up, bits_rest])[order]),
        rows=packed((in_words(np.ones(len(values))) > 0)[None, :])[0],
        n_up_words=n_up_words,
        values=in_words(values),
        weights=in_words(problem.weights) if is_limited else none,
        own=in_words(problem.own_weights) if is_limited else none,
        features=problem.features[order],
        ends=problem.ends[order],
        prices=prices.astype(np.float64),
        min_support=problem.min_support,
        min_precision=problem.min_precision,
        threshold=threshold,
        work=work,
        rules=rules,
        sizes=sizes,
        found_values=found_values,
    )
    found_values = found_values[:n_found]
    found = [
        tuple(sorted(order[rule[:size]].tolist()))
        for rule, size in zip(rules[:n_found], sizes[:n_found].tolist())
    ]
    best_first = sorted(range(n_found), key=lambda i: (-found_values[i], found[i]))
    return Priced(
        rules=[found[i] for i in best_first],
        values=found_values[best_first],
        most=max(bound, found_values.max(initial=threshold)),
        is_complete=bound == -np.inf and n_found < n_rules,
        is_searched=bound == -np.inf,
        work=int(work),
    )
