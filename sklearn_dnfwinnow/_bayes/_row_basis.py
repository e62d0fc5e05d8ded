"""Row basis: coordinates of sums, of which there are as many as rows for each order.

A sum with a normal prior has a part of each order: Normal(0, sigma_o^2 counts_o), with
counts_o terms of order o. Predictors are totals of parts. What order o adds to them has
the covariance sigma_o^2 K_o, where K_o is a kernel of the rows. With its positive
eigenvalues l and eigenvectors U, it is U sqrt(l) c for independent coordinates c of
Normal(0, sigma_o^2). Chains of coordinates are quicker than those of sums if there are
more groups than rows, and their widths move faster, since fewer numbers determine them.
Given the coordinates, sums do not depend on the classes. They are drawn at the end.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import diags_array
from sklearn.utils import gen_batches

# Eigenvalues below this fraction of the largest one are 0, but for rounding.
_LEAST_EIGENVALUE = 1e-10
# Maximum number of parts of sums that are drawn at once.
_PARTS_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class RowBasis:
    """Coordinates, which replace the groups of a problem with a normal prior.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct rows of codes.
    counts : ndarray of shape (n_coordinates, n_orders), float64
        1 for the order of a coordinate, otherwise 0, as if each were a group of a term.
    vectors : ndarray of shape (n_coordinates, n_rows), float64
        What a coordinate of 1 adds to predictors: sqrt(l) U.
    kernels : ndarray of shape (n_orders, n_rows, n_rows), float64
        Covariances of what each order adds to predictors, for widths of 1.
    """

    rows: np.ndarray
    counts: np.ndarray
    vectors: np.ndarray
    kernels: np.ndarray

    @classmethod
    def of(cls, rows, kernels):
        """Return the basis of some rows and their kernels."""
        vectors, orders = [], []
        for order, kernel in enumerate(kernels):
            lengths, found = eigh(kernel)
            positive = lengths > _LEAST_EIGENVALUE * lengths[-1]
            vectors.append((found * np.sqrt(np.abs(lengths))).T[positive])
            orders += [order] * len(vectors[-1])
        counts = np.eye(len(kernels))[orders]
        return cls(rows, counts, np.concatenate(vectors), kernels)

    @property
    def n_groups(self):
        """Return the number of coordinates."""
        return len(self.counts)

    def memberships(self):
        """Return `vectors`: they are to coordinates what memberships are to groups."""
        return self.vectors

    def draw_sums(self, problem, coordinates, log_sigma, generator):
        """Draw sums given coordinates.

        Parameters
        ----------
        problem : Problem
            Over groups, with these rows and kernels.
        coordinates : ndarray of shape (n_draws, n_coordinates, n_sets)
        log_sigma : ndarray of shape (n_draws, n_orders)
        generator : Generator

        Returns
        -------
        sums : ndarray of shape (n_draws, n_groups, n_sets), float32
        """
        n_draws, _, n_sets = coordinates.shape
        n_groups = problem.groups.n_groups
        sums = np.zeros((n_draws, n_groups, n_sets), dtype=np.float32)
        n_at_once = max(1, _PARTS_AT_ONCE // (n_groups * n_sets))
        for order, counts in enumerate(problem.groups.counts.T):
            held = np.flatnonzero(counts)
            roots = np.sqrt(counts[held])
            to_parts = diags_array(roots) @ problem.memberships[held]
            own = self.counts[:, order] > 0
            lengths = (self.vectors[own] ** 2).sum(axis=1, keepdims=True)
            dual = self.vectors[own] / lengths
            for block in gen_batches(n_draws, n_at_once):
                sigma = np.exp(log_sigma[block, order])
                wanted = coordinates[block][:, own] / sigma[:, np.newaxis, np.newaxis]
                n = len(wanted)
                wanted = wanted.transpose(1, 0, 2).reshape(len(dual), n * n_sets)
                # A draw of all parts, corrected to have the wanted coordinates.
                parts = generator.standard_normal((len(held), wanted.shape[1]))
                parts += to_parts @ (dual.T @ (wanted - dual @ (to_parts.T @ parts)))
                parts *= roots[:, np.newaxis]
                parts = parts.reshape(len(held), n, n_sets).transpose(1, 0, 2)
                sums[block, held] += sigma[:, np.newaxis, np.newaxis] * parts
        return sums


def in_row_basis(problem):
    """Return a problem with a normal prior over a row basis."""
    kernels = []
    for counts in problem.groups.counts.T:
        held = np.flatnonzero(counts)
        own = problem.memberships[held]
        kernels.append((own.T @ (diags_array(counts[held]) @ own)).toarray())
    groups = RowBasis.of(problem.groups.rows, np.stack(kernels))
    return replace(problem, groups=groups)
