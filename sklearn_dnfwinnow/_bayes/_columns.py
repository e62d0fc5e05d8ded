"""Columns: the linear predictors of a normal prior, as products with a dense matrix.

With a normal prior, predictors are ``columns @ (widths * effects)``, where the effects
are independent standard normal variables. There is one column for each group; or, if
there are more groups than rows, there are columns whose products have the same prior
covariance, order by order. The effects of such columns do not determine the sums of the
groups, which are then drawn given the predictors of each order.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve, lapack

from sklearn_dnfwinnow._bayes._sum_draws import gram_of_rows

# Pivots below this fraction of the largest variance are due to rounding.
_ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class Columns:
    """A matrix, and the orders of its columns.

    Attributes
    ----------
    matrix : ndarray of shape (n_rows, n_columns), float64
    counts : ndarray of shape (n_columns, max_order + 1), float64
        Number of terms of each order in each column.
    kernels : ndarray of shape (max_order + 1, n_rows, n_rows), float64
        Prior covariance of the predictors for each order, for a width of 1.
    pivots : list of ndarray, or None
        For each order, as many rows as it has columns, whose predictors of this order
        determine those of all rows. None if columns are groups.
    """

    matrix: np.ndarray
    counts: np.ndarray
    kernels: np.ndarray
    pivots: list | None

    @classmethod
    def of(cls, problem):
        """Return the columns of a problem with a normal prior."""
        groups = problem.groups
        orders = range(groups.counts.shape[1])
        kernels = np.stack(
            [_symmetric(gram_of_rows(problem, groups.counts[:, o])) for o in orders]
        )
        if groups.n_groups <= len(groups.rows):
            matrix = np.ascontiguousarray(problem.memberships.T.toarray(), float)
            return cls(matrix, groups.counts, kernels, None)
        factors, pivots = zip(*map(_factor, kernels))
        ranks = [factor.shape[1] for factor in factors]
        counts = np.eye(len(ranks))[np.repeat(orders, ranks)]
        matrix = np.ascontiguousarray(np.hstack(factors))
        return cls(matrix, counts, kernels, list(pivots))

    def kernel(self, log_sigma):
        """Return the prior covariance of the predictors, given the widths."""
        return np.tensordot(np.exp(2 * log_sigma), self.kernels, axes=1)

    def sums(self, problem, effects, log_sigma, generator):
        """Return sums of groups, given effects of columns.

        Parameters
        ----------
        problem : Problem
        effects : ndarray of shape (n_sets, n_columns)
        log_sigma : ndarray of shape (max_order + 1,)
        generator : Generator

        Returns
        -------
        sums : ndarray of shape (n_groups, n_sets)
        """
        sigma = np.exp(log_sigma)
        if self.pivots is None:
            widths = problem.prior.widths(log_sigma, self.counts)
            return (widths * effects).T
        sums = np.zeros((problem.groups.n_groups, problem.n_sets))
        end = 0
        for o, rows in enumerate(self.pivots):
            own, end = slice(end, end + len(rows)), end + len(rows)
            factor = self.matrix[rows, own]
            present, scales, members = problem.once(_parts_of_orders)[o]
            # Parts of the prior, corrected to the predictors of this order.
            parts = scales * generator.standard_normal((len(present), problem.n_sets))
            gap = factor @ effects[:, own].T - (members.T @ parts)[rows]
            parts += scales**2 * (members[:, rows] @ cho_solve((factor, True), gap))
            sums[present] += sigma[o] * parts
        return sums


def _parts_of_orders(problem):
    """Return, for each order, its groups, deviations of parts, and memberships."""
    found = []
    for counts in problem.groups.counts.T:
        present = np.flatnonzero(counts)
        members = problem.memberships[present].tocsc()
        found.append((present, np.sqrt(counts[present])[:, np.newaxis], members))
    return found


def _symmetric(lower):
    """Return the symmetric matrix of a lower triangle."""
    return np.tril(lower) + np.tril(lower, -1).T


def _factor(kernel):
    """Return a factor of a positive semidefinite matrix, and the rows of its pivots."""
    largest = kernel.diagonal().max()
    if largest == 0:
        return np.empty((len(kernel), 0)), np.empty(0, dtype=int)
    lower, order, rank, _ = lapack.dpstrf(kernel, lower=1, tol=_ROUNDING * largest)
    factor = np.empty((len(kernel), rank))
    factor[order - 1] = np.tril(lower)[:, :rank]
    return factor, order[:rank] - 1
