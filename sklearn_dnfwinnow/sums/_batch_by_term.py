"""Batches term by term: the weighted sums of rows that are in no weight table.

Rows and stored examples are split by one attribute after another, all rows and all
classes together. The work on a term is done once for all rows that satisfy it.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import batch_by_term
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weights
from sklearn_dnfwinnow._terms._term_index import cap_of

# Maximum number of specified attributes of a query whose subsets are all enumerated,
# and of queries that have most of their terms in common with others.
_MOST_SPECIFIED, MOST_SHARED = 10, 8
# Weights up to this many natural logarithms from 1 are multiplied directly.
_LARGEST_LOG = 300.0
# Maximum number of values times classes of an attribute for the fast path of the
# longest terms.
_LARGEST_LEAVES = 1 << 15


def terms_in_reach(codes, max_term_size=None):
    """Return the rows for `log_sums`: all with a maximum size, else short ones."""
    if max_term_size is not None:
        return np.ones(len(codes), dtype=bool)
    return (codes != 0).sum(axis=1) <= _MOST_SPECIFIED


def log_sums(updates, exponents, codes, log_alpha, log_beta, max_term_size=None):
    """Return the weighted sums of any rows in all classes, from the stored examples.

    The sum of a row depends neither on the other rows nor on their order.

    Parameters
    ----------
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples.
    exponents : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    codes : ndarray of shape (n_rows, n_attributes), int32
        Rows to sum for.
    log_alpha, log_beta : float
    max_term_size : int or None

    Returns
    -------
    log_sums : ndarray of shape (n_rows, n_classes), float64
    """
    n_rows, n_classes = len(codes), len(exponents)
    sums = np.empty((n_rows, n_classes))
    if n_rows == 0:
        return sums
    acting = exponents.any(axis=0)
    updates, exponents = updates[acting], exponents[:, acting]
    columns = np.ascontiguousarray(np.concatenate([updates, codes]).T)
    width = int(columns.max(initial=0)) + 1
    cap = cap_of(max_term_size, codes)
    log_initial = _log_initial(codes.shape[1], log_beta, cap)
    bases = exponents.sum(axis=1) * log_alpha
    starts, classes, entries = _by_update(exponents)
    initial = _powers(log_initial[0, 0]) * _powers(-bases)
    initial[initial == 0] = -1.0  # out of range: not relative to the base
    batch_by_term.log_sums(
        columns=columns,
        starts=starts,
        classes=classes,
        exponents=entries,
        rest=_n_specified_from(codes),
        log_initial=log_initial,
        initial=_powers(log_initial),
        log_alpha=log_alpha,
        log_beta=log_beta,
        bases=bases,
        inverses=_powers(-bases),
        leaf_initial=initial,
        n_codes=width,
        # The fast path of the longest terms requires tables that fit a cache.
        with_leaves=width * n_classes <= _LARGEST_LEAVES,
        sums=sums,
    )
    return sums


def _by_update(exponents):
    """Return nonzero exponents by stored example: starts, classes, exponents."""
    places, classes = np.nonzero(exponents.T)
    starts = np.searchsorted(places, np.arange(exponents.shape[1] + 1))
    return starts, classes.astype(np.int32), exponents.T[places, classes]


def _n_specified_from(codes):
    """Return the number of specified attributes of each row from each attribute on."""
    rest = np.zeros((codes.shape[1] + 1, len(codes)), dtype=np.int64)
    rest[:-1] = (codes != 0).T[::-1].cumsum(axis=0)[::-1]
    return rest


def _log_initial(n_attributes, log_beta, cap):
    """Return the log weight of all completions of a term by up to c of k attributes.

    Entry (k, c), for a term of cap - c literals.
    """
    sizes = np.arange(cap, -1, -1)
    return log_initial_weights(np.ones(n_attributes), log_beta, cap) + sizes * log_beta


def _powers(logs):
    """Return powers of e, 0 for powers that are too far from 1."""
    near = np.abs(logs) <= _LARGEST_LOG
    return np.where(near, np.exp(np.where(near, logs, 0.0)), 0.0)
