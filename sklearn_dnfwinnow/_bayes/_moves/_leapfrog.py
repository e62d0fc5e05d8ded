"""Leapfrog: steps of several chains along trajectories of the density."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._moves._modes import dense
from sklearn_dnfwinnow._bayes._moves._widths import hyperprior_of
from sklearn_dnfwinnow._kernels import leapfrog

# Of the kernel: columns of a panel, and factors of a product that go together.
_PANEL, _ABREAST = 32, 4


class Leapfrog:
    """Leapfrog steps of several chains, in single precision.

    The relative error of products with rows, 1e-7, is that of a kernel of the rows that
    differs by as much. Results do not depend on the processor.

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    likelihood : Contrasts
        That of the problem.
    """

    def __init__(self, problem, likelihood):
        prior, members = problem.prior, dense(problem.memberships)
        n_coordinates, n_rows = members.shape
        self._n_rows = n_rows
        # Coordinates that fill up a panel have a width, but no other effect.
        counts = np.ones((len(prior.scales), _filled(n_coordinates)), dtype=np.float32)
        counts[:, :n_coordinates] = problem.groups.counts.T
        self._density = {
            "to_rows": _panels(members),
            "to_coordinates": _panels(members.T),
            "counts": counts,
            "weights": _padded(problem.class_weights.T),
            "totals": _padded(problem.totals),
            "basis": likelihood.of_classes.astype(np.float32),
            "hyperprior": hyperprior_of(prior),
            "first": prior.first,
            "log_scales": np.log(prior.scales),
        }

    def use(self, metric):
        """Make the following steps by a metric."""
        self._metric = {
            "to_directions": _panels(metric.vectors),
            "from_directions": _panels(metric.vectors.T),
            "factors": _padded(metric.factors),
            "covariance": metric.covariance,
        }

    def steps(self, n_steps, *, sizes, log_sigma, coordinates, momenta, of_widths):
        """Make steps, and return the predictors.

        Parameters
        ----------
        n_steps : int
        sizes : ndarray of shape (n_chains,), float64
            Sizes of steps.
        log_sigma, of_widths : ndarray of shape (n_chains, ...), float64
            Logarithms of all widths, and the momenta of those that are learned. They
            are changed in place.
        coordinates, momenta : ndarray of shape (n_chains, n_contrasts, n_coordinates)
            float64; changed in place.

        Returns
        -------
        predictors : ndarray of shape (n_chains, n_contrasts, n_rows), float64
        """
        shape = coordinates.shape
        columns, of_columns = _columns(coordinates), _columns(momenta)
        predictors = np.empty((len(columns), _filled(self._n_rows)), dtype=np.float32)
        leapfrog.leapfrog(
            **self._density,
            **self._metric,
            sizes=sizes,
            n_steps=n_steps,
            log_sigma=log_sigma,
            of_widths=of_widths,
            coordinates=columns,
            momenta=of_columns,
            predictors=predictors,
        )
        n_columns = shape[0] * shape[1]
        coordinates[:] = columns[:n_columns, : shape[2]].reshape(shape)
        momenta[:] = of_columns[:n_columns, : shape[2]].reshape(shape)
        found = predictors[:n_columns, : self._n_rows].astype(np.float64)
        return found.reshape(*shape[:2], -1)


def _filled(n, whole=_PANEL):
    """Return a number of columns, with those that fill up the last panel."""
    return max(1, -(-n // whole)) * whole


def _padded(values):
    """Return float32 values with zeros that fill up the last panel."""
    found = np.zeros((*values.shape[:-1], _filled(values.shape[-1])), dtype=np.float32)
    found[..., : values.shape[-1]] = values
    return found


def _columns(values):
    """Return values of chains and contrasts as columns, which a product takes."""
    flat = _padded(values.reshape(-1, values.shape[-1]))
    n_columns = _filled(len(flat), _ABREAST)
    found = np.zeros((n_columns, flat.shape[1]), dtype=np.float32)
    found[: len(flat)] = flat
    return found


def _panels(matrix):
    """Return a matrix as panels of columns, with zeros that fill up both axes."""
    rows = _padded(_padded(matrix.T).T)
    panels = rows.reshape(len(rows), -1, _PANEL).transpose(1, 0, 2)
    return np.ascontiguousarray(panels)
