"""Initial weights: sums of beta^|P| over all terms P up to a size."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def log_initial_weights(n_values, log_beta, max_term_size):
    """Return total initial weights of terms over the first attributes, by size.

    Parameters
    ----------
    n_values : array-like of shape (n,)
        Numbers of values of the attributes, 0 or more.
    log_beta : float
    max_term_size : int

    Returns
    -------
    log_weights : ndarray of shape (n + 1, max_term_size + 1)
        Entry (j, c) is the logarithm of the sum, over i up to c, of beta^i times the
        i-th elementary symmetric polynomial of the first j numbers.
    """
    log_weights = np.zeros((len(n_values) + 1, max_term_size + 1))
    with np.errstate(divide="ignore"):
        log_literals = np.log(np.asarray(n_values, dtype=float)) + log_beta
    for j, log_literal in enumerate(log_literals):
        # A term with a literal of attribute j is a shorter one over those before.
        log_weights[j + 1, 1:] = np.logaddexp(
            log_weights[j, 1:], log_literal + log_weights[j, :-1]
        )
    return log_weights


def log_initial_weight(n_values, log_beta, max_term_size=None):
    """Return the logarithm of the initial weight of all terms, up to a maximum size."""
    n_values = np.asarray(n_values)
    if max_term_size is None or max_term_size >= len(n_values):
        return float(np.log1p(np.exp(log_beta) * n_values).sum())
    return float(log_initial_weights(n_values, log_beta, max_term_size)[-1, -1])


def log_initial_sums(codes, log_beta, max_term_size=None):
    """Return the weighted sums of rows before any update: (n_rows,), float64."""
    n_specified = (codes != 0).sum(axis=1)
    logs = np.zeros(n_specified.max(initial=0) + 1)
    for n in np.flatnonzero(np.bincount(n_specified)):
        logs[n] = log_initial_weight(np.ones(n), log_beta, max_term_size)
    return logs[n_specified]
