"""Winnows: one for each class, with explicit or implicit weights."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from sklearn_dnfwinnow._terms._term_index import (
    TooManyTerms,
    choose_max_term_size,
    index_to_present,
)
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._parallel import halting, run_tasks
from sklearn_dnfwinnow._winnow._certified_weights import CertifiedWeights
from sklearn_dnfwinnow._winnow._implicit_weights import ImplicitWeights, union
from sklearn_dnfwinnow._winnow._learner import (
    AllTogether,
    OneAgainstRest,
    course,
    first_guesses,
    learn,
)
from sklearn_dnfwinnow._winnow._progress import Silent
from sklearn_dnfwinnow._winnow._queried_weights import QueriedWeights
from sklearn_dnfwinnow._winnow._term_table import TermTable
from sklearn_dnfwinnow._winnow._update_budget import NO_LIMIT
from sklearn_dnfwinnow.samplers._sampler import Sampler
from sklearn_dnfwinnow.sums._batch import Evaluation
from sklearn_dnfwinnow.sums._batch_by_term import MOST_SHARED

# What a random stream is for.
_TRAINING, _PREDICTION = 0, 1
# Under a cap a table takes as long as the sums of a row for each so many updates.
_UPDATES_A_ROW = 128


def resolved_max_term_size(sampler, max_term_size, codes, n_values, n_classes):
    """What max_term_size='auto' means for a sampler and the rows that it is to learn.

    Samplers other than tables sum over terms of any size.
    """
    if max_term_size != "auto":
        return max_term_size
    if not sampler.term_by_term:
        return None
    return choose_max_term_size(distinct_rows(codes)[0], n_values, n_classes)


@dataclass(frozen=True)
class Winnows:
    """The Winnows of all classes: how their weights are kept, and their sums computed.

    Parameters
    ----------
    sampler : Sampler
    max_term_size : int or None
        Most literals of a term, None for any number.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of exponent, and of the term prior.
    seed : int
        Of all randomness.
    max_updates : int
        Most updates that each may keep.
    joint : bool
        Whether classes compete with each other, instead of each with a threshold.
    margin : float
        By which a row is to win, in logarithms.
    average : bool
        Whether exponents are averaged over late epochs.
    """

    sampler: Sampler
    max_term_size: int | None
    log_alpha: float
    log_beta: float
    seed: int
    max_updates: int = NO_LIMIT
    joint: bool = False
    margin: float = 0.0
    average: bool = False

    def train(
        self,
        updates,
        exponents,
        all_own,
        versions,
        rows,
        index,
        log_threshold,
        n_jobs=None,
        progress_of=lambda k: Silent(),
    ):
        """Train all classes: together, or in parallel where each is on its own.

        Parameters
        ----------
        updates : ndarray of shape (m, n_attributes), int32
            Codes of the updates so far.
        exponents : ndarray of shape (n_classes, m), int64
            Their exponents in each class.
        all_own : sequence of ndarrays of int
            Which are the updates of each class, oldest first.
        versions : sequence of int
            Numbers of updates made so far.
        rows : Presentations
        index : TermIndex or None
            Of the updates and these rows, see `index_for`.
        log_threshold : float
            log theta.
        n_jobs : int or None
        progress_of : callable
            From a class, None for all of them, to what `course` tells of its progress.

        Returns
        -------
        trained : list of Trained
        """
        start = updates, list(zip(exponents, all_own, versions))
        guesses = self._first_guesses(rows, log_threshold)
        winnows_of = partial(
            self._winnows_of, start, rows, index, log_threshold, guesses
        )
        groups = self._groups(len(exponents))
        learn_group = partial(_learn_group, winnows_of, rows, self.average)
        all_progress = [progress_of(k) for k in groups]
        trained = halting(learn_group, zip(groups, all_progress), all_progress, n_jobs)
        return list(chain(*trained))

    def stages(self, rows, index, n_classes, log_threshold, progress):
        """Train from scratch, and see what it came to at each checkpoint.

        Parameters
        ----------
        rows : Presentations
        index : TermIndex or None
            Of these rows, see `index_for`.
        n_classes : int
        log_threshold : float
        progress : Silent

        Yields
        ------
        log_sums : callable
            From some of the rows to their log W in all classes. The last one stands for
            all checkpoints to come, if there are any.
        """
        none = np.empty((0, rows.codes.shape[1]), dtype=np.int32)
        nothing = np.empty(0, dtype=np.int64)
        start = none, [(nothing, nothing, 0)] * n_classes
        guesses = self._first_guesses(rows, log_threshold)
        courses = [
            course(
                self._winnows_of(start, rows, index, log_threshold, guesses, k),
                *(rows, self.average, progress),
            )
            for k in self._groups(n_classes)
        ]
        latest = [None] * len(courses)
        while True:
            stages = [next(of_group, None) for of_group in courses]
            if all(stage is None for stage in stages):
                return
            latest = [new or old for new, old in zip(stages, latest)]
            updates, exponents, _, times = union(list(chain(*latest)))
            yield partial(
                replace(self, log_alpha=self.log_alpha / times)._log_sums_of_index,
                *(index, updates, exponents),
            )

    def _groups(self, n_classes):
        """What is trained on its own: each class, or None for all together."""
        return [None] if self.joint else range(n_classes)

    def _first_guesses(self, rows, log_threshold):
        """Of all classes alike; where they compete, none are asked for."""
        if self.joint:
            return None
        return first_guesses(
            rows.codes, self.log_beta, log_threshold, self.max_term_size
        )

    def _winnows_of(self, start, rows, index, log_threshold, guesses, k):
        """The Winnow of class k, or those of all where it is None.

        Weights are made here: there are never more tables than classes in hand.
        """
        updates, of_classes = start
        if k is None:
            all_weights = [
                self.weights(j, updates, *of_class, index)
                for j, of_class in enumerate(of_classes)
            ]
            return AllTogether(all_weights, rows, self.margin)
        weights = self.weights(k, updates, *of_classes[k], index)
        return OneAgainstRest(weights, rows, k, log_threshold, self.margin, guesses)

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
        if not self.sampler.term_by_term:
            return None
        capped = self.max_term_size is not None
        optional = not (self.sampler.table_required or capped)
        # A table is made of all updates; for a small batch that does not pay.
        few = (_UPDATES_A_ROW if capped else 1) * len(codes) < len(updates)
        if few and (optional or capped):
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
        weights : TermTable, QueriedWeights, CertifiedWeights or ImplicitWeights
        """
        if index is not None:
            return TermTable(
                *(index, self.log_alpha, exponents[own], version, own),
                self.max_updates,
            )
        of_class = updates[own], exponents[own], version, self.max_updates
        if self.sampler.term_by_term and self.max_term_size is not None:
            return QueriedWeights(
                self.max_term_size, self.log_alpha, self.log_beta, *of_class
            )
        certified = self.sampler.certifies and not self.joint
        kind = CertifiedWeights if certified else ImplicitWeights
        return kind(
            *(self._engine(), self.log_alpha, self.log_beta),
            *((self.seed, _TRAINING, k), *of_class),
        )

    def log_sums(self, updates, exponents, rows, n_jobs=None):
        """log W of some distinct rows of codes, in all classes: (n_rows, n_classes)."""
        evaluation = self._evaluation(updates, exponents, rows)
        return self._in_parallel(evaluation.log_sums, rows, n_jobs)

    def estimates(self, updates, exponents, rows, n_jobs=None):
        """log W and its relative standard error: (n_rows, n_classes, 2)."""
        evaluation = self._evaluation(updates, exponents, rows)
        return self._in_parallel(evaluation.estimates, rows, n_jobs)

    def questions(self, updates, exponents, rows):
        """What is asked about some rows of codes: each in all classes, one by one.

        Yields
        ------
        engine, problem, log_alpha, log_beta, stream
            As of :func:`sklearn_dnfwinnow.sums.log_sum`.
        """
        evaluation = self._evaluation(updates, exponents, rows)
        for row in rows:
            yield from map(evaluation.question(row), range(len(exponents)))

    def _log_sums_of_index(self, index, updates, exponents, rows):
        """`log_sums`, from a table where there is an index of the rows and updates."""
        if index is None:
            return self.log_sums(updates, exponents, rows)
        places, updates = index.find(rows), index.find(updates)
        tables = (TermTable(index, self.log_alpha, e, 0, updates) for e in exponents)
        return np.column_stack([table.log_sums(places) for table in tables])

    def winners(self, updates, exponents, rows, log_threshold, n_jobs=None):
        """The class of the highest score, of some distinct rows of codes: (n_rows,)."""
        evaluation = self._evaluation(updates, exponents, rows)
        winners = partial(evaluation.winners, log_threshold=log_threshold)
        return self._in_parallel(winners, rows, n_jobs)

    def _in_parallel(self, evaluate, rows, n_jobs):
        n_tasks = -(-len(rows) // self._rows_a_task(rows.shape[1]))
        if n_tasks == 1:
            return evaluate(rows)
        chunks = zip(np.array_split(rows, n_tasks))
        return np.concatenate(run_tasks(evaluate, chunks, n_jobs))

    def _rows_a_task(self, n_attributes):
        if not self.sampler.term_by_term:
            return 64
        # Short rows, and rows under a cap, share the work on their common terms.
        shared = self.max_term_size is not None or n_attributes <= MOST_SHARED
        return 4096 if shared else 256

    def _evaluation(self, updates, exponents, rows):
        engine = self._engine()
        engine.check_rows(rows, updates, exponents)
        return Evaluation(
            engine=engine,
            term_by_term=self.sampler.term_by_term,
            max_term_size=self.max_term_size,
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            keys=(self.seed, _PREDICTION),
            updates=updates,
            exponents=exponents,
        )

    def _engine(self):
        return self.sampler.engine(self.max_term_size)


def _learn_group(winnows_of, rows, average, k, progress):
    return learn(winnows_of(k), rows, average, progress)
