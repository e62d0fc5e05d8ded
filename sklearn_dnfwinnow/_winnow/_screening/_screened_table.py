"""Screened table: the cut points and terms that are chosen, and an additive start."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np

from sklearn_dnfwinnow._encoding._derived_columns import ranks_of
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._terms._allowed import Allowed
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight
from sklearn_dnfwinnow._terms._screening import screen
from sklearn_dnfwinnow._winnow._main_effects import FALL, level_of
from sklearn_dnfwinnow._winnow._monotone import goes
from sklearn_dnfwinnow._winnow._screening._fine_cells import FineCells

# Strength of the penalty of the additive model, in units of scikit-learn's default, for
# a screening strength of 1: a weaker choice has more terms, which need more of it.
_PENALTY = 1.5
# Maximum number of terms, of terms times classes, and of terms for each sample.
_MOST_TERMS, _MOST_WEIGHTS, _OF_A_SAMPLE = 2048, 1 << 16, 2
# Maximum number of terms for each sample and class, where more would be noise, and the
# number of terms up to which this does not apply.
_OF_A_CLASS, _ENOUGH = 1 / 4, 512


@dataclass(frozen=True, eq=False)
class ScreenedTable:
    """A table whose terms are chosen.

    Parameters
    ----------
    encoding : Encoding
        With the cut points and literals of the chosen terms.
    codes : ndarray of shape (n_samples, n_features), int32
        Of all samples, also of those held out.
    terms : ChosenTerms
    effects : ndarray of shape (n_classes, n_terms)
        Log-odds that an additive model gives the terms; those of the empty term are the
        intercepts. The mean over classes is 0 where all classes may have the term;
        where some may not, effects are positive, and 0 in those that may not.
    is_common : ndarray of shape (n_terms,), bool
        Whether all classes may have a term.
    shares : ndarray of shape (n_terms,)
        Weighted fraction of the training samples that satisfy each term.
    allowed : Allowed or None
        Literals that the terms of each class may contain; None for all.
    """

    encoding: Encoding
    codes: np.ndarray
    terms: ChosenTerms
    effects: np.ndarray
    is_common: np.ndarray
    shares: np.ndarray
    allowed: Allowed | None

    @classmethod
    def of(cls, encoding, known, *, directions, strength, max_term_size, held_out=None):
        """Screen the samples of a table.

        The result is a function of the weights of distinct samples.

        Parameters
        ----------
        encoding : Encoding
            Without values, with a discretizer that is not fitted.
        known : dict
            'table', 'labels' and 'weights' of all samples, see `Encoding.learn`.
        directions : Directions
            Those of `monotonic_cst`. Some class may have each term that is chosen.
        strength : float
            See :func:`sklearn_dnfwinnow._terms._screening.screen`.
        max_term_size : int or None
        held_out : ndarray of shape (n_samples,), bool, default=None
            Samples whose information is not used.
        """
        n_classes = encoding.attributes[0].frequencies.shape[0]
        fine = FineCells.of(encoding, known, held_out)
        chosen, model = screen(
            fine.cells,
            fine.labels,
            fine.weights,
            n_classes,
            strength=strength,
            max_term_size=max_term_size,
            most_terms=_most_terms(len(fine.labels), n_classes),
        )
        if directions:
            chosen = _in_directions(chosen, fine, directions)
        coarse, codes, literals = _literals(
            chosen, fine, encoding, known, directions, held_out
        )
        all_literals = [tuple(sorted({literals[c] for c in term})) for term in chosen]
        is_free = np.ones((n_classes, len(chosen)), dtype=bool)
        allowed = directions.allowed(coarse, n_classes)
        if allowed is not None:
            terms = ChosenTerms.of(all_literals, coarse.n_values)
            is_free = np.array([terms.allowed(allowed, k) for k in range(n_classes)])
            is_free = is_free[:, terms.places_of(all_literals)]
            kept = np.flatnonzero(is_free.any(axis=0))
            all_literals, is_free = [all_literals[i] for i in kept], is_free[:, kept]
            model.replace([np.flatnonzero(fine.cells.holds(chosen[i])) for i in kept])
        return cls._of_literals(
            coarse,
            codes=codes,
            all_literals=all_literals,
            fitted=model.effects(_PENALTY / strength, is_free),
            is_common=is_free.all(axis=0),
            shares=(fine.weights @ model.satisfied) / fine.weights.sum(),
            allowed=allowed,
        )

    @classmethod
    def _of_literals(
        cls,
        encoding,
        *,
        codes,
        all_literals,
        fitted,
        is_common,
        shares,
        **rest,
    ):
        """Return the table, given the literals of the terms of an additive model."""
        terms = ChosenTerms.of(all_literals, encoding.n_values)
        coefficients, intercepts = fitted
        effects = np.zeros((len(intercepts), len(terms.terms)))
        effects[:, 0] = intercepts - intercepts.mean()
        of_terms = {"is_common": np.ones(len(terms.terms), dtype=bool)}
        of_terms["shares"] = np.zeros(len(terms.terms))
        of_terms["shares"][0] = 1.0
        places = terms.places_of(all_literals)
        # Different conditions can be the same, if cut points are few.
        np.add.at(effects.T, places, coefficients.T)
        of_terms["shares"][places], of_terms["is_common"][places] = shares, is_common
        effects[:, of_terms["is_common"]] -= effects[:, of_terms["is_common"]].mean(
            axis=0
        )
        return cls(
            encoding, codes=codes, terms=terms, effects=effects, **of_terms, **rest
        )

    def net_counts(self, candidate, one):
        """Return net counts with which ``scale * log W`` is about the additive model.

        The sum of a row in class k becomes A + u (b_k + h_1k + h_2k + ...), where b and
        h are the intercept and the effects of its terms, divided by the scale. A is
        common to all classes, and near the level u.

        Parameters
        ----------
        candidate : Candidate
        one : int
            Units of a whole promotion.

        Returns
        -------
        net_counts : ndarray of shape (n_classes, n_terms), int64
            In units.
        """
        log_beta = candidate.log_beta
        sizes = np.array([len(term) for term in self.terms.terms])
        initial = np.exp(log_beta * sizes)
        columns = np.ones(len(self.encoding.columns))
        every = np.exp(log_initial_weight(columns, log_beta, candidate.max_term_size))
        effects = self.effects / candidate.scale
        falls = np.where(self.is_common, -effects.min(axis=0), 0.0)

        def added(level):
            return np.maximum(0.0, level * falls - FALL * initial)

        level = level_of(lambda u: every + added(u) @ self.shares, every)
        targets = initial + added(level) + level * effects
        targets = np.maximum(targets, (1.0 - FALL) * initial)
        logs = np.log(targets) - np.log(initial)
        return candidate.nearest_net_counts(logs, one)


def _most_terms(n_samples, n_classes):
    """Return the maximum number of chosen terms."""
    enough = max(_ENOUGH, int(_OF_A_CLASS * n_classes * n_samples))
    most = min(_OF_A_SAMPLE * n_samples, _MOST_TERMS, _MOST_WEIGHTS // n_classes)
    return max(1, min(enough, most))


# -- from conditions on cells to literals of codes -------------------------------------


def _in_directions(terms, fine, directions):
    """Return the terms of each class that take the place of terms in any direction.

    A condition that contradicts the direction of a class is replaced by its opposite:
    if a class may not have ``age > 40``, it may have ``age <= 40``.

    Parameters
    ----------
    terms : iterable of tuples of Condition
    fine : FineCells
    directions : Directions

    Returns
    -------
    terms : list of tuples of Condition
        Distinct terms, each of which some class may have.
    """
    found = {}
    of_classes = zip(*(signs for _, signs in directions.signs))
    for signs in dict.fromkeys(of_classes):
        sign_of = dict(zip(directions.columns, signs))

        def turned(condition, sign_of=sign_of):
            sign = sign_of.get(condition.feature, 0)
            opposite = condition._replace(is_above=not condition.is_above)
            for one in (condition, opposite):
                ranks = ranks_of(fine.encoding.categories[one.feature])
                if not sign or goes(sign, fine.holding(one), ranks):
                    return one
            return None

        for term in terms:
            conjunction = set(map(turned, term))
            if None not in conjunction:
                found[_without_implied(conjunction, sign_of)] = None
    return list(found)


def _without_implied(conjunction, sign_of):
    """Return a term with the narrower of two conditions on a feature, if directed."""
    narrowest = {}
    for condition in sorted(conjunction):
        feature, _, is_above = condition
        key = (feature, is_above) if sign_of.get(feature) else condition
        # Codes ascend: the last lower bound is the narrowest, and the first upper one.
        if is_above or key not in narrowest:
            narrowest[key] = condition
    return tuple(sorted(narrowest.values()))


def _literals(chosen, fine, encoding, known, directions, held_out):
    """Return the literals of conditions, where only these compare.

    Parameters
    ----------
    chosen : list of tuples of Condition
    fine : FineCells
    encoding, known, directions, held_out
        See `ScreenedTable.of`.

    Returns
    -------
    encoding : Encoding
        With the cut points and literals that are needed.
    codes : ndarray of shape (n_samples, n_features), int32
    literals : dict of Condition to (int, int)
        The column and the code of each condition.
    """
    singles = {one for term in chosen for one in term}
    intervals = {c: fine.interval(c) for c in singles if fine.interval(c) is not None}
    borders = {j: sorted({*_of_feature(intervals, j)}) for j in fine.partitions}
    found = {j: fine.partitions[j].only(of_one) for j, of_one in borders.items()}
    coarse = encoding.with_partitions(found, known["table"], is_final=held_out is None)
    coarse, codes = coarse.learn(held_out=held_out, **known)
    holding = {
        c: fine.holding_among(
            coarse.categories[c.feature],
            c,
            borders[c.feature].index(intervals[c]) if c in intervals else None,
        )
        for c in singles
    }
    compared = tuple(
        _compared(values, _of_feature(holding, j), fine.cells.ordered[j])
        for j, values in enumerate(coarse.categories)
    )
    coarse = replace(coarse, compared=compared)
    return coarse, codes, _columns_of(coarse, holding, directions.columns)


def _of_feature(found, j):
    """Return the values of the conditions on a feature: list."""
    return [value for condition, value in found.items() if condition.feature == j]


def _columns_of(encoding, holding, directed):
    """Return the column and code of each condition, given the codes that satisfy it.

    Equalities are the first literals of an attribute. Those that are directed have
    comparisons instead, wherever these are the same.
    """
    found = {}
    for place, column in enumerate(encoding.columns):
        for code in range(1, len(column.relations) + 1):
            key = column.attribute, (column.codes == code).tobytes()
            if key not in found or column.attribute in directed:
                found[key] = place, code
    return {c: found[c.feature, mask.tobytes()] for c, mask in holding.items()}


def _compared(values, holding, is_ordered):
    """Return the codes of an attribute that its conditions compare with, ascending."""
    if len(values) <= 2:
        return ()
    found = set()
    for mask in holding:
        if not is_ordered:
            if mask.sum() > 1:
                found.add(int(np.flatnonzero(~mask[1:])[0]) + 1)
            continue
        ranks = ranks_of(values)
        inside = ranks[mask]
        # The largest value up to the cut point, of either side.
        last = inside.max() if inside.min() == 1 else inside.min() - 1
        found.add(int(np.flatnonzero(ranks == last)[0]))
    return tuple(sorted(found))
