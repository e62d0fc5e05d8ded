"""The learner: Winnow, one class against the rest, epoch by epoch."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._initial import log_initial_weight

# W and theta are sums of logarithms in different orders; where they are equal in truth,
# W >= theta shall hold.
_ROUNDING = 1e-12


def _but_for_rounding(log_threshold):
    return log_threshold - _ROUNDING * max(1.0, abs(log_threshold))


def first_guesses(codes, log_beta, log_threshold, max_term_size=None):
    """Before any update W is the initial weight of the terms that a row satisfies."""
    n_specified, inverse = np.unique((codes != 0).sum(axis=1), return_inverse=True)
    log_first = np.array(
        [log_initial_weight(np.ones(n), log_beta, max_term_size) for n in n_specified]
    )
    return (log_first >= _but_for_rounding(log_threshold))[inverse]


def learn(
    weights, codes, positive, units, one, log_threshold, guesses, orders, report=None
):
    """Train the weights of one class.

    Parameters
    ----------
    weights : ImplicitWeights or TermTable
        Promoted and demoted here.
    codes : ndarray of shape (n_rows, n_attributes), int32
        Rows of codes.
    positive : ndarray of shape (n_rows,), bool
        Which rows are of the class.
    units : ndarray of shape (n_rows,), int64
        Weights of the rows, in units of which `one` make a whole presentation.
    one : int
        A row of weight w is presented w times in a row, a fraction last.
    log_threshold : float
        log theta.
    guesses : ndarray of shape (n_rows,), bool
        Likely predictions; updated to the predictions made (the heuristic of Tao &
        Scott 2004, section 3.3).
    orders : iterable of ndarrays
        For each epoch, the order of the rows.
    report : callable, optional
        Called with the epoch and its mistakes.

    Returns
    -------
    mistakes : list of int
        Mistakes of each epoch; training stops after one without any.
    """
    log_threshold = _but_for_rounding(log_threshold)
    mistakes = []
    for epoch, order in enumerate(orders):
        wrong = weights.epoch(
            order, codes, positive, units, one, log_threshold, guesses
        )
        mistakes.append(wrong)
        if report is not None:
            report(epoch, wrong)
        if wrong == 0:
            break
    return mistakes
