"""Summation: the computation of the weighted sums of a model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain

import numpy as np

from sklearn_dnfwinnow._terms._conditions import Conditions, extent
from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow._winnow._stores import _row_tables
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem
from sklearn_dnfwinnow.samplers._sampler import Sampler
from sklearn_dnfwinnow.samplers._weighted_sum import WeightedSum
from sklearn_dnfwinnow.sums import _batch_superset
from sklearn_dnfwinnow.sums._conditioned_sums import ConditionedSums
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

    @property
    def of_terms(self):
        """Whether single rows are summed over all their terms, up to a size."""
        return self.sampler.term_by_term and self.max_term_size is not None

    @property
    def is_plain_and_exact(self):
        """Whether sums are over all terms, and exact whenever this is feasible."""
        prefers_exact = self.sampler.prefers_exact and not self.of_terms
        return prefers_exact and self.conditions is None

    @cached_property
    def conditioned_sums(self):
        """The ConditionedSums of each class: list."""
        return [
            ConditionedSums(
                conditions=self.conditions,
                k=k,
                log_alpha=self.log_alpha,
                log_beta=self.log_beta,
                max_term_size=self.max_term_size,
            )
            for k in range(len(self.conditions.flags))
        ]

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
        Numbers of these classes in the conditions, and in random streams.
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
        if self.summation.conditions is None:
            return self._plain_estimates(rows)
        found = [
            self._of_parts(i, rows, lambda part, left: part.estimates(left)[:, 0])
            for i in range(len(self.classes))
        ]
        return np.stack(found, axis=1)

    def _plain_estimates(self, rows):
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
                weighted_sum = log_sum(**self._plain_question(rows[i], k))
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
        if self.summation.conditions is not None:
            return self._sum_of_parts(row, i)
        if self.summation.of_terms:
            value = self._sums_over_terms(row[None])[0, i]
            return WeightedSum(value, std_error=0.0, exact=True, sampler="table")
        return log_sum(**self._plain_question(row, i))

    def exceeds(self, row, log_threshold, guess):
        """Return whether the first class reaches a threshold, and the sum so far."""
        if self.summation.conditions is None and not self.summation.of_terms:
            question = self._plain_question(row, 0)
            return exceeds(**question, log_threshold=log_threshold, guess=guess)
        weighted_sum = self.weighted_sum(row)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def question(self, row):
        """Return a function from a class to the keywords of `log_sum` for a row.

        If conflicts split the terms of the row, the keywords are those of the part
        with the most columns left, which requires the longest chains.
        """
        if self.summation.conditions is None:
            return partial(self._plain_question, row)

        def of_class(i):
            sums = self.summation.conditioned_sums[self.classes[i]]
            literals, (_, left) = max(
                sums.parts(row[None]).items(),
                key=lambda part: np.count_nonzero(part[1][1]),
            )
            acting = extent(self.examples, literals)
            part = self._part(
                i,
                examples=self.examples[acting],
                net_counts=self.net_counts[i, acting],
                max_term_size=sums.size_left(literals),
                literals=literals,
            )
            return part.question(left[0])(0)

        return of_class

    def _plain_question(self, row, i):
        engine = self.summation.engine()
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

    # -- allowed terms -----------------------------------------------------------------

    def _of_parts(self, i, rows, estimates):
        """Return log W of rows in the i-th class, and its error, from those of parts.

        `estimates` is a function of the evaluation of a part, and of its rows.
        """
        return self.summation.conditioned_sums[self.classes[i]].estimates(
            rows=rows,
            examples=self.examples,
            net_counts=self.net_counts[i],
            plain_sums=lambda rows, **part: estimates(self._part(i, **part), rows),
        )

    def _sum_of_parts(self, row, i):
        parts = []

        def estimates(part, left):
            parts.append(part.weighted_sum(left[0]))
            return np.array([[parts[-1].log_value, parts[-1].std_error]])

        ((value, std_error),) = self._of_parts(i, row[None], estimates)
        names = [part.sampler for part in parts if part.sampler != "closed_form"]
        return WeightedSum(
            float(value),
            float(std_error),
            exact=all(part.exact for part in parts),
            sampler=names[0] if names else "closed_form",
            n_states=max(part.n_states for part in parts),
            n_replicates=max(part.n_replicates for part in parts),
            n_chains=sum(part.n_chains for part in parts),
            n_simulated=sum(part.n_simulated for part in parts),
            n_ladder=sum(part.n_ladder for part in parts),
        )

    def _part(self, i, examples, net_counts, max_term_size, literals):
        """Return the evaluation of a part, as a model with one class."""
        return Evaluation(
            replace(self.summation, max_term_size=max_term_size, conditions=None),
            examples=examples,
            net_counts=net_counts[None],
            classes=[0],
            keys=(*self.keys, self.classes[i], *chain(*literals)),
            version=self.version,
        )
