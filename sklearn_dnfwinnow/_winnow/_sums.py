"""Sums: the weighted sums of the rows of a model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import is_not

import numpy as np

from sklearn_dnfwinnow._kernels import term_table
from sklearn_dnfwinnow._terms._term_index import (
    TooManyTerms,
    cap_of,
    count_terms,
    number_terms,
    term_index,
)
from sklearn_dnfwinnow._utils._computing import distinct_rows, run_tasks, stream
from sklearn_dnfwinnow._winnow._monotone import Allowed
from sklearn_dnfwinnow._winnow._stores import TermTable
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem, WeightedSum
from sklearn_dnfwinnow.samplers._engine import Sampler
from sklearn_dnfwinnow.sums import _subset_sums as _batch_superset
from sklearn_dnfwinnow.sums._log_weighted_sum import exceeds, log_sum


def log_sums(weighting, examples, net_counts, codes):
    """Return the weighted sums of some rows in all classes, by tables of their terms.

    The tables contain only terms that some of these rows satisfy. The sum of a row
    depends neither on the other rows nor on their order.

    Parameters
    ----------
    weighting : object
        With `log_alpha`, `log_beta` and `max_term_size`.
    examples : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    codes : ndarray of shape (n_rows, n_attributes), int32

    Returns
    -------
    log_sums : ndarray of shape (n_rows, n_classes), float64

    Raises
    ------
    TooManyTerms
        If the terms of one row exceed the memory budget.
    """
    m, n_rows = len(examples), len(codes)
    if n_rows == 0:
        return np.empty((0, len(net_counts)))
    try:
        index = _index_of(weighting, examples, codes)
    except TooManyTerms:
        if n_rows == 1:
            raise
        halves = np.array_split(codes, 2)
        of_rows = partial(log_sums, weighting, examples, net_counts)
        return np.concatenate(list(map(of_rows, halves)))
    sums = np.empty((n_rows, len(net_counts)))
    for k, of_class in enumerate(net_counts):
        table = TermTable(index, weighting.log_alpha, of_class, alone=True)
        sums[:, k] = table.log_sums(np.arange(m, m + n_rows))
    return sums


def _index_of(weighting, examples, codes):
    """Return an index of stored examples and rows, of the terms of the rows only."""
    specified = codes.any(axis=0)
    specified[0] = True
    examples, codes = examples[:, specified], codes[:, specified]
    # Values that no row has are unspecified, and the others are numbered.
    columns = np.arange(codes.shape[1], dtype=np.int64) << 32
    values = np.unique((columns + codes)[codes != 0])
    values = np.append(values, np.iinfo(np.int64).max)
    starts = np.searchsorted(values, columns)
    keys = columns + np.concatenate([examples, codes])
    places = np.searchsorted(values, keys)
    rows = np.where(values[places] == keys, places - starts + 1, 0)
    return term_index(
        rows=np.ascontiguousarray(rows, dtype=np.int32),
        n_values=np.diff(starts, append=len(values) - 1),
        max_term_size=cap_of(weighting.max_term_size, codes),
        log_beta=weighting.log_beta,
        may_group=False,
    )


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
            found[..., 0] = log_sums(summation, self.examples, self.net_counts, rows)
            return found
        short = np.zeros(len(rows), dtype=bool)
        if cap is None and (sampler.term_by_term or sampler.prefers_exact):
            short = _batch_superset.in_reach(self.net_counts, rows, summation.log_beta)
        if short.any():
            found[short, :, 0] = _batch_superset.log_sums(
                examples=self.examples,
                net_counts=self.net_counts,
                codes=rows[short],
                log_alpha=summation.log_alpha,
                log_beta=summation.log_beta,
            )
        for i in np.flatnonzero(~short):
            for k in range(len(self.net_counts)):
                weighted_sum = log_sum(**self.question(rows[i], k))
                found[i, k] = weighted_sum.log_value, weighted_sum.std_error
        return found

    # -- single rows -------------------------------------------------------------------

    def weighted_sum(self, row):
        """Return the WeightedSum of a row of codes in the first class."""
        if self.summation.of_terms:
            value = self.estimates(row[None])[0, 0, 0]
            return WeightedSum(value, std_error=0.0, exact=True, sampler="table")
        return log_sum(**self.question(row, 0))

    def exceeds(self, row, log_threshold, guess):
        """Return whether the first class reaches a threshold, and the sum so far."""
        if not self.summation.of_terms:
            question = self.question(row, 0)
            return exceeds(**question, log_threshold=log_threshold, guess=guess)
        weighted_sum = self.weighted_sum(row)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def question(self, row, i):
        """Return the keywords of `log_sum` for a row in the i-th of the classes."""
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


# Maximum number of terms of all classes: usually 32 MiB.
_MOST_TERMS = 1 << 23
# Without a maximum term size, sums over stored examples are faster for rows with more
# than this number of terms per stored example.
_TERMS_AN_UPDATE = 4
# Tables of this number of stored examples take about as long as a sum over them.
_FEW_UPDATES = 32
# Number of epochs that indicate the size of the last training calls.
_LATEST = 32


class ExactSums:
    """Base class of evaluations of rows, with the interface of `Evaluation`."""

    def estimates(self, rows):
        """Return log W and its relative standard error: (n_rows, n_classes, 2)."""
        sums = self.log_sums(rows)
        return np.stack([sums, np.zeros_like(sums)], axis=-1)


class TermSums(ExactSums):
    """Evaluation of rows by tables of all terms, not only of training rows.

    It is thread-safe.

    Parameters
    ----------
    model : Model
    summation : Summation
        Term by term.
    longest : int
        Size of the longest terms of any row.
    """

    def __init__(self, model, summation, longest):
        index = number_terms(
            rows=model.literal_examples,
            n_values=model.encoding.n_values,
            max_term_size=summation.max_term_size,
            log_beta=summation.log_beta,
            cap=longest,
        )
        self._tables = [
            TermTable(
                index=index,
                log_alpha=summation.log_alpha,
                net=of_class,
                is_final=True,
                allowed=summation.allowed,
                k=k,
            )
            for k, of_class in enumerate(model.net_counts)
        ]

    @classmethod
    def of(cls, model, summation):
        """Return the term sums of a model, or None if another method is preferable.

        The last bits of a sum depend on the method of its computation. The choice is
        therefore a function of the model, and not of the rows to be summed.
        """
        n_values, longest = model.encoding.n_values, summation.max_term_size
        m, n = len(model.literal_examples), len(n_values)
        # All stored examples are added up after each training call. This is avoided if
        # it takes far longer than the call itself, which may have a single sample.
        n_latest = int(model.record.n_mistakes[-_LATEST:].max(initial=0))
        if m == 0 or m > _FEW_UPDATES * n_latest:
            return None
        if longest is None and 2**n > _TERMS_AN_UPDATE * m:
            return None
        longest = n if longest is None else min(n, longest)
        n_terms = model.n_classes * count_terms(n_values, longest)
        return cls(model, summation, longest) if n_terms <= _MOST_TERMS else None

    def log_sums(self, rows):
        """Return log W of some rows of codes in all classes: (n_rows, n_classes)."""
        sums = np.empty((len(rows), len(self._tables)))
        term_table.log_sums_of_codes(
            tables=[table.kernel for table in self._tables],
            codes=np.ascontiguousarray(rows),
            sums=sums,
        )
        return sums


class Cache:
    """Cache of the last results for some objects; a copy that is pickled is empty."""

    def __init__(self):
        self._held = {}

    def __reduce__(self):
        return Cache, ()

    def get(self, name, key, make):
        """Return the cached result of a name for the same objects, or compute it."""
        held, found = self._held.get(name, ((), None))
        if len(held) != len(key) or any(map(is_not, held, key)):
            found = make()
            # A single assignment, for other threads.
            self._held[name] = key, found
        return found


class ChosenSums(ExactSums):
    """Evaluation of rows: the learned weights, and all others in closed form.

    Parameters
    ----------
    model : Model
        Its terms are chosen.

    Attributes
    ----------
    log_weights : ndarray of shape (n_classes, n_terms)
        Minus infinity for terms that a class may not have.
    """

    def __init__(self, model):
        self._terms, self._allowed = model.chosen_terms, model.allowed
        self._candidate = model.candidate
        sizes = np.array([len(term) for term in self._terms.terms])
        self.log_weights = (
            model.log_beta * sizes + model.log_alpha * model.stored.net_counts
        )
        if self._allowed is not None:
            for k, of_class in enumerate(self.log_weights):
                of_class[~self._terms.allowed(self._allowed, k)] = -np.inf

    def log_sums(self, rows):
        """Return log W of some rows of codes in all classes: (n_rows, n_classes)."""
        satisfied = starts, listed = self._terms.satisfied(rows)
        firsts, rest = starts[:, 0], None
        sums = np.empty((len(rows), len(self.log_weights)))
        for k, log_weights in enumerate(self.log_weights):
            if rest is None or self._allowed is not None:
                rest = self._terms.log_rest(
                    self._candidate, rows, satisfied, allowed=self._allowed, k=k
                )
            logs = log_weights[listed]
            top = np.maximum(np.maximum.reduceat(logs, firsts), rest)
            shifted = np.exp(logs - np.repeat(top, np.diff(starts[:, [0, -1]])[:, 0]))
            total = np.add.reduceat(shifted, firsts) + np.exp(rest - top)
            sums[:, k] = top + np.log(total)
        return sums
