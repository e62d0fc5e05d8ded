"""Subjects: a fitted model, its test rows and its predictions for them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cached_property

import numpy as np
from sklearn.utils.validation import column_or_1d

from sklearn_dnfwinnow._encoding._columns import refuse_missing_labels
from sklearn_dnfwinnow._utils._estimators import (
    InteractionModelMixin,
    TermModelMixin,
    num_samples,
    safe_indexing,
)
from sklearn_dnfwinnow.inspection._steps import (
    ADJUSTERS,
    levels_of,
    steps_of,
    transform_through,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier

#: Test rows for importances: more take longer, and change little.
IMPORTANCE_ROWS = 50
_CLASSIFIERS = TermModelMixin, InteractionModelMixin, DNFClassifier


class Subject:
    """A fitted model, and what it predicts for test rows.

    Parameters
    ----------
    estimator, X_test, y_test, X, y
        See `report`.

    Attributes
    ----------
    estimator : object
    classifier : TermModelMixin, InteractionModelMixin or DNFClassifier
        The classifier in `estimator`, perhaps itself.
    steps : list of transformers
        In front of the classifier.
    X, y : training rows and the list of their classes, or None
    X_test : test rows
    y_test : list
        Their classes.
    classes : list
    actual : ndarray of shape (n_test,), int
        The index of the class of each test row, -1 if training did not have it.
    predicted : ndarray of shape (n_test,), int
    probabilities : ndarray of shape (n_test, n_classes), float64

    Raises
    ------
    TypeError
        If the estimator contains no classifier of this package.
    NotFittedError
        If it is not fitted.
    ValueError
        If rows and classes do not have the same number.
    """

    def __init__(self, estimator, X_test, y_test, X=None, y=None):
        self.estimator = estimator
        self.steps, self.classifier = steps_of(estimator, _CLASSIFIERS)
        if (X is None) != (y is None):
            raise ValueError(
                "X and y, the training samples, must be given together; got one only."
            )
        self.X, self.X_test = X, X_test
        self.y, self.y_test = None, _labels(X_test, y_test, ("X_test", "y_test"))
        self.classes = self.classifier.classes_.tolist()
        places = {label: k for k, label in enumerate(self.classes)}
        if X is not None:
            self.y = _labels(X, y, ("X", "y"))
            unknown = [label for label in dict.fromkeys(self.y) if label not in places]
            if unknown:
                raise ValueError(
                    f"y must contain classes in {self.classes}, as in `fit`; got "
                    f"{unknown}."
                )
        self.actual = np.array([places.get(label, -1) for label in self.y_test])
        predicted = estimator.predict(X_test).tolist()
        self.predicted = np.array([places[label] for label in predicted])
        self.probabilities = np.asarray(estimator.predict_proba(X_test), dtype=float)

    @property
    def n_test(self):
        """Return the number of test rows."""
        return len(self.y_test)

    @property
    def weighs_terms(self):
        """Return whether the classifier has a TermModel."""
        return isinstance(self.classifier, TermModelMixin)

    @property
    def has_table_model(self):
        """Return whether the classifier has a TableModel: all but given rules."""
        return not isinstance(self.classifier, DNFClassifier)

    @property
    def is_adjusted(self):
        """Return whether a threshold or a calibration changes the predictions."""
        return any(
            isinstance(level, ADJUSTERS)
            for level in levels_of(self.estimator, _CLASSIFIERS)
        )

    @cached_property
    def decoder(self):
        """The TermDecoder for the test rows."""
        mixin = TermModelMixin if self.weighs_terms else InteractionModelMixin
        return TermDecoder.with_codes(self.estimator, self.X_test, mixin)[0]

    @cached_property
    def counts(self):
        """The number of rows of each class, by the kind of rows: dict of lists."""
        labels = {"training": self.y, "test": self.y_test}
        return {
            kind: [of_kind.count(label) for label in self.classes]
            for kind, of_kind in labels.items()
            if of_kind is not None
        }

    @cached_property
    def right(self):
        """Which test rows are predicted correctly: (n_test,), bool."""
        return self.predicted == self.actual

    def some_rows(self, most):
        """Return at most some test rows, at equal distances."""
        n = min(most, self.n_test)
        return self.rows(np.arange(n) * self.n_test // n)

    def rows(self, places):
        """Return the test rows at some places."""
        return safe_indexing(self.X_test, places)

    def as_classifier_takes_them(self, X):
        """Return rows after the steps in front of the classifier."""
        return transform_through(self.steps, X)


def _labels(X, y, names):
    """Check the classes of rows, and return them as a list."""
    refuse_missing_labels(y, names[1])
    y = column_or_1d(y, warn=True)
    if num_samples(X) != len(y):
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same number of rows; got "
            f"{num_samples(X)} and {len(y)}."
        )
    if not len(y):
        raise ValueError(f"{names[0]} must have at least one row; got none.")
    return y.tolist()
