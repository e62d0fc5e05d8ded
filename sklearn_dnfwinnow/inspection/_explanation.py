"""Explanation: the prediction of a row, and the reasons for it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._utils._compat import StrOptions, validate_params
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._records import as_table
from sklearn_dnfwinnow.inspection._attribute_shares import shares_of_rows
from sklearn_dnfwinnow.inspection._explanation_html import explanation_html
from sklearn_dnfwinnow.inspection._explanation_sections import (
    SHARES,
    class_sections,
    effects_section,
    headline,
    with_error,
)
from sklearn_dnfwinnow.inspection._heavy_terms import (
    POSITIVE,
    SEARCH_CONSTRAINTS,
    TERM_COLUMNS,
    heavy_terms,
)
from sklearn_dnfwinnow.inspection._shapley._attribute_game import (
    PERMUTATIONS,
    game_values,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder

# Features whose effects are printed.
_MOST_FEATURES = 8


@dataclass(frozen=True, eq=False)
class Explanation:
    """The prediction of one row, the features that it depends on, and its terms.

    :func:`explain` makes explanations. `print` shows the predicted and the next class
    with their probabilities, the largest effects of features, and the terms of the
    leading classes; a notebook shows the same as a table with bars.

    Parameters
    ----------
    row : int
        Position of the row in the X that was explained.

    classes : ndarray of shape (n_classes,)
        Class labels.

    scores : ndarray of shape (n_classes,), float64
        log W - log theta of each class, natural logarithms.

    std_errors : ndarray of shape (n_classes,), float64
        Standard errors of `scores`, which are relative standard errors of W: 0 where
        the sum is exact.

    scale : float
        `scale_` of the classifier, by which scores become probabilities.

    n_listed : int
        How many classes have their terms in `records`: those of the highest scores.

    records : list of dict
        The heaviest terms of these classes that the row satisfies, the highest score
        first: 'class', 'term', its 'size' in literals, its 'exponent' (net promotions),
        'log_weight', and 'share' of W. The shares of all terms of a class sum to 1; the
        terms that are not listed have the rest. ``(baseline)`` is the empty term, which
        every row satisfies.

    features : tuple of str
        Names of the features.

    values : tuple of str or None
        The literal that the row satisfies for each feature; None where unspecified.

    attribute_shares : ndarray of shape (n_classes, n_features), float64
        Share of W of the terms that mention a feature: what W loses where the feature
        is unspecified. A term mentions several, so these do not sum to 1.

    share_errors : ndarray of shape (n_classes, n_features), float64
        Standard errors of `attribute_shares`, 0 where exact.

    transformed_by : tuple of str, default=()
        Names of the transformers whose output the features are. Empty if they are
        columns of the table that was explained.

    method : {'leave_one_out', 'shapley'}, default='leave_one_out'
        What `attribute_effects` are.

    shapley_values : ndarray of shape (n_classes, n_features), default=None
        Shapley values of `scores`: for each class they sum to the score less its base
        value. These three are None unless `method` is 'shapley'.

    base_values : ndarray of shape (n_classes,), default=None
        Scores of a row with no feature known.

    shapley_errors : ndarray of shape (n_features,), default=None
        Standard errors of the Shapley values of `log_odds`, 0 where exact.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> (explanation,) = clf.explain(X[:1], top=2)
    >>> print(explanation)
    row 0: predicted 1 (p > 0.99; next: 0, p < 0.01)
      effects on the log-odds (natural log), 6 of 6 features shown
        +11.35  a2 = 1
         +9.85  a1 = 1
         -2.19  a5 = 3
         -1.29  a3 = 1
         -1.11  a6 = 1
         -0.64  a4 = 1
        the log-odds are 6.70; leave-one-out effects do not add up to them
      class 1 (p > 0.99): shares of its weighted sum
         75.1%  a1 = 1 & a2 = 1
          3.4%  a1 = 1 & a2 = 1 & a6 = 1
         21.6%  all other terms
      class 0 (p < 0.01): shares of its weighted sum
         17.9%  (baseline)
         16.0%  a5 = 3
         66.1%  all other terms
    <BLANKLINE>
    """

    row: int
    classes: np.ndarray
    scores: np.ndarray
    std_errors: np.ndarray
    scale: float
    n_listed: int
    records: list
    features: tuple
    values: tuple
    attribute_shares: np.ndarray
    share_errors: np.ndarray
    transformed_by: tuple = ()
    method: str = "leave_one_out"
    shapley_values: np.ndarray | None = None
    base_values: np.ndarray | None = None
    shapley_errors: np.ndarray | None = None

    @property
    def prediction(self):
        """Return the class of the highest score, the first of them in a tie."""
        return self.classes.tolist()[self.ranking[0]]

    @property
    def ranking(self):
        """Return the indices of the classes, those of the highest scores first."""
        return _ranking(self.scores)

    @property
    def probabilities(self):
        """Return the probabilities of the classes, as by `predict_proba`.

        Of shape (n_classes,): the softmax of `scale` times `scores`. They are
        calibrated if `fit` chose `scale_` with folds. Else `scale_` is 1, and they are
        not.
        """
        return softmax(self.scale * self.scores)

    @property
    def log_odds(self):
        """Return the natural logarithm of the odds of the predicted class to the next.

        The odds are the ratio of the two probabilities, so this is `scale` times the
        difference of the two scores.
        """
        return float(self._log_odds_of(self.scores))

    @property
    def log_odds_error(self):
        """Return the standard error of `log_odds`, 0 if exact."""
        return float(self.scale * np.hypot(*self.std_errors[self.ranking[:2]]))

    @property
    def terms(self):
        """Return `records` as a data frame where pandas is installed."""
        return as_table(self.records, TERM_COLUMNS)

    @property
    def base_value(self):
        """Return `log_odds` with no feature known; None unless by Shapley values."""
        if self.method != "shapley":
            return None
        return float(self._log_odds_of(self.base_values))

    @property
    def attribute_effects(self):
        """Return the part that each feature has in `log_odds`: (n_features,).

        At +0.69 the feature doubles the odds of the predicted class against the next; a
        negative effect favours the next class. By leave-one-out it is by how much
        `log_odds` would shrink were the feature alone unspecified, and effects do not
        add up to `log_odds`. Shapley values and `base_value` do.
        """
        if self.method == "shapley":
            return self._log_odds_of(self.shapley_values)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._log_odds_of(-np.log1p(-self.attribute_shares))

    @property
    def effect_errors(self):
        """Return the standard errors of `attribute_effects`, 0 where exact."""
        if self.method == "shapley":
            return self.shapley_errors
        of_two = self.ranking[:2]
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = self.share_errors[of_two] / (1.0 - self.attribute_shares[of_two])
        losses = np.where(self.share_errors[of_two] > 0, losses, 0.0)
        return self.scale * np.hypot(*losses)

    def _log_odds_of(self, scores):
        """Return the log-odds of the two leading classes, from scores or parts."""
        first, next_ = self.ranking[:2]
        return self.scale * (scores[first] - scores[next_])

    def of_class(self, class_):
        """Return the records of one class.

        Raises
        ------
        ValueError
            If `class_` is not one of the `n_listed` classes in `records`.
        """
        listed = self.classes[self.ranking[: self.n_listed]].tolist()
        if class_ not in listed:
            raise ValueError(
                f"class_={class_!r} is not among the classes whose terms are listed, "
                f"{listed}; pass n_classes=None to explain for all classes."
            )
        return [record for record in self.records if record["class"] == class_]

    def __repr__(self):
        p = self.probabilities.max()
        return (
            f"Explanation(row={self.row}, prediction={self.prediction!r}, "
            f"probability={p:.2f})"
        )

    def __str__(self):
        effects = effects_section(self, _MOST_FEATURES)
        lines = [headline(self), f"  {effects.heading}"]
        for line in effects.lines:
            number = with_error(f"{line.value:+10.2f}", line.error)
            lines.append(f"{number}  {line.text}")
        lines.append(f"    {effects.note}")
        for section in class_sections(self):
            lines.append(f"  {section.heading}: {SHARES}")
            lines += [f"{line.value:10.1%}  {line.text}" for line in section.lines]
        # A blank line follows when it is printed, which separates explanations.
        return "\n".join(lines) + "\n"

    def _repr_html_(self):
        """Return it as a small table with bars; colours are those of the page."""
        effects = effects_section(self, _MOST_FEATURES)
        return explanation_html(headline(self), effects, class_sections(self))


@validate_params(
    {
        **SEARCH_CONSTRAINTS,
        "n_classes": [POSITIVE, None],
        "method": [StrOptions({"leave_one_out", "shapley"})],
        "n_permutations": [PERMUTATIONS],
    },
    prefer_skip_nested_validation=True,
)
def explain(
    estimator,
    X,
    top=5,
    *,
    irredundant=False,
    n_classes=2,
    method="leave_one_out",
    n_permutations=100,
):
    """Explain the prediction of each row.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, dataframe} of shape (n_samples, n_features)
        Rows, as `estimator` takes them. A value that training did not have counts as
        unspecified.

    top : int, default=5
        How many terms of each class, the heaviest of those that the row satisfies.

    irredundant : bool, default=False
        Whether to leave out redundant terms, see :func:`terms`.

    n_classes : int, default=2
        List the terms of so many classes, those of the highest scores of the row. None
        is all classes; it takes longer where there are many.

    method : {'leave_one_out', 'shapley'}, default='leave_one_out'
        What the effects of features on the log-odds are: what the log-odds lose without
        the feature alone, or Shapley values, which add up to the log-odds. The latter
        take longer, see :func:`shapley_values`.

    n_permutations : int, default=100
        For Shapley values of rows that are too wide for exact ones, see
        :func:`shapley_values`.

    Returns
    -------
    explanations : list of n_samples Explanation
        Each has the position of its row in X, which it prints, and a blank line after
        it: ``print(*explain(estimator, X), sep="\\n")`` prints one after the other.
        Sums, and so probabilities, are those of the sampler 'auto', whatever the
        classifier has: exact where they can be, else estimates with standard errors.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X does not fit the estimator.

    Warns
    -----
    ConvergenceWarning
        If so many terms are nearly as heavy that the search was given up.

    See Also
    --------
    Explanation : The prediction of one row, and the reasons for it.
    ExplanationDisplay.from_estimator : One of them as a picture.
    shapley_values : Shapley values of many rows, as arrays.
    explain_interactions : The same for a BayesianInteractionClassifier.

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
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    model, classes = decoder.model, decoder.classifier.classes_
    rows, _, inverse = distinct_rows(codes)
    sums = shares_of_rows(model, rows)
    found = []
    for i, row in enumerate(rows):
        scores = sums.log_sums[i] - model.log_threshold
        listed = _ranking(scores)[:n_classes]
        records = [
            {
                "class": decoder.classes[k],
                **decoder.record(term),
                "share": float(np.exp(min(term.log_weight - sums.log_sums[i, k], 0.0))),
            }
            for k in listed
            for term in heavy_terms(model, k, top, irredundant, row)
        ]
        by_method = {}
        if method == "shapley":
            by_method = _shapley_part(model, row, scores, n_permutations)
        found.append(
            Explanation(
                row=i,
                classes=classes,
                scores=scores,
                std_errors=sums.std_errors[i],
                scale=float(model.scale),
                n_listed=len(listed),
                records=records,
                features=decoder.features,
                values=tuple(
                    str(decoder.literal(j, code)) if code else None
                    for j, code in enumerate(row)
                ),
                attribute_shares=sums.shares[i],
                share_errors=sums.share_errors[i],
                transformed_by=decoder.transformed_by,
                method=method,
                **by_method,
            )
        )
    return [replace(found[i], row=position) for position, i in enumerate(inverse)]


def _shapley_part(model, row, scores, n_permutations):
    """Return what an Explanation has by Shapley values alone, by name."""
    game = game_values(model, row, n_permutations)
    weights = np.zeros(len(scores))
    weights[_ranking(scores)[:2]] = model.scale, -model.scale
    return {
        "shapley_values": game.values,
        "base_values": game.base_values,
        "shapley_errors": game.errors(weights),
    }


def _ranking(scores):
    """Return the indices of the highest scores first, in a tie the first class."""
    return np.argsort(-scores, kind="stable")
