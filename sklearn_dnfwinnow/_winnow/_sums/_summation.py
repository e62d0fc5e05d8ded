"""Summation: the computation of the weighted sums of a model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sklearn_dnfwinnow._terms._allowed import Allowed
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow._winnow._stores import _row_tables
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem
from sklearn_dnfwinnow.samplers._sampler import Sampler
from sklearn_dnfwinnow.samplers._weighted_sum import WeightedSum
from sklearn_dnfwinnow.sums import _batch_superset
from sklearn_dnfwinnow.sums._log_weighted_sum import exceeds, log_sum

# Keys of the random streams of training and of predictions.
_TRAINING, _PREDICTION = 0, 1


@dataclass(frozen=True, eq=False)
class Summation:
    """A sampler, and the parameters of the weights that it sums.

    Parameters
    ----------
    sampler : Sampler
    max_term_size : int or None
        Maximum number of literals in a term. None means no limit.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of net count, and of the initial weight per
        literal.
    seed : int
        Seed of all randomness.
    allowed : Allowed or None
        Literals that the terms of each class may contain; None for all.
    """

    sampler: Sampler
    max_term_size: int | None
    log_alpha: float
    log_beta: float
    seed: int
    allowed: Allowed | None = None

    def engine(self):
        """Return the engine that sums single rows."""
        return self.sampler.engine(self.max_term_size)

    @property
    def of_terms(self):
        """Whether single rows are summed over all their terms, up to a size."""
        return self.sampler.term_by_term and self.max_term_size is not None

    @property
    def is_exact(self):
        """Whether sums are of all sizes, and exact whenever this is feasible."""
        return self.sampler.prefers_exact and not self.of_terms

    def masked(self, rows, k):
        """Return rows of codes with the literals that terms of class k may contain."""
        return rows if self.allowed is None else self.allowed.masked(rows, k)

    def evaluation(self, examples, net_counts, rows):
        """Return the evaluation of a model for some rows.

        Parameters
        ----------
        examples : ndarray of shape (m, n_attributes), int32
            Codes of the stored examples.
        net_counts : ndarray of shape (n_classes, m), int64
            Their net promotion counts in each class.
        rows : ndarray of shape (n_rows, n_attributes), int32
            Distinct codes. An error is raised if the engine cannot sum them.
        """
        self.engine().check_rows(rows, examples, net_counts)
        classes = range(len(net_counts))
        return Evaluation(self, examples, net_counts, classes, (self.seed, _PREDICTION))

    def in_training(self, examples, net_counts, k, version):
        """Return the evaluation of class k in training, after some updates.

        Parameters
        ----------
        examples : ndarray of shape (m, n_attributes), int32
            Codes of the stored examples, oldest first.
        net_counts : ndarray of shape (m,), int64
            Their net promotion counts.
        k : int
        version : int
            Number of updates so far.
        """
        keys = self.seed, _TRAINING
        return Evaluation(self, examples, net_counts[None], [k], keys, version)

    def in_parallel(self, evaluate, rows, n_jobs=None):
        """Return the result of a function of rows, computed in parallel for chunks."""
        n_tasks = -(-len(rows) // self._rows_a_task())
        if n_tasks == 1:
            return evaluate(rows)
        chunks = zip(np.array_split(rows, n_tasks))
        return np.concatenate(run_tasks(evaluate, chunks, n_jobs))

    def _rows_a_task(self):
        if not self.sampler.term_by_term:
            return 64
        # Rows with a maximum term size share the work on their common terms.
        return 256 if self.max_term_size is None else 4096


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The weighted sums over the terms that stored examples imply, in some classes.

    Parameters
    ----------
    summation : Summation
    examples : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    classes : sequence of int
        Numbers of these classes in `Summation.allowed`, and in random streams.
    keys : tuple of int
        Keys of the random streams, before the class.
    version : int
        Another key, after the class.
    """

    summation: Summation
    examples: np.ndarray
    net_counts: np.ndarray
    classes: Sequence
    keys: tuple
    version: int = 0

    # -- many rows ---------------------------------------------------------------------

    def log_sums(self, rows):
        """Return log W of some rows of codes in all classes: (n_rows, n_classes)."""
        return self.estimates(rows)[..., 0]

    def estimates(self, rows):
        """Return log W and its relative standard error: (n_rows, n_classes, 2)."""
        if self.summation.allowed is None:
            return self._estimates(rows)
        found = np.zeros((len(rows), len(self.classes), 2))
        for i, k in enumerate(self.classes):
            masked, _, places = distinct_rows(self.summation.masked(rows, k))
            of_class = replace(self, net_counts=self.net_counts[[i]], classes=[k])
            found[:, i] = of_class._estimates(masked)[places, 0]
        return found

    def _estimates(self, rows):
        """Return the estimates of rows that all classes mask alike."""
        found = np.zeros((len(rows), len(self.net_counts), 2))
        summation = self.summation
        sampler, cap = summation.sampler, summation.max_term_size
        if summation.of_terms:
            found[..., 0] = self._sums_over_terms(rows)
            return found
        short = np.zeros(len(rows), dtype=bool)
        if cap is None and (sampler.term_by_term or sampler.prefers_exact):
            short = _batch_superset.in_reach(self.net_counts, rows, summation.log_beta)
        if short.any():
            found[short, :, 0] = _batch_superset.log_sums(
                codes=rows[short], **self._model
            )
        for i in np.flatnonzero(~short):
            for k in range(len(self.net_counts)):
                weighted_sum = log_sum(**self._question(rows[i], k))
                found[i, k] = weighted_sum.log_value, weighted_sum.std_error
        return found

    def _sums_over_terms(self, rows):
        return _row_tables.log_sums(
            codes=rows, max_term_size=self.summation.max_term_size, **self._model
        )

    @property
    def _model(self):
        return {
            "examples": self.examples,
            "net_counts": self.net_counts,
            "log_alpha": self.summation.log_alpha,
            "log_beta": self.summation.log_beta,
        }

    # -- single rows -------------------------------------------------------------------

    def weighted_sum(self, row, i=0):
        """Return the WeightedSum of a row of codes in the i-th class."""
        if self.summation.of_terms:
            masked = self.summation.masked(row[None], self.classes[i])
            value = self._sums_over_terms(masked)[0, i]
            return WeightedSum(value, std_error=0.0, exact=True, sampler="table")
        return log_sum(**self._question(row, i))

    def exceeds(self, row, log_threshold, guess):
        """Return whether the first class reaches a threshold, and the sum so far."""
        if not self.summation.of_terms:
            question = self._question(row, 0)
            return exceeds(**question, log_threshold=log_threshold, guess=guess)
        weighted_sum = self.weighted_sum(row)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def question(self, row):
        """Return a function from a class to the keywords of `log_sum` for a row."""
        return partial(self._question, row)

    def _question(self, row, i):
        engine = self.summation.engine()
        row = self.summation.masked(row[None], self.classes[i])[0]
        return {
            "engine": engine,
            "problem": AgreementProblem.of_row(
                self.examples,
                self.net_counts[i],
                row,
                compress=engine.max_term_size is None,
            ),
            "log_alpha": self.summation.log_alpha,
            "log_beta": self.summation.log_beta,
            "stream": stream(*self.keys, self.classes[i], self.version, row=row),
        }
