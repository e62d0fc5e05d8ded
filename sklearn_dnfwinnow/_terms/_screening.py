"""Screening: the terms that matter, where all terms are too many.

An additive model of the terms chosen so far leaves residuals. The terms with the
largest gain against them enter: single conditions, pairs of conditions on all pairs of
features, and chosen terms with one condition more. This goes on until no gain is larger
than what noise would give.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._kernels import condition_search
from sklearn_dnfwinnow._terms._additive_model import AdditiveModel

#: Maximum number of values of a feature that conditions distinguish; further values of
#: a category have no conditions, and numbers are grouped by quantiles.
MOST_VALUES = 255
# Minimum number of rows of a term, and of other rows.
_LEAST_ROWS = 4
# Rounds, and terms that enter in one.
_MOST_ROUNDS, _MOST_ENTER = 24, 64
# Values of a feature in the search for pairs; conditions of the best pairs are then
# improved one by one, this number of times, among all values.
_COARSE, _IMPROVED = 16, 2
# Work of a search over all pairs of features, in cells and rows, up to which it is made
# in each round. Otherwise other rounds look at this number of features.
_MOST_WORK, _ACTIVE = 1 << 29, 48


class Condition(NamedTuple):
    """A condition on a feature.

    Attributes
    ----------
    feature : int
    code : int
    is_above : bool
        For ordered codes, whether it holds above the code, instead of up to it; for
        others, whether it holds for all other values, instead of this one.
    """

    feature: int
    code: int
    is_above: bool


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
            below = np.cumsum(counts) - counts
            new = below * most // max(1, counts.sum())
            # Without gaps: several quantiles may be one value.
            new = np.unique(new, return_inverse=True)[1] + 1
            n_codes[f] = new[-1] + 1
            codes[f] = np.append(0, new).astype(np.uint8)[self.codes[f]]
            np.maximum.at(bounds[f], new, np.arange(1, len(new) + 1))
            bounds[f, new] = 0
            np.maximum.at(bounds[f], new, np.arange(1, len(new) + 1))
        return Cells(codes, self.ordered, n_codes), bounds

    def of_features(self, features):
        """Return the cells of some features."""
        return Cells(
            np.ascontiguousarray(self.codes[features]),
            np.ascontiguousarray(self.ordered[features]),
            np.ascontiguousarray(self.n_codes[features]),
        )

    def holds(self, term):
        """Return which rows satisfy a term: (n_rows,), bool."""
        satisfied = np.ones(self.n_rows, dtype=bool)
        for feature, code, is_above in term:
            own = self.codes[feature]
            if self.ordered[feature]:
                satisfied &= own > code if is_above else (own <= code) & (own > 0)
            else:
                satisfied &= (own != code) & (own > 0) if is_above else own == code
        return satisfied


def screen(cells, labels, weights, n_classes, *, strength, max_term_size, most_terms):
    """Return the chosen terms, and the additive model of them.

    Parameters
    ----------
    cells : Cells
    labels : ndarray of shape (n_rows,), int
    weights : ndarray of shape (n_rows,), float64
        Their mean is 1.
    n_classes : int
    strength : float
        The gain that a term must have, relative to the gain that the best of as many
        terms has by chance, 2 log(number of terms).
    max_term_size : int or None
    most_terms : int

    Returns
    -------
    terms : list of tuples of Condition
        In the order in which they entered.
    model : AdditiveModel
    """
    search = _Search(cells, strength, max_term_size or MOST_VALUES)
    model = AdditiveModel(labels, weights, n_classes)
    terms = {}
    for n_rounds in range(_MOST_ROUNDS):
        model.fit()
        moments = model.moments()
        found = search.candidates(list(terms), moments, is_first=n_rounds == 0)
        new = [term for term in found if term not in terms]
        new = new[: min(_MOST_ENTER, most_terms - len(terms))]
        if not new:
            break
        terms |= dict.fromkeys(new)
        model.add(np.column_stack([cells.holds(term) for term in new]))
    model.fit()
    return list(terms), model


class _Search:
    """Search for terms with a large gain."""

    def __init__(self, cells, strength, max_term_size):
        self._cells, self._max_term_size = cells, max_term_size
        self._strength = strength
        self._coarse, self._bounds = cells.coarse(_COARSE)
        n_features = len(cells.codes)
        self._n_conditions = 2.0 * cells.n_codes.sum()
        sizes = float(self._coarse.n_codes.mean())
        work = n_features**2 / 2 * (cells.n_rows + 8 * sizes**2)
        self._is_quick = work <= _MOST_WORK
        self._active = np.arange(n_features)
        self._every = np.arange(n_features, dtype=np.int32)

    def candidates(self, terms, moments, is_first):
        """Return terms with a sufficient gain, by descending gain.

        Parameters
        ----------
        terms : list of tuples of Condition
            The chosen ones.
        moments : list of ndarrays of shape (n_rows, 3), float32
            Of each class, see the kernel.
        is_first : bool
            Whether this is the first round.
        """
        found = {}
        for of_class in moments:
            rows = np.flatnonzero(of_class[:, 2]).astype(np.int32)
            for term, gain in [
                *self._longer([()], of_class, rows),
                *self._pairs(of_class, is_first),
                *self._longer(terms, of_class, rows),
            ]:
                found[term] = max(gain, found.get(term, 0.0))
        return sorted(found, key=lambda term: (-found[term], term))

    def _threshold(self, n_tests):
        return self._strength * 2.0 * log(n_tests)

    def _pairs(self, moments, is_first):
        """Yield the best pair of conditions on each pair of features, improved."""
        if self._max_term_size < 2 or len(self._every) < 2:
            return
        everywhere = is_first or self._is_quick
        features = self._every if everywhere else np.sort(self._active)
        cells = self._coarse.of_features(features)
        n = len(features)
        gains, places = np.zeros((n, n), np.float32), np.zeros((n, n), np.int32)
        condition_search.best_pairs(
            codes=cells.codes,
            ordered=cells.ordered,
            n_codes=cells.n_codes,
            moments=moments,
            least=_LEAST_ROWS,
            gains=gains,
            places=places,
        )
        threshold = self._threshold(self._n_conditions**2 / 2)
        best = np.argsort(-gains, axis=None, kind="stable")[: 4 * _MOST_ENTER]
        if is_first:
            pairs = np.unique(np.unravel_index(best, gains.shape), return_index=True)
            order = np.argsort(pairs[1] % len(best), kind="stable")
            self._active = pairs[0][order][:_ACTIVE]
        width = int(cells.n_codes.max())
        for place in best[: _MOST_ENTER]:
            f, g = divmod(int(place), n)
            if gains[f, g] < threshold:
                break
            rest, b = divmod(int(places[f, g]), 2)
            rest, a = divmod(rest, 2)
            x, y = divmod(rest, width)
            f, g = features[f], features[g]
            term = (
                Condition(int(f), int(self._bounds[f, x]), bool(a)),
                Condition(int(g), int(self._bounds[g, y]), bool(b)),
            )
            yield self._improved(term, moments)

    def _longer(self, terms, moments, rows):
        """Yield terms with one more condition, the best one for each term."""
        n_tests = self._n_conditions * max(1, len(terms))
        for term in terms:
            if len(term) >= self._max_term_size:
                continue
            inside = rows[self._cells.holds(term)[rows]] if term else rows
            if len(inside) < 2 * _LEAST_ROWS:
                continue
            gains, places = self._best_conditions(self._every, inside, moments)
            f = int(gains.argmax())
            if gains[f] >= self._threshold(n_tests):
                code, above = divmod(int(places[f]), 2)
                longer = {*term, Condition(f, code, bool(above))}
                if len(longer) > len(term):
                    yield self._improved(tuple(sorted(longer)), moments)

    def _improved(self, term, moments):
        """Return a term after the choice of each condition, given the others."""
        gain = 0.0
        for _ in range(_IMPROVED):
            for i, condition in enumerate(term):
                rest = term[:i] + term[i + 1 :]
                inside = np.flatnonzero(self._cells.holds(rest) & (moments[:, 2] > 0))
                features = np.array([condition.feature], dtype=np.int32)
                gains, places = self._best_conditions(
                    features, inside.astype(np.int32), moments
                )
                gain = float(gains[0])
                if gain:
                    code, above = divmod(int(places[0]), 2)
                    own = Condition(condition.feature, code, bool(above))
                    term = (*term[:i], own, *term[i + 1 :])
        return tuple(sorted(set(term))), gain

    def _best_conditions(self, features, rows, moments):
        gains = np.zeros(len(features), np.float32)
        places = np.zeros(len(features), np.int32)
        condition_search.best_conditions(
            codes=self._cells.codes,
            ordered=self._cells.ordered,
            n_codes=self._cells.n_codes,
            features=features,
            rows=rows,
            moments=moments,
            least=_LEAST_ROWS,
            most=len(rows) - 1.0,
            gains=gains,
            places=places,
        )
        return gains, places
