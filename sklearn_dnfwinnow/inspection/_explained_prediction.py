"""ExplainedPrediction: what the explanations of both classifiers have in common."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np

from sklearn_dnfwinnow._utils._compat import num_samples, safe_indexing
from sklearn_dnfwinnow._utils._display._text import shown, transformation_notice
from sklearn_dnfwinnow.inspection._sections import (
    Line,
    Sectioned,
    probability,
    text_of,
)

OTHERS = "all other terms"
# Smaller effects are not listed, because they would be printed as 0.00.
LEAST_EFFECT = 0.005
# Maximum number of features whose effects are printed.
_MOST_FEATURES = 8


class ExplainedPrediction(Sectioned):
    """Mixin for the prediction for a sample, its probabilities and its sections.

    Classes have the fields `row`, `classes`, `probabilities`, `features`, `values`,
    `feature_effects` and `transformed_by`.
    """

    @property
    def prediction(self):
        """Return the class with the highest score; of tied classes, the first."""
        return self.classes.tolist()[self.ranking[0]]

    @property
    def ranking(self):
        """Return the indices of the classes, the highest score first."""
        return ranking_of(self._merits)

    def __repr__(self):
        return (
            f"{type(self).__name__}(row={self.row}, prediction={self.prediction!r}, "
            f"probability={self.probabilities.max():.2f})"
        )

    def __str__(self):
        # When printed, a blank line follows, which separates explanations.
        return text_of(*self._summary()) + "\n"

    def _summary(self):
        """Return the headline, and sections with the largest effects of features."""
        return self._headline(), self._sections(_MOST_FEATURES)

    def _headline(self):
        """Return the sample, the predicted and the next class, and their probabilities.

        Names the transformers if the features are not columns of the user's data.
        """
        places = self.ranking[:2]
        winner, next_ = map(shown, self.classes[places])
        p, q = map(probability, self.probabilities[places])
        of_winner, of_both = self._doubts()
        answer = f"predicted {winner} ({p}{of_winner}; next: {next_}, {q}{of_both})"
        notice = transformation_notice(self.transformed_by)
        return f"row {self.row}: {answer}" + (f"; {notice}" if notice else "")

    def _largest_effects(self, most, **uncertainties):
        """Return a Line for each feature with one of the largest effects.

        Keywords are the uncertainties of all effects, by the field of a Line.
        """
        effects = self.feature_effects
        return [
            Line(
                float(effects[j]),
                self._text_of(j),
                **{name: values[j] for name, values in uncertainties.items()},
            )
            for j in np.argsort(-np.abs(effects), kind="stable")[:most]
            if abs(effects[j]) >= LEAST_EFFECT
        ]

    def _text_of(self, j):
        """Return the literal that the sample satisfies for a feature, or why not.

        In comparison to other samples, it has an effect that a value is missing.
        """
        if self.values[j] is None:
            return f"{shown(self.features[j])}: missing or unknown"
        return self.values[j]


def explained_row(explain, estimator, X, row, **parameters):
    """Return the explanation of the sample at a position of X.

    Parameters
    ----------
    explain : callable
        `explain` or `explain_interactions`, with the other parameters of this call.

    Raises
    ------
    IndexError
        If X has no such row.
    """
    row = range(num_samples(X))[row]
    (found,) = explain(estimator, safe_indexing(X, [row]), **parameters)
    return replace(found, row=row)


def ranking_of(numbers):
    """Return indices in descending order; of tied numbers, the first comes first."""
    return np.argsort(-numbers, kind="stable")
