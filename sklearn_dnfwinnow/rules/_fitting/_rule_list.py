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
from sklearn.model_selection import KFold, StratifiedKFold

from sklearn_dnfwinnow.rules._fitting._class_rules import RuleLimits
from sklearn_dnfwinnow.rules._fitting._held_out_rules import FIRST_PRICE, HeldOutRules
from sklearn_dnfwinnow.rules._fitting._list_search import ListSearch
from sklearn_dnfwinnow.rules._fitting._rule_choice import best_of, chosen
from sklearn_dnfwinnow.rules._shape._simplification import simplified

# A price that gives too many literals is multiplied by this, so many times at most.
_FACTOR, _MOST_RAISES = 1.5, 20
# Effort of the search on all rows.
_EFFORT = {"n_seeds": 200, "work": 1 << 25}


@dataclass(frozen=True)
class RuleSettings:
    """How the rules of all classes are learnt, see `DNFClassifier`.

    Attributes
    ----------
    limits : RuleLimits
        Of the rules of each class.
    max_literals : int or None
        Of all classes together.
    price : float or None
        None is chosen by the folds.
    otherwise : int or None
        Index of the default class; None is chosen by the folds.
    n_folds : int or None
    seed : int or RandomState or None
    max_time : float or None
    n_jobs : int or None
    """

    limits: RuleLimits
    max_literals: int | None = None
    price: float | None = None
    otherwise: int | None = None
    n_folds: int | None = 3
    seed: object = None
    max_time: float | None = None
    n_jobs: int | None = None


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
        Price of a rule and of a literal, in rows of mean weight.
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


def learn_rule_list(samples, settings, folds=None, terms=None):
    """Return the RuleList of samples.

    Parameters
    ----------
    samples : Samples
        With at least one row of a positive weight.
    settings : RuleSettings
    folds : list of (ndarray of int, ndarray of int), default=None
        Rows to learn from, and rows to predict. None splits at random.
    terms : list of lists of Term, default=None
        Candidates of each class.
    """
    began = monotonic()
    if folds is None:
        folds = _random_folds(samples, settings.n_folds, settings.seed)
    price, otherwise, options = _choose(samples, settings, folds)
    search = ListSearch(samples, settings.limits, terms, **_EFFORT)
    for _ in range(_MOST_RAISES):
        deadlines = None, None
        if settings.max_time is not None:
            now = monotonic()
            left = max(began + settings.max_time - now, 0.1 * settings.max_time)
            deadlines = now + left / 2, now + left
        found = search.against_rest(price, otherwise, deadlines[0])
        if len(found) > 1:
            found = search.beside_others(found, otherwise, price, deadlines[1])
        n_literals = sum(len(term) for terms in found.values() for term in terms)
        if settings.max_literals is None or n_literals <= settings.max_literals:
            break
        price *= _FACTOR
    shaped = {k: simplified(terms, samples.columns) for k, terms in found.items()}
    return RuleList(
        formulas=[(k, terms) for k, terms in shaped.items() if terms],
        otherwise=otherwise,
        price=price,
        searches=search.found,
        options=options,
    )


def _choose(samples, settings, folds):
    """Return price, default class, and the results of the folds."""
    totals = np.bincount(
        samples.labels, weights=samples.weights, minlength=samples.n_classes
    )
    frequent = int(totals.argmax())
    defaults = range(samples.n_classes)
    if settings.otherwise is not None:
        frequent = settings.otherwise
        defaults = [frequent]
    price = FIRST_PRICE if settings.price is None else settings.price
    if not folds or (settings.price is not None and settings.otherwise is not None):
        return price, frequent, []
    held_out = HeldOutRules(samples, folds, settings.limits, settings.n_jobs)
    options = held_out.of_defaults(price, list(defaults))
    first = best_of(options, held_out.weights)
    allowed = [first]
    if settings.price is None:
        half = None
        if settings.max_time is not None:
            half = monotonic() + settings.max_time / 2
        allowed = held_out.of_prices(first, half)
        options = [*(option for option in options if option is not first), *allowed]
    if settings.max_literals is not None:
        short = [o for o in allowed if o.n_literals <= settings.max_literals]
        allowed = short or [min(allowed, key=lambda option: option.n_literals)]
    choice = chosen(allowed, held_out.weights)
    records = [
        {
            "price": option.price,
            "otherwise": option.otherwise,
            "error": option.error(held_out.weights),
            "n_literals": option.n_literals,
            "is_chosen": option is choice,
        }
        for option in options
    ]
    return choice.price, choice.otherwise, records


def _random_folds(samples, n_folds, seed):
    """Return random folds, stratified if each class has a row for each of them.

    There are none if there are fewer rows than folds, or only one class.
    """
    if n_folds is None or len(samples) < 2 * n_folds:
        return []
    counts = np.bincount(samples.labels)
    if np.count_nonzero(counts) < 2:
        return []
    stratified = counts[counts > 0].min() >= n_folds
    splitter = (StratifiedKFold if stratified else KFold)(
        n_folds, shuffle=True, random_state=seed
    )
    return list(splitter.split(samples.labels, samples.labels))
