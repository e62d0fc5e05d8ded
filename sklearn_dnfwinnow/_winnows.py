"""Winnows: one for each class, with explicit or implicit weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from sklearn_dnfwinnow._forgetting import NO_LIMIT
from sklearn_dnfwinnow._learner import first_guesses, learn
from sklearn_dnfwinnow._progress import Silent
from sklearn_dnfwinnow._queried import QueriedWeights
from sklearn_dnfwinnow._term_index import TooManyTerms
from sklearn_dnfwinnow._term_table import log_sums, term_tables, terms_in_reach
from sklearn_dnfwinnow._weights import ImplicitWeights
from sklearn_dnfwinnow.sums import engine_of

# What a random stream is for.
_TRAINING, _PREDICTION = 0, 1
# Samplers that keep the weights of terms in a table, where they fit.
_TABLES = ("auto", "table")
# Under a cap a table takes as long as the sums of a row for each so many updates.
_UPDATES_A_ROW = 128


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
    max_updates : int
        Most updates that training keeps for a class.
    """

    sampler: str
    max_term_size: int | None
    log_alpha: float
    log_beta: float
    seed: int
    options: dict
    max_updates: int = NO_LIMIT

    def train(
        self,
        updates,
        exponents,
        versions,
        rows,
        n_values,
        log_threshold,
        own=None,
        n_jobs=None,
        progress_of=lambda k: Silent(),
    ):
        """Train all classes, in parallel.

        Parameters
        ----------
        updates, exponents, versions, n_values, own
            See `for_training`.
        rows : Presentations
        log_threshold : float
            log theta.
        n_jobs : int or None
        progress_of : callable
            From a class to what `learn` tells of its progress.

        Returns
        -------
        trained : list of Trained
        """
        all_weights = self.for_training(
            updates, exponents, versions, rows.codes, n_values, own
        )
        guesses = first_guesses(
            rows.codes, self.log_beta, log_threshold, self.max_term_size
        )
        all_progress = [progress_of(k) for k in range(len(all_weights))]
        try:
            return Parallel(n_jobs=n_jobs, prefer="threads")(
                delayed(learn)(weights, rows, k, log_threshold, guesses.copy(), told)
                for k, (weights, told) in enumerate(zip(all_weights, all_progress))
            )
        except BaseException:
            for told in all_progress:
                told.halt()
            raise

    def for_training(self, updates, exponents, versions, codes, n_values, own=None):
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
        own : list of ndarrays of int, optional
            Which updates are of each class, in order of arrival; by default all.

        Returns
        -------
        all_weights : list of TermTable, QueriedWeights or ImplicitWeights
        """
        capped = isinstance(self.max_term_size, Integral)
        few = _UPDATES_A_ROW * len(codes) <= len(updates)
        if self.sampler in _TABLES and capped and few:
            return [
                QueriedWeights(
                    *(self.max_term_size, self.log_alpha, self.log_beta, *of_class)
                )
                for of_class in self._of_classes(updates, exponents, versions, own)
            ]
        optional = self.sampler == "auto" and self.max_term_size is None
        # A table is made of all updates; for a small batch that does not pay.
        if self.sampler in _TABLES and not (optional and len(codes) < len(updates)):
            try:
                return term_tables(
                    *(updates, exponents, versions, codes, n_values),
                    *(self.max_term_size, self.log_alpha, self.log_beta),
                    *(own, self.max_updates),
                )
            except TooManyTerms:
                if not optional:
                    raise
        return self._implicit(updates, exponents, versions, _TRAINING, own)

    def log_sums(self, updates, exponents, rows, n_jobs=None):
        """log W of some distinct rows of codes, in all classes: (n_rows, n_classes)."""
        rows_a_task = 4096 if self.sampler in _TABLES else 64
        n_tasks = -(-len(rows) // rows_a_task)
        return np.concatenate(
            Parallel(n_jobs=n_jobs, prefer="threads")(
                delayed(self._log_sums)(updates, exponents, chunk)
                for chunk in np.array_split(rows, n_tasks)
            )
        )

    def _log_sums(self, updates, exponents, rows):
        sums = np.empty((len(rows), len(exponents)))
        tabled = np.zeros(len(rows), dtype=bool)
        if self.sampler in _TABLES:
            tabled = terms_in_reach(rows, self.max_term_size)
            for k, own in enumerate(exponents):
                sums[tabled, k] = log_sums(
                    *(updates, own, rows[tabled], self.log_alpha, self.log_beta),
                    self.max_term_size,
                )
        if not tabled.all():
            versions = [0] * len(exponents)
            all_weights = self._implicit(updates, exponents, versions, _PREDICTION)
            for i in np.flatnonzero(~tabled):
                sums[i] = [w.log_sum(rows[i]).log_value for w in all_weights]
        return sums

    def _implicit(self, updates, exponents, versions, purpose, own=None):
        # What is out of reach of a table is summed as under 'auto'.
        sampler = "auto" if self.sampler == "table" else self.sampler
        engine = engine_of(sampler, max_term_size=self.max_term_size, **self.options)
        return [
            ImplicitWeights(
                *(engine, self.log_alpha, self.log_beta, (self.seed, purpose, k)),
                *of_class,
            )
            for k, of_class in enumerate(
                self._of_classes(updates, exponents, versions, own)
            )
        ]

    def _of_classes(self, updates, exponents, versions, own=None):
        """What implicit weights of each class start from."""
        own = [slice(None)] * len(exponents) if own is None else own
        for net, version, places in zip(exponents, versions, own):
            yield updates[places], net[places], version, self.max_updates
