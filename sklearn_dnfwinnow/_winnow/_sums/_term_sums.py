"""Term sums: the weights of all terms over all values, for sums of any rows.

The time of a sum over stored examples increases with their number. Here the examples
are added up once, term by term, and the time of a sum depends only on the number of
terms of the row.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from operator import is_not

import numpy as np

from sklearn_dnfwinnow._kernels import term_table
from sklearn_dnfwinnow._terms._index_builders import number_terms
from sklearn_dnfwinnow._terms._index_choice import count_terms
from sklearn_dnfwinnow._winnow._stores._term_table import TermTable

# Maximum number of terms of all classes: usually 32 MiB.
_MOST_TERMS = 1 << 23
# Without a maximum term size, sums over stored examples are faster for rows with more
# than this number of terms per stored example.
_TERMS_AN_UPDATE = 4
# Tables of this number of stored examples take about as long as a sum over them.
_FEW_UPDATES = 32


class TermSums:
    """Evaluation of rows by tables of all terms, not only of training rows.

    It has the interface of
    :class:`sklearn_dnfwinnow._winnow._sums._summation.Evaluation`,
    and is thread-safe.

    Parameters
    ----------
    summation : Summation
        Term by term.
    examples : ndarray of shape (m, n_attributes), int32
    net_counts : ndarray of shape (n_classes, m), int64
    n_values : ndarray of shape (n_attributes,), int
        Largest codes of any row.
    """

    def __init__(self, summation, examples, net_counts, n_values):
        index = number_terms(
            rows=examples,
            n_values=n_values,
            max_term_size=summation.max_term_size,
            log_beta=summation.log_beta,
            cap=_cap(summation.max_term_size, n_values),
        )
        self._tables = [
            TermTable(
                index=index,
                log_alpha=summation.log_alpha,
                net=of_class,
                is_final=True,
                allowed=summation.allowed,
                k=k,
            )
            for k, of_class in enumerate(net_counts)
        ]

    def log_sums(self, rows):
        """Return log W of some rows of codes in all classes: (n_rows, n_classes)."""
        sums = np.empty((len(rows), len(self._tables)))
        term_table.log_sums_of_codes(
            tables=[table.kernel for table in self._tables],
            codes=np.ascontiguousarray(rows),
            sums=sums,
        )
        return sums

    def estimates(self, rows):
        """Return log W and its relative standard error: (n_rows, n_classes, 2)."""
        sums = self.log_sums(rows)
        return np.stack([sums, np.zeros_like(sums)], axis=-1)


def term_sums(summation, examples, net_counts, n_values, n_latest):
    """Return the term sums of a model, or None if another method is preferable.

    The last bits of a sum depend on the method of its computation. The choice is
    therefore a function of the model, and not of the rows to be summed.

    Parameters
    ----------
    summation, updates, net counts, n_values
        See `TermSums`.
    n_latest : int
        Largest number of updates of a class in one of the last epochs of training.

    Returns
    -------
    TermSums or None
    """
    m = len(examples)
    # All stored examples are added up after each training call. This is avoided if it
    # takes far longer than the call itself, which may have a single sample.
    if m > _FEW_UPDATES * n_latest:
        return None
    if not n_tabled(m, n_values, summation.max_term_size, len(net_counts)):
        return None
    return TermSums(summation, examples, net_counts, n_values)


def n_tabled(m, n_values, max_term_size, n_classes):
    """Return the number of terms in the tables of all classes; 0 without tables.

    Parameters
    ----------
    m : int
        Number of stored examples.
    n_values : ndarray of shape (n_attributes,), int
    max_term_size : int or None
    n_classes : int
    """
    if m == 0 or (max_term_size is None and 2 ** len(n_values) > _TERMS_AN_UPDATE * m):
        return 0
    n_terms = n_classes * count_terms(n_values, _cap(max_term_size, n_values))
    return n_terms if n_terms <= _MOST_TERMS else 0


def _cap(max_term_size, n_values):
    """Return the size of the longest terms of any row."""
    n = len(n_values)
    return n if max_term_size is None else min(n, max_term_size)


class Cache:
    """Cache of the last results for some objects; a copy that is pickled is empty."""

    def __init__(self):
        self._held = {}

    def __reduce__(self):
        return Cache, ()

    def get(self, name, key, make):
        """Return the cached result of a name for the same objects, or compute it."""
        held, found = self._held.get(name, ((), None))
        if len(held) != len(key) or any(map(is_not, held, key)):
            found = make()
            # A single assignment, for other threads.
            self._held[name] = key, found
        return found
