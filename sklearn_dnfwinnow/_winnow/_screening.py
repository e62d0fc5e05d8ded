"""Screening: the cut points and terms that are chosen, and an additive start."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.special import xlogy

from sklearn_dnfwinnow._encoding._cuts import quantile_starts
from sklearn_dnfwinnow._encoding._encoding import ranks_of
from sklearn_dnfwinnow._terms._additive_model import SmoothEffects
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms
from sklearn_dnfwinnow._terms._screening import (
    MOST_VALUES,
    Cells,
    Condition,
    Screening,
)
from sklearn_dnfwinnow._utils._computing import merged_rows
from sklearn_dnfwinnow._winnow._monotone import goes

# Distinct samples by which terms are chosen: more find the same terms, in more memory.
_MOST_SAMPLES = 50_000


class FineCells:
    """Distinct samples of a table, in cells, and what is known before terms are chosen.

    Strengths of screening share them.

    Parameters
    ----------
    empty : Encoding
        Without values, with a discretizer that is not fitted.
    samples : dict
        Arguments of `Encoding.learn`.
    directions : Directions
        Those of `monotonic_cst`.

    Attributes
    ----------
    encoding : Encoding
        Of the finest intervals.
    partitions : dict of int to Partition
        These intervals, of the attributes that are cut.
    cells : Cells
        Behind the attributes are those of missing numbers that are a category: 1 where
        a number is missing.
    missing : list of int
        The attributes of these last features.
    codes_of : list of n_attributes ndarrays of shape (n_cells + 1,), int64
        The code of each cell, in this encoding; the last one of several.
    cells_of : list of n_attributes ndarrays of shape (n_values + 1,), int
        The cell of each code.
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    """

    def __init__(self, empty, samples, directions):
        self.empty, self.samples, self.directions = empty, samples, directions
        self.partitions = _fine_partitions(empty, **samples)
        fine = empty.with_partitions(self.partitions, samples["table"], is_final=False)
        self.encoding, codes = fine.learn(**samples)
        codes, self.labels, self.weights = _merged(codes, **samples)
        self._set_cells(codes)

    def _set_cells(self, codes):
        """Set the cells of codes.

        Numbers have ranks, or quantiles if there are many. Of the values of other
        attributes, the most frequent have cells.
        """
        columns, ordered, self.codes_of, self.cells_of = [], [], [], []
        for j, (values, own) in enumerate(zip(self.encoding.categories, codes.T)):
            # Two values that are not cut are equal or not.
            few = 1 if j in self.partitions else 2
            ranks = ranks_of(values) if few < len(values) else None
            ordered.append(ranks is not None)
            if ranks is None and len(values) == 1 and own.all():
                # All rows satisfy the only condition.
                codes_of, ranks = np.zeros(1, dtype=np.int64), np.zeros(2, dtype=int)
            elif ranks is None:
                totals = np.bincount(own, self.weights, minlength=len(values) + 1)[1:]
                most = np.sort(np.argsort(-totals, kind="stable")[:MOST_VALUES])
                codes_of = np.append(0, most + 1)
                ranks = np.zeros(len(values) + 1, dtype=int)
                ranks[codes_of] = np.arange(len(codes_of))
            else:
                codes_of = np.zeros(ranks.max() + 1, dtype=np.int64)
                codes_of[ranks] = np.arange(len(ranks))
                codes_of[0] = 0
                if len(codes_of) > MOST_VALUES + 1:
                    totals = np.bincount(ranks[own], self.weights, len(codes_of))
                    starts = 1 + quantile_starts(totals[1:], MOST_VALUES)
                    # The largest rank of each group, after that of missing values.
                    codes_of = codes_of[np.append(starts, len(codes_of)) - 1]
                    ranks = np.searchsorted(starts, ranks, side="right")
            columns.append(ranks[own])
            self.codes_of.append(codes_of)
            self.cells_of.append(ranks)
        self.missing = [
            j
            for j, attribute in enumerate(self.encoding.attributes)
            if ordered[j] and None in attribute.codes
        ]
        more = [columns[j] == 0 for j in self.missing]
        n_codes = [*map(len, self.codes_of)] + [2] * len(more)
        self.cells = Cells(
            codes=np.array([*columns, *more], dtype=np.uint8),
            ordered=np.array(ordered + [False] * len(more), dtype=np.uint8),
            n_codes=np.array(n_codes, dtype=np.int32),
        )

    @property
    def n_classes(self):
        """Return the number of classes."""
        return self.encoding.attributes[0].frequencies.shape[0]

    @cached_property
    def smooth(self):
        """The smooth effects of the features."""
        every = np.arange(len(self.encoding.attributes))
        return SmoothEffects(
            cells=self.cells,
            numbers=[self._numbers(j) for j in every],
            weights=self.weights,
            features=_with_effects(self, self.directions, self.n_classes),
            with_missing=np.isin(every, self.missing),
        )

    def _numbers(self, j):
        """Return the median number of each cell of an attribute, 0 without an order."""
        numbers = np.zeros(int(self.cells.n_codes[j]))
        if self.cells.ordered[j]:
            values = self.encoding.attributes[j].categories[self.codes_of[j][1:] - 1]
            if j in self.partitions:
                values = self.partitions[j].medians[values.astype(int)]
            numbers[1:] = values
        return numbers

    @cached_property
    def screening(self):
        """The choice of terms, after the additive model of smooth effects."""
        return Screening(
            cells=self.cells,
            labels=self.labels,
            weights=self.weights,
            n_classes=self.n_classes,
            smooth=self.smooth.regressors,
            for_all=len(self.smooth.features) == len(self.encoding.attributes),
        )

    def of_attributes(self, term):
        """Return a term with conditions on attributes only: missing is up to code 0."""
        n = len(self.encoding.attributes)
        return tuple(
            Condition(self.missing[c.feature - n], 0, False) if c.feature >= n else c
            for c in term
        )

    def smooth_borders(self, j):
        """Return the numbers of intervals that are below cut points of smooth effects.

        None of an attribute that is not cut.
        """
        n_steps = int(np.clip(self.weights.sum() / _OF_A_STEP, *_STEPS))
        codes = self.codes_of[j][self._ends(j, n_steps)]
        return self.encoding.attributes[j].categories[codes - 1].astype(int)

    def directed_steps(self):
        """Return the conditions of which effects with a direction are made."""
        return [
            (Condition(j, code, True),)
            for j in self.directions.columns
            if self.cells.ordered[j]
            for code in self._ends(j, _DIRECTED_STEPS).tolist()
        ]

    def _ends(self, j, n_steps):
        """Return the cells at the ends of steps of a feature, but for the last one."""
        n_cells = int(self.cells.n_codes[j]) - 1
        ends = np.unique(np.arange(1, n_steps) * n_cells // n_steps)
        return ends[ends > 0]

    def effects_among(self, j, recoding, effects):
        """Return the effects of the codes of fewer intervals, from those of cells.

        Parameters
        ----------
        j : int
        recoding : ndarray of shape (n_values + 1,), int
            Codes with fewer intervals, see `Attribute.recoding`.
        effects : ndarray of shape (n_classes, n_cells + 1)

        Returns
        -------
        effects : ndarray of shape (n_classes, n_coarse + 1)
            Means over the rows.
        """
        cells = self.cells_of[j]
        totals = np.bincount(self.cells.codes[j], self.weights, len(effects[0]))
        weights = totals[cells] / np.bincount(cells)[cells] + 1e-9
        sums = [np.bincount(recoding, weights * of[cells]) for of in effects]
        return np.array(sums) / np.maximum(np.bincount(recoding, weights), 1e-300)

    def code(self, condition):
        """Return the code that a condition compares with."""
        return int(self.codes_of[condition.feature][condition.code])

    def is_comparison(self, condition):
        """Return whether a condition compares numbers."""
        return bool(self.cells.ordered[condition.feature] and condition.code > 0)

    def holding(self, condition):
        """Return which codes satisfy a condition: (n_values + 1,), bool."""
        cells = self.cells_of[condition.feature]
        is_ordered = self.cells.ordered[condition.feature]
        if not is_ordered:
            # Not by cells, as rare values have none.
            cells = np.arange(len(cells))
            condition = condition._replace(code=self.code(condition))
        holds = condition.holds(cells, is_ordered)
        holds[0] = False
        return holds


def _fine_partitions(encoding, table, labels, weights, rows=slice(None)):
    """Return the intervals whose borders conditions may compare with, by attribute."""
    columns = table.ranked(table.columns_to_cut(encoding.discretizer), rows)
    if not columns:
        return {}
    return encoding.discretizer._partitions(
        columns, labels[rows], weights[rows], with_entropies=False
    )


def _merged(codes, table, labels, weights, rows=slice(None)):
    """Return distinct samples, or some of them: codes, labels and weights, ordered."""
    pairs = np.column_stack([codes[rows], labels[rows].astype(np.int32)])
    distinct, totals = merged_rows(pairs, weights[rows])
    if len(distinct) > _MOST_SAMPLES:
        some = np.random.RandomState(0).permutation(len(distinct))[:_MOST_SAMPLES]
        some.sort()
        distinct, totals = distinct[some], totals[some]
    return distinct[:, :-1], distinct[:, -1], totals


# Strength of the penalty of the additive model, in units of scikit-learn's default, for
# a screening strength of 1: a weaker choice has more terms, which need more of it.
_PENALTY = 1.5
# Maximum number of terms, of terms times classes, and of terms for each sample.
_MOST_TERMS, _MOST_WEIGHTS, _OF_A_SAMPLE = 2048, 1 << 16, 2
# Maximum number of terms for each sample and class, where more would be noise, and the
# number of terms up to which this does not apply.
_OF_A_CLASS, _ENOUGH = 1 / 4, 512


class ScreenedTable:
    """A table whose terms are chosen.

    They are a function of the weights of distinct samples. Some class may have each of
    them.

    Parameters
    ----------
    fine : FineCells
    candidate : Candidate
        Its strength, see :class:`sklearn_dnfwinnow._terms._screening.Screening`, and
        its maximum term size.

    Attributes
    ----------
    encoding : Encoding
        With the cut points and literals of the chosen terms.
    codes : ndarray of shape (n_samples, n_features), int32
        Of all samples, also of those held out. None in a `View`, whose rows have them.
    terms : ChosenTerms
    effects : ndarray of shape (n_classes, n_terms)
        Log-odds that an additive model gives the terms; those of the empty term are the
        intercepts. The mean over classes is 0 where all classes may have the term;
        where some may not, effects are positive, and 0 in those that may not.
    groups : ndarray of shape (n_terms,), int
        The feature of terms of smooth effects, -1 for others.
    is_common : ndarray of shape (n_terms,), bool
        Whether all classes may have a term.
    shares : ndarray of shape (n_terms,)
        Weighted fraction of the training samples that satisfy each term.
    allowed : Allowed or None
        Literals that the terms of each class may contain; None for all.
    """

    def __init__(self, fine, candidate):
        n_classes, directions = fine.n_classes, fine.directions
        chosen, model = fine.screening.screen(
            strength=candidate.screening,
            max_term_size=candidate.max_term_size,
            most_terms=_most_terms(len(fine.labels), n_classes),
        )
        chosen = [fine.of_attributes(term) for term in chosen]
        steps = set()
        if directions:
            steps = set(_in_directions(fine.directed_steps(), fine, directions))
            chosen = [*steps, *_in_directions(chosen, fine, directions)]
            chosen = sorted(set(chosen))
        coarse, codes, literals, recodings = _literals(chosen, fine)
        all_literals = [tuple(sorted({literals[c] for c in term})) for term in chosen]
        is_free = np.ones((n_classes, len(chosen)), dtype=bool)
        allowed = directions.allowed(coarse, n_classes)
        if allowed is not None:
            terms = ChosenTerms(all_literals, coarse.n_values)
            is_free = np.array([terms.allowed(allowed, k) for k in range(n_classes)])
            is_free = is_free[:, terms.places_of(all_literals)]
            kept = np.flatnonzero(is_free.any(axis=0))
            all_literals, is_free = [all_literals[i] for i in kept], is_free[:, kept]
            chosen = [chosen[i] for i in kept]
            model.replace([np.flatnonzero(fine.cells.holds(term)) for term in chosen])
        # Steps have the penalty of many small increments, whatever the strength.
        strength = min(candidate.screening, _PENALTY)
        penalties = [1.0 if term in steps else _PENALTY / strength for term in chosen]
        of_smooth, of_terms, intercepts = model.effects(np.array(penalties), is_free)
        intercepts = intercepts - of_smooth @ fine.smooth.reference
        rows = fine.samples.get("rows", slice(None))
        known, weights = codes[rows], fine.samples["weights"][rows]
        effects, groups, shares = defaultdict(float), {}, {}
        for j, of_cells in fine.smooth.of_codes(of_smooth).items():
            of_codes = fine.effects_among(j, recodings[j], of_cells)
            sizes = np.bincount(known[:, j], weights, minlength=len(of_codes[0]))
            for code in range(1, len(of_codes[0])):
                effects[((j, code),)] += of_codes[:, code]
                groups[((j, code),)] = j
                shares[((j, code),)] = sizes[code] / weights.sum()
        is_common = dict.fromkeys(effects, True)
        shares_of = model.shares
        for i, term in enumerate(all_literals):
            # Different conditions can be the same, if cut points are few.
            effects[term] += of_terms[:, i]
            is_common[term], shares[term] = bool(is_free[:, i].all()), shares_of[i]
        terms = ChosenTerms(effects, coarse.n_values)
        effects[()], is_common[()], shares[()] = intercepts, True, 1.0
        self.encoding, self.codes, self.terms = coarse, codes, terms
        self.allowed = allowed
        self.effects = np.array([effects[term] for term in terms.terms]).T
        self.is_common = common = np.array([is_common[term] for term in terms.terms])
        self.effects[:, common] -= self.effects[:, common].mean(axis=0)
        self.groups = np.array([groups.get(term, -1) for term in terms.terms])
        self.shares = np.array([shares[term] for term in terms.terms])

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
        # A row has one of the values of a smooth effect: all add the same to A.
        for group in np.unique(self.groups[self.groups >= 0]):
            own = self.groups == group
            falls[own] = falls[own].max()

        def added(level):
            return np.maximum(0.0, level * falls - _FALL * initial)

        level = _level_of(lambda u: every + added(u) @ self.shares, every)
        targets = initial + added(level) + level * effects
        targets = np.maximum(targets, (1.0 - _FALL) * initial)
        logs = np.log(targets) - np.log(initial)
        return np.rint(logs * (one / candidate.log_alpha)).astype(np.int64)


# Fraction of an initial weight that effects may take away; the factor by which what is
# added instead may raise the sum of all weights; and steps to the level.
_FALL, _RISE, _LEVEL_STEPS = 0.9, 3.0, 50


def _level_of(mean, every):
    """Return the smallest level that is the mean of A.

    A start moves the sum of a row in a class to A + u (effects), where the level u is
    near A, so that its logarithm is about additive. Weights stay positive: what effects
    take away is at most a fraction of an initial weight, and where they would take
    more, all classes get the rest. This raises A, and with it u.

    Effects fade where A would be more than `_RISE` times the sum of all initial
    weights: the level is then the largest one with this mean.

    Parameters
    ----------
    mean : callable
        The mean of A for a level, which it increases with.
    every : float
        Sum of all initial weights.

    Returns
    -------
    level : float
    """
    low, high = 0.0, _RISE * every
    for _ in range(_LEVEL_STEPS):
        middle = (low + high) / 2
        fits = mean(middle) <= _RISE * every
        low, high = (middle, high) if fits else (low, middle)
    # As the mean increases with the level, these steps end at the smallest solution.
    level = min(every, low)
    for _ in range(_LEVEL_STEPS):
        level = min(mean(level), low)
    return level


# Minimum and maximum number of steps of a smooth effect, one for each so many rows, as
# with more of them vowel lost 6 %; and the number of those of one with a direction.
_STEPS, _OF_A_STEP, _DIRECTED_STEPS = (32, 64), 16, 16
#: Maximum number of features with smooth effects.
MOST_SMOOTH = 100


def _with_effects(fine, directions, n_classes):
    """Return the features with effects of their own, the most telling of many.

    Those with a direction have none.
    """
    features = np.arange(len(fine.encoding.attributes))
    features = np.setdiff1d(features, directions.columns)
    if len(features) <= MOST_SMOOTH:
        return features
    gains = []
    for j in features:
        codes = fine.cells.codes[j].astype(np.int64) * n_classes + fine.labels
        shape = fine.cells.n_codes[j], n_classes
        counts = np.bincount(codes, fine.weights, minlength=shape[0] * shape[1])
        counts = counts.reshape(shape)
        # Of at most eight parts of neighbouring codes.
        counts = np.add.reduceat(
            counts, np.arange(0, len(counts), -(-len(counts) // 8))
        )
        totals = counts.sum(axis=1, keepdims=True)
        gains.append(xlogy(counts, counts).sum() - xlogy(totals, totals).sum())
    best = np.argsort(-np.array(gains), kind="stable")[:MOST_SMOOTH]
    return np.sort(features[best])


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


def _literals(chosen, fine):
    """Return the literals of conditions, where only these compare.

    Parameters
    ----------
    chosen : list of tuples of Condition
    fine : FineCells

    Returns
    -------
    encoding : Encoding
        With the cut points and literals that are needed.
    codes : ndarray of shape (n_samples, n_features), int32
    literals : dict of Condition to (int, int)
        The column and the code of each condition.
    recodings : dict of int to ndarray of int
        The code of each code of the fine encoding, for features with effects.
    """
    singles = {one for term in chosen for one in term}
    partitions, smooth = fine.partitions, fine.smooth.features.tolist()
    with_effects = {one.feature for one in singles} | {*smooth}
    borders = {
        j: fine.smooth_borders(j).tolist() if j in smooth else [] for j in partitions
    }
    for one in singles:
        if one.feature in partitions and fine.is_comparison(one):
            values = fine.encoding.attributes[one.feature].categories
            borders[one.feature].append(int(values[fine.code(one) - 1]))
    found = {
        j: partition.with_borders(np.unique(borders[j]).astype(int))
        for j, partition in partitions.items()
    }
    coarse = fine.empty.with_partitions(
        found, fine.samples["table"], is_final="rows" not in fine.samples
    )
    coarse, codes = coarse.learn(**fine.samples)
    recodings = {
        j: fine.encoding.attributes[j].recoding(coarse.attributes[j])
        for j in with_effects
    }
    compared = [set() for _ in coarse.attributes]
    for one in singles:
        is_other = one.is_above and not fine.cells.ordered[one.feature]
        few = len(coarse.categories[one.feature]) <= 2
        if not few and (is_other or fine.is_comparison(one)):
            code = recodings[one.feature][fine.code(one)]
            compared[one.feature].add(int(code))
    coarse = replace(coarse, compared=tuple(tuple(sorted(of)) for of in compared))
    # Equalities are the first literals of an attribute. Those that are directed have
    # comparisons instead, wherever these are the same.
    literals = {}
    for place, column in enumerate(coarse.columns):
        if column.attribute not in with_effects:
            continue
        is_directed = column.attribute in fine.directions.columns
        for code in range(1, len(column.relations) + 1):
            key = column.attribute, (column.codes == code).tobytes()
            if key not in literals or is_directed:
                literals[key] = place, code

    def literal_of(condition):
        recoding = recodings[condition.feature]
        holds = np.zeros(recoding.max(initial=0) + 1, dtype=bool)
        holds[recoding[fine.holding(condition)]] = True
        return literals[condition.feature, holds.tobytes()]

    return coarse, codes, {one: literal_of(one) for one in singles}, recodings
