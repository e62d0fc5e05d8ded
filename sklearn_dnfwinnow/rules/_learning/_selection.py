"""Selection: the best subset of candidate rules, and prices of rows that bound it.

    minimise    costs of chosen rules + gains of rows that none of them covers
    subject to  at most `max_rules` rules, with at most `max_literals` literals

HiGHS solves the linear relaxation, of which it returns the dual variables, and the
integer programme. Rows that are covered by the same rules are one row of a programme.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import threading
from dataclasses import dataclass
from time import monotonic

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array, hstack, identity, vstack

# Seconds between two looks for Ctrl-C.
_SECONDS = 0.1


@dataclass(frozen=True, eq=False)
class Duals:
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

    def mixed(self, other, share):
        """Return the mean of these and others, of which there is a share."""
        return Duals(
            of_rows=(1 - share) * self.of_rows + share * other.of_rows,
            of_rule=(1 - share) * self.of_rule + share * other.of_rule,
            of_literal=(1 - share) * self.of_literal + share * other.of_literal,
        )


def solve_relaxation(pool, positions):
    """Return the dual variables of the linear relaxation, over some rules of a pool.

    Returns
    -------
    duals : Duals
    """
    programme = _Programme(pool, positions)
    found = interruptible(
        linprog,
        programme.costs,
        A_ub=-programme.matrix,
        b_ub=-programme.least,
        bounds=(0, None),
        method="highs",
    )
    of_constraints = np.maximum(-found.ineqlin.marginals, 0.0)
    # The price of rows that are one row is shared in proportion to their gains.
    of_groups, of_limits = np.split(of_constraints, [programme.n_groups])
    shares = np.minimum(of_groups / programme.group_gains, 1.0)
    names = programme.limits
    return Duals(
        of_rows=shares[programme.group_of] * pool.gains,
        **dict(zip(names, of_limits.tolist())),
    )


@dataclass(frozen=True)
class Choice:
    """A subset of rules of a pool.

    Attributes
    ----------
    positions : ndarray of int
        Positions of the chosen rules in the pool.
    is_best : bool
        Whether no other subset of these rules has a smaller loss.
    """

    positions: np.ndarray
    is_best: bool


def solve_selection(pool, positions, deadline=None, max_nodes=None):
    """Return the best choice among some rules of a pool: the integer programme.

    Parameters
    ----------
    pool : RulePool
    positions : ndarray of int
    deadline : float, default=None
        The time of `monotonic` at which the search stops.
    max_nodes : int, default=None
        Number of nodes of the search at most.

    Returns
    -------
    choice : Choice or None
        None if nothing was found in time.
    """
    programme = _Programme(pool, positions)
    # A gap of less than a rounding error of the gains proves that a choice is best.
    options = {"mip_rel_gap": 1e-9}
    if deadline is not None:
        options["time_limit"] = max(deadline - monotonic(), 0.01)
    if max_nodes is not None:
        options["node_limit"] = max_nodes
    n_rules = len(positions)
    integrality = np.zeros(len(programme.costs))
    integrality[:n_rules] = 1
    found = interruptible(
        milp,
        programme.costs,
        constraints=LinearConstraint(programme.matrix, programme.least, np.inf),
        integrality=integrality,
        bounds=Bounds(0, 1),
        options=options,
    )
    if found.x is None:
        return None
    chosen = np.asarray(positions)[found.x[:n_rules] > 0.5]
    return Choice(positions=chosen, is_best=found.status == 0)


class _Programme:
    """The matrix and the costs of a programme over some rules of a pool.

    Attributes
    ----------
    costs : ndarray of shape (n_rules + n_groups,)
        Of choosing each rule, and of leaving each group of rows uncovered.
    matrix : sparse array of shape (n_groups + n_limits, n_rules + n_groups)
    least : ndarray of shape (n_groups + n_limits,)
        Each product of the matrix has at least this value.
    group_of : ndarray of int
        Group of each row.
    group_gains : ndarray of shape (n_groups,)
    limits : list of str
        Names of the limits, as in `Duals`.
    """

    def __init__(self, pool, positions):
        problem = pool.problem
        covered = pool.covered(positions)
        first, self.group_of = _distinct_columns(covered)
        self.n_groups = len(first)
        self.group_gains = np.bincount(
            self.group_of, weights=pool.gains, minlength=self.n_groups
        )
        self.costs = np.append(pool.costs[positions], self.group_gains)
        rules = csr_array(covered[:, first].T.astype(np.float64))
        blocks = [hstack([rules, identity(self.n_groups)])]
        least, self.limits = [np.ones(self.n_groups)], []
        for name, most, numbers in (
            ("of_rule", problem.max_rules, np.ones(len(positions))),
            ("of_literal", problem.max_literals, pool.sizes[positions]),
        ):
            if most is not None:
                self.limits.append(name)
                numbers = np.append(numbers, np.zeros(self.n_groups))
                blocks.append(csr_array(-numbers[None, :].astype(np.float64)))
                least.append([-most])
        self.matrix = csr_array(vstack(blocks))
        self.least = np.concatenate(least).astype(np.float64)


def _distinct_columns(holds):
    """Return the first of each distinct column, and which one each column is."""
    keys = np.packbits(holds, axis=0).T
    if not keys.shape[1]:
        keys = np.zeros((holds.shape[1], 1), dtype=np.uint8)
    keys = np.ascontiguousarray(keys)
    _, first, inverse = np.unique(
        keys.view(f"V{keys.shape[1]}")[:, 0], return_index=True, return_inverse=True
    )
    return first, inverse


def interruptible(function, *args, **kwargs):
    """Call a function that does not listen to Ctrl-C in a thread, and listen here."""
    results = []

    def call():
        try:
            results.append((True, function(*args, **kwargs)))
        except BaseException as error:
            results.append((False, error))

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_SECONDS)
    is_done, result = results[0]
    if not is_done:
        raise result
    return result
