"""Held-out rules: options for the rules of all classes, measured by folds."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from time import monotonic

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from sklearn_dnfwinnow.rules._fitting._rule_choice import (
    Option,
    is_worse,
    order_of,
    predicted,
)

# Price of a rule and of a literal, in rows, at which the default class is chosen.
FIRST_PRICE = 2.0
# Smaller prices, and larger ones, which are tried in this order.
SMALLER, LARGER = (1.0, 0.5), (4.0, 8.0, 16.0, 32.0)
# Effort of a search in a fold: many are needed.
_EFFORT = {"n_seeds": 100, "work": 1 << 23}


class HeldOutRules:
    """Rules of all classes that are learnt in folds, and measured on held-out rows.

    Parameters
    ----------
    samples : Samples
    folds : list of (ndarray of int, ndarray of int)
        Rows to learn from, and rows to predict.
    limits : RuleLimits
    n_jobs : int, default=None
    """

    def __init__(self, samples, folds, limits, n_jobs=None):
        self._parts = [
            (samples.rows(train), samples.rows(test)) for train, test in folds
        ]
        self._classes = range(samples.n_classes)
        self._searches = [
            [part.class_rules(k, limits) for k in self._classes]
            for part, _ in self._parts
        ]
        self._n_jobs = n_jobs
        self.weights = np.concatenate([other.weights for _, other in self._parts])

    def options(self, price, defaults):
        """Return the options at one price, one for each default class of some."""
        needed = [k for k in self._classes if [k] != list(defaults)]
        tasks = [
            delayed(searches[k].at_price)(price, **_EFFORT)
            for searches in self._searches
            for k in needed
        ]
        found = iter(Parallel(n_jobs=self._n_jobs)(tasks))
        wrong = {k: [] for k in defaults}
        n_literals = dict.fromkeys(defaults, 0)
        for part, other in self._parts:
            terms = [next(found)[0] if k in needed else [] for k in self._classes]
            order = order_of(part.fires(terms), part.labels, part.weights)
            fires = other.fires(terms)
            for k in defaults:
                wrong[k].append(predicted(fires, order, k) != other.labels)
                kept = (t for i, of in enumerate(terms) if i != k for t in of)
                n_literals[k] += sum(map(len, kept))
        return [
            Option(price, k, np.concatenate(wrong[k]), n_literals[k] / len(self._parts))
            for k in defaults
        ]

    def search(self, defaults, deadline=None):
        """Return options at several prices.

        The default class is that of the smallest error at one price. Larger prices are
        tried as long as they are not worse, smaller ones as long as they are better.

        Parameters
        ----------
        defaults : list of int
            Classes that can be the default.
        deadline : float, default=None
            The time of `monotonic` after which no other price is tried.

        Returns
        -------
        options : list of Option
        """
        options = self.options(FIRST_PRICE, defaults)
        last = self._best(options)
        for price in (*LARGER, *SMALLER):
            if deadline is not None and monotonic() > deadline:
                break
            best = self._best(options)
            if price > FIRST_PRICE:
                is_over = not last.n_literals or is_worse(last, best, self.weights)
            else:
                is_over = price < SMALLER[0] and best is not last
            if not is_over:
                (last,) = self.options(price, [last.otherwise])
                options.append(last)
        return options

    def _best(self, options):
        """Return the option with the smallest error."""
        return min(options, key=lambda option: option.error(self.weights))
