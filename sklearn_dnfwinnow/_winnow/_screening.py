"""Screening of a table: the cut points and terms that matter, and an additive start."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import partial
from math import log

import numpy as np

from sklearn_dnfwinnow._encoding._column_cuts import Partition
from sklearn_dnfwinnow._encoding._derived_columns import ranks_of
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms
from sklearn_dnfwinnow._terms._conditions import Conditions
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight
from sklearn_dnfwinnow._terms._screening import MOST_VALUES, Cells, screen
from sklearn_dnfwinnow._terms._term_marks import PLAIN, mark_chosen
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._winnow._conditions._cell_conditions import (
    borders_of,
    in_cells,
    in_directions,
    sides_of,
)
from sklearn_dnfwinnow._winnow._conditions._code_conditions import in_codes

# Strength of the penalty of the additive model, in units of scikit-learn's default, for
# a screening strength of 1: a weaker choice has more terms, which need more of it.
_PENALTY = 1.5
# Maximum number of terms, and of terms times classes.
_MOST_TERMS, _MOST_WEIGHTS = 2048, 1 << 14
# Fraction of the initial weight of a term that its effects may take away, and the
# factor by which what is added instead may raise the sum of all weights.
_FALL, _RISE = 0.9, 3.0
# Distinct samples by which terms are chosen: more find the same terms, in more memory.
_MOST_SAMPLES = 50_000
# Number of steps to the level of sums.
_LEVELS = 50


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
        where some may not, effects are relative to those.
    is_common : ndarray of shape (n_terms,), bool
        Whether all classes may have a term, with the default initial weight.
    shares : ndarray of shape (n_terms,)
        Weighted fraction of the training samples that satisfy each term.
    conditions : Conditions or None
        Conditions on the terms of each class.
    """

    encoding: Encoding
    codes: np.ndarray
    terms: ChosenTerms
    effects: np.ndarray
    is_common: np.ndarray
    shares: np.ndarray
    conditions: Conditions | None

    @classmethod
    def of(cls, encoding, known, *, conditions, strength, max_term_size, held_out=None):
        """Screen the samples of a table.

        The result is a function of the weights of distinct samples.

        Parameters
        ----------
        encoding : Encoding
            Without values, with a discretizer that is not fitted.
        known : dict
            'table', 'labels' and 'weights' of all samples, see `Encoding.learn`.
        conditions : ColumnConditions
            Conditions on terms. Those that are chosen fulfil them in some class, and
            initial terms are among them.
        strength : float
            See :func:`sklearn_dnfwinnow._terms._screening.screen`.
        max_term_size : int or None
        held_out : ndarray of shape (n_samples,), bool, default=None
            Samples whose information is not used.
        """
        n_classes = encoding.attributes[0].frequencies.shape[0]
        found = _fine_partitions(encoding, held_out=held_out, **known)
        fine = encoding.with_partitions(found, known["table"], is_final=False)
        fine, codes = fine.learn(held_out=held_out, **known)
        rows, labels, weights = _merged(
            codes, known["labels"], known["weights"], held_out
        )
        cells, codes_of_cells = _cells(fine, rows, weights, is_cut=found)
        codes_of_fine = partial(_codes_of_fine, fine, cells.ordered, codes_of_cells)
        chosen, model = screen(
            in_cells(cells, conditions, fine, codes_of_fine),
            labels,
            weights,
            n_classes,
            strength=strength,
            max_term_size=max_term_size,
            # In proportion to samples: more would take time, and learn little.
            most_terms=min(
                2 * len(rows), _MOST_TERMS, max(1, _MOST_WEIGHTS // n_classes)
            ),
        )
        if conditions:
            chosen = in_directions(chosen, conditions, fine, codes_of_fine)
        singles = {one for term in chosen for one in term}
        codes_of = {c: codes_of_cells[c.feature][c.code] for c in singles}
        # Only those cut points remain that conditions compare with.
        intervals = {
            c: int(fine.categories[c.feature][codes_of[c] - 1])
            for c in singles
            if c.feature in found and cells.ordered[c.feature]
        }
        borders = {
            j: sorted(
                {
                    *_of_feature(intervals, j),
                    *borders_of(conditions, j, fine.cut_points[j]),
                }
            )
            for j in found
        }
        found = {j: partition.only(borders[j]) for j, partition in found.items()}
        coarse = encoding.with_partitions(
            found, known["table"], is_final=held_out is None
        )
        coarse, codes = coarse.learn(held_out=held_out, **known)
        holding = {
            c: _holding(
                coarse.categories[c.feature],
                code=codes_of[c],
                is_above=c.is_above,
                is_ordered=cells.ordered[c.feature],
                border=c in intervals and borders[c.feature].index(intervals[c]),
            )
            for c in singles
        }
        compared = tuple(
            _compared(
                values,
                [*_of_feature(holding, j), *sides_of(conditions, j, coarse)],
                cells.ordered[j],
            )
            for j, values in enumerate(coarse.categories)
        )
        coarse = replace(coarse, compared=compared)
        literals = _literals(coarse, holding, {j for j, _ in conditions.directions})
        all_literals = [tuple(sorted({literals[c] for c in term})) for term in chosen]
        in_classes = None
        if conditions:
            in_classes = in_codes(conditions, coarse, n_classes)
            terms = ChosenTerms.of(all_literals, coarse.n_values)
            some_class = np.any(
                [terms.allowed(in_classes, k) for k in range(n_classes)], axis=0
            )
            kept = np.flatnonzero(some_class[terms.places_of(all_literals)])
            all_literals = [all_literals[i] for i in kept]
            model.replace([np.flatnonzero(cells.holds(chosen[i])) for i in kept])
        effects = model.effects(_PENALTY / strength)
        return cls._of_literals(
            coarse,
            codes=codes,
            all_literals=all_literals,
            fitted=effects,
            shares=(weights @ model.satisfied) / weights.sum(),
            conditions=in_classes,
        )

    @classmethod
    def _of_literals(cls, encoding, codes, all_literals, fitted, shares, conditions):
        """Return the table, given the literals of the terms of an additive model."""
        initial = () if conditions is None else conditions.initial_terms
        terms = ChosenTerms.of(
            [*all_literals, *(term.literals for term in initial)], encoding.n_values
        )
        coefficients, intercepts = fitted
        n_classes = len(intercepts)
        effects = np.zeros((n_classes, len(terms.terms)))
        effects[:, 0] = intercepts
        of_terms = np.zeros(len(terms.terms))
        of_terms[0] = 1.0
        places = terms.places_of(all_literals)
        # Different conditions can be the same, if cut points are few.
        np.add.at(effects.T, places, coefficients.T)
        of_terms[places] = shares
        effects -= effects.mean(axis=0)
        is_common = np.ones(len(terms.terms), dtype=bool)
        if conditions is not None:
            marks = [mark_chosen(terms, conditions, k).marks for k in range(n_classes)]
            is_free = np.array(marks) == PLAIN
            is_common = is_free.all(axis=0)
            # What other classes can't have, a class has in full.
            others = np.where(is_free, 0.0, effects).sum(axis=0)
            others /= np.maximum(1, n_classes - is_free.sum(axis=0))
            effects = np.where(is_free, effects - others, 0.0)
        return cls(
            encoding=encoding,
            codes=codes,
            terms=terms,
            effects=effects,
            is_common=is_common,
            shares=of_terms,
            conditions=conditions,
        )

    def net_counts(self, weighting, one):
        """Return net counts with which ``scale * log W`` is about the additive model.

        The sum of a row in class k becomes A + u (b_k + h_1k + h_2k + ...), where b and
        h are the intercept and the effects of its terms, divided by the scale. A is
        common to all classes, and near u. It is as large as is needed for positive
        weights, so that effects fade if these would raise all sums by far.

        Parameters
        ----------
        weighting : Candidate or Weighting
            With `scale`, `alpha`, `literal_weight` and `max_term_size`.
        one : int
            Units of a whole promotion.

        Returns
        -------
        net_counts : ndarray of shape (n_classes, n_terms), int64
            In units.
        """
        log_beta = log(weighting.literal_weight)
        sizes = np.array([len(term) for term in self.terms.terms])
        initial = np.exp(log_beta * sizes)
        columns = np.ones(len(self.encoding.columns))
        every = np.exp(log_initial_weight(columns, log_beta, weighting.max_term_size))
        effects = self.effects / weighting.scale
        falls = np.where(self.is_common, -effects.min(axis=0), 0.0)

        def added(level):
            return np.maximum(0.0, level * falls - _FALL * initial)

        level, most = every, _RISE * every
        for _ in range(_LEVELS):
            level = min(every + float(added(level) @ self.shares), most)
        targets = initial + added(level) + level * effects
        targets = np.maximum(targets, (1.0 - _FALL) * initial)
        logs = np.log(targets) - np.log(initial)
        return np.rint(logs * (one / log(weighting.alpha))).astype(np.int64)


# -- from conditions on cells to literals of codes -------------------------------------


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


def _codes_of_fine(encoding, ordered, codes_of_cells, condition):
    """Return which codes satisfy a condition on cells: (n_values + 1,), bool."""
    j = condition.feature
    code, values = int(codes_of_cells[j][condition.code]), encoding.categories[j]
    return _holding(
        values,
        code=code,
        is_above=condition.is_above,
        is_ordered=ordered[j],
        border=encoding.cut_points[j] is not None and values[code - 1],
    )


def _cells(encoding, codes, weights, is_cut):
    """Return the cells of codes, and the code of each cell of an attribute.

    Numbers have ranks; of the values of other attributes, the most frequent have cells.
    Attributes that are cut are among `is_cut`.
    """
    columns, codes_of_cells, ordered = [], [], []
    for j, (values, own) in enumerate(zip(encoding.categories, codes.T)):
        # Two values that are not cut are equal or not.
        few = 1 if j in is_cut else 2
        ranks = ranks_of(values) if few < len(values) <= MOST_VALUES else None
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
        columns.append(ranks[own])
        codes_of_cells.append(codes_of)
    cells = Cells(
        codes=np.array(columns, dtype=np.uint8),
        ordered=np.array(ordered, dtype=np.uint8),
        n_codes=np.array([len(of) for of in codes_of_cells], dtype=np.int32),
    )
    return cells, codes_of_cells


def _of_feature(found, j):
    """Return the values of the conditions on a feature: list."""
    return [value for condition, value in found.items() if condition.feature == j]


def _literals(encoding, holding, directed):
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


def _holding(values, code, is_above, is_ordered, border):
    """Return for which codes of an attribute a condition holds: (n_values + 1,), bool.

    Parameters
    ----------
    values : ndarray of shape (n_values,)
    code : int
        On the right of the comparison.
    is_above, is_ordered : bool
        See `Condition`.
    border : int or False
        The interval on the left of the cut point; False if the attribute is not cut.
    """
    codes = np.arange(len(values) + 1)
    if not is_ordered:
        return (codes != code) & (codes > 0) if is_above else codes == code
    if border is not False:
        below = np.append(False, values <= border)
        known = np.append(False, ~np.isnan(values))
    else:
        ranks = ranks_of(values)
        below, known = (ranks <= ranks[code]) & (ranks > 0), ranks > 0
    return known & ~below if is_above else below


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
