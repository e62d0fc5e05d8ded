"""Summation: the computation of the weighted sums of a model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._terms._conditions import Conditions
from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow.samplers._sampler import Sampler
from sklearn_dnfwinnow.sums._batch import Evaluation
from sklearn_dnfwinnow.sums._batch_by_term import MOST_SHARED
from sklearn_dnfwinnow.sums._conditioned_evaluation import ConditionedEvaluation

# Key of the random streams of predictions; training has another one.
_PREDICTION = 1


@dataclass(frozen=True, eq=False)
class Summation:
    """A sampler, and the parameters of the weights that it sums.

    Parameters
    ----------
    sampler : Sampler
    max_term_size : int or None
        Maximum number of literals in a term. None means no limit.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of exponent, and of the initial weight per
        literal.
    seed : int
        Seed of all randomness.
    conditions : Conditions or None
        Conditions on the terms of each class.
    """

    sampler: Sampler
    max_term_size: int | None
    log_alpha: float
    log_beta: float
    seed: int
    conditions: Conditions | None = None

    def engine(self):
        """Return the engine that sums single rows."""
        return self.sampler.engine(self.max_term_size)

    def evaluation(self, updates, exponents, rows):
        """Return the evaluation of a model for some rows.

        Parameters
        ----------
        updates : ndarray of shape (m, n_attributes), int32
            Codes of the stored examples.
        exponents : ndarray of shape (n_classes, m), int64
            Their net promotion counts in each class.
        rows : ndarray of shape (n_rows, n_attributes), int32
            Distinct codes. An error is raised if the engine cannot sum them.
        """
        engine = self.engine()
        engine.check_rows(rows, updates, exponents)
        plain = Evaluation(
            engine=engine,
            term_by_term=self.sampler.term_by_term,
            max_term_size=self.max_term_size,
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            keys=(self.seed, _PREDICTION),
            updates=updates,
            exponents=exponents,
        )
        if self.conditions is None:
            return plain
        return ConditionedEvaluation(plain, self.conditions)

    def in_parallel(self, evaluate, rows, n_jobs=None):
        """Return the result of a function of rows, computed in parallel for chunks."""
        n_tasks = -(-len(rows) // self._rows_a_task(rows.shape[1]))
        if n_tasks == 1:
            return evaluate(rows)
        chunks = zip(np.array_split(rows, n_tasks))
        return np.concatenate(run_tasks(evaluate, chunks, n_jobs))

    def _rows_a_task(self, n_attributes):
        if not self.sampler.term_by_term:
            return 64
        # Short rows, and rows with a maximum term size, share the work on their common
        # terms.
        shared = self.max_term_size is not None or n_attributes <= MOST_SHARED
        return 4096 if shared else 256
