"""Summation: the computation of the weighted sums of a model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from sklearn_dnfwinnow._terms._conditions import Conditions
from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow._winnow._stores import _row_tables
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem
from sklearn_dnfwinnow.samplers._sampler import Sampler
from sklearn_dnfwinnow.sums import _batch_superset
from sklearn_dnfwinnow.sums._conditioned_sums import ConditionedSums
from sklearn_dnfwinnow.sums._log_weighted_sum import log_sum

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
        Logarithms of the factor of one unit of net count, and of the initial weight per
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
        return Evaluation(self, examples, net_counts, (self.seed, _PREDICTION))

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
    """The weighted sums of a batch of rows in all classes of a model.

    Parameters
    ----------
    summation : Summation
    examples : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    keys : tuple of int
        Keys of the random streams, in addition to the class and the row.
    """

    summation: Summation
    examples: np.ndarray
    net_counts: np.ndarray
    keys: tuple

    def log_sums(self, rows):
        """Return log W of some rows of codes in all classes: (n_rows, n_classes)."""
        return self.estimates(rows)[..., 0]

    def estimates(self, rows):
        """Return log W and its relative standard error: (n_rows, n_classes, 2)."""
        if self.summation.conditions is None:
            return self._plain_estimates(rows)
        found = [
            self._conditioned_sums(k).estimates(
                rows=rows,
                examples=self.examples,
                net_counts=of_class,
                plain_sums=partial(self._sums_of_part, k),
            )
            for k, of_class in enumerate(self.net_counts)
        ]
        return np.stack(found, axis=1)

    def question(self, row):
        """Return a function from a class to the arguments of `log_sum` for a row.

        If conflicts split the terms of the row, the arguments are those of the part
        with the most columns left, which requires the longest chains.
        """
        if self.summation.conditions is None:
            return partial(self._plain_question, row)

        def of_class(k):
            sums = self._conditioned_sums(k)
            literals, (_, left) = max(
                sums.parts(row[None]).items(),
                key=lambda part: np.count_nonzero(part[1][1]),
            )
            acting = np.ones(len(self.examples), dtype=bool)
            for column, code in literals:
                acting &= self.examples[:, column] == code
            part = self._part(
                k,
                examples=self.examples[acting],
                net_counts=self.net_counts[k, acting],
                max_term_size=sums.size_left(literals),
                literals=literals,
            )
            return part.question(left[0])(0)

        return of_class

    # -- all terms ---------------------------------------------------------------------

    def _plain_estimates(self, rows):
        found = np.zeros((len(rows), len(self.net_counts), 2))
        summation = self.summation
        sampler, cap = summation.sampler, summation.max_term_size
        model = {
            "examples": self.examples,
            "net_counts": self.net_counts,
            "log_alpha": summation.log_alpha,
            "log_beta": summation.log_beta,
        }
        if sampler.term_by_term and cap is not None:
            found[..., 0] = _row_tables.log_sums(codes=rows, max_term_size=cap, **model)
            return found
        short = np.zeros(len(rows), dtype=bool)
        if cap is None and (sampler.term_by_term or sampler.prefers_exact):
            short = _batch_superset.in_reach(self.net_counts, rows, summation.log_beta)
        if short.any():
            found[short, :, 0] = _batch_superset.log_sums(codes=rows[short], **model)
        for i in np.flatnonzero(~short):
            for k in range(len(self.net_counts)):
                weighted_sum = log_sum(*self._plain_question(rows[i], k))
                found[i, k] = weighted_sum.log_value, weighted_sum.std_error
        return found

    def _plain_question(self, row, k):
        engine = self.summation.engine()
        compress = engine.max_term_size is None
        return (
            engine,
            AgreementProblem.of_row(self.examples, self.net_counts[k], row, compress),
            self.summation.log_alpha,
            self.summation.log_beta,
            stream(*self.keys, k, 0, row=row),
        )

    # -- allowed terms -----------------------------------------------------------------

    def _conditioned_sums(self, k):
        return ConditionedSums(
            conditions=self.summation.conditions,
            k=k,
            log_alpha=self.summation.log_alpha,
            log_beta=self.summation.log_beta,
            max_term_size=self.summation.max_term_size,
        )

    def _sums_of_part(self, k, rows, **part):
        """Return log W of the rows of a part, and its error: (n_rows, 2)."""
        return self._part(k, **part).estimates(rows)[:, 0]

    def _part(self, k, examples, net_counts, max_term_size, literals):
        """Return the evaluation of a part, as a model with one class."""
        return Evaluation(
            replace(self.summation, max_term_size=max_term_size, conditions=None),
            examples=examples,
            net_counts=net_counts[None],
            keys=(*self.keys, k, *chain(*literals)),
        )
