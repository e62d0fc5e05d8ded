"""Rule lists: a formula for each class in turn, with held-out measures."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from itertools import groupby
from math import ceil, inf, nextafter
from operator import attrgetter
from time import monotonic
from typing import NamedTuple

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from sklearn_dnfwinnow._encoding._columns import as_array, is_numeric, ranked_numbers
from sklearn_dnfwinnow._encoding._cuts import midpoints
from sklearn_dnfwinnow._encoding._cutter import Cutter
from sklearn_dnfwinnow.rules._rule_problem import RuleProblem
from sklearn_dnfwinnow.rules._rule_search import best_rule_set
from sklearn_dnfwinnow.rules._shape import FEW_VALUES, Extent, simplified
from sklearn_dnfwinnow.rules._term import Term


class Option(NamedTuple):
    """Rules of all classes at one price, without those of the default class.

    Attributes
    ----------
    price : float
    otherwise : int
        Index of the default class.
    is_wrong : ndarray of shape (n_rows,), bool
        Held-out rows that are predicted wrongly.
    error : float
        Weighted fraction of these rows.
    n_literals : float
        Mean number of literals over the folds.
    formulas : list of dict of int to list of Term
        The rules in each fold.
    """

    price: float
    otherwise: int
    is_wrong: np.ndarray
    error: float
    n_literals: float
    formulas: list = []


def predicted(fires, order, otherwise):
    """Return the first class of an order whose rules hold, or else the default class.

    Parameters
    ----------
    fires : ndarray of shape (n_rows, n_classes), bool
        Which rows satisfy the rules of which class.
    order : iterable of int
        Indices of classes, without the default class.
    otherwise : int

    Returns
    -------
    classes : ndarray of shape (n_rows,), int
    """
    classes = np.full(len(fires), otherwise)
    for k in reversed(list(order)):
        classes[fires[:, k]] = k
    return classes


def precisions(fires, samples):
    """Return the precision of the formula of each class: (n_classes,), float64.

    The precision is that of Laplace, (own + 1) / (all + 2), in samples of mean weight.
    """
    weights = samples.weights / samples.unit
    is_own = samples.labels[:, None] == np.arange(fires.shape[1])
    return (weights @ (fires & is_own) + 1) / (weights @ fires + 2)


def chosen(options, weights, counts):
    """Return the option with the fewest literals that is not worse than the best one.

    An option is worse if its error exceeds the smallest error by more than one standard
    error of the difference. (The rule of Breiman et al. 1984, section 3.4.3, for errors
    on the same rows; the standard error is that of options that are equally good.)

    Parameters
    ----------
    options : list of Option
    weights, counts : ndarrays of shape (n_rows,)
        Weight of each row, and number of samples that it stands for.
    """
    best = best_of(options)
    kept = [one for one in options if not is_worse(one, best, weights, counts)]
    return min(kept, key=attrgetter("n_literals", "error"))


def best_of(options):
    """Return the option of the smallest error; of equal ones, the shortest."""
    return min(options, key=attrgetter("error", "n_literals"))


def is_worse(option, best, weights, counts):
    """Return whether an option is worse than another by more than a standard error."""
    difference = weights * (option.is_wrong.astype(np.float64) - best.is_wrong)
    return difference.sum() > np.sqrt((difference**2 / counts).sum())


# Intervals of a number, by the smallest class entropy and of equally many rows.
_INTERVALS = 10
# A category is a condition if it has at least two rows and this fraction of all.
_LEAST_SHARE = 0.002
# Categories of a column at most, the most frequent ones.
_MOST_CATEGORIES = 100
# Groups of values that are considered for a cut of smallest entropy: time grows with
# the square of their number.
_MOST_SEGMENTS = 500


def table_literals(samples, labels):
    """Return the literals of a table that can tell a class from others.

    A number is compared with cut points: those of the intervals of smallest class
    entropy, and quantiles. A category is equal to a value, or differs from it. Missing
    values satisfy no literal.

    Parameters
    ----------
    samples : Samples
    labels : ndarray of shape (n_rows,), int
        1 for the rows of the class, and 0 for others.

    Returns
    -------
    literals : list of (Literal, int)
        All different, with 1 for the lower end of an interval, -1 for an upper end, and
        0 for others.

    Raises
    ------
    ValueError
        If a value is infinite.
    TypeError
        If a value has no hash.
    """
    literals = []
    for j, (values, places) in enumerate(samples.distinct):
        if is_numeric(samples.columns[j]):
            extents = _of_numbers(samples.columns[j], values, labels, samples.weights)
        else:
            counts = np.bincount(places, samples.counts, minlength=len(values))
            extents = _of_categories(values, counts)
        name = str(samples.names[j])
        literals += [(extent.literal(j, name), end) for extent, end in extents]
    return literals


def rows_that_satisfy(literals, samples):
    """Return which row satisfies which literal: (n_rows, n_literals), bool."""
    masks = np.zeros((len(literals), len(samples)), dtype=bool)
    for j, positions in groupby(range(len(literals)), lambda i: literals[i].column):
        values, places = samples.distinct[j]
        distinct = as_array(values, is_numeric(samples.columns[j]))
        for i in positions:
            masks[i] = literals[i].holds(distinct)[places]
    return masks.T


def _of_numbers(column, values, labels, weights):
    """Yield extents, and which ends they are, of a column of numbers."""
    if len(values) < 2:
        return
    known = [value for value in values if value is not None]
    # Large integers may be equal as floats.
    known = np.unique(np.array(known, dtype=np.float64))
    if len(known) <= FEW_VALUES:
        points = midpoints(known[:-1], known[1:])
        if len(known) != 2:  # one value tells it from missing ones
            for value in known.tolist():
                yield Extent(None, ((nextafter(value, -inf), value),)), 0
    else:
        ranked = ranked_numbers(column.astype(np.float64))
        points = [_cuts(ranked, labels, weights, way) for way in ("max", "quantiles")]
        points = np.unique(np.concatenate(points))
    for point in map(float, points):
        yield Extent(None, ((-inf, point),)), -1
        yield Extent(None, ((point, inf),)), 1


def _cuts(ranked, labels, weights, selection):
    """Return cut points of numbers."""
    settings = {
        "max_intervals": _INTERVALS,
        "selection": selection,
        "min_samples_interval": 1,
        "max_segments": _MOST_SEGMENTS,
    }
    return Cutter(labels, weights, settings).partition(*ranked).points


def _of_categories(values, counts):
    """Yield extents of a column of categories, each of which is no end."""
    least = max(2, ceil(_LEAST_SHARE * counts.sum()))
    known = [i for i, value in enumerate(values) if value is not None]
    frequent = [i for i in known if counts[i] >= least]
    frequent.sort(key=lambda i: -counts[i])
    for i in sorted(frequent[:_MOST_CATEGORIES]):
        if len(values) > 1:
            yield Extent((values[i],), None), 0
        if len(known) > 2:
            yield Extent((values[i],), None, complement=True), 0


def part_of_time(deadline, n_left):
    """Return the end of the first of some tasks that share the time to a deadline."""
    if deadline is None:
        return None
    now = monotonic()
    return now + max(deadline - now, 0.0) / n_left


class ListSearch:
    """Search for the formulas of all classes, of which the first that holds decides.

    Formulas are a dict from class to its terms, in the order in which they are tried.
    They are first learnt for each class against all others, and ordered by precision.
    Then each is learnt again beside the others: a row gains what the prediction of the
    list gains if a rule of the class covers it. This is coordinate descent on the
    weight of the rows that the list predicts wrongly, plus the prices.

    Parameters
    ----------
    samples : Samples
    limits : dict
        Limits of a RuleProblem, by name.
    terms : list of lists of Term, default=None
        Candidates of each class.
    effort : int
        Further arguments of `best_rule_set`.

    Attributes
    ----------
    found : dict of int to RuleSet
        Result of the last search of each class.
    """

    def __init__(self, samples, limits, terms=None, **effort):
        self.samples = samples
        self.found = {}
        self._effort = effort
        self._known = {
            k: _known(samples, k, terms[k] if terms else (), limits)
            for k in np.unique(samples.labels).tolist()
        }

    def against_rest(self, price, otherwise=None, deadline=None):
        """Return the formulas of each class against all others.

        Parameters
        ----------
        price : float
            Price of a rule, and of each of its literals, in samples of mean weight.
        otherwise : int, default=None
            The default class, which needs no rules. None learns rules of all classes.
        deadline : float, default=None
            The time of `monotonic` for the end. None is a fixed amount of work.
        """
        worth = self.samples.worth
        rest = worth.sum(axis=1, keepdims=True) - worth
        classes = [k for k in self._known if k != otherwise]
        formulas = {}
        for i, k in enumerate(classes):
            end = part_of_time(deadline, len(classes) - i)
            formulas[k] = self._learn(k, worth[:, k] - rest[:, k], price, end)
        precise = precisions(self.samples.fires(formulas), self.samples)
        # Of two classes with equal precision, the rarer one is first.
        order = sorted(formulas, key=lambda k: (-precise[k], worth[:, k].sum()))
        return {k: formulas[k] for k in order}

    def beside_others(
        self, formulas, otherwise, price, *, deadline=None, are_limited=False
    ):
        """Return formulas of the same order, each of which is learnt beside the others.

        Parameters
        ----------
        formulas : dict of int to list of Term
            As returned by `against_rest`, or by this method at another price.
        otherwise, price, deadline : object
            As in `against_rest`.
        are_limited : bool, default=False
            Whether no class may have more literals than in `formulas`.
        """
        formulas, rows = dict(formulas), np.arange(len(self.samples))
        order, worth = list(formulas), self.samples.worth
        for i, k in enumerate(order):
            fires = self.samples.fires(formulas)
            others = [other for other in order if other != k]
            gains = worth[:, k] - worth[rows, predicted(fires, others, otherwise)]
            gains[fires[:, order[:i]].any(axis=1)] = 0.0
            end = part_of_time(deadline, len(order) - i)
            most = {"max_literals": sum(map(len, formulas[k]))} if are_limited else {}
            formulas[k] = self._learn(k, gains, price, end, **most)
        return formulas

    def shortened(self, formulas, otherwise, most):
        """Return the formulas without the rules that gain least for each literal.

        Parameters
        ----------
        formulas : dict of int to list of Term
        otherwise : int
            The default class.
        most : int
            Maximum number of literals that are left.
        """
        rows, worth = np.arange(len(self.samples)), self.samples.worth
        rules = [
            (k, term, term.holds(self.samples.columns))
            for k, terms in formulas.items()
            for term in terms
        ]

        def gained(rules):
            fires = np.zeros(worth.shape, dtype=bool)
            for k, _, mask in rules:
                fires[:, k] |= mask
            return worth[rows, predicted(fires, formulas, otherwise)].sum()

        while sum(len(term) for _, term, _ in rules) > most:
            total = gained(rules)
            lost = [
                (total - gained(rules[:i] + rules[i + 1 :])) / len(term)
                for i, (_, term, _) in enumerate(rules)
            ]
            del rules[int(np.argmin(lost))]
        return {k: [term for other, term, _ in rules if other == k] for k in formulas}

    def _learn(self, k, gains, price, deadline, **limits):
        """Return the terms of a class.

        `gains` are what is gained if a rule covers a row; negative if it should not.
        """
        literals, pool, known = self._known[k]
        price = price * self.samples.unit
        prices = {"rule_price": price, "literal_price": price}
        problem = RuleProblem(**{**known, **prices, **limits}, gains=gains)
        rule_set = best_rule_set(problem, pool, deadline=deadline, **self._effort)
        self.found[k] = rule_set
        return [Term(literals[i] for i in rule) for rule in rule_set.rules]


def n_literals(formulas):
    """Return the number of literals of all classes."""
    return sum(len(term) for terms in formulas.values() for term in terms)


def _known(samples, k, terms, limits):
    """Return what is known of a class before its rules have gains and prices.

    Returns
    -------
    literals : list of Literal
    pool : list of tuple of int
        The candidate `terms`, as positions of literals.
    known : dict
        Arguments of a RuleProblem.
    """

    def key(literal):
        return literal.column, Extent.of(literal).key

    is_own = samples.labels == k
    table = table_literals(samples, is_own.astype(np.intp))
    literals = {key(literal): literal for literal, _ in table}
    for literal in (one for term in terms for one in term.literals):
        literals.setdefault(key(literal), literal)
    places = {key: i for i, key in enumerate(literals)}
    pool = [tuple(sorted({places[key(x)] for x in term.literals})) for term in terms]
    literals = list(literals.values())
    known = {
        "holds": rows_that_satisfy(literals, samples),
        "features": [literal.column for literal in literals],
        "ends": [end for _, end in table] + [0] * (len(literals) - len(table)),
        "weights": samples.weights,
        "own_weights": samples.weights * is_own,
        **limits,
    }
    return literals, pool, known


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
        first = best_of(options)
        allowed = [first]
        if price is None:
            allowed = self.of_prices(first, deadline)
            options = [*(option for option in options if option is not first), *allowed]
        most = self._limits["max_literals"]
        short = [option for option in allowed if option.n_literals <= most]
        allowed = short or [min(allowed, key=lambda option: option.n_literals)]
        choice = chosen(allowed, self.weights, self.counts)
        records = [
            {
                "price": option.price,
                "otherwise": option.otherwise,
                "error": option.error,
                "n_literals": option.n_literals,
                "is_chosen": option is choice,
            }
            for option in options
        ]
        return choice, records

    def of_defaults(self, price, defaults, deadline=None):
        """Return options of each class against the rest, one for each default class."""
        only = defaults[0] if len(defaults) == 1 else None
        formulas = Parallel(n_jobs=self._n_jobs)(
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
        is_single = all(len(rules) < 2 for rules in first.formulas)
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
                is_over = not last.n_literals or is_worse(
                    last, best_of(options), self.weights, self.counts
                )
                if price < start.price or not is_over:
                    last = self._beside_others(last, price, deadline)
                    options.append(last)
        return options

    def _beside_others(self, last, price, deadline):
        """Return the option at a price, beginning with the formulas of the last one."""
        formulas = Parallel(n_jobs=self._n_jobs)(
            delayed(search.beside_others)(of, last.otherwise, price, deadline=end)
            for search, of, end in zip(
                self._searches, last.formulas, self._ends(deadline)
            )
        )
        return self._option(price, last.otherwise, formulas)

    def _ends(self, deadline):
        """Yield the time for the end of each fold, when its search begins."""
        for n_left in range(len(self._searches), 0, -1):
            yield part_of_time(deadline, n_left)

    def _option(self, price, otherwise, formulas):
        """Return an option, measured by the formulas of all folds."""
        is_wrong = np.concatenate(
            [
                predicted(rows.fires(rules), rules, otherwise) != rows.labels
                for rows, rules in zip(self._others, formulas)
            ]
        )
        return Option(
            price=price,
            otherwise=otherwise,
            is_wrong=is_wrong,
            error=float(np.average(is_wrong, weights=self.weights)),
            n_literals=sum(map(n_literals, formulas)) / len(formulas),
            formulas=formulas,
        )


# Effort of the search on all rows, for each class.
_SEEDS, _WORK = 200, 1 << 26


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
        Price of a rule and of a literal, in samples of mean weight.
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


def learn_rule_list(classifier, samples, limits, folds, terms=None):
    """Return the RuleList of samples.

    Parameters
    ----------
    classifier : DNFClassifier
        With its parameters and `classes_`. Price and default class are chosen by the
        folds unless they are given.
    samples : Samples
        With at least one row of a positive weight.
    limits : dict
        Limits of a RuleProblem, by name, for the rules of each class; `max_literals` is
        also that of all together.
    folds : list of (ndarray of int, ndarray of int)
        Rows to learn from, and rows to predict.
    terms : list of lists of Term, default=None
        Candidates of each class.
    """
    price, otherwise = classifier.price, classifier.otherwise
    price = None if price == "auto" else float(price)
    if otherwise is not None:
        otherwise = classifier._position_of(otherwise, "otherwise")
    max_time, options = classifier.max_time, []
    end = None if max_time is None else monotonic() + max_time
    if folds and (price is None or otherwise is None):
        held_out = HeldOutRules(samples, folds, limits, classifier.n_jobs)
        choice, options = held_out.choice(price, otherwise, part_of_time(end, 2))
        price, otherwise = choice.price, choice.otherwise
    price = first_price(samples) if price is None else price
    if otherwise is None:
        otherwise = int(np.bincount(samples.labels, samples.weights).argmax())
    # The rules of one class have no others beside them.
    n_passes = 1 if samples.n_classes == 2 else 2
    effort = {"n_seeds": _SEEDS, "work": _WORK // n_passes}
    search = ListSearch(samples, limits, terms, **effort)
    most = limits["max_literals"]
    if end is not None:
        end = max(end, monotonic() + 0.1 * max_time)
    formulas = search.against_rest(price, otherwise, part_of_time(end, n_passes))
    if n_passes > 1:
        formulas = search.beside_others(formulas, otherwise, price, deadline=end)
        if n_literals(formulas) > most:
            # The rules of each class are learnt again, with a limit of its own.
            fewer = search.shortened(formulas, otherwise, most)
            formulas = search.beside_others(
                fewer, otherwise, price, deadline=end, are_limited=True
            )
    shaped = {k: simplified(terms, samples.columns) for k, terms in formulas.items()}
    return RuleList(
        formulas=[(k, terms) for k, terms in shaped.items() if terms],
        otherwise=otherwise,
        price=price,
        searches=search.found,
        options=options,
    )
