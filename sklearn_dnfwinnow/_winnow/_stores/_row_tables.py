"""Row tables: sums by explicit weight tables of only the terms of the rows at hand."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np

from sklearn_dnfwinnow._terms._index_builders import number_terms
from sklearn_dnfwinnow._terms._index_choice import TooManyTerms, term_index
from sklearn_dnfwinnow._terms._term_index import cap_of, n_subsets
from sklearn_dnfwinnow._winnow._stores._term_table import TermTable

# Maximum number of terms of a single row that are numbered: some 100 MiB.
_MOST_OF_A_ROW = 1 << 23


def log_sums(examples, net_counts, codes, log_alpha, log_beta, max_term_size=None):
    """Return the weighted sums of some rows in all classes, by tables of their terms.

    The tables contain only terms that some of these rows satisfy. The sum of a row
    depends neither on the other rows nor on their order.

    Parameters
    ----------
    examples : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    codes : ndarray of shape (n_rows, n_attributes), int32
    log_alpha, log_beta : float
    max_term_size : int or None

    Returns
    -------
    log_sums : ndarray of shape (n_rows, n_classes), float64

    Raises
    ------
    TooManyTerms
        If the terms of one row exceed the memory budget.
    """
    m, n_rows = len(examples), len(codes)
    if n_rows == 0:
        return np.empty((0, len(net_counts)))
    try:
        index = _index_of(examples, codes, max_term_size, log_beta)
    except TooManyTerms:
        if n_rows == 1:
            raise
        of_rows = partial(
            log_sums,
            examples,
            net_counts,
            log_alpha=log_alpha,
            log_beta=log_beta,
            max_term_size=max_term_size,
        )
        return np.concatenate([of_rows(half) for half in np.array_split(codes, 2)])
    sums = np.empty((n_rows, len(net_counts)))
    for k, of_class in enumerate(net_counts):
        table = TermTable(index, log_alpha, of_class, alone=True)
        sums[:, k] = table.log_sums(np.arange(m, m + n_rows))
    return sums


def _index_of(examples, codes, max_term_size, log_beta):
    """Return an index of stored examples and rows, of the terms of the rows only."""
    specified = codes.any(axis=0)
    specified[0] = True
    examples, codes = examples[:, specified], codes[:, specified]
    cap = cap_of(max_term_size, codes)
    if len(codes) == 1 and n_subsets(codes.shape[1], cap) <= _MOST_OF_A_ROW:
        satisfied = (codes != 0) & (np.concatenate([examples, codes]) == codes)
        return number_terms(
            rows=np.ascontiguousarray(satisfied, dtype=np.int32),
            n_values=np.ones(codes.shape[1], dtype=np.int64),
            max_term_size=cap,
            log_beta=log_beta,
        )
    # Values that no row has are unspecified, and the others are numbered.
    columns = np.arange(codes.shape[1], dtype=np.int64) << 32
    values = np.unique((columns + codes)[codes != 0])
    values = np.append(values, np.iinfo(np.int64).max)
    starts = np.searchsorted(values, columns)
    keys = columns + np.concatenate([examples, codes])
    places = np.searchsorted(values, keys)
    rows = np.where(values[places] == keys, places - starts + 1, 0)
    return term_index(
        rows=np.ascontiguousarray(rows, dtype=np.int32),
        n_values=np.diff(starts, append=len(values) - 1),
        max_term_size=cap,
        log_beta=log_beta,
        may_group=False,
    )
