"""Summation: how the weighted sums of a model are computed, in training and scoring."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow.sums._batch import Evaluation
from sklearn_dnfwinnow.sums._batch_by_term import MOST_SHARED
from sklearn_dnfwinnow.sums._log_weighted_sum import engine_of
from sklearn_dnfwinnow.sums._wide_rows import refuse_wide_rows

# What a random stream of scoring is for; training has others.
_PREDICTION = 1
# Samplers that sum term by term where that is quick.
_TABLES = ("auto", "table")


@dataclass(frozen=True, eq=False)
class Summation:
    """A sampler with what it sums over.

    Parameters
    ----------
    sampler : str
    options : dict
        Of the engine, see :func:`sklearn_dnfwinnow.sums._log_weighted_sum.engine_of`.
    max_term_size : int or None
        Most literals of a term, None for any number.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of exponent, and of the term prior.
    seed : int
        Of all randomness.
    """

    sampler: str
    options: dict
    max_term_size: int | None
    log_alpha: float
    log_beta: float
    seed: int

    def engine(self):
        """Return what sums single rows."""
        # What is out of reach of a table is summed as under 'auto'.
        sampler = "auto" if self.sampler == "table" else self.sampler
        return engine_of(sampler, max_term_size=self.max_term_size, **self.options)

    def evaluation(self, updates, exponents, rows):
        """Return the evaluation of a model for some rows.

        Parameters
        ----------
        updates : ndarray of shape (m, n_attributes), int32
            Codes of the updates.
        exponents : ndarray of shape (n_classes, m), int64
            Their exponents in each class.
        rows : ndarray of shape (n_rows, n_attributes), int32
            Distinct codes, refused if they are too wide for brute force.
        """
        if self.sampler == "brute_force":
            refuse_wide_rows(rows, updates, exponents, self.max_term_size)
        return Evaluation(
            engine=self.engine(),
            term_by_term=self.sampler in _TABLES,
            max_term_size=self.max_term_size,
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            keys=(self.seed, _PREDICTION),
            updates=updates,
            exponents=exponents,
        )

    def in_parallel(self, evaluate, rows, n_jobs=None):
        """Return what a function returns for rows, computed for chunks of them."""
        n_tasks = -(-len(rows) // self._rows_a_task(rows.shape[1]))
        if n_tasks == 1:
            return evaluate(rows)
        chunks = zip(np.array_split(rows, n_tasks))
        return np.concatenate(run_tasks(evaluate, chunks, n_jobs))

    def _rows_a_task(self, n_attributes):
        if self.sampler not in _TABLES:
            return 64
        # Short rows, and rows under a cap, share the work on their common terms.
        shared = self.max_term_size is not None or n_attributes <= MOST_SHARED
        return 4096 if shared else 256
