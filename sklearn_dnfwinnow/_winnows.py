"""Winnows: one for each class, with explicit or implicit weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from sklearn_dnfwinnow._certified import CertifiedWeights
from sklearn_dnfwinnow._forgetting import NO_LIMIT
from sklearn_dnfwinnow._learner import first_guesses, learn
from sklearn_dnfwinnow._rows import distinct_rows
from sklearn_dnfwinnow._term_index import (
    TooManyTerms,
    choose_max_term_size,
    index_to_present,
)
from sklearn_dnfwinnow._term_table import TermTable, log_sums, terms_in_reach
from sklearn_dnfwinnow._weights import ImplicitWeights
from sklearn_dnfwinnow.sums import engine_of

# What a random stream is for.
_TRAINING, _PREDICTION = 0, 1
# Samplers that keep the weights of terms in a table, where they fit; that can do
# without long terms; and that may know a sum without computing it, where the others are
# asked each time.
_TABLES = ("auto", "table")
_CAPPED = (*_TABLES, "brute_force")
_CERTIFIED = ("auto", "exact", "brute_force")


def check_max_term_size(sampler, max_term_size):
    """Refuse a limit to the size of terms that a sampler does not have."""
    if isinstance(max_term_size, Integral) and sampler not in _CAPPED:
        raise ValueError(
            f"max_term_size={max_term_size} does not go with sampler={sampler!r}: "
            f"only {', '.join(map(repr, _CAPPED))} take a number. Set "
            "max_term_size='auto' or None, or another sampler."
        )


def resolved_max_term_size(sampler, max_term_size, codes, n_values, n_classes):
    """What max_term_size='auto' means for a sampler and the rows that it is to learn.

    Samplers other than tables sum over terms of any size.
    """
    if max_term_size != "auto":
        return max_term_size
    if sampler not in _TABLES:
        return None
    return choose_max_term_size(distinct_rows(codes)[0], n_values, n_classes)


def _unless(interrupted, report):
    """Report an epoch, or end the thread where another one was interrupted."""

    def report_or_end(epoch, wrong):
        if interrupted:
            raise InterruptedError
        if report is not None:
            report(epoch, wrong)

    return report_or_end


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
        Most updates that each may keep.
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
        owned,
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
        updates : ndarray of shape (m, n_attributes), int32
            Codes of the updates so far.
        exponents : ndarray of shape (n_classes, m), int64
            Their exponents in each class.
        owned : sequence of ndarrays of int
            Which are the updates of each class, oldest first.
        versions : sequence of int
            Numbers of updates made so far.
        rows : Presentations
        n_values : ndarray of shape (n_attributes,), int
            Largest codes.
        log_threshold : float
            log theta.
        n_jobs : int or None
        reporter : callable
            From a class to what `learn` reports to.

        Returns
        -------
        trained : list of Trained
        """
        index = self.index_for(updates, rows.codes, n_values)
        guesses = first_guesses(
            rows.codes, self.log_beta, log_threshold, self.max_term_size
        )

        interrupted = []

        def train_one(k, own, version):
            # Made here: there are never more tables than classes in hand.
            weights = self.weights(k, updates, exponents[k], own, version, index)
            report = _unless(interrupted, reporter(k))
            return learn(weights, rows, k, log_threshold, guesses.copy(), report)

        try:
            return Parallel(n_jobs=n_jobs, prefer="threads")(
                delayed(train_one)(k, own, version)
                for k, (own, version) in enumerate(zip(owned, versions))
            )
        except BaseException:
            # Ctrl-C comes to this thread only; the others stop after their epoch.
            interrupted.append(True)
            raise

    def index_for(self, updates, codes, n_values):
        """The index of term tables to present some rows to, or None for other weights.

        Parameters
        ----------
        updates : ndarray of shape (m, n_attributes), int32
            Codes of the updates so far.
        codes : ndarray of shape (n_rows, n_attributes), int32
            Rows to be presented.
        n_values : ndarray of shape (n_attributes,), int
            Largest codes.

        Returns
        -------
        index : TermIndex or None
        """
        optional = self.sampler == "auto" and self.max_term_size is None
        # A table is made of all updates; for a small batch that does not pay.
        if self.sampler not in _TABLES or (optional and len(codes) < len(updates)):
            return None
        try:
            return index_to_present(
                updates, codes, n_values, self.max_term_size, self.log_beta
            )
        except TooManyTerms:
            if optional:
                return None
            raise

    def weights(self, k, updates, exponents, own, version, index=None):
        """The weights of one class, to be trained.

        Parameters
        ----------
        k : int
            The class.
        updates : ndarray of shape (m, n_attributes), int32
            Codes of the updates so far.
        exponents : ndarray of shape (m,), int64
            Their exponents in the class.
        own : ndarray of int
            Which of them are of the class, oldest first.
        version : int
            Number of updates made so far.
        index : TermIndex or None
            Of the updates and what is to be presented.

        Returns
        -------
        weights : TermTable or ImplicitWeights
        """
        if index is not None:
            return TermTable(
                *(index, self.log_alpha, exponents[own], version, own),
                self.max_updates,
            )
        return self._implicit(
            CertifiedWeights if self.sampler in _CERTIFIED else ImplicitWeights,
            *(_TRAINING, k, updates[own], exponents[own], version),
        )

    def _implicit(self, kind, purpose, k, updates, exponents, version=0):
        # What is out of reach of a table is summed as under 'auto'.
        sampler = "auto" if self.sampler == "table" else self.sampler
        engine = engine_of(sampler, max_term_size=self.max_term_size, **self.options)
        return kind(
            *(engine, self.log_alpha, self.log_beta, (self.seed, purpose, k)),
            *(updates, exponents, version, self.max_updates),
        )

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
            all_weights = [
                self._implicit(ImplicitWeights, _PREDICTION, k, updates, own)
                for k, own in enumerate(exponents)
            ]
            for i in np.flatnonzero(~tabled):
                sums[i] = [w.log_sum(rows[i]).log_value for w in all_weights]
        return sums
