"""Packed stored examples of all classes, compared with a query once."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._kernels import _agreement, bounds
from sklearn_dnfwinnow._problems._agreement_problem import (
    AgreementProblem,
    n_words,
)

_WIDTHS = (np.uint8, np.uint16, np.uint32)


@dataclass(frozen=True, eq=False)
class PackedUpdates:
    """The stored examples of a model, by attribute, in the narrowest integers.

    Attributes
    ----------
    columns : ndarray of shape (n_attributes, m), uint8, uint16 or uint32
        Their codes.
    largest : int
        A code that no stored example has. All larger codes are equivalent to it.
    exponents : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    starts : ndarray of shape (n_classes + 1,), int64
        Start of each class in `acting` and `amounts`.
    acting : ndarray of shape (n_acting,), int32
        The stored examples with nonzero net promotion counts in each class.
    amounts : ndarray of shape (n_acting,), int64
        Their net promotion counts.
    """

    columns: np.ndarray
    largest: int
    exponents: np.ndarray
    starts: np.ndarray
    acting: np.ndarray
    amounts: np.ndarray

    @classmethod
    def of(cls, updates, exponents):
        """Pack stored examples, (m, n_attributes), with their exponents."""
        largest = int(updates.max(initial=0)) + 1
        width = next(w for w in _WIDTHS if largest <= np.iinfo(w).max)
        classes, acting = np.nonzero(exponents)
        return cls(
            np.ascontiguousarray(updates.T, dtype=width),
            largest,
            exponents,
            np.searchsorted(classes, np.arange(len(exponents) + 1)),
            acting.astype(np.int32),
            exponents[classes, acting],
        )

    @cached_property
    def largest_sum(self):
        """Largest sum of the absolute exponents of a class; 0 if all are zero."""
        return int(np.abs(self.exponents).sum(axis=1).max(initial=0))

    def pack(self, codes):
        """Return codes of queries, comparable with the codes of the stored examples."""
        return np.minimum(codes, self.largest).astype(self.columns.dtype)

    def agreement(self, row):
        """Return the agreement sets of one query, a row of codes."""
        specified = np.flatnonzero(row)
        m = self.columns.shape[1]
        sets = np.empty((m, n_words(len(specified))), dtype=np.uint64)
        set_of = np.empty(m, dtype=np.int32)
        n_sets = _agreement.agree(
            columns=self.columns,
            row=self.pack(row),
            specified=specified,
            sets=sets,
            set_of=set_of,
        )
        return Agreement(self, len(specified), sets[:n_sets], set_of)

    def bounds(self, codes, log_alpha, log_beta):
        """Return bounds of log W over terms of any size.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_attributes), int32
        log_alpha, log_beta : float

        Returns
        -------
        lower, upper : ndarrays of shape (n_rows, n_classes), float64
        n_sets : ndarray of shape (n_rows, n_classes), int64
            Distinct agreement sets whose exponents are not zero.
        """
        shape = len(codes), len(self.exponents)
        lower, upper = np.empty(shape), np.empty(shape)
        n_sets = np.empty(shape, dtype=np.int64)
        bounds.bounds(
            columns=self.columns,
            rows=self.pack(codes),
            starts=self.starts,
            updates=self.acting,
            exponents=self.amounts,
            log_alpha=log_alpha,
            log_beta=log_beta,
            lower=lower,
            upper=upper,
            n_sets=n_sets,
        )
        return lower, upper, n_sets


@dataclass(frozen=True, eq=False)
class Agreement:
    """The agreement of one query with the stored examples of all classes.

    Attributes
    ----------
    updates : PackedUpdates
    n : int
        Number of specified attributes of the query.
    sets : ndarray of shape (n_sets, ceil(n / 64)), uint64
        Distinct agreement sets, as bits.
    set_of : ndarray of shape (m,), int32
        Index of the agreement set of each stored example.
    """

    updates: PackedUpdates
    n: int
    sets: np.ndarray
    set_of: np.ndarray

    def problem(self, k, compress=True):
        """Return the problem of class k, as `AgreementProblem.of_row` does."""
        own = slice(*self.updates.starts[k : k + 2])
        acting = self.updates.acting[own]
        sets = np.empty((len(acting), self.sets.shape[1]), dtype=np.uint64)
        sums = np.empty(len(acting), dtype=np.int64)
        n_own = _agreement.aggregate_class(
            sets=self.sets,
            set_of=self.set_of,
            updates=acting,
            exponents=self.updates.amounts[own],
            own_sets=sets,
            sums=sums,
        )
        return AgreementProblem.of_sets(
            sets=sets[:n_own],
            sums=sums[:n_own],
            n=self.n,
            raw_exponents=self.updates.exponents[k],
            compress=compress,
        )
