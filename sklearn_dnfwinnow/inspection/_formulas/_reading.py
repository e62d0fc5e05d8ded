"""Reading: what a model says of samples, as a problem of choosing rules for a class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from time import monotonic

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.inspection._formulas._finer_cuts import FinerCodes
from sklearn_dnfwinnow.inspection._formulas._open_ends import with_open_ends
from sklearn_dnfwinnow.inspection._formulas._rule_literals import RuleLiterals
from sklearn_dnfwinnow.inspection._formulas._varied_rows import varied_rows
from sklearn_dnfwinnow.inspection._heavy_terms import heavy_terms
from sklearn_dnfwinnow.inspection._rule_measures import LabelledRows
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._learning._problem import RuleProblem
from sklearn_dnfwinnow.rules._learning._rule_search import best_rule_set

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


class Reading:
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
        max_time = None if deadline is None else max(deadline - monotonic(), 0.0)
        found = best_rule_set(problem, pool, max_time=max_time)
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
        dnf = DNF(
            terms=[with_open_ends(term, decoder.preimages) for term in terms],
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
