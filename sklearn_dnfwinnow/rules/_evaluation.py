"""Evaluation: statistics of the terms of a DNF on labelled samples, as a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from warnings import warn

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import check_sample_weight
from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow._utils._records import as_table, records_of
from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.rules._rule_statistics import rule_statistics

# Name of the disjunction of all terms in the table.
ANY = "(any)"


def evaluate(dnf, columns, y, *, sample_weight, confidence):
    """Return statistics of each term, and of the whole DNF, see `DNF.evaluate`.

    Parameters
    ----------
    dnf : DNF
    columns : list of ndarrays of shape (n_samples,)
        In the form that `Term.holds` takes.
    y, sample_weight : array-likes of shape (n_samples,)
        `sample_weight` can be None.
    confidence : float

    Returns
    -------
    table : DataFrame, or list of dict if pandas is not installed
    """
    check(0 < confidence < 1, "a confidence between 0 and 1", confidence)
    y = column_or_1d(y)
    check_consistent_length(columns[0], y)
    weights = check_sample_weight(sample_weight, y)
    # Comparison by Python, because labels can have another type than the class.
    is_of_class = np.array([bool(label == dnf.class_) for label in y.tolist()])
    if not is_of_class.any():
        warn(
            f"No label is equal to the class {shown(dnf.class_)} of the DNF.",
            UserWarning,
            stacklevel=stacklevel_of_caller(),
        )
    covers = np.array([term.holds(columns) for term in dnf.terms], dtype=bool)
    covers = covers.reshape(len(dnf.terms), len(y))
    covers = np.vstack([covers, covers.any(axis=0)])
    columns = {
        "term": [*map(str, dnf.terms), ANY],
        "size": [*map(len, dnf.terms), sum(map(len, dnf.terms))],
        "n": covers.sum(axis=1).tolist(),
        **rule_statistics(covers, is_of_class, weights, confidence),
    }
    return as_table(records_of(columns), columns)
