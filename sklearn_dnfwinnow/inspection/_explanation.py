"""Explanation: the prediction for a row, and the reasons for it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._display import (
    as_table,
    records_in,
    shown,
    transformation_notice,
)
from sklearn_dnfwinnow._utils._draws import COVERAGE_CONSTRAINTS, interval_of
from sklearn_dnfwinnow._utils._estimators import (
    POSITIVE,
    TableModelMixin,
    num_samples,
    validate_params,
)
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow.inspection._attribute_game import (
    PERMUTATIONS,
    RelativeGames,
    Scores,
)
from sklearn_dnfwinnow.inspection._sections import (
    Line,
    PrintableList,
    Section,
    Sectioned,
    in_brackets,
    probability,
    text_of,
    with_error,
)
from sklearn_dnfwinnow.inspection._shapley_values import background_of
from sklearn_dnfwinnow.inspection._steps import transform_through
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.inspection._terms import (
    has_draws,
    heavy_terms,
    parts_of,
    probabilities_of,
)
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier
from sklearn_dnfwinnow.rules._statistics import explanation

UNSEEN = "rules without training rows"
# Smaller effects are not listed, because they would be printed as 0.00.
LEAST_EFFECT = 0.005
# Maximum number of features whose effects are printed.
_MOST_FEATURES = 8
# The largest share of a sum for which the logarithm of the rest is finite.
_WHOLE = 1.0 - 2.0**-53


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Sectioned):
    """The prediction for one row, the effects of its features, and its terms.

    Returned by :func:`explain`. `print` shows the predicted and the next class with
    their probabilities, the largest effects of features on the log-odds between both,
    and either the rules of a formula that hold for the row, or the terms with the
    largest contributions to the log-odds. A notebook shows the same as a table with
    bars. All logarithms are natural.

    For a BayesianInteractionClassifier, effects and contributions are means over the
    posterior draws, so that they add up, and have intervals. If terms separate the
    classes and the priors are Cauchy distributions, effects are large in some draws,
    and the means depend on these draws. Intervals depend on them less.

    Parameters
    ----------
    row : int
        Position of the row in X.

    classes : ndarray of shape (n_classes,)
        Class labels.

    ranking : ndarray of shape (n_classes,), int
        Indices of the classes, the most probable one first.

    probabilities : ndarray of shape (n_classes,), float64
        Probabilities of the classes, as `predict_proba` returns them.

    log_odds : float
        Log-odds of the predicted class against the next.

    features : tuple of str
        Names of the features.

    values : tuple of str or None
        The literal that the row satisfies for each feature; None where unspecified.

    feature_effects : ndarray of shape (n_features,), float64
        Effect of each feature on `log_odds`. An effect of +0.69 doubles the odds of the
        predicted class against the next; a negative effect favours the next class.
        They are Shapley values: with `base_value`, they add up to `log_odds`.

    effect_errors : ndarray of shape (n_features,), float64
        Standard errors of `feature_effects`, 0 where exact.

    base_value : float
        What Shapley values are relative to: the mean log-odds of the background; for a
        BayesianInteractionClassifier, the log-odds if no feature is known.

    records : list of dict
        The rules with the largest contributions to `log_odds`, of either sign: 'term',
        its 'size' in literals, 'contribution', and the 'class' that it favours. The
        contribution is the decrease of the log-odds without the term, over all models
        of an average. 'share' is its relative contribution to the weighted sum W of
        that class. For a BayesianInteractionClassifier, 'term' is a shortest of the
        'n_terms' terms of a group that the row satisfies, and contributions have
        'contribution_low' and 'contribution_high', ends of their intervals.

    log_odds_error : float, default=0.0
        Standard error of `log_odds`, 0 if exact.

    rules : list of dict or None, default=None
        The rules of the formula that hold, in its order: 'class' and 'term'. None
        without a formula.

    otherwise : object, default=None
        The class of rows for which no rule of the formula holds, or 'not ...'.

    transformed_by : tuple of str, default=()
        Names of the transformers that produce the features. Empty if the features are
        columns of X.

    coverage : float or None, default=None
        Fraction of the draws in each interval. None if there are no draws; then all of
        the following are None, too.

    probability_intervals : ndarray of shape (n_classes, 2), float64
        Both ends of the central intervals of the probabilities.

    log_odds_interval : ndarray of shape (2,), float64
        Both ends of the interval of the log-odds, including the unseen terms.

    effect_intervals : ndarray of shape (n_features, 2), float64
        Both ends of the intervals of the effects.

    unseen : ndarray of shape (2,), float64
        Both ends of the interval of the part that the training rows do not determine:
        terms that no training row satisfies, and the division of the effects of groups
        of which the row satisfies only some terms. Its mean is 0. For a training row it
        is 0.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> print(clf.explain(X[:1], formula=clf.to_dnf("1", X=X, y=y)))
    row 0: predicted 1 (p > 0.99; next: 0, p < 0.01)
      Shapley values of the log-odds (natural log), 6 of 6 columns shown
         +0.27  average row
         +5.72  a2 = 1
         +4.31  a1 = 1
         -4.03  a5 = 3
         +0.69  a4 = 1
         -0.47  a3 = 1
         +0.22  a6 = 1
        the log-odds are +6.70, the sum of these numbers
      rules of the formula that hold
        1: a1 = 1 & a2 = 1
    <BLANKLINE>
    """

    row: int
    classes: np.ndarray
    ranking: np.ndarray
    probabilities: np.ndarray
    log_odds: float
    features: tuple
    values: tuple
    feature_effects: np.ndarray
    effect_errors: np.ndarray
    base_value: float
    records: list
    log_odds_error: float = 0.0
    rules: list | None = None
    otherwise: object = None
    transformed_by: tuple = ()
    coverage: float | None = None
    probability_intervals: np.ndarray | None = None
    log_odds_interval: np.ndarray | None = None
    effect_intervals: np.ndarray | None = None
    unseen: np.ndarray | None = None

    @property
    def prediction(self):
        """Return the most probable class; of tied classes, the first."""
        return self.classes.tolist()[self.ranking[0]]

    @property
    def terms(self):
        """Return `records` as a data frame where pandas is installed."""
        columns = "term", "size", "contribution", "class"
        return as_table(self.records, next(iter(self.records), columns))

    def to_frame(self):
        """Return the effects of the features as a data frame.

        Returns
        -------
        frame : DataFrame with n_features rows
            Requires pandas. The index has the names of the features. Columns are
            'condition', the literal that the row satisfies, or None; 'effect'; and its
            'std_error', or 'effect_low' and 'effect_high' if there are draws.
        """
        import pandas

        index = pandas.Index(self.features, name="feature", dtype=object)
        frame = pandas.DataFrame(index=index)
        frame["condition"] = pandas.Series(self.values, index, dtype=object)
        frame["effect"] = self.feature_effects
        if self.effect_intervals is None:
            frame["std_error"] = self.effect_errors
        else:
            frame["effect_low"], frame["effect_high"] = self.effect_intervals.T
        return frame

    def __repr__(self):
        return (
            f"Explanation(row={self.row}, prediction={self.prediction!r}, "
            f"probability={self.probabilities.max():.2f})"
        )

    def __str__(self):
        # When printed, a blank line follows, which separates explanations.
        return text_of(*self._summary()) + "\n"

    def _summary(self):
        """Return the headline and the sections, as they are printed."""
        effects = self._effects_section(_MOST_FEATURES)
        lines = [Line(self.base_value, self._base), *effects.lines]
        rest = self.log_odds - sum(line.value for line in lines)
        if abs(rest) >= LEAST_EFFECT:
            lines.append(Line(rest, "all other columns"))
        reasons = self._terms_section() if self.rules is None else self._rules_section()
        sections = effects._replace(lines=lines), reasons
        return self._headline(), [one for one in sections if one.lines]

    def _headline(self):
        """Return the row, the predicted and the next class, and their probabilities.

        Names the transformers if the features are not columns of the user's data.
        """
        places = self.ranking[:2]
        winner, next_ = map(shown, self.classes[places])
        p, q = map(probability, self.probabilities[places])
        if self.coverage is not None:
            low, high = map(_end_of, self.probability_intervals[places[0]])
            p = f"{p}, {low} to {high}"
        doubt = "; estimates" if self.log_odds_error else ""
        notice = transformation_notice(self.transformed_by)
        answer = f"row {self.row}: predicted {winner} ({p}; next: {next_}, {q}{doubt})"
        return f"{answer}; {notice}" if notice else answer

    def _effects_section(self, most):
        """Return the features with the largest effects, of either sign."""
        effects, intervals = self.feature_effects, self.effect_intervals
        lines = [
            Line(
                value=float(effects[j]),
                # In comparison to other rows, a missing value has an effect.
                text=self.values[j] or f"{shown(self.features[j])}: missing or unseen",
                error=float(self.effect_errors[j]),
                interval=None if intervals is None else tuple(intervals[j].tolist()),
            )
            for j in np.argsort(-np.abs(effects), kind="stable")[:most]
            if abs(effects[j]) >= LEAST_EFFECT
        ]
        return Section(
            "Shapley values of the log-odds (natural log), "
            f"{len(lines)} of {len(self.features)} columns shown",
            lines,
            note=f"the log-odds are {self._log_odds_text()}, the sum of these numbers",
        )

    def _log_odds_text(self):
        """Return the log-odds and what is known of their uncertainty."""
        text = with_error(f"{self.log_odds:+.2f}", self.log_odds_error)
        if self.coverage is None:
            return text
        interval = in_brackets(*self.log_odds_interval)
        return f"{text} {interval} (mean, and {100 * self.coverage:.4g}% of the draws)"

    @property
    def _base(self):
        """Return what Shapley values are relative to, as text."""
        return "average row" if self.coverage is None else "without any column"

    def _terms_section(self):
        """Return the rules with the largest contributions, and that of unseen terms."""
        lines = []
        for record in self.records:
            interval, text = None, record["term"]
            if self.coverage is not None:
                interval = record["contribution_low"], record["contribution_high"]
                n = record["n_terms"]
                if n > 1:
                    text += f" (1 of {n if n < 1e6 else f'{n:.1e}'} terms)"
            lines.append(Line(record["contribution"], text, interval=interval))
        if self.unseen is not None and np.abs(self.unseen).max() >= LEAST_EFFECT:
            lines.append(Line(0.0, UNSEEN, interval=tuple(self.unseen.tolist())))
        return Section("rules with the largest contributions to the log-odds", lines)

    def _rules_section(self):
        """Return the rules of the formula that hold, or what holds otherwise."""
        texts = [f"{shown(rule['class'])}: {rule['term']}" for rule in self.rules]
        texts = texts or [f"none; otherwise: {shown(self.otherwise)}"]
        lines = [Line(None, text) for text in texts]
        return Section("rules of the formula that hold", lines)


def _end_of(p):
    """Return an end of an interval as text, but never 0 or 1."""
    return probability(p).removeprefix("p ").removeprefix("= ").replace(" ", "")


@validate_params(
    {
        "top": [POSITIVE],
        "formula": [DNF, DNFClassifier, None],
        "n_permutations": [PERMUTATIONS],
        **COVERAGE_CONSTRAINTS,
    }
)
def explain(
    estimator,
    X,
    top=5,
    *,
    formula=None,
    background=None,
    n_permutations=100,
    coverage=0.9,
):
    """Explain the prediction for each row.

    Parameters
    ----------
    estimator : DNFWinnowClassifier or BayesianInteractionClassifier, or an estimator \
            with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, sparse matrix, dataframe} of shape (n_rows, n_features)
        Rows, as `estimator` takes them. A category that does not occur in the training
        data counts as unspecified.

    top : int, default=5
        Maximum number of terms: those with the largest contributions to the log-odds of
        the predicted class against the next.

    formula : DNF or DNFClassifier, default=None
        Rules, such as those of :func:`to_dnf`; a DNFClassifier must be fitted. Those
        that hold for a row are printed instead of the terms of the model.

    background : {array-like, dataframe} of shape (n_background, n_features), \
            default=None
        Rows that Shapley values of a DNFWinnowClassifier compare to, see
        :func:`shapley_values`. None uses a selection of the training rows; the first
        call after `fit` then takes up to two seconds longer. The values of a
        BayesianInteractionClassifier are exact, and have no background.

    n_permutations : int, default=100
        Number of permutations for Shapley values of rows with too many features for
        exact values, see :func:`shapley_values`.

    coverage : float, default=0.9
        Fraction of the posterior draws of a BayesianInteractionClassifier in each
        interval.

    Returns
    -------
    explanations : list of n_rows Explanation
        Each contains the position of its row in X, which it prints. `print` shows all
        explanations, one after the other; an interpreter and a notebook show the first
        20. `to_frame` of the list returns the effects of all rows as one data frame.
        Sums and probabilities are computed with the sampler 'auto', regardless of the
        sampler of the classifier: exactly if possible, otherwise as estimates with
        standard errors.

    Raises
    ------
    TypeError
        If `estimator` has neither classifier.
    ValueError
        If X, the background or the formula do not fit the estimator.

    Warns
    -----
    ConvergenceWarning
        If the search stopped early because too many terms have almost the same weight.

    See Also
    --------
    Explanation : The prediction for one row, and the reasons for it.
    ExplanationDisplay.from_estimator : An explanation as a figure.
    shapley_values : Shapley values of many rows, as arrays.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import explain
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> (explanation,) = explain(clf, X[:1])
    >>> explanation.prediction
    '1'
    >>> explanation.terms["term"][0]
    'a1 = 1 & a2 = 1'
    """
    decoder, codes = TermDecoder.with_codes(estimator, X, TableModelMixin)
    rows, _, inverse = distinct_rows(codes)
    progress = Progress(decoder.classifier)
    if has_draws(decoder.model):
        scores = decoder.model.sample_scores(rows)
        reasons = [
            _reasons_of_draws(decoder, row, scores[:, i], top, float(coverage))
            for i, row in enumerate(progress.over(rows, "explanations"))
        ]
    else:
        games = RelativeGames(
            model=decoder.model,
            payoff=Scores(),
            background=background_of(decoder, background),
            n_permutations=n_permutations,
        )
        log_sums, std_errors = decoder.model.estimate_log_sums(rows)
        scores = log_sums - decoder.model.log_thresholds
        reasons = [
            _reasons(decoder, row, scores[i], std_errors[i], games.values(row), top)
            for i, row in enumerate(progress.over(rows, "explanations"))
        ]
    found = [
        partial(
            Explanation,
            classes=decoder.classifier.classes_,
            features=decoder.features,
            values=decoder.texts_of_row(row),
            transformed_by=decoder.transformed_by,
            **of_row,
        )
        for row, of_row in zip(rows, reasons)
    ]
    rules = [{}] * len(codes)
    if formula is not None:
        rules = _rules_that_hold(formula, decoder, X)
    return PrintableList(
        found[i](row=row, **of_rule)
        for row, (i, of_rule) in enumerate(zip(inverse, rules))
    )


def _rules_that_hold(formula, decoder, X):
    """Return the rules of a formula that hold for each row, as fields: list of dict."""
    found = [[] for _ in range(num_samples(X))]
    if isinstance(formula, DNFClassifier):
        records, otherwise = formula.explain(X), formula.otherwise_
    else:
        n_steps = len(formula.transformed_by)
        names = tuple(type(step).__name__ for step in decoder.steps[:n_steps])
        if formula.transformed_by != names:
            raise ValueError(
                "formula must refer to the columns that the estimator reads; it refers "
                f"to {formula.notice}."
            )
        table = transform_through(decoder.steps[:n_steps], X)
        records = explanation([formula], table, predicted=[None] * len(found))
        otherwise = formula.otherwise
        otherwise = f"not {formula.class_}" if otherwise is None else otherwise
    for one in records_in(records):
        if one["holds"]:
            rule = {"class": one["formula"], "term": one["term"]}
            found[one["row"]].append(rule)
    return [{"rules": rules, "otherwise": otherwise} for rules in found]


# -- models with weights ---------------------------------------------------------------


def _reasons(decoder, row, scores, std_errors, values, top):
    """Return the fields of the explanation of a row of codes, but those of its text.

    Parameters
    ----------
    decoder : TermDecoder
    row : ndarray of shape (n_features,), int32
    scores, std_errors : ndarrays of shape (n_classes,)
    values : GameValues
        Shapley values of the scores.
    top : int
    """
    model, ranking = decoder.model, np.argsort(-scores, kind="stable")
    first, next_ = ranking[:2]
    weights = np.zeros(len(scores))
    weights[[first, next_]] = model.scale, -model.scale

    def log_odds_of(parts):
        return model.scale * (parts[first] - parts[next_])

    return {
        "ranking": ranking,
        "probabilities": softmax(model.scale * scores),
        "log_odds": float(log_odds_of(scores)),
        "log_odds_error": float(np.linalg.norm(weights * std_errors)),
        "feature_effects": log_odds_of(values.values),
        "effect_errors": values.errors(weights),
        "base_value": float(log_odds_of(values.base_values)),
        "records": _contributions(decoder, row, ranking[:2], top),
    }


def _contributions(decoder, row, pair, top):
    """Return the records of the rules with the largest contributions to the log-odds.

    The contribution of a term to log W is log W - log(W - w) with its weight w.
    """
    model, n_models = decoder.model, len(decoder.model.models)
    shares = defaultdict(lambda: np.zeros(2))
    contributions, sizes = defaultdict(float), {}
    for i, (k, sign) in enumerate(zip(pair, (1, -1))):
        # All models can have the same terms, and the empty one.
        found = heavy_terms(model, k, (top + 1) * n_models, row)
        of_row = model.term_shares(k, found, row[None])[:, 0].tolist()
        for term, share in zip(found, of_row):
            within = min(share / model.weights[term.model], _WHOLE)
            factor = sign * model.scale * model.factors[term.model]
            # A threshold of one model can be an interval without an end of another.
            text = str(decoder.term(term.literals)) if term.literals else ""
            sizes[text] = len(term.literals)
            shares[text][i] += share
            contributions[text] -= factor * np.log1p(-within)
    contributions.pop("", None)
    order = sorted(contributions, key=lambda text: -abs(contributions[text]))
    records = []
    for text in order[:top]:
        contribution = float(contributions[text])
        favoured = int(contribution < 0)
        records.append(
            {
                "term": text,
                "size": sizes[text],
                "contribution": contribution,
                "class": decoder.classes[pair[favoured]],
                "share": float(shares[text][favoured]),
            }
        )
    return records


# -- models with draws -----------------------------------------------------------------


def _reasons_of_draws(decoder, row, scores, top, coverage):
    """Return the fields of the explanation of a row of codes, from draws of its scores.

    Parameters
    ----------
    scores : ndarray of shape (n_draws, n_classes)
    """
    model, probabilities = decoder.model, probabilities_of(scores)
    mean = probabilities.mean(axis=0)
    ranking = np.argsort(-mean, kind="stable")
    pair = ranking[:2]
    whole = model.groups.look_up(row[None])
    groups, counts = whole.groups, whole.counts
    means = [
        _log_odds(model.shares(groups[part], counts[part]), *pair).mean(axis=0)
        for part in parts_of(model, len(groups))
    ]
    means = np.concatenate(means)
    orders = (counts > 0).argmax(axis=1)
    # Of tied terms, the shorter comes first. The empty term is what remains without
    # any feature.
    order = np.lexsort((orders, -np.abs(means), orders == 0))
    listed = order[: min(top, np.count_nonzero(orders))]
    terms = [satisfied_term(model.groups, groups[i], row, orders[i]) for i in listed]
    shares = _log_odds(model.shares(groups[listed], counts[listed]), *pair)
    lows, highs = np.moveaxis(interval_of(shares, coverage), -1, 0).tolist()
    total = _log_odds(_sum_of_shares(model, groups, counts), *pair)
    effects = _log_odds(_feature_effects(model, row), *pair)
    empty = counts[orders == 0] * np.eye(counts.shape[1])[0]
    base = _log_odds(_sum_of_shares(model, groups[orders == 0], empty), *pair)
    log_odds = _log_odds(scores, *pair)
    return {
        "ranking": ranking,
        "probabilities": mean,
        "probability_intervals": interval_of(probabilities, coverage),
        "log_odds": float(total.mean()),
        "log_odds_interval": interval_of(log_odds, coverage),
        "feature_effects": effects.mean(axis=0),
        "effect_errors": np.zeros(len(row)),
        "effect_intervals": interval_of(effects, coverage),
        "base_value": float(base.mean()),
        "records": [
            {
                "term": str(decoder.term(term)),
                "size": int(orders[i]),
                "n_terms": sum(map(int, counts[i])),
                "contribution": float(means[i]),
                "contribution_low": low,
                "contribution_high": high,
                "class": decoder.classes[pair[int(means[i] < 0)]],
            }
            for i, term, low, high in zip(listed, terms, lows, highs)
        ],
        "unseen": interval_of(log_odds - total, coverage),
        "coverage": coverage,
    }


def _log_odds(scores, first, against):
    """Return the log-odds of one class against another, from draws or parts of them.

    Parameters
    ----------
    scores : ndarray of shape (..., n_classes), float64
        With two classes, each score is a log-odds.
    first, against : int
        Indices of the classes.
    """
    if scores.shape[-1] == 2:
        return scores[..., first]
    return scores[..., first] - scores[..., against]


def _feature_effects(model, row):
    """Return draws of the Shapley values of the features of a row.

    Given the effects of groups, the mean of the score is a sum over terms. If some of
    the features are unspecified, it is the sum over the terms without these features.
    The Shapley values of this game divide the contribution of each term equally among
    its features. Terms that no training row satisfies have mean 0.

    Parameters
    ----------
    model : InteractionModel
    row : ndarray of shape (n_features,), int32
        Codes.

    Returns
    -------
    effects : ndarray of shape (n_draws, n_features, n_classes), float64
        Contributions to the scores of classes; 0 where a feature is unspecified.
    """
    known = np.flatnonzero(row)
    without = np.tile(row, (len(known), 1))
    without[np.arange(len(known)), known] = 0
    whole = model.groups.look_up(row[None])
    matches = model.groups.look_up(without)
    orders = np.maximum(np.arange(whole.counts.shape[1]), 1)
    effects = np.zeros((model.n_draws, len(row), model.n_classes))
    for i, j in enumerate(known):
        kept = slice(*matches.starts[i : i + 2])
        mention = whole.counts.copy()
        places = np.searchsorted(whole.groups, matches.groups[kept])
        mention[places] -= matches.counts[kept]
        found = mention.any(axis=1)
        effects[:, j] = _sum_of_shares(
            model, whole.groups[found], mention[found] / orders
        )
    return effects


def _sum_of_shares(model, groups, counts):
    """Return draws of the total contribution of some terms: (n_draws, n_classes)."""
    total = np.zeros((model.n_draws, model.n_classes))
    for part in parts_of(model, len(groups)):
        total += model.shares(groups[part], counts[part]).sum(axis=1)
    return total


def satisfied_term(groups, g, row, order):
    """Return a shortest term of a group that a row satisfies.

    Parameters
    ----------
    groups : InteractionGroups
    g : int
    row : ndarray of shape (n_columns,), int32
        Codes.
    order : int
        Number of literals of such a term.

    Returns
    -------
    term : tuple of (column, code)
        Sorted by column. If there are several such terms, the choice depends only on
        the training rows and on `row`.
    """
    generator = groups.generator(g)
    if all(row[column] == code for column, code in generator):
        return generator
    # A term of literals that all rows of the group satisfy belongs to the group if it
    # excludes all other rows.
    shared = [pair for pair in groups.closed_pattern(g) if row[pair[0]] == pair[1]]
    columns, codes = np.array(shared).T
    others = np.ones(len(groups.rows), dtype=bool)
    others[groups.members[groups.starts[g] : groups.starts[g + 1]]] = False
    chosen = _smallest_cover(groups.rows[others][:, columns] != codes, order)
    return tuple(sorted(shared[j] for j in chosen))


def _smallest_cover(excludes, size):
    """Return at most `size` columns such that each row has a true one, or None."""
    if not len(excludes):
        return []
    if size * excludes.sum(axis=0).max() < len(excludes):
        return None
    # At least one column has to exclude this row.
    hardest = excludes[excludes.sum(axis=1).argmin()]
    for j in np.flatnonzero(hardest).tolist():
        found = _smallest_cover(excludes[~excludes[:, j]], size - 1)
        if found is not None:
            return [j, *found]
    return None
