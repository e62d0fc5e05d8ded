"""RuleList: the rules of all classes, learnt from samples; their order and the default.

The rules of each class are those of the smallest loss beside those of the others, at a
price for each rule and literal, see `_list_search`. The default class and the price are
chosen by folds. Where rules of several classes hold, the class of the first formula is
predicted.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from time import monotonic

import numpy as np

from sklearn_dnfwinnow.rules._fitting._held_out_rules import HeldOutRules, first_price
from sklearn_dnfwinnow.rules._fitting._list_search import ListSearch, n_literals
from sklearn_dnfwinnow.rules._shape._simplification import simplified

# Effort of the search on all rows, for each class.
_SEEDS, _WORK = 200, 1 << 26


@dataclass(frozen=True)
class RuleList:
    """The rules of all classes, in the order in which they are tried.

    Attributes
    ----------
    formulas : list of (int, list of Term)
        Each class with rules, and its rules; the first of which one holds decides.
    otherwise : int
        The class if no rule holds.
    price : float
        Price of a rule and of a literal, in samples of mean weight.
    searches : dict of int to RuleSet
        For each class but the default: loss, bound and whether time ran out.
    options : list of dict
        Results of the folds, see `DNFClassifier.validation_`.
    """

    formulas: list
    otherwise: int
    price: float
    searches: dict
    options: list


def learn_rule_list(
    samples,
    limits,
    folds,
    *,
    price=None,
    otherwise=None,
    terms=None,
    max_time=None,
    n_jobs=None,
):
    """Return the RuleList of samples.

    Parameters
    ----------
    samples : Samples
        With at least one row of a positive weight.
    limits : dict
        Limits of a RuleProblem, by name, for the rules of each class; `max_literals` is
        also that of all together.
    folds : list of (ndarray of int, ndarray of int)
        Rows to learn from, and rows to predict.
    price : float, default=None
        None is chosen by the folds.
    otherwise : int, default=None
        Index of the default class; None is chosen by the folds.
    terms : list of lists of Term, default=None
        Candidates of each class.
    max_time : float, default=None
    n_jobs : int, default=None
    """
    began, options = monotonic(), []
    if folds and (price is None or otherwise is None):
        half = None if max_time is None else began + max_time / 2
        held_out = HeldOutRules(samples, folds, limits, n_jobs)
        choice, options = held_out.choice(price, otherwise, half)
        price, otherwise = choice.price, choice.otherwise
    if price is None:
        price = first_price(samples)
    if otherwise is None:
        otherwise = int(np.bincount(samples.labels, samples.weights).argmax())
    # The rules of one class have no others beside them.
    n_passes = 1 if samples.n_classes == 2 else 2
    effort = {"n_seeds": _SEEDS, "work": _WORK // n_passes}
    search = ListSearch(samples, limits, terms, **effort)
    most = limits.get("max_literals")
    middle = end = None
    if max_time is not None:
        now = monotonic()
        left = max(began + max_time - now, 0.1 * max_time)
        middle, end = now + left / n_passes, now + left
    found = search.against_rest(price, otherwise, middle)
    if n_passes > 1:
        found = search.beside_others(found, otherwise, price, deadline=end)
        if most is not None and sum(n_literals(found).values()) > most:
            # The rules of each class are learnt again, with a limit of its own.
            fewer = search.shortened(found, otherwise, most)
            found = search.beside_others(
                fewer, otherwise, price, deadline=end, most=n_literals(fewer)
            )
    shaped = {k: simplified(terms, samples.columns) for k, terms in found.items()}
    return RuleList(
        formulas=[(k, terms) for k, terms in shaped.items() if terms],
        otherwise=otherwise,
        price=price,
        searches=search.found,
        options=options,
    )
