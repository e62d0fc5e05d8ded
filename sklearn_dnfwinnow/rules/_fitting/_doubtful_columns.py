"""Doubtful columns: those of which a classifier of rules warns before it learns."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._encoding._column_warnings import warn_of_columns
from sklearn_dnfwinnow._encoding._discretizer import EIGHTHS, chosen_discretizer
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._encoding._tables._labelled_table import LabelledTable


def warn_of_doubtful_columns(classifier, X, y, weights):
    """Warn of columns as the classifiers with a `discretizer` do by default.

    Numbers are cut here only to tell them from categories.

    Parameters
    ----------
    classifier : DNFClassifier
        With its parameters and `classes_`.
    X, y : as returned by `check_samples`
    weights : ndarray of shape (n_samples,), float64
        Not negative.
    """
    rows = LabelledTable.of(classifier, X, y, weights)
    empty = Encoding.empty(
        n_features=len(rows.table.columns),
        n_classes=len(classifier.classes_),
        missing="unspecified",
        discretizer=chosen_discretizer("auto", rows.table, **EIGHTHS),
    )
    known = rows.table, rows.labels, rows.weights
    learnt, codes = empty.with_cuts(*known).learn(*known)
    warn_of_columns(rows, codes, before=empty, after=learnt)
