"""Engine: what every way to compute a weighted sum answers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from math import inf

import numpy as np


@dataclass(frozen=True)
class Engine:
    """Base class of engines, which have parameters, but no state.

    A subclass defines `log_sum`. The other methods have answers that are right for any
    engine; a subclass that knows more says so.

    Parameters
    ----------
    max_term_size : int or None
        Most literals of a term, None for any number; for problems not compressed.
    """

    max_term_size: int | None = field(default=None, kw_only=True)

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """Return the weighted sum W of a problem without a closed form.

        Parameters
        ----------
        problem : AgreementProblem
        log_alpha, log_beta : float
        stream : int
            Number of a random stream. Equal streams give equal sums.

        Returns
        -------
        weighted_sum : WeightedSum
        """
        raise NotImplementedError

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Return whether W reaches a threshold, and the sum that decided it.

        Parameters
        ----------
        problem, log_alpha, log_beta, stream
            See `log_sum`.
        log_threshold : float
        guess : bool
            What the answer may be. It can save time, and changes no exact answer.
        """
        weighted_sum = self.log_sum(problem, log_alpha, log_beta, stream)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def in_full(self):
        """Return the engine for sums that are compared with no threshold."""
        return self

    def surely_exact(self, n_specified, n_sets, totals, log_beta):
        """Return which sums are certain to be exact, for terms of any size.

        Bounds hold for exact sums only, so they may rule out these classes alone.

        Parameters
        ----------
        n_specified : ndarray of shape (n_rows,), int
            Attributes that each row specifies.
        n_sets : ndarray of shape (n_rows, n_classes), int
            Distinct agreement sets of each problem.
        totals : ndarray of shape (n_classes,), int
            Sums of the absolute exponents.
        log_beta : float

        Returns
        -------
        exact : ndarray of shape (n_rows, n_classes), bool
        """
        return np.zeros(n_sets.shape, dtype=bool)

    def cost_bounds(self, n, m, total, log_alpha):
        """Return upper bounds of the memory and the time of a sum.

        Parameters
        ----------
        n, m : int
            Attributes and updates, at most.
        total : float
            Sum of the absolute exponents, at most.
        log_alpha : float

        Returns
        -------
        n_bytes : float
            That grow with parameters. What takes a bounded room, or room in proportion
            to the model, does not count.
        n_steps : float
            States times attributes, single updates of chains, or terms; each takes some
            nanoseconds.
        """
        return inf, inf

    def check_rows(self, rows, updates, exponents):
        """Refuse rows of codes that cannot be summed over, before any sum.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_attributes), int32
        updates : ndarray of shape (m, n_attributes), int32
        exponents : ndarray of shape (n_classes, m), int64

        Raises
        ------
        ValueError
            If a row is out of reach.
        """

    def check_training(self, rows, updates):
        """Refuse rows of codes that training cannot sum over, whatever it learns.

        Parameters
        ----------
        rows, updates
            See `check_rows`. Each row may become an update, too.
        """


def longest_term(problem, max_term_size):
    """Return the most literals of a term, at most one of each attribute."""
    return problem.n if max_term_size is None else min(max_term_size, problem.n)
