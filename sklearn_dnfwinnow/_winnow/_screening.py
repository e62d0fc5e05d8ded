"""Screening: the cut points and terms that are chosen, and an additive start."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from sklearn_dnfwinnow._encoding._cuts import quantile_starts
from sklearn_dnfwinnow._encoding._cutter import Partition
from sklearn_dnfwinnow._encoding._encoding import Encoding, ranks_of
from sklearn_dnfwinnow._terms._allowed import Allowed
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms
from sklearn_dnfwinnow._terms._screening import MOST_VALUES, Cells, screen
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._winnow._main_effects import FALL, level_of
from sklearn_dnfwinnow._winnow._monotone import goes

# Distinct samples by which terms are chosen: more find the same terms, in more memory.
_MOST_SAMPLES = 50_000


@dataclass(frozen=True, eq=False)
class FineCells:
    """Distinct samples of a table, in cells.

    Parameters
    ----------
    encoding : Encoding
        Of the finest intervals.
    partitions : dict of int to Partition
        These intervals, of the attributes that are cut.
    cells : Cells
    codes_of : list of n_attributes ndarrays of shape (n_cells + 1,), int64
        The code of each cell, in this encoding.
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    """

    encoding: Encoding
    partitions: dict
    cells: Cells
    codes_of: list
    labels: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, encoding, known, held_out=None):
        """Return the cells of a table, see `ScreenedTable.of`."""
        found = _fine_partitions(encoding, held_out=held_out, **known)
        fine = encoding.with_partitions(found, known["table"], is_final=False)
        fine, codes = fine.learn(held_out=held_out, **known)
        rows, labels, weights = _merged(
            codes, known["labels"], known["weights"], held_out
        )
        cells, codes_of = _cells(fine, rows, weights, is_cut=found)
        return cls(
            encoding=fine,
            partitions=found,
            cells=cells,
            codes_of=codes_of,
            labels=labels,
            weights=weights,
        )

    def code(self, condition):
        """Return the code that a condition compares with."""
        return int(self.codes_of[condition.feature][condition.code])

    def interval(self, condition):
        """Return the number of the interval below a cut point, or None without one."""
        j = condition.feature
        if j not in self.partitions or not self.cells.ordered[j]:
            return None
        return int(self.encoding.attributes[j].categories[self.code(condition) - 1])

    def holding(self, condition):
        """Return which codes satisfy a condition: (n_values + 1,), bool."""
        values = self.encoding.attributes[condition.feature].categories
        return self.holding_among(values, condition, self.interval(condition))

    def holding_among(self, values, condition, border):
        """Return which codes of other intervals satisfy a condition.

        Parameters
        ----------
        values : ndarray of shape (n_values,)
            Of an encoding with the same values, but with fewer intervals.
        condition : Condition
        border : int or None
            The number of the interval below the cut point, in this encoding.

        Returns
        -------
        mask : ndarray of shape (n_values + 1,), bool
        """
        codes, code = np.arange(len(values) + 1), self.code(condition)
        if not self.cells.ordered[condition.feature]:
            others = (codes != code) & (codes > 0)
            return others if condition.is_above else codes == code
        if border is None:
            ranks = ranks_of(values)
            below, known = (ranks <= ranks[code]) & (ranks > 0), ranks > 0
        else:
            below = np.append(False, values <= border)
            known = np.append(False, ~np.isnan(values))
        return known & ~below if condition.is_above else below


def _fine_partitions(encoding, table, labels, weights, held_out):
    """Return the intervals whose borders conditions may compare with, by attribute.

    Those of a discretizer that was given; otherwise quantiles, as many as there may be.
    """
    columns = table.ranked(table.columns_to_cut(encoding.discretizer), held_out)
    rows = slice(None) if held_out is None else ~held_out
    if not columns:
        return {}
    if encoding.discretizer.selection != "quantiles":
        return encoding.discretizer._partitions(columns, labels[rows], weights[rows])
    most = min(MOST_VALUES, encoding.discretizer.max_intervals)
    return {
        j: Partition.of_quantiles(*column, weights[rows], most)
        for j, column in columns.items()
    }


def _merged(codes, labels, weights, held_out):
    """Return distinct samples, or some of them: codes, labels and weights, ordered."""
    kept = slice(None) if held_out is None else ~held_out
    pairs = np.column_stack([codes[kept], labels[kept].astype(np.int32)])
    distinct, _, inverse = distinct_rows(pairs)
    # Sorted first, so that the rounding of sums does not depend on the order of rows.
    order = np.lexsort((weights[kept], inverse))
    totals = np.bincount(inverse[order], weights=weights[kept][order])
    if len(distinct) > _MOST_SAMPLES:
        some = np.random.RandomState(0).permutation(len(distinct))[:_MOST_SAMPLES]
        some.sort()
        distinct, totals = distinct[some], totals[some]
    return distinct[:, :-1], distinct[:, -1], totals


def _cells(encoding, codes, weights, is_cut):
    """Return the cells of codes, and the code of each cell of an attribute.

    Numbers have ranks, or quantiles if there are many. Of the values of other
    attributes, the most frequent have cells. `is_cut` has the attributes that are cut.
    """
    columns, codes_of_cells, ordered = [], [], []
    for j, (values, own) in enumerate(zip(encoding.categories, codes.T)):
        # Two values that are not cut are equal or not.
        few = 1 if j in is_cut else 2
        ranks = ranks_of(values) if few < len(values) else None
        ordered.append(ranks is not None)
        if ranks is None and len(values) == 1 and own.all():
            # All rows satisfy the only condition.
            codes_of, ranks = np.zeros(1, dtype=np.int64), np.zeros(2, dtype=np.uint8)
        elif ranks is None:
            totals = np.bincount(own, weights=weights, minlength=len(values) + 1)[1:]
            most = np.sort(np.argsort(-totals, kind="stable")[:MOST_VALUES])
            codes_of = np.append(0, most + 1)
            ranks = np.zeros(len(values) + 1, dtype=np.uint8)
            ranks[codes_of] = np.arange(len(codes_of))
        else:
            codes_of = np.zeros(ranks.max() + 1, dtype=np.int64)
            codes_of[ranks] = np.arange(len(ranks))
            codes_of[0] = 0
            if len(codes_of) > MOST_VALUES + 1:
                weights_of = np.bincount(ranks[own], weights, minlength=len(codes_of))
                starts = 1 + quantile_starts(weights_of[1:], MOST_VALUES)
                # The largest rank of each group, after that of missing values.
                codes_of = codes_of[np.append(starts, len(codes_of)) - 1]
                ranks = np.searchsorted(starts, ranks, side="right")
        columns.append(ranks[own])
        codes_of_cells.append(codes_of)
    cells = Cells(
        codes=np.array(columns, dtype=np.uint8),
        ordered=np.array(ordered, dtype=np.uint8),
        n_codes=np.array([len(of) for of in codes_of_cells], dtype=np.int32),
    )
    return cells, codes_of_cells


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
    def of(cls, encoding, known, *, directions, candidate, held_out=None):
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
        candidate : Candidate
            Its strength, see :func:`sklearn_dnfwinnow._terms._screening.screen`, and
            its maximum term size.
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
            strength=candidate.screening,
            max_term_size=candidate.max_term_size,
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
            fitted=model.effects(_PENALTY / candidate.screening, is_free),
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
        every = np.exp(candidate.log_initial_weight(columns))
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
                ranks = ranks_of(fine.encoding.attributes[one.feature].categories)
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
    of_features = _by_feature(intervals)
    borders = {j: sorted({*of_features.get(j, ())}) for j in fine.partitions}
    found = {j: fine.partitions[j].only(of_one) for j, of_one in borders.items()}
    coarse = encoding.with_partitions(found, known["table"], is_final=held_out is None)
    coarse, codes = coarse.learn(held_out=held_out, **known)
    holding = {
        c: fine.holding_among(
            coarse.attributes[c.feature].categories,
            c,
            borders[c.feature].index(intervals[c]) if c in intervals else None,
        )
        for c in singles
    }
    of_features = _by_feature(holding)
    compared = tuple(
        _compared(values, of_features.get(j, ()), fine.cells.ordered[j])
        for j, values in enumerate(coarse.categories)
    )
    coarse = replace(coarse, compared=compared)
    return coarse, codes, _columns_of(coarse, holding, directions.columns)


def _by_feature(found):
    """Return the values of the conditions on each feature: dict of int to list."""
    values = defaultdict(list)
    for condition, value in found.items():
        values[condition.feature].append(value)
    return values


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
