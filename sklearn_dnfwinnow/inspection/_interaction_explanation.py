"""Explanation of a prediction by the interactions that a sample satisfies."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._display import as_table, records_of
from sklearn_dnfwinnow._utils._draws import COVERAGE_CONSTRAINTS, interval_of
from sklearn_dnfwinnow._utils._estimators import (
    POSITIVE,
    InteractionModelMixin,
    validate_params,
)
from sklearn_dnfwinnow.inspection._explanation import (
    LEAST_EFFECT,
    OTHERS,
    ExplainedPrediction,
    ranking_of,
)
from sklearn_dnfwinnow.inspection._interactions import (
    by_parts,
    log_odds_of,
    parts_of,
    probabilities_of,
    summary,
)
from sklearn_dnfwinnow.inspection._sections import (
    Line,
    PrintableList,
    Section,
    in_brackets,
    probability,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder

UNSEEN = "terms without training samples"
_COLUMNS = (
    "term",
    "size",
    "n_terms",
    "mean",
    "median",
    "low",
    "high",
    "p_positive",
)


@dataclass(frozen=True, eq=False, repr=False)
class InteractionExplanation(ExplainedPrediction):
    """The prediction for one sample, by contributions of interactions and features.

    Returned by :func:`explain_interactions`. `print` shows the predicted class, its
    probability with an interval, and two decompositions of the mean log-odds of the
    predicted class against the next: by interactions and by features. A notebook shows
    the same as a table with bars.

    Contributions are means over the posterior draws, so that they add up. If terms
    separate the classes and the priors are Cauchy distributions, effects are large in
    some draws, and the means depend on these draws. Medians and intervals depend on
    them less.

    Parameters
    ----------
    row : int
        Position of the sample in X.

    classes : ndarray of shape (n_classes,)
        Class labels.

    probabilities : ndarray of shape (n_classes,), float64
        Mean probability of each class over the draws.

    probability_intervals : ndarray of shape (n_classes, 2), float64
        Both ends of the central intervals of the probabilities.

    coverage : float
        Fraction of the draws in each interval.

    log_odds : float
        Mean over the draws of the log-odds of the predicted class against the next,
        natural logarithm. It is the sum of `rest` and the 'mean' of all `records`, and
        also the sum of `base_value` and all `feature_effects`.

    log_odds_interval : ndarray of shape (2,), float64
        Both ends of the central interval of the log-odds, including the unseen terms.

    records : list of dict
        The groups with terms that the sample satisfies: first the group of the empty
        term, ``(baseline)``, and then those with the largest absolute means. 'term' is
        a shortest term of the group that the sample satisfies, 'size' its number of
        literals, and 'n_terms' the number of such terms in the group. 'mean', 'median',
        'low', 'high' and 'p_positive' summarize the draws of the contribution of these
        terms to the log-odds.

    rest : dict
        The same for the sum of all other groups, without 'size'.

    unseen : ndarray of shape (2,), float64
        Both ends of the interval of the part that the training samples do not
        determine. This includes terms that no training sample satisfies. It also
        includes the division of the effects of groups of which the sample satisfies
        only some terms. Its mean is 0. For a training sample it is 0.

    features : tuple of str
        Names of the features.

    values : tuple of str or None
        The literal that the sample satisfies for each feature; None where unspecified.

    feature_effects : ndarray of shape (n_features,), float64
        Shapley values of `log_odds`: the contribution of each term is divided equally
        among its features. Exact.

    effect_intervals : ndarray of shape (n_features, 2), float64
        Both ends of the central intervals of the effects.

    base_value : float
        `log_odds` with no known features: the contribution of the empty term.

    transformed_by : tuple of str, default=()
        Names of the transformers that produce the features. Empty if the features are
        columns of X.

    Examples
    --------
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(
    ...     max_order=2, n_draws=50, max_rhat=1.1, min_ess=50, random_state=0
    ... )
    >>> clf = clf.fit(X, y)
    >>> (explanation,) = clf.explain(X[:1], top=2)
    >>> print(explanation)  # doctest: +SKIP
    row 0: predicted 1 (p = 0.98, 0.88 to >0.99; next: 0, p = 0.02)
      contributions of terms to the mean log-odds, +15.25 [+2.00, +34.39] (natural log)
         -6.11  [-11.74, -2.15]  (baseline)
        +23.11  [+9.73, +42.49]  a1 = 1 & a2 = 1
         -1.23   [-9.34, +0.40]  a1 = 1 & a5 = 3
         -0.52   [-5.44, +3.74]  all other terms
        in brackets: intervals of 90% of the draws
      contributions of features (Shapley values), 6 of 6 shown
        +11.08  [+4.39, +20.72]  a2 = 1
        +10.94  [+3.88, +20.71]  a1 = 1
         -0.55   [-4.99, +1.25]  a5 = 3
         -0.24   [-1.91, +0.99]  a3 = 1
         +0.07   [-1.03, +1.28]  a6 = 1
         +0.06   [-0.88, +1.38]  a4 = 1
        all features and the base value, -6.11, add up to +15.25
    <BLANKLINE>
    """

    row: int
    classes: np.ndarray
    probabilities: np.ndarray
    probability_intervals: np.ndarray
    coverage: float
    log_odds: float
    log_odds_interval: np.ndarray
    records: list
    rest: dict
    unseen: np.ndarray
    features: tuple
    values: tuple
    feature_effects: np.ndarray
    effect_intervals: np.ndarray
    base_value: float
    transformed_by: tuple = ()
    # Number of classes that are compared.
    n_listed = 2

    @property
    def _merits(self):
        return self.probabilities

    @property
    def terms(self):
        """Return `records` as a data frame where pandas is installed."""
        return as_table(self.records, _COLUMNS)

    def _doubts(self):
        """Return what the headline has beside the probabilities, as text."""
        low, high = map(_end_of, self.probability_intervals[self.ranking[0]])
        return f", {low} to {high}", ""

    def _sections(self, most):
        """Return the sections of contributions: of interactions, and of features."""
        return [self._terms_section(), self._effects_section(most)]

    def _terms_section(self):
        """Return the contributions of groups, of all others, and of unseen terms."""
        lines = [_line(record, _text_of_group(record)) for record in self.records]
        rest = self.rest
        if rest["n_groups"]:
            lines.append(_line(rest, OTHERS))
        if np.abs(self.unseen).max() >= LEAST_EFFECT:
            lines.append(Line(0.0, UNSEEN, interval=tuple(self.unseen.tolist())))
        odds = f"{self.log_odds:+.2f} {in_brackets(*self.log_odds_interval)}"
        fraction = f"{100 * self.coverage:.4g}%"
        return Section(
            f"contributions of terms to the mean log-odds, {odds} (natural log)",
            lines,
            note=f"in brackets: intervals of {fraction} of the draws",
        )

    def _effects_section(self, most):
        """Return the features with the largest contributions, of either sign."""
        effects = self.feature_effects
        intervals = list(map(tuple, self.effect_intervals.tolist()))
        lines = self._largest_effects(most, interval=intervals)
        return Section(
            f"contributions of features (Shapley values), {len(lines)} of "
            f"{len(effects)} shown",
            lines,
            note=f"all features and the base value, {self.base_value:+.2f}, add up "
            f"to {self.log_odds:+.2f}",
        )


@validate_params({"top": [POSITIVE], **COVERAGE_CONSTRAINTS})
def explain_interactions(estimator, X, top=5, *, coverage=0.9):
    """Explain the prediction for each sample by interactions and features.

    The mean log-odds are a sum over the terms that the sample satisfies. The
    contributions of the terms of one group are combined. The data determine the effect
    of each group. If the sample satisfies only some terms of a group, or terms that no
    training sample satisfies, the prior determines their contributions.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples, as `estimator` takes them. A value that does not occur in the training
        data counts as unspecified.

    top : int, default=5
        Number of groups, in addition to the group of the empty term.

    coverage : float, default=0.9
        Fraction of the draws in each interval.

    Returns
    -------
    explanations : list of n_samples InteractionExplanation
        Each contains the position of its sample in X, which it prints. `print` shows
        all explanations, one after the other; an interpreter and a notebook show the
        first 20.

    Raises
    ------
    TypeError
        If `estimator` has no BayesianInteractionClassifier.
    ValueError
        If X does not fit the estimator.

    See Also
    --------
    InteractionExplanation : The prediction for one sample, and its contributions.
    interactions : The groups with the largest effects.
    ExplanationDisplay.from_estimator : An explanation as a figure.

    Examples
    --------
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import explain_interactions
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(
    ...     max_order=2, n_draws=50, max_rhat=1.1, min_ess=50, random_state=0
    ... )
    >>> clf = clf.fit(X, y)
    >>> (explanation,) = explain_interactions(clf, X[:1])
    >>> explanation.prediction
    '1'
    >>> explanation.records[1]["term"]
    'a1 = 1 & a2 = 1'
    """
    decoder, codes = TermDecoder.with_codes(estimator, X, InteractionModelMixin)
    rows, _, inverse = distinct_rows(codes)
    scores = decoder.model.sample_scores(rows)
    found = [
        _explanation(decoder, row, scores[:, i], top, coverage)
        for i, row in enumerate(rows)
    ]
    return PrintableList.of_rows(found, inverse)


def _explanation(decoder, row, scores, top, coverage):
    """Return the explanation of a row of codes, from draws of its scores."""
    model = decoder.model
    probabilities = probabilities_of(scores)
    pair = ranking_of(probabilities.mean(axis=0))[:2]
    whole = model.groups.look_up(row[None])
    groups, counts = whole.groups, whole.counts
    means = by_parts(
        model,
        len(groups),
        lambda part: log_odds_of(model.shares(groups[part], counts[part]), *pair).mean(
            axis=0
        ),
    )
    orders = (counts > 0).argmax(axis=1)
    # The empty term has a separate line; of tied terms, it is the shorter.
    is_baseline = orders == 0
    order = np.lexsort((orders, -np.abs(means), ~is_baseline))
    listed, others = np.split(order, [is_baseline.sum() + top])
    shares = log_odds_of(model.shares(groups[listed], counts[listed]), *pair)
    summaries = records_of(summary(shares, coverage))
    rest = log_odds_of(_sum_of_shares(model, groups[others], counts[others]), *pair)
    total = shares.sum(axis=1) + rest
    effects = log_odds_of(_feature_effects(model, row), *pair)
    log_odds = log_odds_of(scores, *pair)
    return InteractionExplanation(
        row=0,
        classes=decoder.classifier.classes_,
        probabilities=probabilities.mean(axis=0),
        probability_intervals=interval_of(probabilities, coverage),
        coverage=float(coverage),
        log_odds=float(total.mean()),
        log_odds_interval=interval_of(log_odds, coverage),
        records=[
            {
                "term": decoder.text(
                    satisfied_term(model.groups, groups[i], row, orders[i])
                ),
                "size": int(orders[i]),
                "n_terms": sum(map(int, counts[i])),
                **of_group,
            }
            for i, of_group in zip(listed, summaries)
        ],
        rest={
            "n_groups": len(others),
            "n_terms": sum(map(int, counts[others].ravel())),
            **records_of(summary(rest[:, None], coverage))[0],
        },
        unseen=interval_of(log_odds - total, coverage),
        features=decoder.features,
        values=decoder.texts_of_row(row),
        feature_effects=effects.mean(axis=0),
        effect_intervals=interval_of(effects, coverage),
        base_value=float(_share_of_empty_term(model, groups[is_baseline], pair)),
        transformed_by=decoder.transformed_by,
    )


def _share_of_empty_term(model, groups, pair):
    """Return the mean contribution of the empty term to the log-odds of two classes."""
    counts = np.zeros((len(groups), model.groups.max_order + 1))
    counts[:, 0] = 1
    return log_odds_of(model.shares(groups, counts), *pair).mean()


def _end_of(p):
    """Return an end of an interval as text, but never 0 or 1."""
    return probability(p).removeprefix("p ").removeprefix("= ").replace(" ", "")


def _line(record, text):
    """Return a line of a summary of draws."""
    return Line(record["mean"], text, interval=(record["low"], record["high"]))


def _text_of_group(record):
    """Return the term of a record, and the number of terms in its group."""
    n = record["n_terms"]
    if n == 1:
        return record["term"]
    return f"{record['term']} (1 of {n if n < 1e6 else f'{n:.1e}'} terms)"


def _feature_effects(model, row):
    """Return draws of the Shapley values of the features of a row.

    Given the effects of groups, the mean of the score is a sum over terms. If some of
    the features are unspecified, it is the sum over the terms without these features.
    The Shapley values of this game divide the contribution of each term equally among
    its features. Terms that no training sample satisfies have mean 0.

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
        the training samples and on `row`.
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
