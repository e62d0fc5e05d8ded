"""The learner: Winnow, one class against the rest, epoch by epoch."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._initial import log_initial_sums

# W and theta are sums of logarithms in different orders; where they are equal in truth,
# W >= theta shall hold.
_ROUNDING = 1e-12


def _but_for_rounding(log_threshold):
    return log_threshold - _ROUNDING * max(1.0, abs(log_threshold))


def first_guesses(codes, log_beta, log_threshold, max_term_size=None):
    """Before any update W is the initial weight of the terms that a row satisfies."""
    log_first = log_initial_sums(codes, log_beta, max_term_size)
    return log_first >= _but_for_rounding(log_threshold)


@dataclass
class Trained:
    """What training the weights of one class came to.

    Attributes
    ----------
    updates, exponents, version : ndarrays and int
        As of the weights, afterwards.
    mistakes : list of int
        Mistakes of each epoch; training stops after one without any.
    chains, sums : dict of str to int
        Markov chains and sums, see `ImplicitWeights`.
    """

    updates: np.ndarray
    exponents: np.ndarray
    version: int
    mistakes: list
    chains: dict
    sums: dict


def learn(weights, rows, k, log_threshold, guesses, report=None):
    """Train the weights of one class.

    What is learned comes back: in another process the weights would stay there.

    Parameters
    ----------
    weights : ImplicitWeights or TermTable
        Promoted and demoted here.
    rows : Presentations
    k : int
        The class.
    log_threshold : float
        log theta.
    guesses : ndarray of shape (n_rows,), bool
        Likely predictions; updated to the predictions made (the heuristic of Tao &
        Scott 2004, section 3.3).
    report : callable, optional
        Called with the epoch and its mistakes.

    Returns
    -------
    trained : Trained
    """
    log_threshold = _but_for_rounding(log_threshold)
    positive = rows.labels == k
    mistakes = []
    for epoch, order in enumerate(rows.orders()):
        wrong = weights.epoch(
            order, rows.codes, positive, rows.units, rows.one, log_threshold, guesses
        )
        mistakes.append(wrong)
        if report is not None:
            report(epoch, wrong)
        if wrong == 0:
            break
    return Trained(
        *(weights.updates, weights.exponents, weights.version),
        *(mistakes, weights.chains, weights.sums),
    )
