"""The learner: Winnow, one class against the rest, epoch by epoch."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log1p

import numpy as np

# W and theta are sums of logarithms in different orders; where they are equal in truth,
# W >= theta shall hold.
_ROUNDING = 1e-12


def _but_for_rounding(log_threshold):
    return log_threshold - _ROUNDING * max(1.0, abs(log_threshold))


def first_guesses(codes, log_beta, log_threshold):
    """Before any update W = (1 + beta)^n, of every row's n specified attributes."""
    log_first = (codes != 0).sum(axis=1) * log1p(np.exp(log_beta))
    return log_first >= _but_for_rounding(log_threshold)


def learn(
    weights, codes, positive, units, one, log_threshold, guesses, orders, report=None
):
    """Train the weights of one class.

    Parameters
    ----------
    weights : ImplicitWeights
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
        wrong = 0
        for i in order:
            remaining = int(units[i])
            while remaining > 0:
                guesses[i] = weights.exceeds(codes[i], log_threshold, bool(guesses[i]))
                if guesses[i] == positive[i]:
                    # Nothing changes, so the presentations to come would end the same.
                    break
                amount = min(one, remaining)
                if positive[i]:
                    weights.promote(codes[i], amount)
                else:
                    weights.demote(codes[i], amount)
                wrong += 1
                remaining -= amount
        mistakes.append(wrong)
        if report is not None:
            report(epoch, wrong)
        if wrong == 0:
            break
    return mistakes
