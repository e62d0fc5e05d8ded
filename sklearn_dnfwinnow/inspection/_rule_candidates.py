"""Rule candidates: the literals and rows from which short rules of a model are made."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
from scipy.special import softmax
from sklearn.tree import DecisionTreeClassifier

from sklearn_dnfwinnow._encoding._columns import numbers_of
from sklearn_dnfwinnow._encoding._cuts import are_counts, short
from sklearn_dnfwinnow._encoding._encoding import DerivedColumn, derived_columns
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow.inspection._preimages import (
    CategoricalPreimage,
    CutText,
    NumericPreimage,
)
from sklearn_dnfwinnow.inspection._terms import LabelledRows, heavy_terms
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._rule_problem import RuleProblem
from sklearn_dnfwinnow.rules._rule_search import best_rule_set
from sklearn_dnfwinnow.rules._shape import Extent, rounded
from sklearn_dnfwinnow.rules._term import Term

# Ends of intervals, see `RuleProblem`.
_ENDS = {">": 1, "<=": -1}


class RuleLiterals:
    """Literals as pairs of a DerivedColumn and a code in it.

    These are the literals of the model, and each value of an attribute, its complement,
    and both sides of each cut between its numbers, so that rules contain intervals of
    any width. Of literals that the same values satisfy, there is one.

    Parameters
    ----------
    encoding : Encoding
    finer : FinerCodes

    Attributes
    ----------
    pairs : list of (DerivedColumn, int)
    places : dict of (int, int) to int
        Place in `pairs` of each literal of the model, a column and a code.
    """

    def __init__(self, encoding, finer):
        columns = []
        for number, column in enumerate(encoding.columns):
            of_finer = column.codes[finer.bases[column.attribute]]
            columns.append((number, column._replace(codes=of_finer)))
        for j, values in enumerate(encoding.categories):
            more = derived_columns(j, values, literals="ordered")
            if isinstance(finer.preimages[j], NumericPreimage):
                more = _sides(j, finer.preimages[j], len(finer.bases[j]))
            columns += [(None, column) for column in more]
        self.pairs, self.places, known = [], {}, {}
        for number, column in columns:
            for code in range(1, len(column.relations) + 1):
                key = column.attribute, (column.codes == code).tobytes()
                if key not in known:
                    known[key] = len(self.pairs)
                    self.pairs.append((column, code))
                if number is not None:
                    self.places[number, code] = known[key]

    @property
    def features(self):
        """Return the attribute of each literal: (n_literals,), int."""
        return np.array([column.attribute for column, _ in self.pairs], dtype=np.int64)

    @property
    def ends(self):
        """Return which end of an interval each literal is: (n_literals,), int."""
        relations = [column.relations[code - 1] for column, code in self.pairs]
        return np.array([_ENDS.get(one, 0) for one in relations], dtype=np.int64)

    def most_different(self, codes, gains, n, least):
        """Return the places of literals that tell rows to cover from others, ascending.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_features), int32
        gains : ndarray of shape (n_rows,), float64
            Negative for rows that should not be covered.
        n : int
            Number of literals at most: those that the most different shares of both
            kinds of rows satisfy.
        least : float
            Each literal has to be satisfied by rows of a larger gain.
        """
        totals = [
            [
                np.bincount(
                    of_one, weights=of_kind, minlength=of_one.max(initial=0) + 1
                )
                for of_kind in (np.maximum(gains, 0.0), np.maximum(-gains, 0.0))
            ]
            for of_one in codes.T
        ]
        sums = np.zeros((len(self.pairs), 2))
        for place, (column, code) in enumerate(self.pairs):
            for kind, total in enumerate(totals[column.attribute]):
                sums[place, kind] = total[(column.codes == code)[: len(total)]].sum()
        shares = sums / np.maximum(np.abs(gains).sum(), 1e-300)
        shares /= np.maximum(shares.max(axis=0, initial=0.0), 1e-300)
        places = np.flatnonzero(sums[:, 0] > least)
        difference = np.abs(shares[places, 0] - shares[places, 1])
        return np.sort(places[np.argsort(-difference, kind="stable")[:n]])

    def holds(self, codes, places):
        """Return which rows satisfy which literals.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_features), int32
        places : ndarray of shape (n_literals,), int
            Of the literals.

        Returns
        -------
        holds : ndarray of shape (n_rows, n_literals), bool
        """
        holds = np.empty((len(codes), len(places)), dtype=bool)
        for i, (column, code) in enumerate(self.pairs_of(places)):
            holds[:, i] = (column.codes == code)[codes[:, column.attribute]]
        return holds

    def covered(self, rule, codes):
        """Return which rows a rule, places of literals, covers: (n_rows,), bool."""
        covered = np.ones(len(codes), dtype=bool)
        for column, code in self.pairs_of(rule):
            covered &= (column.codes == code)[codes[:, column.attribute]]
        return covered

    def pairs_of(self, rule):
        """Return the literals of a rule, given by their places."""
        return [self.pairs[place] for place in rule]

    def rule(self, term):
        """Return the places of the literals of a HeavyTerm, ascending."""
        return tuple(sorted({self.places[pair] for pair in term.literals}))


def _sides(attribute, preimage, n_codes):
    """Return a DerivedColumn for each cut of numbers, with both sides.

    Those of which a code is on both sides are passed over.
    """
    columns = []
    for i in range(1, len(preimage.codes)):
        below, above = set(preimage.codes[:i]) - {0}, set(preimage.codes[i:]) - {0}
        if below and above and not below & above:
            codes = np.zeros(n_codes, dtype=np.int32)
            codes[list(below)], codes[list(above)] = 1, 2
            columns.append(DerivedColumn(attribute, codes, ("<=", ">"), max(below)))
    return columns


# Intervals of a column, and the number of samples in each, at least.
_MOST_INTERVALS, _FEWEST = 12, 5


class FinerCodes:
    """Codes of samples, of which those of a model are functions.

    At first they are no finer than those of the model.

    Parameters
    ----------
    decoder : TermDecoder
    codes : ndarray of shape (n_samples, n_features), int32
        Codes of the model; `refine` changes them.

    Attributes
    ----------
    codes : ndarray of shape (n_samples, n_features), int32
    bases : list of ndarray
        For each attribute, the code of the model of each finer code.
    preimages : list of CategoricalPreimage or NumericPreimage
        The values with each finer code.
    """

    def __init__(self, decoder, codes):
        categories = decoder.model.encoding.categories
        self.codes = codes
        self.bases = [np.arange(len(values) + 1) for values in categories]
        self.preimages = list(decoder.preimages)

    def refine(self, columns, own, other):
        """Make codes finer, for attributes that are intervals.

        Parameters
        ----------
        columns : list of ndarray of shape (n_samples,)
            What the literals refer to, see `TermDecoder.columns`.
        own, other : ndarray of shape (n_samples,), float64
            Weight of each sample in the class, and in others.
        """
        for j, preimage in enumerate(self.preimages):
            if not isinstance(preimage, NumericPreimage):
                continue
            numbers = numbers_of(columns[preimage.column])
            more = numbers is not None and _cuts(numbers, own, other, preimage.cuts)
            if more:
                finer, base = _refined(preimage, more)
                self.preimages[j], self.bases[j] = finer, base
                self.codes[:, j] = finer.codes_of(columns[preimage.column])


def _cuts(numbers, own, other, known):
    """Return the texts of cuts between values that no known cut lies between: dict."""
    is_present = ~np.isnan(numbers)
    values, places = np.unique(numbers[is_present], return_inverse=True)
    if len(values) < 2 or not own.sum() > 0 or not other.sum() > 0:
        return {}
    own, other = (
        np.bincount(places, weights=weights[is_present], minlength=len(values))
        for weights in (own, other)
    )
    # Ranks: the tree rounds numbers to float32.
    ranks = np.arange(len(values), dtype=np.float64)[:, None]
    mean = (own.sum() + other.sum()) / len(numbers)
    tree = DecisionTreeClassifier(max_leaf_nodes=_MOST_INTERVALS, random_state=0)
    # Both classes have the same weight.
    weights = np.concatenate([own / own.sum(), other / other.sum()])
    tree.fit(
        np.vstack([ranks, ranks]),
        np.repeat([1, 0], len(values)),
        sample_weight=weights,
    )
    thresholds = np.sort(tree.tree_.threshold[tree.tree_.feature >= 0])
    below = np.floor(thresholds).astype(int)
    totals = np.cumsum(own + other) / mean
    is_wide = (totals[below] >= _FEWEST) & (totals[-1] - totals[below] >= _FEWEST)
    below = np.unique(below[is_wide])
    is_new = np.searchsorted(known, values[below]) == np.searchsorted(
        known, values[below + 1]
    )
    texts = {}
    for low, high in zip(values[below[is_new]], values[below[is_new] + 1]):
        text = short(low + (high - low) / 2, low, high)
        if low <= float(text) < high:
            texts[float(text)] = CutText(text)
    return texts


def _refined(preimage, more):
    """Return a preimage with more cuts, and the former code of each of its codes."""
    texts = {cut: preimage.text(i) for i, cut in enumerate(preimage.cuts.tolist())}
    texts.update(more)
    cuts = np.array(sorted(texts))
    # Of intervals, in order; a missing value has a code of its own.
    former = preimage.codes[np.searchsorted(preimage.cuts, np.append(cuts, np.inf))]
    codes = np.where(former > 0, np.cumsum(former > 0), 0)
    base = np.concatenate([[0], former[former > 0], [preimage.missing]])
    finer = NumericPreimage(
        column=preimage.column,
        cuts=cuts,
        codes=codes,
        missing=len(base) - 1 if preimage.missing else 0,
        texts=[texts[cut] for cut in cuts.tolist()],
    )
    return finer, base


def as_rule(term, preimages):
    """Return a term of a model as a rule, which says exactly what it means.

    Of counts that are not cut, ``calls = 2`` in a model stands for all numbers that are
    nearest to 2, and ``calls > 2`` for all above 2.5. The rules are ``calls = 2`` and
    ``calls >= 3``.

    Parameters
    ----------
    term : Term
    preimages : list of CategoricalPreimage or NumericPreimage
        Of the attributes of the model.
    """
    known = {
        preimage.column: preimage.present
        for preimage in preimages
        if isinstance(preimage, CategoricalPreimage) and preimage.cuts is not None
    }
    return Term(_exact(x, sorted(known.get(x.column, ()))) for x in term.literals)


def _exact(literal, known):
    """Return a literal on known numbers as one that compares with counts as such."""
    if not known or not literal.intervals:
        return literal
    if literal.relation != "=":
        (exact,) = rounded([Term([literal])], {literal.column: np.array(known, float)})
        return exact.literals[0]
    values = tuple(filter(Extent.of(literal).contains, known))
    place = known.index(values[0])
    if len(values) > 1 or not are_counts(known[max(place - 1, 0) : place + 2]):
        return literal
    return replace(literal, values=values, intervals=None)


# Fraction of the values of a varied row that are drawn again.
_CHANGED = 0.1


def varied_rows(codes, weights, n_rows, sources):
    """Return rows of codes, of which some columns are those of other rows.

    They are a function of the distribution of the rows, whatever their order.

    Parameters
    ----------
    codes : ndarray of shape (n_distinct, n_columns), int
        Distinct rows, in lexicographic order.
    weights : ndarray of shape (n_distinct,), float64
    n_rows : int
    sources : ndarray of shape (n_columns,), int
        Columns of the same source change together.

    Returns
    -------
    varied : ndarray of shape (n_rows, n_columns), int
    """
    rng = np.random.default_rng(0)
    ends = np.cumsum(weights)

    def drawn(points):
        places = np.searchsorted(ends, points * ends[-1], side="right")
        return np.minimum(places, len(codes) - 1)

    varied = codes[drawn((np.arange(n_rows) + 0.5) / n_rows)]
    for source in np.unique(sources):
        rows = np.flatnonzero(rng.random(n_rows) < _CHANGED)
        others = drawn(rng.random(len(rows)))
        for j in np.flatnonzero(sources == source):
            varied[rows, j] = codes[others, j]
    return varied


# Number of top-weighted terms of the class that are candidates.
_OF_CLASS = 100
# Maximum number of distinct rows of each kind, to cover or not, that rules are learned
# from. If there are more, evenly spaced ones have the weight of all.
_MOST_ROWS = 3000
# Samples that varied rows fill up to, so that many samples have none. A sample has two
# at most, which together weigh as much as it.
_ENOUGH, _VARIED = 2000, 2
# Maximum number of cells of a table of these rows and of literals.
_MOST_CELLS = 1 << 24


class RuleData:
    """Rows to learn rules of a class from, with the literals of these rules.

    Parameters
    ----------
    decoder : TermDecoder
    k : int
        The class.
    rows : LabelledRows
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features) or None
    is_labelled : bool
        Whether the classes of the samples are known.

    Attributes
    ----------
    decoder, k, rows, X, is_labelled
        As given, but for rows, and a decoder, of finer codes.
    predicted : ndarray of shape (n_rows,), bool
        Whether the model predicts the class.
    own : ndarray of shape (n_rows,), float64
        Expected weight of each row in the class.
    weights : ndarray of shape (n_rows,), float64
        Weight of each row.
    varied : tuple of ndarrays
        See `_varied`.
    literals : RuleLiterals
    pool : list of tuple of int
        Top-weighted terms of the model.
    """

    def __init__(self, decoder, k, rows, X, *, is_labelled):
        model = decoder.model
        shares, predicted = _shares(model, k, rows.codes)
        if X is None:
            finer = FinerCodes(decoder, rows.codes)
        else:
            places = rows.places
            shares, predicted = shares[places], predicted[places]
            own = shares
            if is_labelled:
                own = 0.5 * (own + (rows.labels == k))
            own = own * rows.sample_weights
            finer = FinerCodes(decoder, rows.codes[places])
            finer.refine(decoder.columns(X), own, rows.sample_weights - own)
            rows = LabelledRows.from_samples(
                finer.codes, rows.labels, rows.sample_weights, len(decoder.classes)
            )
            first = np.empty(len(rows.codes), dtype=np.intp)
            first[rows.places] = np.arange(len(rows.places))
            shares, predicted = shares[first], predicted[first]
        self.decoder = replace(decoder, preimages=finer.preimages)
        self.k, self.rows, self.X = k, rows, X
        self.is_labelled = is_labelled
        self.predicted = predicted
        self.weights = rows.weights.sum(axis=1)
        self.own = shares * self.weights
        if is_labelled:
            self.own = 0.5 * (self.own + rows.weights[:, k])
        self.varied = _varied(model, k, rows, finer)
        self.literals = RuleLiterals(model.encoding, finer)
        found = heavy_terms(model, k, _OF_CLASS)
        self.pool = [self.literals.rule(term) for term in found]

    @property
    def n_samples(self):
        """Return the number of samples with a weight, or of stored examples."""
        if self.rows.sample_weights is None:
            return len(self.rows.codes)
        return np.count_nonzero(self.rows.sample_weights)

    @property
    def odds_against(self):
        """Return the expected weight of all other classes, relative to the class."""
        own = self.own.sum()
        return (self.weights.sum() - own) / own if own > 0 else 0.0

    def best_rules(self, miss_cost, limits, deadline):
        """Return the best RuleSet for a cost of missed samples."""
        of_samples = self.rows.codes, self.own, self.weights
        codes, own, weights = map(np.concatenate, zip(of_samples, self.varied))
        gains = miss_cost * own - (weights - own)
        # Limits refer to samples alone.
        nothing = np.zeros(len(codes) - len(self.rows.codes))
        supports = np.concatenate([self.weights, nothing])
        of_class = np.concatenate([self.rows.weights[:, self.k], nothing])
        some, factors = _some_rows(gains)
        # A price is in errors, of which the more expensive kind counts.
        for name in ("rule_price", "literal_price"):
            limits = {**limits, name: limits[name] * max(miss_cost, 1.0)}
        # Of many literals, those that cover too little are not even listed.
        codes = codes[some]
        places = self.literals.most_different(
            codes,
            gains[some] * factors,
            n=max(_MOST_CELLS // max(len(some), 1), 100),
            least=limits["rule_price"] + limits["literal_price"],
        )
        place_of = {place: i for i, place in enumerate(places.tolist())}
        pool = [
            tuple(place_of[place] for place in rule)
            for rule in self.pool
            if all(place in place_of for place in rule)
        ]
        problem = RuleProblem(
            holds=self.literals.holds(codes, places),
            gains=gains[some] * factors,
            features=self.literals.features[places],
            ends=self.literals.ends[places],
            weights=supports[some] * factors,
            own_weights=of_class[some] * factors,
            **limits,
        )
        found = best_rule_set(problem, pool, deadline=deadline)
        rules = tuple(tuple(places[list(rule)].tolist()) for rule in found.rules)
        return replace(found, rules=rules)

    def covered(self, rules):
        """Return which rows some rule covers."""
        covered = np.zeros(len(self.rows.codes), dtype=bool)
        for rule in rules:
            covered |= self.literals.covered(rule, self.rows.codes)
        return covered

    def f1_of(self, rules):
        """Return the expected F1 score of rules."""
        covered = self.covered(rules)
        both = self.weights[covered].sum() + self.own.sum()
        return 2 * self.own[covered].sum() / both if both > 0 else 0.0

    def dnf(self, found):
        """Return the DNF of a RuleSet, with its scores."""
        decoder, rows, k = self.decoder, self.rows, self.k
        classes = decoder.classes
        terms = [decoder.term_of(self.literals.pairs_of(r)) for r in found.rules]
        terms = [as_rule(term, decoder.preimages) for term in terms]
        columns = [np.zeros(0)] * len(decoder.table_features)
        if self.X is not None:
            columns = decoder.columns(self.X)
        dnf = DNF(
            # Text and formula have the same numbers.
            terms=[
                Term(x.as_printed(columns[x.column]) for x in term.literals)
                for term in terms
            ],
            class_=classes[k],
            otherwise=classes[1 - k] if len(classes) == 2 else None,
            features=decoder.table_features,
            transformed_by=decoder.transformed_by,
        )
        if self.X is None:
            holds, predicted = self.covered(found.rules), self.predicted
            weights = self.weights
        else:
            # Only the formula is evaluated: for values that do not occur in the
            # training data, it can differ from the model.
            holds = dnf.holds(decoder.table(self.X), transformed=True)
            predicted, weights = self.predicted[rows.places], rows.sample_weights
        scores = {"fidelity": _mean(holds == predicted, weights)}
        if self.is_labelled:
            of_class = rows.labels == k
            scores["accuracy"] = _mean(holds == of_class, weights)
            scores["accuracy_of_model"] = _mean(predicted == of_class, weights)
            scores["precision"] = _mean(of_class, weights * holds)
            scores["recall"] = _mean(holds, weights * of_class)
        scores.update(objective=found.objective, bound=found.bound, gap=found.gap)
        return replace(dnf, scores=scores)

    def why_none(self, limits):
        """Return why there is no rule, and what to try."""
        name = shown(self.decoder.classes[self.k])
        reason = "is right more often than wrong"
        if not self.own.sum() > 0:
            reason = "was found: no sample is in the class, or is likely to be"
        elif limits["min_support"] > 0 or limits["min_precision"] > 0:
            reason = "is within the limits min_support and min_precision"
        return (
            f"No rule for {name} {reason}. Try miss_cost, a smaller price, "
            "class_weight='balanced', cuts with "
            "ClassEntropyDiscretizer(selection='mdl'), or X with more samples of the "
            "class; or list terms(..., X=X, y=y) by precision. See the user guide, "
            "'Rare classes'."
        )


def _varied(model, k, rows, finer):
    """Return variations of samples, none if only stored examples are known.

    Returns
    -------
    codes : ndarray of shape (n_rows, n_features), int32
    own, weights : ndarrays of shape (n_rows,), float64
        Expected weight of each row in the class, and its weight.
    """
    n_samples = 0 if rows.places is None else np.count_nonzero(rows.sample_weights)
    n_rows = _VARIED * min(n_samples, _ENOUGH - n_samples)
    if n_rows <= 0:
        return rows.codes[:0], np.zeros(0), np.zeros(0)
    codes = varied_rows(
        rows.codes,
        rows.weights.sum(axis=1),
        n_rows=n_rows,
        sources=np.array([preimage.column for preimage in finer.preimages]),
    )
    former = [base[of_one] for base, of_one in zip(finer.bases, codes.T)]
    shares, _ = _shares(model, k, np.column_stack(former).astype(np.int32))
    weight = rows.weights.sum() / (_VARIED * n_samples)
    return codes, weight * shares, np.full(n_rows, weight)


def _shares(model, k, codes):
    """Return the probability of a class for rows, and whether it is predicted."""
    scores = model.estimate_log_sums(codes)[0] - model.log_thresholds
    shares = softmax(model.scale * scores, axis=1)[:, k]
    return shares, scores.argmax(axis=1) == k


def _some_rows(gains):
    """Return positions of rows with gains, and the factors of their weights.

    All rows, or evenly spaced ones of a kind, to be covered or not, that has too many.
    """
    some, factors = [], []
    for rows in (np.flatnonzero(gains > 0), np.flatnonzero(gains < 0)):
        n = min(len(rows), _MOST_ROWS)
        places = rows[np.linspace(0, len(rows) - 1, n).astype(int)]
        total, kept = np.abs(gains[rows]).sum(), np.abs(gains[places]).sum()
        some.append(places)
        factors.append(np.full(n, total / kept if n < len(rows) else 1.0))
    return np.concatenate(some), np.concatenate(factors)


def _mean(is_right, weights):
    """Return the weighted fraction of rows; 0 if their weight is 0."""
    total = weights.sum()
    return float((weights * is_right).sum() / total) if total > 0 else 0.0
