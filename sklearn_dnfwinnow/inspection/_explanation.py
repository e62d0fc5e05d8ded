"""Explanation: the prediction of a row, and the reasons for it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow.inspection._attribute_shares import attribute_shares_of
from sklearn_dnfwinnow.inspection._explanation_html import explanation_html
from sklearn_dnfwinnow.inspection._explanation_sections import (
    SHARES,
    class_sections,
    effects_section,
    headline,
    with_error,
)
from sklearn_dnfwinnow.inspection._records import TERM_COLUMNS, as_table
from sklearn_dnfwinnow.inspection._rule_measures import heavy_terms

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
        +14.75  a2 = 1
        +12.30  a1 = 1
         -3.97  a5 = 3
         -2.66  a3 = 1
         -2.06  a6 = 1
         -1.35  a4 = 1
        the log-odds are 10.15; leave-one-out effects do not add up to them
      class 1 (p > 0.99): shares of its weighted sum
         50.7%  a1 = 1 & a2 = 1
          4.2%  (baseline)
         45.2%  all other terms
      class 0 (p < 0.01): shares of its weighted sum
         13.8%  (baseline)
         12.0%  a5 = 3
         74.2%  all other terms
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

    @property
    def prediction(self):
        """The class of the highest score, the first of them in a tie."""
        return self.classes.tolist()[self.ranking[0]]

    @property
    def ranking(self):
        """Indices of the classes, those of the highest scores first."""
        return _ranking(self.scores)

    @property
    def probabilities(self):
        """Probabilities of the classes, as by `predict_proba`: of shape (n_classes,).

        The softmax of `scale` times `scores`. They are calibrated if `fit` chose
        `scale_` with folds. Else `scale_` is 1, and they are not calibrated.
        """
        return softmax(self.scale * self.scores)

    @property
    def log_odds(self):
        """Natural logarithm of the odds of the predicted class against the next.

        The odds are the ratio of the two probabilities, so this is `scale` times the
        difference of the two scores.
        """
        first, next_ = self.ranking[:2]
        return float(self.scale * (self.scores[first] - self.scores[next_]))

    @property
    def log_odds_error(self):
        """Standard error of `log_odds`, 0 if exact."""
        return float(self.scale * np.hypot(*self.std_errors[self.ranking[:2]]))

    @property
    def terms(self):
        """`records` as a data frame where pandas is installed."""
        return as_table(self.records, TERM_COLUMNS)

    @property
    def attribute_effects(self):
        """By how much `log_odds` would shrink were a feature unspecified.

        Each effect is that of one feature left out alone. At +0.69 the feature doubles
        the odds of the predicted class against the next; a negative effect favours the
        next class. Effects do not add up to `log_odds`. Of shape (n_features,).
        """
        first, next_ = self.ranking[:2]
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = -np.log1p(-self.attribute_shares)
            return self.scale * (losses[first] - losses[next_])

    @property
    def effect_errors(self):
        """Standard errors of `attribute_effects`, 0 where exact."""
        of_two = self.ranking[:2]
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = self.share_errors[of_two] / (1.0 - self.attribute_shares[of_two])
        losses = np.where(self.share_errors[of_two] > 0, losses, 0.0)
        return self.scale * np.hypot(*losses)

    def of_class(self, class_):
        """The records of one class.

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
        """As a small table with bars; colours are those of the page."""
        effects = effects_section(self, _MOST_FEATURES)
        return explanation_html(headline(self), effects, class_sections(self))


def explained(vocabulary, codes, top, irredundant, n_classes):
    """Explanations of some rows of codes, equal ones being computed once.

    Parameters
    ----------
    vocabulary : Vocabulary
    codes : ndarray of shape (n_rows, n_features), int32
    top : int
        Terms of each class.
    irredundant : bool
        See `TermSearch.heaviest`.
    n_classes : int or None
        Classes with terms: those of the highest scores; None is all.

    Returns
    -------
    explanations : list of n_rows Explanation
    """
    model, classes = vocabulary.model, vocabulary.classifier.classes_
    rows, _, inverse = distinct_rows(codes)
    sums = attribute_shares_of(model, rows)
    found = []
    for i, row in enumerate(rows):
        scores = sums.log_sums[i] - model.log_threshold
        listed = _ranking(scores)[:n_classes]
        records = [
            {
                "class": vocabulary.classes[k],
                **vocabulary.record(term),
                "share": float(np.exp(min(term.log_weight - sums.log_sums[i, k], 0.0))),
            }
            for k in listed
            for term in heavy_terms(model, k, top, irredundant, row)
        ]
        found.append(
            Explanation(
                row=i,
                classes=classes,
                scores=scores,
                std_errors=sums.std_errors[i],
                scale=float(model.scale),
                n_listed=len(listed),
                records=records,
                features=vocabulary.features,
                values=tuple(
                    str(vocabulary.literal(j, code)) if code else None
                    for j, code in enumerate(row)
                ),
                attribute_shares=sums.shares[i],
                share_errors=sums.share_errors[i],
                transformed_by=vocabulary.transformed_by,
            )
        )
    return [replace(found[i], row=position) for position, i in enumerate(inverse)]


def _ranking(scores):
    """Indices of the highest scores first, in a tie the first class."""
    return np.argsort(-scores, kind="stable")
