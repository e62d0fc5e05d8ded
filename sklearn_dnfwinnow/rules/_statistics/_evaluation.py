"""Evaluation: statistics of the terms of a DNF on labelled samples, as a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from sklearn_dnfwinnow._encoding._missing import refuse_missing_labels
from sklearn_dnfwinnow._utils._compat import check_sample_weight
from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow._utils._records import records_of
from sklearn_dnfwinnow._utils._warning import warn
from sklearn_dnfwinnow.rules._checks import check
from sklearn_dnfwinnow.rules._statistics._rule_statistics import rule_statistics

# Name of the disjunction of all terms in the table.
ANY = "(any)"


def labels_and_weights(X, y, sample_weight, confidence):
    """Check and return labels and weights of samples, and check a confidence level."""
    check(0 < confidence < 1, "a confidence between 0 and 1", confidence)
    refuse_missing_labels(y)
    y = column_or_1d(y)
    check_consistent_length(X, y)
    return y, check_sample_weight(sample_weight, y)


def is_of_class(y, class_):
    """Return which labels are equal to a class; warn if none is."""
    # Comparison by Python, because labels can have another type than the class.
    found = np.array([bool(label == class_) for label in y.tolist()])
    if not found.any():
        warn(f"No label is equal to the class {shown(class_)} of the DNF.")
    return found


def records_of_terms(terms, *, covers, of_class, weights, confidence):
    """Return a record for each term of a class, and one for all of them together.

    Parameters
    ----------
    terms : iterable of n_terms Term
    covers : list of n_terms ndarrays of shape (n_samples,), bool
        Which samples satisfy which term.
    of_class : ndarray of shape (n_samples,), bool
        Which samples belong to the class.
    weights : ndarray of shape (n_samples,)
    confidence : float

    Returns
    -------
    records : list of dict
        See `DNF.evaluate`.
    """
    covers = np.array(covers, dtype=bool).reshape(len(terms), len(of_class))
    covers = np.vstack([covers, covers.any(axis=0)])
    columns = {
        "term": [*map(str, terms), ANY],
        "size": [*map(len, terms), sum(map(len, terms))],
        "n": covers.sum(axis=1).tolist(),
        **rule_statistics(covers, of_class, weights, confidence),
    }
    return records_of(columns)
