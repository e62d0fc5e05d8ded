"""Explanation: what a prediction is made of."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._attribute_shares import attribute_shares_of
from sklearn_dnfwinnow._explanation_html import explanation_html
from sklearn_dnfwinnow._explanation_sections import (
    class_section,
    effects_section,
    headline,
    with_error,
)
from sklearn_dnfwinnow._heavy_terms import heavy_terms
from sklearn_dnfwinnow._records import TERM_COLUMNS, as_table
from sklearn_dnfwinnow._rows import distinct_rows

# Of which the text says how much they changed.
_MOST_ATTRIBUTES = 5


@dataclass(frozen=True, eq=False)
class Explanation:
    """The terms and attributes that carry the weighted sums of one row.

    :func:`explain` makes them.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        Class labels.

    scores : ndarray of shape (n_classes,), float64
        log W - log theta of each class, natural logarithms.

    std_errors : ndarray of shape (n_classes,), float64
        Relative standard errors of W: 0 where the sum is exact.

    records : list of dict
        The heaviest terms of each class that the row satisfies: 'class', 'term', its
        'size' in literals, its 'exponent' (net promotions), 'log_weight', and 'share'
        of W. The shares of all terms of a class sum to 1; those that are not listed
        have what is left.

    features : tuple of str
        Names of the attributes.

    values : tuple of str or None
        What the row says of each attribute, as terms say it; None where unspecified.

    attribute_shares : ndarray of shape (n_classes, n_features), float64
        Share of W of the terms that mention an attribute: what W loses where the
        attribute is unspecified. A term mentions several, so these do not sum to 1.

    share_errors : ndarray of shape (n_classes, n_features), float64
        Standard errors of `attribute_shares`, 0 where exact.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> (explanation,) = clf.explain(X[:1], top=2)
    >>> print(explanation)
    prediction 1, ahead of 0 by 0.81
    class 1, score -1.57
       50.7%  a1 = 1 & a2 = 1
        4.2%  True
       45.2%  all other terms
    class 0, score -2.39
       13.8%  True
       12.0%  a5 = 3
       74.2%  all other terms
    effects on the lead of 1 over 0
       +1.18  a2 = 1
       +0.98  a1 = 1
       -0.32  a5 = 3
       -0.21  a3 = 1
       -0.16  a6 = 1
    """

    classes: np.ndarray
    scores: np.ndarray
    std_errors: np.ndarray
    records: list
    features: tuple
    values: tuple
    attribute_shares: np.ndarray
    share_errors: np.ndarray

    @property
    def prediction(self):
        """The class of the highest score, the first of them in a tie."""
        return self.classes.tolist()[self.ranking[0]]

    @property
    def ranking(self):
        """Indices of the classes, those of the highest scores first."""
        return np.argsort(-self.scores, kind="stable")

    @property
    def terms(self):
        """`records` as a data frame where pandas is installed."""
        return as_table(self.records, TERM_COLUMNS)

    @property
    def attribute_effects(self):
        """By how much the lead of the prediction over the next class would shrink.

        One number an attribute, were it unspecified: natural logarithms, as scores are;
        negative where the attribute speaks for the next class. Of shape (n_features,).
        """
        first, next_ = self.ranking[:2]
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = -np.log1p(-self.attribute_shares)
            return losses[first] - losses[next_]

    @property
    def effect_errors(self):
        """Standard errors of `attribute_effects`, 0 where exact."""
        of_two = self.ranking[:2]
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = self.share_errors[of_two] / (1.0 - self.attribute_shares[of_two])
        return np.hypot(*np.where(self.share_errors[of_two] > 0, losses, 0.0))

    def of_class(self, class_):
        """The records of one class."""
        return [record for record in self.records if record["class"] == class_]

    def __str__(self):
        classes, effects = self._sections()
        lines = [headline(self)]
        for section in classes:
            lines.append(section.heading)
            lines += [f"{line.value:8.1%}  {line.text}" for line in section.lines]
        lines += [effects.heading] * bool(effects.lines)
        for line in effects.lines:
            number = with_error(f"{line.value:+8.2f}", line.error)
            lines.append(f"{number}  {line.text}")
        return "\n".join(lines)

    def _repr_html_(self):
        """As a small table with bars; colours are those of the page."""
        return explanation_html(headline(self), *self._sections())

    def _sections(self):
        classes = [class_section(self, k) for k in self.ranking]
        return classes, effects_section(self, _MOST_ATTRIBUTES)


def explained(vocabulary, codes, top, irredundant):
    """Explanations of some rows of codes, equal ones being made once.

    Parameters
    ----------
    vocabulary : Vocabulary
    codes : ndarray of shape (n_rows, n_features), int32
    top : int
        Terms of each class.
    irredundant : bool
        See `TermSearch.heaviest`.

    Returns
    -------
    explanations : list of n_rows Explanation
    """
    model, classes = vocabulary.model, vocabulary.classifier.classes_
    rows, _, inverse = distinct_rows(codes)
    sums = attribute_shares_of(model, rows)
    made = []
    for i, row in enumerate(rows):
        records = [
            {
                "class": class_,
                **vocabulary.record(term),
                "share": float(np.exp(min(term.log_weight - sums.log_sums[i, k], 0.0))),
            }
            for k, class_ in enumerate(vocabulary.classes)
            for term in heavy_terms(model, k, top, irredundant, row)
        ]
        said = (str(vocabulary.literal(j, c)) if c else None for j, c in enumerate(row))
        made.append(
            Explanation(
                *(classes, sums.log_sums[i] - model.log_threshold, sums.std_errors[i]),
                *(records, vocabulary.features, tuple(said)),
                *(sums.shares[i], sums.share_errors[i]),
            )
        )
    return [made[i] for i in inverse]
