"""Rule learner: rules of classes, whose number held-out rows choose."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._encoding._columns import distinct_values
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow.rules._conditions import Cells
from sklearn_dnfwinnow.rules._rule_pool import RulePool
from sklearn_dnfwinnow.rules._shape import simplified
from sklearn_dnfwinnow.rules._term import Term

# Prices of a rule and of each of its conditions that are tried, as fractions of the
# rows; they are smaller, in proportion, for a class with less than this share.
_PRICES = 0.02, 0.012, 0.008, 0.005, 0.0032, 0.002, 0.0012, 0.0007, 0.0004, 0.0002
_SMALL_SHARE = 0.25
# The price without folds, and those at which rows that rules leave are searched again,
# and rules in the place of others.
_USUAL, _LEFT, _REFINED = 0.002, (0.0032, 0.0012), 0.0012
# Thresholds of a search: some from the share of the class to one half, and these.
_STEPS, _THRESHOLDS = (0.0, 0.5), (0.5, 0.55, 0.6, 0.75)
# Rules that cover few other rows are a second start for each choice.
_PURE = 0.85
# Factor of `max_conditions` for long rules, their smallest support in rows, and rows
# around which they grow, first and in the place of each rule.
_LONGER, _FEWEST, _SEEDS, _FEW_SEEDS = 2, 3, 24, 16
# Smallest support in rows, and as a fraction of few rows.
_LEAST, _LEAST_SHARE = 10, 0.04
# Standard errors by which the loss of shorter rules may be above the smallest one, by
# which long rules must be better, and by which any rules must be better than none (a
# one-sided test at 5 %: the best of many prices is better than none by chance).
_ERRORS, _BETTER, _ANY = 1.0, 1.0, 1.65
# Up to so many rows, long rules are tried on a further fold if they are not worse on
# those before. With more rows, usual ones must gain this fraction of what there is to
# gain, and long ones be better, by so many standard errors on the first fold.
_SMALL, _TOLD, _PROMISE = 500, 0.3, 0.7
# Rules for few errors are enough if their F1 score is this fraction of the largest
# one; rounds in which that one is searched.
_ENOUGH_F1, _ROUNDS_OF_F1 = 0.85, 3
# Classes with a smaller share of the rows are rare.
_RARE = 0.05


class Depth(NamedTuple):
    """How long rules may be, and how few rows, by weight, they may cover.

    Attributes
    ----------
    max_conditions : int
    support : float
        As a fraction of all rows.
    is_long : bool
        Whether they are longer than usual.
    """

    max_conditions: int
    support: float
    is_long: bool


class Varied(NamedTuple):
    """Rows of which some values are those of other rows, as a model sees them.

    Attributes
    ----------
    bases : ndarray of shape (n_varied,), int
        The row that most values are of.
    shares : ndarray of shape (n_varied, n_classes), float64
        Probabilities of the classes.
    weight : float
        Of each row.
    columns : list of ndarray
        Their values; the cells of a Target have them behind those of its rows.
    """

    bases: np.ndarray
    shares: np.ndarray
    weight: float
    columns: list


@dataclass(frozen=True, eq=False)
class Target:
    """The rows of a table, and what rules of a class should cover.

    Attributes
    ----------
    cells : Cells
    own : ndarray of shape (n_rows,), bool
        Which rows are in the class.
    share, weights, counts : ndarrays of shape (n_rows,), float64
        Of each row: its label as 0 or 1, or the mean of it and of the probability of a
        model; its weight; and the number of samples that it stands for.
    varied : Varied, default=None
        Its `shares` are those of the class.
    """

    cells: Cells
    own: np.ndarray
    share: np.ndarray
    weights: np.ndarray
    counts: np.ndarray
    varied: Varied | None = None

    @cached_property
    def base(self):
        """Return the share of the class."""
        return float(np.average(self.own, weights=self.weights))

    @property
    def scale(self):
        """Return the factor of prices."""
        return min(1.0, self.base / _SMALL_SHARE)


class RuleSearch:
    """A search for rules on some rows of a Target, with all that it has seen so far.

    Parameters
    ----------
    target : Target
    rows : ndarray of int
    depth : Depth
    """

    def __init__(self, target, rows, depth):
        self._target, self._depth = target, depth
        self._share, self.weights = target.share[rows], target.weights[rows]
        floor, n_rows = depth.support * self.weights.sum(), len(rows)
        if target.varied is not None:
            # Those of held-out rows would say what is to be measured.
            some = np.flatnonzero(np.isin(target.varied.bases, rows))
            rows = np.concatenate([rows, len(target.own) + some])
            self._share = np.concatenate([self._share, target.varied.shares[some]])
            more = np.full(len(some), target.varied.weight)
            self.weights = np.concatenate([self.weights, more])
        self._total = self.weights.sum()
        known = self._share, self.weights, floor
        conditions, holds = target.cells.conditions(rows, *known)
        self.pool = RulePool(
            conditions, holds, *known, depth.max_conditions, n_counted=n_rows
        )
        self._pure, self._prepared = [], set()
        self.pool.search(self._thresholds(0.5))
        self._grow(_SEEDS)

    def prepare(self, threshold):
        """Search on the rows that the rules so far leave, once for a threshold.

        Then search for long rules in the place of each one, beside the others.
        """
        if threshold in self._prepared:
            return
        self._prepared.add(threshold)
        scale, chosen = self._target.scale, []
        for price in _LEFT:
            chosen = self.chosen(threshold, price * scale, chosen)
            covered = self.pool.covered_by(chosen)
            if not chosen or covered.all():
                continue
            self.pool.search(self._thresholds(threshold, covered), 1 - covered)
            self._grow(_SEEDS, covered)
            self.pool.add_neighbours(chosen)
        if self._depth.is_long:
            self._refine(threshold, _REFINED * scale, chosen)

    def _refine(self, threshold, price, chosen):
        """Search for rules in the place of each one, beside the others."""
        chosen = self.chosen(threshold, price, chosen)
        for one in chosen:
            covered = self.pool.covered_by([other for other in chosen if other != one])
            if covered.all():
                continue
            some = dict.fromkeys([*self._thresholds(threshold, covered)][::3])
            self.pool.search(some, 1 - covered, is_narrow=True)
            self._grow(_FEW_SEEDS, covered)
        # Other prices start from the pure rules, and from the sums of this choice.
        self.chosen(threshold, price, chosen)

    def _thresholds(self, threshold, covered=0.0):
        """Return thresholds of a search on the rows that are not covered."""
        share = np.average(self._share, weights=self.weights * (1 - covered))
        low = min(float(share), threshold)
        lower = [low + (0.5 - low) * step for step in _STEPS]
        return dict.fromkeys([*lower, *_THRESHOLDS])

    def _grow(self, n_seeds, covered=0.0):
        """Let long rules grow around evenly spaced rows that are not covered."""
        rows = np.flatnonzero(self._share - covered > 0.5)
        if self._depth.is_long and len(rows):
            places = np.linspace(0, len(rows) - 1, n_seeds).astype(int)
            self.pool.grow(rows[np.unique(places)])

    def chosen(self, threshold, price, start=()):
        """Return the better of the rules that a start and pure rules lead to."""
        price = price * self._total
        self._pure = self.pool.chosen(max(threshold, _PURE), price, self._pure)
        ends = [self.pool.chosen(threshold, price, start)]
        if self._pure and set(self._pure) != set(start):
            ends.append(self.pool.chosen(threshold, price, self._pure))
        return max(ends, key=lambda end: self.pool.value(end, threshold, price))

    def path(self, threshold, prices, last):
        """Return the rules at the last of some descending prices."""
        self.prepare(threshold)
        chosen = []
        for price in prices:
            if price >= last:
                chosen = self.chosen(threshold, price, chosen)
        return chosen


class Option(NamedTuple):
    """Rules at one price that were learned in folds, on held-out rows.

    Attributes
    ----------
    threshold, price : float
    depth : Depth
    size : float
        Mean number of rules and conditions.
    fires : ndarray of shape (n_rows,), bool
        Which held-out rows they cover.
    optimism : float
        How much more precise a rule is on the rows that it was learned from.
    """

    threshold: float
    price: float
    depth: Depth
    size: float
    fires: np.ndarray
    optimism: float


class HeldOut:
    """Rules of a class that are learned in folds, and measured on held-out rows.

    Parameters
    ----------
    target : Target
    folds : list of (ndarray of int, ndarray of int)
        Rows to learn from, and rows to predict.
    depths : tuple of (Depth, Depth)
        Of usual rules, and of long ones.
    prices : tuple of float
        Descending, as fractions of all rows.
    progress : Progress
        Of which each price is a step.
    """

    def __init__(self, target, folds, depths, prices, progress):
        self._progress = progress
        self._target, self._folds = target, folds
        self._depths, self._prices = depths, prices
        tests = np.concatenate([test for _, test in folds])
        self.own, self.weights = target.own[tests], target.weights[tests]
        self._counts = target.counts[tests]
        # What a model says of held-out rows helps long rules more than it should.
        labels = replace(target, share=target.own.astype(np.float64))
        self._search = cache(
            lambda fold, depth: RuleSearch(
                labels if depth.is_long else target, folds[fold][0], depth
            )
        )
        self._path = cache(self._path)

    def best(self, threshold):
        """Return the Option of the shortest rules that are not worse than the best.

        Long rules are chosen if the best ones are clearly better. They say more where a
        class follows from many exact rules, of which usual ones then find some.
        """
        options = self._usual(threshold)
        best, long = self._best(options), self._depths[1]
        is_tried = len(self._prices) > 1 and self._has_room(best)
        for n_folds in range(1, len(self._folds) + 1) if is_tried else ():
            other = self._best(self._path(threshold, long, n_folds))
            if not self._is_promising(best, other, n_folds):
                break
            if n_folds == len(self._folds):
                return other
        return self._shortest(options)

    def _has_room(self, best):
        """Return whether rules without errors would be clearly better than the best.

        With many rows, these also have to gain enough.
        """
        exact = best._replace(fires=self.own)
        most, gain = self._total_loss(exact), self._total_loss(best)
        has_room = self._counts.sum() <= _SMALL or -gain >= _TOLD * -most
        return has_room and self._is_worse(best, exact, _BETTER)

    def _is_promising(self, best, other, n_folds):
        """Return whether the first folds tell that long rules may be better."""
        if n_folds == len(self._folds):
            return self._is_worse(best, other, _BETTER)
        if self._counts.sum() <= _SMALL:
            return not self._is_worse(other, best, 0.0)
        return self._is_worse(best, other, _PROMISE if n_folds == 1 else 0.0)

    def _usual(self, threshold):
        """Return the options of usual rules, and before them the one of none."""
        usual = self._depths[0]
        nothing = Option(threshold, np.inf, usual, 0.0, self.own & False, 0.0)
        return [nothing, *self._path(threshold, usual)]

    def best_f1(self):
        """Return the Option of the largest F1 score.

        Rules of the largest F1 score cover what is in the class with at least half of
        this score as its probability. Usual rules say what that is.
        """
        base = self._target.base
        threshold, best = max(base, 0.25), None
        for _ in range(_ROUNDS_OF_F1):
            option = self._shortest(self._usual(threshold))
            f1 = self.scores(option)["f1"]
            if best is None or f1 > self.scores(best)["f1"]:
                best = option
            after = max(f1 / 2, base, 0.02)
            if abs(np.log(after / threshold)) < 0.15:
                break
            threshold = after
        return self.best(best.threshold)

    def scores(self, option):
        """Return precision, recall, F1 score and error of an option: dict."""
        fires, own, weights = option.fires, self.own, self.weights
        both, covered = weights[own & fires].sum(), weights[fires].sum()
        total = weights[own].sum()
        return {
            "precision": float(both / covered) if covered else 0.0,
            "recall": float(both / total) if total else 0.0,
            "f1": float(2 * both / (covered + total)) if covered + total else 0.0,
            "error": float(weights[own != fires].sum() / weights.sum()),
        }

    def _path(self, threshold, depth, n_folds=None):
        """Return options at descending prices, until they are worse than the best."""
        folds = self._folds[:n_folds]
        searches = [self._search(i, depth) for i in range(len(folds))]
        for search in searches:
            search.prepare(threshold)
        options, chosen, n_worse = [], [[] for _ in folds], 0
        for price in self._prices:
            chosen = [
                search.chosen(threshold, price, start)
                for search, start in zip(searches, chosen)
            ]
            option = self._option(threshold, price, depth, searches, chosen)
            options.append(option)
            self._progress.end()
            is_worse = self._is_worse(option, self._best(options), _ERRORS)
            n_worse = n_worse + 1 if is_worse else 0
            if n_worse == 2 and not depth.is_long:
                break
        return options

    def _option(self, threshold, price, depth, searches, chosen):
        """Return the Option of the chosen rules of folds."""
        fires, gaps, supports, size = [], [], [], 0
        target = self._target
        for (train, test), search, places in zip(self._folds, searches, chosen):
            cells, weights = target.cells.numbers[:, test], target.weights[test]
            fires.append(np.zeros(len(test), dtype=bool))
            for place in places:
                rule = list(search.pool.rules[place])
                size += 1 + len(rule)
                holds = search.pool.conditions.some(rule).hold(cells).all(axis=0)
                fires[-1] |= holds
                if weights[holds].any():
                    there = search.pool.covers[: len(train), place] > 0
                    own, size_there = target.own[train], target.weights[train]
                    before = np.average(own[there], weights=size_there[there])
                    after = np.average(target.own[test][holds], weights=weights[holds])
                    supports.append(weights[holds].sum())
                    gaps.append(before - after)
        return Option(
            threshold=threshold,
            price=price,
            depth=depth,
            size=size / len(searches),
            fires=np.concatenate(fires),
            optimism=float(np.average(gaps, weights=supports)) if gaps else 0.0,
        )

    def _loss(self, option):
        """Return the loss of each held-out row that an option covers."""
        n = len(option.fires)
        gains = 2 * self.weights[:n] * (self.own[:n] - option.threshold)
        return np.where(option.fires, -gains, 0.0)

    def _is_worse(self, option, best, n_errors):
        """Return whether an option is worse by more than some standard errors."""
        n = min(len(option.fires), len(best.fires))
        difference = self._loss(option)[:n] - self._loss(best)[:n]
        error = np.sqrt((difference**2 / self._counts[:n]).sum())
        return difference.sum() > n_errors * error + 1e-9

    def _shortest(self, options):
        """Return the shortest option that is not worse than the best one."""
        best = self._best(options)
        kept = [
            one
            for one in options
            if not self._is_worse(one, best, _ERRORS if one.size else _ANY)
        ]
        return min(kept, key=lambda option: (option.size, self._total_loss(option)))

    def _best(self, options):
        """Return the option of the smallest loss; of equal ones, the shortest."""
        return min(options, key=lambda option: (self._total_loss(option), option.size))

    def _total_loss(self, option):
        return round(self._loss(option).sum(), 9)


@dataclass(frozen=True)
class Rules:
    """The rules of a class, and what held-out rows say of them.

    Attributes
    ----------
    terms : list of Term
    scores : dict of str to float
        On held-out rows, see `DNFClassifier`; empty without folds.
    of_terms : tuple of dict
        Of each rule: 'n', the weight of the rows that it covers, 'support', as a
        fraction, and 'precision', less what folds found to be optimism.
    price : float
        In rows.
    fires : ndarray of bool, or None
        Which held-out rows are covered by the rules of folds.
    """

    terms: list
    scores: dict
    of_terms: tuple
    price: float
    fires: np.ndarray | None


def learn_rules(classifier, samples, folds, signs, progress, *, varied=None):
    """Return the rules of classes, in the order in which they are tried.

    Parameters
    ----------
    classifier : DNFClassifier
        With its parameters and `classes_`.
    samples : Samples
    folds : list of (ndarray of int, ndarray of int)
        Rows to learn from, and rows to predict.
    signs : ndarray of shape (n_columns, n_classes), int
        Of `monotonic_cst`.
    progress : Progress
    varied : Varied, default=None

    Returns
    -------
    formulas : dict of int to Rules
        Classes in their order, and those whose rules are no better than chance, which
        have none, at the end.
    otherwise : int or None
        The class of all other rows; None if only one of many classes has rules.
    """
    n_classes = len(classifier.classes_)
    default = classifier.otherwise
    if default is not None:
        default = classifier._position_of(default, "otherwise")
    if default is None and n_classes == 2 and classifier.class_of_interest is None:
        # Rules of the other class would say the same again.
        counts = np.bincount(samples.labels, samples.weights, minlength=2)
        default = int(counts[1] > counts[0])
    wanted = [k for k in range(n_classes) if k != default]
    if classifier.class_of_interest is not None:
        name = "class_of_interest"
        wanted = [classifier._position_of(classifier.class_of_interest, name)]
        if default in wanted:
            raise ValueError("class_of_interest and otherwise must differ.")
    columns, distinct = samples.columns, samples.distinct
    if varied is not None:
        columns = list(map(np.concatenate, zip(columns, varied.columns)))
        distinct = list(map(distinct_values, columns, samples.names))
    cells = Cells.of(columns, distinct, samples.names)
    formulas = {}
    for k in wanted:
        own = samples.labels == k
        share = own.astype(np.float64)
        if samples.probabilities is not None:
            share = 0.5 * (share + samples.probabilities[:, k])
        target = Target(
            cells=replace(cells, signs=signs[:, k]),
            own=own,
            share=share,
            weights=samples.weights,
            counts=samples.counts,
            varied=varied and varied._replace(shares=varied.shares[:, k]),
        )
        name = f" for {shown(classifier.classes_[k])}, class {len(formulas) + 1} of "
        name = f"{name}{len(wanted)}" if len(wanted) > 1 else ""
        stage = progress.stage(f"rules{name}", step="price").start()
        formulas[k] = _rules_of_class(classifier, target, samples, folds, stage)
    order = sorted(
        formulas, key=lambda k: (-_precision(formulas[k]), (samples.labels == k).sum())
    )
    if classifier.class_of_interest is not None:
        if default is None and n_classes == 2:
            default = 1 - wanted[0]
    elif default is None:
        default = _default(formulas, order, samples, folds)
    return {k: formulas[k] for k in order if k != default}, default


def _precision(rules):
    """Return the precision of rules for their order; -1 if there are none."""
    if not rules.terms:
        return -1.0
    if rules.scores:
        return rules.scores["precision"]
    return np.average(
        [one["precision"] for one in rules.of_terms],
        weights=[one["n"] for one in rules.of_terms],
    )


def _default(formulas, order, samples, folds):
    """Return the default class of the smallest error, on held-out rows if any."""
    shares = np.bincount(samples.labels, samples.weights, minlength=len(formulas))
    if not folds:
        return int(shares.argmax())
    rows = np.concatenate([test for _, test in folds])
    labels, weights = samples.labels[rows], samples.weights[rows]

    def error(default):
        predicted = np.full(len(rows), default)
        for k in reversed(order):
            if k != default and formulas[k].terms:
                predicted[formulas[k].fires] = k
        return weights[predicted != labels].sum()

    return min(formulas, key=lambda k: (round(error(k), 9), -shares[k]))


def _rules_of_class(classifier, target, samples, folds, progress):
    """Return the Rules of a class; each price of a condition is a step of progress."""
    depths = _depths(classifier, target)
    prices = tuple(price * target.scale for price in _PRICES)
    if classifier.price != "auto":
        prices = (classifier.price / target.counts.sum(),)
    threshold = _threshold(classifier, target, samples)
    held_out = HeldOut(target, folds, depths, prices, progress) if folds else None
    if held_out is None:
        price = prices[0] if len(prices) == 1 else _USUAL * target.scale
        option = Option(threshold, price, depths[0], 0.0, None, 0.0)
        prices = tuple(sorted({*prices, price}, reverse=True))
    else:
        option = _aim(classifier, held_out, target, threshold)
    nothing = Rules([], {}, (), np.inf, option.fires)
    if not 0 < target.base < 1 or option.price == np.inf:
        return nothing
    search = RuleSearch(target, np.arange(len(target.own)), option.depth)
    chosen = search.path(option.threshold, prices, option.price)
    conditions = search.pool.conditions
    rules = [search.pool.rules[place] for place in chosen]
    terms = [Term(conditions.literals(rule, target.cells)) for rule in rules]
    if not terms:
        return nothing
    terms = simplified(terms, samples.columns)
    measured = [_measures(term, target, samples, option.optimism) for term in terms]
    order = sorted(range(len(terms)), key=lambda i: -measured[i]["precision"])
    scores = {} if held_out is None else held_out.scores(option)
    return Rules(
        terms=[terms[i] for i in order],
        scores=scores and {**scores, "share": target.base},
        of_terms=tuple(measured[i] for i in order),
        price=option.price * target.counts.sum(),
        fires=option.fires,
    )


def _threshold(classifier, target, samples):
    """Return the precision at which a rule gains as much as it loses.

    A row that no rule covers gets the default class: of the rows of other classes that
    a rule covers, this is right for no more than those of the most frequent one. The
    rules of other classes may be right for some, too.
    """
    cost = classifier.miss_cost
    if cost == "auto" and classifier.class_of_interest is None and target.base < 1:
        others = ~target.own
        weights = np.bincount(samples.labels[others], samples.weights[others])
        cost = max(1.0, weights.sum() / weights.max() / 2)
    return 0.5 if isinstance(cost, str) else 1 / (1 + cost)


def _depths(classifier, target):
    """Return the depths of usual and of long rules."""
    n, most = target.counts.sum(), classifier.max_conditions
    support = classifier.min_support
    if support >= 1:
        usual = long = support / n
    else:
        usual = max(support, min(_LEAST / n, _LEAST_SHARE))
        long = max(support, _FEWEST / n)
    return Depth(most, usual, False), Depth(_LONGER * most, long, True)


def _aim(classifier, held_out, target, threshold):
    """Return the Option that suits `miss_cost`; one without rules if none is good."""
    cost, share = classifier.miss_cost, target.base
    option = held_out.best(threshold)
    is_single = classifier.class_of_interest is not None
    if cost == "auto" and is_single:
        is_rare = share < _RARE or option.price == np.inf
        cost = "f1" if is_rare else cost
    if cost == "f1":
        of_f1 = held_out.best_f1()
        found, best = held_out.scores(option)["f1"], held_out.scores(of_f1)
        is_chance = best["f1"] <= 2 * share / (1 + share) or best["precision"] <= share
        if not is_chance and found < _ENOUGH_F1 * best["f1"]:
            return of_f1
    return option


def _measures(term, target, samples, optimism):
    """Return the measures of a rule, see `Rules`."""
    holds = term.holds(samples.columns)
    weight = target.weights[holds].sum()
    precision = target.weights[holds & target.own].sum() / weight
    return {
        "n": float(samples.counts[holds].sum()),
        "support": float(weight / target.weights.sum()),
        "precision": float(min(max(precision - optimism, 0.0), 1.0)),
    }
