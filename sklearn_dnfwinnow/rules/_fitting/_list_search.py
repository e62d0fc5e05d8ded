"""ListSearch: the formulas of all classes of some samples, at any price."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from time import monotonic

import numpy as np

from sklearn_dnfwinnow.rules._fitting._rule_choice import precisions, predicted
from sklearn_dnfwinnow.rules._fitting._table_literals import (
    rows_that_satisfy,
    table_literals,
    with_terms,
)
from sklearn_dnfwinnow.rules._learning._problem import RuleProblem
from sklearn_dnfwinnow.rules._learning._rule_search import best_rule_set
from sklearn_dnfwinnow.rules._term import Term


class ListSearch:
    """Search for the formulas of all classes, of which the first that holds decides.

    Formulas are a dict from class to its terms, in the order in which they are tried.
    They are first learnt for each class against all others, and ordered by precision.
    Then each is learnt again beside the others: a row gains what the prediction of the
    list gains if a rule of the class covers it. This is coordinate descent on the
    weight of the rows that the list predicts wrongly, plus the prices.

    Parameters
    ----------
    samples : Samples
    limits : dict
        Limits of a RuleProblem, by name.
    terms : list of lists of Term, default=None
        Candidates of each class.
    effort : int
        Further arguments of `best_rule_set`.

    Attributes
    ----------
    found : dict of int to RuleSet
        Result of the last search of each class.
    """

    def __init__(self, samples, limits, terms=None, **effort):
        self.samples = samples
        self.found = {}
        self._effort = effort
        self._known = {
            k: _known(samples, k, terms[k] if terms else (), limits)
            for k in np.unique(samples.labels).tolist()
        }

    def against_rest(self, price, otherwise=None, deadline=None):
        """Return the formulas of each class against all others.

        Parameters
        ----------
        price : float
            Price of a rule, and of each of its literals, in samples of mean weight.
        otherwise : int, default=None
            The default class, which needs no rules. None learns rules of all classes.
        deadline : float, default=None
            The time of `monotonic` for the end. None is a fixed amount of work.
        """
        worth = self.samples.worth
        rest = worth.sum(axis=1, keepdims=True) - worth
        classes = [k for k in self._known if k != otherwise]
        found = {}
        for i, k in enumerate(classes):
            gains = worth[:, k] - rest[:, k]
            found[k] = self._learn(
                k, gains, price, deadline=deadline, n_left=len(classes) - i
            )
        fires = self.samples.fires(found)
        precise = precisions(fires, self.samples)
        # Of two classes with equal precision, the rarer one is first.
        own = worth.sum(axis=0)
        return {k: found[k] for k in sorted(found, key=lambda k: (-precise[k], own[k]))}

    def beside_others(self, formulas, otherwise, price, *, deadline=None, most=None):
        """Return formulas of the same order, each of which is learnt beside the others.

        Parameters
        ----------
        formulas : dict of int to list of Term
            As returned by `against_rest`, or by this method at another price.
        otherwise, price, deadline : object
            As in `against_rest`.
        most : dict of int to int, default=None
            Maximum number of literals of each class.
        """
        found, rows = dict(formulas), np.arange(len(self.samples))
        order, worth = list(found), self.samples.worth
        for i, k in enumerate(order):
            fires = self.samples.fires(found)
            others = [other for other in order if other != k]
            gains = worth[:, k] - worth[rows, predicted(fires, others, otherwise)]
            gains[fires[:, order[:i]].any(axis=1)] = 0.0
            found[k] = self._learn(
                k,
                gains,
                price,
                deadline=deadline,
                n_left=len(order) - i,
                most=None if most is None else most[k],
            )
        return found

    def shortened(self, formulas, otherwise, most):
        """Return the formulas without the rules that gain least for each literal.

        Parameters
        ----------
        formulas : dict of int to list of Term
        otherwise : int
            The default class.
        most : int
            Maximum number of literals that are left.
        """
        rows, worth = np.arange(len(self.samples)), self.samples.worth
        rules = [(k, term) for k, terms in formulas.items() for term in terms]
        holds = [term.holds(self.samples.columns) for _, term in rules]

        def gained(kept):
            fires = np.zeros(worth.shape, dtype=bool)
            for i in kept:
                fires[:, rules[i][0]] |= holds[i]
            return worth[rows, predicted(fires, formulas, otherwise)].sum()

        kept = list(range(len(rules)))
        while sum(len(rules[i][1]) for i in kept) > most:
            every = gained(kept)
            lost = [
                (every - gained([other for other in kept if other != i]))
                / len(rules[i][1])
                for i in kept
            ]
            del kept[int(np.argmin(lost))]
        return {k: [rules[i][1] for i in kept if rules[i][0] == k] for k in formulas}

    def _learn(self, k, gains, price, *, deadline, n_left, most=None):
        """Return the terms of a class, in a part of the time that is left.

        `gains` are what is gained if a rule covers a row; negative if it should not.
        `most` is the maximum number of literals; None uses that of the limits.
        """
        max_time = None
        if deadline is not None:
            max_time = max(deadline - monotonic(), 0.01) / n_left
        literals, pool, known = self._known[k]
        price = price * self.samples.unit
        problem = RuleProblem(
            **known, gains=gains, rule_price=price, literal_price=price
        )
        if most is not None:
            problem = replace(problem, max_literals=most)
        found = best_rule_set(problem, pool, max_time=max_time, **self._effort)
        self.found[k] = found
        return [Term(literals[i] for i in rule) for rule in found.rules]


def n_literals(formulas):
    """Return the number of literals of each class: dict of int to int."""
    return {k: sum(map(len, terms)) for k, terms in formulas.items()}


def _known(samples, k, terms, limits):
    """Return what is known of a class before its rules have gains and prices.

    Returns
    -------
    literals : list of Literal
    pool : list of tuple of int
        The candidate `terms`, as positions of literals.
    known : dict
        Arguments of a RuleProblem.
    """
    is_own = samples.labels == k
    found = table_literals(samples, is_own.astype(np.intp))
    literals, pool = with_terms([literal for literal, _ in found], terms)
    ends = np.zeros(len(literals), dtype=np.int32)
    ends[: len(found)] = [end for _, end in found]
    known = {
        "holds": rows_that_satisfy(literals, samples),
        "features": np.array([one.column for one in literals], dtype=np.int32),
        "ends": ends,
        "weights": samples.weights,
        "own_weights": samples.weights * is_own,
        **limits,
    }
    return literals, pool, known
