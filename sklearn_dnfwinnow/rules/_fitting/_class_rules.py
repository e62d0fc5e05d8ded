"""ClassRules: the rules of one class against all others, at any price."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.rules._fitting._table_literals import TableLiterals
from sklearn_dnfwinnow.rules._learning._problem import RuleProblem
from sklearn_dnfwinnow.rules._learning._rule_search import best_rule_set
from sklearn_dnfwinnow.rules._term import Term


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
    limits : dict
        Limits of a RuleProblem, by name.
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
            **limits,
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
        found = best_rule_set(problem, self._pool, max_time=max_time, **effort)
        literals = self._literals.literals
        return [Term(literals[i] for i in rule) for rule in found.rules], found
