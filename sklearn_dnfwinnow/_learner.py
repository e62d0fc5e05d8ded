"""The learner: Winnow, one class against the rest, epoch by epoch."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log1p

import numpy as np

# W and theta are sums of logarithms in different orders; where they are equal in truth,
# W >= theta shall hold.
_ROUNDING = 1e-12
# A row that comes more often than this in an epoch comes several times in a row.
_MOST_PRESENTATIONS = 32


def canonical_rows(codes, labels, units, one):
    """Presentations of an epoch, as a function of the weights of distinct rows.

    Equal (row, class) pairs are merged, their weights added up, and sorted; then a pair
    of weight w is presented w times, a fraction last. A weight and as many repeats are
    the same thing after this, and the order of the training rows does not matter.
    Beyond `_MOST_PRESENTATIONS` a presentation stands for several in a row, so that an
    epoch is not longer than it has to be.

    Parameters
    ----------
    codes, labels, units : ndarrays
        Rows, class indices, and weights in units of which `one` make a presentation.
    one : int

    Returns
    -------
    codes, labels, units : ndarrays
        One entry a presentation; `units` sum up as before.
    """
    pairs = np.column_stack([codes, labels.astype(np.int32)])
    distinct, inverse = np.unique(pairs, axis=0, return_inverse=True)
    totals = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, inverse.ravel(), units)
    times = np.minimum(-(-totals // one), _MOST_PRESENTATIONS)
    pair = np.repeat(np.arange(len(distinct)), times)
    turn = np.arange(len(pair)) - np.repeat(np.cumsum(times) - times, times)
    # Whole presentations, the first ones more where they do not come out even; the
    # fraction goes with the last.
    whole = totals // one
    shares = one * (whole[pair] // times[pair] + (turn < (whole % times)[pair]))
    shares[np.cumsum(times) - 1] += totals - np.add.reduceat(
        shares, np.cumsum(times) - times
    )
    return (
        np.ascontiguousarray(distinct[pair, :-1]),
        distinct[pair, -1].astype(np.intp),
        shares,
    )


def first_guesses(codes, log_beta, log_threshold):
    """Before any update W = (1 + beta)^n, of every row's n specified attributes."""
    log_first = (codes != 0).sum(axis=1) * log1p(np.exp(log_beta))
    return log_first >= log_threshold - _ROUNDING * max(1.0, abs(log_threshold))


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
    log_threshold -= _ROUNDING * max(1.0, abs(log_threshold))
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
