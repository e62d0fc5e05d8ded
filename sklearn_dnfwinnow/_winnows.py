"""Winnows: one for each class, with explicit or implicit weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial
from numbers import Integral

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from sklearn_dnfwinnow._evaluation import Evaluation
from sklearn_dnfwinnow._learner import first_guesses, learn
from sklearn_dnfwinnow._term_index import TooManyTerms
from sklearn_dnfwinnow._term_table import term_tables
from sklearn_dnfwinnow._weights import ImplicitWeights
from sklearn_dnfwinnow.sums import engine_of

# What a random stream is for.
_TRAINING, _PREDICTION = 0, 1
# Samplers that keep the weights of terms in a table, where they fit.
_TABLES = ("auto", "table")


def check_max_term_size(sampler, max_term_size):
    """Refuse a limit to the size of terms that a sampler does not have."""
    known = (Integral, str) if sampler in _TABLES else ()
    known = Integral if sampler == "brute_force" else known
    if max_term_size is not None and not isinstance(max_term_size, known):
        raise ValueError(
            f"max_term_size={max_term_size!r} does not go with sampler={sampler!r}: "
            "only 'auto' and 'table' take a number or 'auto', and 'brute_force' a "
            "number. Set max_term_size=None, or another sampler."
        )


@dataclass(frozen=True)
class Winnows:
    """The Winnows of all classes: how their weights are kept, and their sums computed.

    Parameters
    ----------
    sampler : str
    max_term_size : int or None
        Most literals of a term, None for any number.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of exponent, and of the term prior.
    seed : int
        Of all randomness.
    options : dict
        Of the engine, see :func:`sklearn_dnfwinnow.sums.engine_of`.
    """

    sampler: str
    max_term_size: int | None
    log_alpha: float
    log_beta: float
    seed: int
    options: dict

    def train(
        self,
        updates,
        exponents,
        versions,
        rows,
        n_values,
        log_threshold,
        n_jobs=None,
        reporter=lambda k: None,
    ):
        """Train all classes, in parallel.

        Parameters
        ----------
        updates, exponents, versions, n_values
            See `for_training`.
        rows : Presentations
        log_threshold : float
            log theta.
        n_jobs : int or None
        reporter : callable
            From a class to what `learn` reports to.

        Returns
        -------
        trained : list of Trained
        """
        all_weights = self.for_training(
            updates, exponents, versions, rows.codes, n_values
        )
        guesses = first_guesses(
            rows.codes, self.log_beta, log_threshold, self.max_term_size
        )
        return Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(learn)(weights, rows, k, log_threshold, guesses.copy(), reporter(k))
            for k, weights in enumerate(all_weights)
        )

    def for_training(self, updates, exponents, versions, codes, n_values):
        """Weights of all classes, to present some rows to.

        Parameters
        ----------
        updates : ndarray of shape (m, n_attributes), int32
            Codes of the updates so far.
        exponents : ndarray of shape (n_classes, m), int64
            Their exponents in each class.
        versions : sequence of int
            Numbers of updates made so far.
        codes : ndarray of shape (n_rows, n_attributes), int32
            Rows to be presented.
        n_values : ndarray of shape (n_attributes,), int
            Largest codes.

        Returns
        -------
        all_weights : list of TermTable or ImplicitWeights
        """
        optional = self.sampler == "auto" and self.max_term_size is None
        # A table is made of all updates; for a small batch that does not pay.
        if self.sampler in _TABLES and not (optional and len(codes) < len(updates)):
            try:
                return term_tables(
                    *(updates, exponents, versions, codes, n_values),
                    *(self.max_term_size, self.log_alpha, self.log_beta),
                )
            except TooManyTerms:
                if not optional:
                    raise
        return self._implicit(updates, exponents, versions)

    def log_sums(self, updates, exponents, rows, n_jobs=None):
        """log W of some distinct rows of codes, in all classes: (n_rows, n_classes)."""
        evaluation = self._evaluation(updates, exponents)
        return self._in_parallel(evaluation.log_sums, rows, n_jobs)

    def winners(self, updates, exponents, rows, log_threshold, n_jobs=None):
        """The class of the highest score, of some distinct rows of codes: (n_rows,)."""
        winners = partial(
            self._evaluation(updates, exponents).winners, log_threshold=log_threshold
        )
        return self._in_parallel(winners, rows, n_jobs)

    def _in_parallel(self, evaluate, rows, n_jobs):
        n_tasks = -(-len(rows) // self._rows_a_task)
        if n_tasks == 1:
            return evaluate(rows)
        return np.concatenate(
            Parallel(n_jobs=n_jobs, prefer="threads")(
                delayed(evaluate)(chunk) for chunk in np.array_split(rows, n_tasks)
            )
        )

    @property
    def _rows_a_task(self):
        if self.sampler not in _TABLES:
            return 64
        # Under a cap rows share the work on their common terms.
        return 256 if self.max_term_size is None else 4096

    def _evaluation(self, updates, exponents):
        return Evaluation(
            *(self._engine(), self.sampler in _TABLES, self.max_term_size),
            *(self.log_alpha, self.log_beta, (self.seed, _PREDICTION)),
            *(updates, exponents),
        )

    def _engine(self):
        # What is out of reach of a table is summed as under 'auto'.
        sampler = "auto" if self.sampler == "table" else self.sampler
        return engine_of(sampler, max_term_size=self.max_term_size, **self.options)

    def _implicit(self, updates, exponents, versions):
        engine = self._engine()
        return [
            ImplicitWeights(
                *(engine, self.log_alpha, self.log_beta, (self.seed, _TRAINING, k)),
                *(updates, own, version),
            )
            for k, (own, version) in enumerate(zip(exponents, versions))
        ]
