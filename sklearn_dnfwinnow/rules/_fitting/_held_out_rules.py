"""Held-out rules: options for the rules of all classes, measured by folds."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from time import monotonic

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from sklearn_dnfwinnow.rules._fitting._list_search import ListSearch
from sklearn_dnfwinnow.rules._fitting._rule_choice import (
    Option,
    best_of,
    chosen,
    is_worse,
    predicted,
)

# Prices of a rule and of a literal, in samples.
_PRICES = 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0
# The first price, at which the default class is chosen, and the fraction of the mean
# number of samples of a class that it is at most: small classes would have no rules.
_FIRST, _OF_CLASS = 2.0, 0.1
# Effort of a search in a fold: many are needed, which only choose.
_EFFORT = {"n_seeds": 50, "work": 1 << 20}


def first_price(samples):
    """Return the price at which the default class of samples is chosen."""
    n_classes = len(np.unique(samples.labels))
    most = min(_FIRST, _OF_CLASS * samples.counts.sum() / n_classes)
    return max((price for price in _PRICES if price <= most), default=_PRICES[0])


class HeldOutRules:
    """Rules of all classes that are learnt in folds, and measured on held-out rows.

    Parameters
    ----------
    samples : Samples
    folds : list of (ndarray of int, ndarray of int)
        Rows to learn from, and rows to predict.
    limits : dict
        Limits of a RuleProblem, by name.
    n_jobs : int, default=None
    """

    def __init__(self, samples, folds, limits, n_jobs=None):
        self._searches = [
            ListSearch(samples.rows(train), limits, **_EFFORT) for train, _ in folds
        ]
        self._others = [samples.rows(test) for _, test in folds]
        self._samples, self._limits, self._n_jobs = samples, limits, n_jobs
        self.weights = np.concatenate([other.weights for other in self._others])
        self.counts = np.concatenate([other.counts for other in self._others])

    def choice(self, price=None, otherwise=None, deadline=None):
        """Return the best option, and what is known of all.

        The default class is that of the smallest error. The price is that of the
        shortest rules whose error is not worse than the smallest one, see `chosen`.

        Parameters
        ----------
        price : float, default=None
            None tries several.
        otherwise : int, default=None
            The default class; None tries all classes.
        deadline : float, default=None
            The time of `monotonic` for the end.

        Returns
        -------
        choice : Option
        records : list of dict
            See `DNFClassifier.validation_`.
        """
        classes = range(self._samples.n_classes) if otherwise is None else [otherwise]
        start = first_price(self._samples) if price is None else price
        options = self.of_defaults(start, classes, deadline)
        first = best_of(options, self.weights)
        allowed = [first]
        if price is None:
            allowed = self.of_prices(first, deadline)
            options = [*(option for option in options if option is not first), *allowed]
        most = self._limits.get("max_literals")
        if most is not None:
            short = [option for option in allowed if option.n_literals <= most]
            allowed = short or [min(allowed, key=lambda option: option.n_literals)]
        choice = chosen(allowed, self.weights, self.counts)
        records = [
            {
                "price": option.price,
                "otherwise": option.otherwise,
                "error": option.error(self.weights),
                "n_literals": option.n_literals,
                "is_chosen": option is choice,
            }
            for option in options
        ]
        return choice, records

    def of_defaults(self, price, defaults, deadline=None):
        """Return options of each class against the rest, one for each default class."""
        only = defaults[0] if len(defaults) == 1 else None
        formulas = self._in_folds(
            delayed(search.against_rest)(price, only, end)
            for search, end in zip(self._searches, self._ends(deadline))
        )
        return [
            self._option(
                price, k, [{i: of[i] for i in of if i != k} for of in formulas]
            )
            for k in defaults
        ]

    def of_prices(self, first, deadline=None):
        """Return options with the default class of a first one, at several prices.

        Formulas are learnt beside those of the other classes, which begin with those of
        the last price. All smaller prices are tried, and larger ones as long as they
        are not worse.

        Parameters
        ----------
        first : Option
        deadline : float, default=None
            The time of `monotonic` for the end: no other price is tried then.

        Returns
        -------
        options : list of Option
        """
        # A single formula has no others beside it.
        is_single = all(len(of) < 2 for of in first.formulas)
        start = first
        if not is_single:
            start = self._beside_others(first, first.price, deadline)
        options = [start]
        larger = [price for price in _PRICES if price > start.price]
        smaller = [price for price in reversed(_PRICES) if price < start.price]
        for prices in (larger, smaller):
            # Rules that a large price removes would not all return at a small one.
            last = start
            for price in prices:
                if deadline is not None and monotonic() > deadline:
                    break
                best = best_of(options, self.weights)
                is_over = not last.n_literals or is_worse(
                    last, best, self.weights, self.counts
                )
                if price < start.price or not is_over:
                    last = self._beside_others(last, price, deadline)
                    options.append(last)
        return options

    def _beside_others(self, last, price, deadline):
        """Return the option at a price, beginning with the formulas of the last one."""
        formulas = self._in_folds(
            delayed(search.beside_others)(of, last.otherwise, price, deadline=end)
            for search, of, end in zip(
                self._searches, last.formulas, self._ends(deadline)
            )
        )
        return self._option(price, last.otherwise, formulas)

    def _ends(self, deadline):
        """Yield the time for the end of each fold, when its search begins."""
        for n_left in range(len(self._searches), 0, -1):
            if deadline is None:
                yield None
            else:
                now = monotonic()
                yield now + max(deadline - now, 0.0) / n_left

    def _in_folds(self, tasks):
        return Parallel(n_jobs=self._n_jobs)(tasks)

    def _option(self, price, otherwise, formulas):
        """Return an option, measured by the formulas of all folds."""
        wrong = []
        for other, of in zip(self._others, formulas):
            wrong.append(predicted(other.fires(of), of, otherwise) != other.labels)
        lengths = [len(t) for of in formulas for terms in of.values() for t in terms]
        return Option(
            price=price,
            otherwise=otherwise,
            is_wrong=np.concatenate(wrong),
            n_literals=sum(lengths) / len(formulas),
            formulas=formulas,
        )
