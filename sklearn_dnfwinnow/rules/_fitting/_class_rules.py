"""ClassRules: the rules of one class against all others, at any price."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from sklearn_dnfwinnow.rules._fitting._table_literals import TableLiterals
from sklearn_dnfwinnow.rules._learning._problem import RuleProblem
from sklearn_dnfwinnow.rules._learning._rule_search import best_rule_set
from sklearn_dnfwinnow.rules._term import Term

# Short rules are searched first: there are few of them, so that the best ones are
# found, and the search for longer rules begins with them.
_SHORT = 3


@dataclass(frozen=True)
class RuleLimits:
    """Limits of the rules of each class, see `DNFClassifier`.

    Attributes
    ----------
    max_rules, max_literals : int or None
    max_term_size : int
    min_support : float
        A weight of rows.
    min_precision : float
    """

    max_rules: int | None = None
    max_literals: int | None = None
    max_term_size: int = 6
    min_support: float = 0.0
    min_precision: float = 0.0


class ClassRules:
    """Search for the rules of one class on the rows of a table.

    Parameters
    ----------
    columns : list of ndarrays of shape (n_rows,)
        As returned by `columns_of`.
    names : list of str
    is_own : ndarray of shape (n_rows,), bool
        Which rows are in the class.
    weights : ndarray of shape (n_rows,)
    limits : RuleLimits
    terms : iterable of Term, default=()
        Candidates.
    """

    def __init__(self, columns, names, is_own, weights, limits, terms=()):
        literals = TableLiterals.of(
            columns, names, labels=is_own.astype(np.intp), weights=weights
        )
        self._literals, self._pool = literals.with_terms(terms)
        self._unit = float(weights.mean()) if len(weights) else 1.0
        self._problem = {
            "holds": self._literals.holds(columns),
            "features": self._literals.features,
            "ends": self._literals.ends,
            "weights": weights,
            "own_weights": weights * is_own,
            **vars(limits),
        }

    def at_price(self, price, gains, max_time=None, **effort):
        """Return the best rules that were found, and the result of the search.

        Parameters
        ----------
        price : float
            Price of a rule, and of each of its literals, in rows of mean weight.
        gains : ndarray of shape (n_rows,)
            What is gained if a rule covers a row; negative if it should not.
        max_time : float, default=None
            Seconds; None is a fixed amount of work.
        effort : int
            Further arguments of `best_rule_set`.

        Returns
        -------
        terms : list of Term
        found : RuleSet
        """
        problem = RuleProblem(
            **self._problem,
            gains=gains,
            rule_price=price * self._unit,
            literal_price=price * self._unit,
        )
        found, pool, began = None, self._pool, monotonic()
        for size in sorted({min(_SHORT, problem.max_term_size), problem.max_term_size}):
            if max_time is not None:
                # The first search ends early if it proves its rules to be the best.
                left = max_time - (monotonic() - began)
                effort["max_time"] = left / 2 if size < problem.max_term_size else left
            of_size = replace(problem, max_term_size=size)
            new = best_rule_set(of_size, pool, **effort)
            if found is None or new.objective < found.objective:
                found = new
            pool = [*pool, *new.rules]
        found = replace(found, bound=min(new.bound, found.objective))
        literals = self._literals.literals
        return [Term(literals[i] for i in rule) for rule in found.rules], found
