"""Screening: the terms that matter, where all terms are too many.

An additive model of the terms chosen so far leaves residuals. The terms with the
largest gain against them enter: single conditions, pairs of conditions on all pairs of
features, and chosen terms with one condition more. This goes on until no gain is larger
than what noise would give.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from itertools import pairwise
from math import isinf, log
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._encoding._cuts import quantile_starts
from sklearn_dnfwinnow._kernels import condition_search
from sklearn_dnfwinnow._terms._additive_model import AdditiveModel

#: Maximum number of values of a feature that conditions distinguish; further values of
#: a category have no conditions, and numbers are grouped by quantiles.
MOST_VALUES = 255
#: Maximum number of literals of a chosen term.
LONGEST = 8
# Minimum weight of the rows of a term, and of other rows.
_LEAST_WEIGHT = 4
# Rounds, and terms that enter in one; more for many classes.
_MOST_ROUNDS, _MOST_ENTER = 6, 256
# Least strength of single conditions beside smooth effects.
_STEP = 3.0
# Strengths from this one on share the search of the first round.
_SHARED = 0.05
# Values of a feature in the search for terms, and with many features or much work;
# conditions are then improved one by one, this number of times, among all values.
_COARSE, _MANY_FEATURES, _IMPROVED = (32, 16), 100, 2
# Work of a search over all pairs of features, in cells and rows times classes, up to
# which it is made in each round. Otherwise other rounds look at so many features.
_MOST_WORK, _ACTIVE = 1 << 28, 48
# Features in a search over all pairs, those with the best single conditions: the time
# grows with the square of their number.
_MOST_PAIRED = 300


class Condition(NamedTuple):
    """A condition on a feature.

    Attributes
    ----------
    feature : int
    code : int
    is_above : bool
        For ordered codes, whether it holds above the code, instead of up to it; for
        others, whether it holds for all other values, instead of this one. Up to code 0
        of ordered codes are missing values.
    """

    feature: int
    code: int
    is_above: bool

    def holds(self, codes, is_ordered):
        """Return which of some codes of the feature satisfy the condition: bool."""
        if is_ordered and self.code == 0:
            return codes == 0
        if is_ordered:
            below = codes <= self.code
            return ~below if self.is_above else below & (codes > 0)
        is_equal = codes == self.code
        return ~is_equal & (codes > 0) if self.is_above else is_equal


@dataclass(frozen=True, eq=False)
class Cells:
    """The rows to screen.

    Attributes
    ----------
    codes : ndarray of shape (n_features, n_rows), uint8
        0 for a missing value, which satisfies no condition.
    ordered : ndarray of shape (n_features,), uint8
        Whether codes are ranks.
    n_codes : ndarray of shape (n_features,), int32
        Largest code of each feature, plus 1.
    """

    codes: np.ndarray
    ordered: np.ndarray
    n_codes: np.ndarray

    @property
    def n_rows(self):
        """Return the number of rows."""
        return self.codes.shape[1]

    def coarse(self, most):
        """Return cells with fewer values of ordered features, and their bounds.

        Returns
        -------
        cells : Cells
        bounds : ndarray of shape (n_features, most + 1), int
            The largest code of each coarse code.
        """
        codes, n_codes = self.codes.copy(), self.n_codes.copy()
        bounds = np.zeros((len(codes), int(max(most + 1, n_codes.max()))), dtype=int)
        bounds[:] = np.arange(bounds.shape[1])
        for f in np.flatnonzero(self.ordered & (n_codes - 1 > most)):
            counts = np.bincount(self.codes[f], minlength=n_codes[f])[1:]
            starts = 1 + quantile_starts(counts, most)
            codes[f] = np.searchsorted(starts, self.codes[f], side="right")
            bounds[f, : len(starts) + 1] = np.append(starts, n_codes[f]) - 1
            n_codes[f] = len(starts) + 1
        return replace(self, codes=codes, n_codes=n_codes), bounds

    def of_features(self, features):
        """Return the cells of some features."""
        return replace(
            self,
            codes=self.codes[features],
            ordered=self.ordered[features],
            n_codes=self.n_codes[features],
        )

    @property
    def tables(self):
        """Return what all searches for conditions take, by name."""
        names = "codes", "ordered", "n_codes"
        return {name: np.ascontiguousarray(getattr(self, name)) for name in names}

    def holds(self, term):
        """Return which rows satisfy a term: (n_rows,), bool."""
        satisfied = np.ones(self.n_rows, dtype=bool)
        for one in term:
            satisfied &= one.holds(self.codes[one.feature], self.ordered[one.feature])
        return satisfied


class Screening:
    """A choice of terms, which starts from an additive model of smooth effects.

    Choices of several strengths share the model, and the search in its residuals.

    Parameters
    ----------
    cells : Cells
    labels : ndarray of shape (n_rows,), int
    weights : ndarray of shape (n_rows,), float64
        Those of distinct rows, in which a weight of 2 is as two equal rows.
    n_classes : int
    smooth : csr_array of shape (n_rows, n_smooth)
        Regressors of smooth effects.
    for_all : bool, default=False
        Whether all features have smooth effects. A single condition must then stand out
        from noise, because it is a step in what is smooth.
    """

    def __init__(self, cells, labels, weights, n_classes, smooth, for_all=False):
        self._cells, self._n_classes = cells, n_classes
        self._for_single = _STEP if for_all else 0.0
        self._start = AdditiveModel(labels, weights, n_classes, smooth)
        self._start.choose_smoothness()
        self._first = {}

    def screen(self, strength, max_term_size, most_terms):
        """Return the chosen terms, and the additive model with them.

        Parameters
        ----------
        strength : float
            The gain that a term must have, relative to the gain that the best of as
            many terms has by chance, 2 log(number of terms). Infinity chooses none.
        max_term_size : int or None
        most_terms : int

        Returns
        -------
        terms : list of tuples of Condition
            In the order in which they entered.
        model : AdditiveModel
        """
        model, terms = self._start.copy(), []
        if isinf(strength):
            return terms, model
        search = _Search(
            cells=self._cells,
            max_term_size=max_term_size,
            for_single=self._for_single,
            n_classes=self._n_classes,
        )
        n_enter = _MOST_ENTER * max(1, min(4, self._n_classes // 2))
        for n_rounds in range(_MOST_ROUNDS):
            if n_rounds:
                model.fit()
            moments = model.moments()
            if n_rounds:
                found = search.candidates(moments, strength)
            else:
                key = max_term_size, min(strength, _SHARED)
                if key not in self._first:
                    found = search.candidates(moments, key[1], is_first=True)
                    self._first[key] = found, search.active
                found, search.active = self._first[key]
                found = [one for one in found if one[0] >= strength * one[1]]
            new = search.best(found, moments, min(n_enter, most_terms - len(terms)))
            terms += new
            model.add(list(new.values()))
            if not new or len(terms) == most_terms:
                break
        return terms, model


class _Search:
    """Search for terms with a large gain."""

    def __init__(self, cells, max_term_size, for_single, n_classes):
        self._for_single = for_single
        self._cells, self._max_term_size = cells, min(max_term_size or LONGEST, LONGEST)
        n_features = len(cells.codes)
        self._n_conditions = 2.0 * cells.n_codes.sum()
        for n_values in _COARSE if n_features <= _MANY_FEATURES else _COARSE[1:]:
            self._coarse, self._bounds = cells.coarse(n_values)
            sizes = float(self._coarse.n_codes.mean())
            work = n_classes * n_features**2 / 2 * (cells.n_rows + 8 * sizes**2)
            self._is_quick = work <= _MOST_WORK
            if self._is_quick:
                break
        # The features that are looked at after the first round, by class.
        self.active = {}
        self._every = np.arange(n_features, dtype=np.int32)
        self._all = np.arange(cells.n_rows, dtype=np.int32)
        # The rows of each chosen term.
        self._rows = {}

    def candidates(self, moments, strength, is_first=False):
        """Return terms with their gains, and the gains that chance has: list of tuples.

        Gains are at least `strength` times those of chance.

        Parameters
        ----------
        moments : ndarray of shape (n_targets, n_rows, 3), float32
            See `AdditiveModel.moments`.
        is_first : bool
            Whether this is the first round.
        """
        found, for_single = [], max(strength, self._for_single)
        for k, of_class in enumerate(moments):
            if is_first:
                self.active[k] = self._promising(of_class)
            every, active = self._every, self.active[k]
            found += [
                (gain, chance, term, k)
                for gain, chance, term in (
                    *self._longer(((),), of_class, for_single, features=every),
                    *self._pairs(of_class, k, strength, features=active),
                    *self._longer(self._rows, of_class, strength, features=active),
                )
            ]
        found.sort(key=lambda one: (-one[0], one[2:]))
        return found

    def best(self, found, moments, n_most):
        """Return at most so many of the candidates, and their rows."""
        new, first = {}, 0
        # Different terms may become the same one.
        while first < len(found) and len(new) < n_most:
            some, first = found[first : first + n_most], first + n_most
            for term in self._improved([one[2:] for one in some], moments):
                if len(new) < n_most and not (term in self._rows or term in new):
                    holds = self._cells.holds(term)
                    new[term] = np.flatnonzero(holds).astype(np.int32)
        self._rows |= new
        return new

    def _pairs(self, moments, k, strength, features):
        """Yield the best pairs of conditions, one on each pair of some features."""
        n = len(features)
        if self._max_term_size < 2 or n < 2:
            return
        cells = self._coarse.of_features(features)
        gains, places = np.zeros((n, n), np.float32), np.zeros((n, n), np.int32)
        condition_search.best_pairs(
            moments=moments,
            least=_LEAST_WEIGHT,
            gains=gains,
            places=places,
            **cells.tables,
        )
        chance = 2.0 * log(self._n_conditions**2 / 2)
        # A sort of all of them would take longer.
        n_best = min(4 * _MOST_ENTER, gains.size)
        least = np.partition(gains, -n_best, axis=None)[-n_best]
        best = np.flatnonzero(gains >= least)
        best = best[np.argsort(-gains.flat[best], kind="stable")[:n_best]]
        if not self._is_quick and n > _ACTIVE:
            # Those of the best pairs.
            pairs = np.unique(np.unravel_index(best, gains.shape), return_index=True)
            order = np.argsort(pairs[1] % len(best), kind="stable")
            self.active[k] = np.sort(features[pairs[0][order][:_ACTIVE]])
        width = int(cells.n_codes.max())
        for place in best[:_MOST_ENTER]:
            f, g = divmod(int(place), n)
            gain = float(gains[f, g])
            if gain < strength * chance:
                break
            rest, b = divmod(int(places[f, g]), 2)
            rest, a = divmod(rest, 2)
            x, y = divmod(rest, width)
            first = self._condition(int(features[f]), 2 * x + a)
            yield gain, chance, (first, self._condition(int(features[g]), 2 * y + b))

    def _promising(self, moments):
        """Return the features to look at in pairs: (n,), int32, ascending."""
        if len(self._every) <= _MOST_PAIRED:
            return self._every
        gains = np.zeros(len(self._every), dtype=np.float32)
        for f in self._every:
            condition_search.best_conditions(
                rows=self._all,
                starts=np.array([0, len(self._all)]),
                moments=moments,
                least=_LEAST_WEIGHT,
                least_gain=0.0,
                gains=gains[f : f + 1],
                places=np.zeros((1, 2), dtype=np.int32),
                **self._coarse.of_features(slice(f, f + 1)).tables,
            )
        best = np.argsort(-gains, kind="stable")[:_MOST_PAIRED]
        return np.sort(best).astype(np.int32)

    def _longer(self, terms, moments, strength, features):
        """Yield terms with one more condition, the best one on some features."""
        terms = [term for term in terms if len(term) < self._max_term_size]
        chance = 2.0 * log(self._n_conditions * max(1, len(terms)))
        if not terms:
            return
        gains = np.zeros(len(terms), dtype=np.float32)
        places = np.zeros((len(terms), 2), dtype=np.int32)
        rows = [self._rows.get(term, self._all) for term in terms]
        condition_search.best_conditions(
            rows=np.concatenate(rows),
            starts=np.cumsum([0, *map(len, rows)]),
            moments=moments,
            least=_LEAST_WEIGHT,
            least_gain=strength * chance,
            gains=gains,
            places=places,
            **self._coarse.of_features(features).tables,
        )
        for t in np.argsort(-gains, kind="stable")[:_MOST_ENTER]:
            if gains[t] < strength * chance:
                break
            f, place = places[t].tolist()
            longer = {*terms[t], self._condition(int(features[f]), place)}
            if len(longer) > len(terms[t]):
                yield float(gains[t]), chance, tuple(sorted(longer))

    def _condition(self, feature, place):
        """Return the condition at a place that the kernel returns, of coarse cells."""
        code, is_above = divmod(place, 2)
        return Condition(feature, int(self._bounds[feature, code]), bool(is_above))

    def _improved(self, found, moments):
        """Yield terms after the choice of each condition, given the others.

        Parameters
        ----------
        found : list of (tuple of Condition, int)
            Terms and their targets.
        moments : ndarray
        """
        flat = [condition for term, _ in found for condition in term]
        places = np.array([2 * one.code + one.is_above for one in flat], dtype=np.int32)
        starts = np.cumsum([0, *(len(term) for term, _ in found)])
        condition_search.improve_terms(
            features=np.array([one.feature for one in flat], dtype=np.int32),
            places=places,
            starts=starts,
            targets=np.array([k for _, k in found], dtype=np.int32),
            moments=moments,
            least=_LEAST_WEIGHT,
            n_sweeps=_IMPROVED,
            **self._cells.tables,
        )
        better = [
            Condition(one.feature, place // 2, bool(place % 2))
            for one, place in zip(flat, places.tolist())
        ]
        for start, end in pairwise(starts):
            yield tuple(sorted({*better[start:end]}))
