"""Leapfrog: steps of several chains along trajectories of the density."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._hamiltonian._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._hamiltonian._gaussian import dense
from sklearn_dnfwinnow._kernels import leapfrog


class Leapfrog:
    """Leapfrog steps of several chains, in single precision.

    The relative error of products with rows, 1e-7, is that of a kernel of the rows that
    differs by as much. Results have the same bits for any instruction set.

    Parameters
    ----------
    problem : Problem
    """

    def __init__(self, problem):
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
            "basis": problem.once(Contrasts).of_classes.astype(np.float32),
            "is_cauchy": prior.family == "cauchy",
            "hyperprior": prior.for_kernels,
            "first": prior.first,
            "log_scales": np.log(prior.scales),
        }

    def use(self, parametrization, metric):
        """Make the following steps of some coordinates, and by a metric."""
        self._metric = {
            "information": _padded(parametrization.information),
            "to_directions": np.stack([_panels(own) for own in metric.vectors]),
            "from_directions": np.stack([_panels(own.T) for own in metric.vectors]),
            "factors": _padded(metric.factors),
            "variances": metric.variances,
        }

    def steps(self, n_steps, *, sizes, log_sigma, coordinates, momenta, of_widths):
        """Make steps.

        Parameters
        ----------
        n_steps : int
        sizes : ndarray of shape (n_chains,)
            Sizes of steps.
        log_sigma : ndarray of shape (n_chains, n_orders)
        coordinates, momenta : ndarray of shape (n_contrasts, n_chains, n_coordinates)
            The coordinates are those of the parametrization.
        of_widths : ndarray of shape (n_chains, n_widths)
            Momenta of the widths that are learned.

        Returns
        -------
        log_sigma, coordinates, momenta, of_widths : ndarray
        predictors : ndarray of shape (n_contrasts, n_chains, n_rows)
        """
        n_chains, n_coordinates = coordinates.shape[1:]
        log_sigma, of_widths = _with_chains(log_sigma, 0), _with_chains(of_widths, 0)
        coordinates = _with_chains(_padded(coordinates), 1)
        momenta = _with_chains(_padded(momenta), 1)
        shape = *coordinates.shape[:2], _filled(self._n_rows)
        predictors = np.empty(shape, dtype=np.float32)
        leapfrog.leapfrog(
            **self._density,
            **self._metric,
            n_steps=n_steps,
            sizes=_with_chains(sizes, 0),
            log_sigma=log_sigma,
            of_widths=of_widths,
            coordinates=coordinates,
            momenta=momenta,
            predictors=predictors,
        )
        own = np.s_[:, :n_chains, :n_coordinates]
        return (
            log_sigma[:n_chains],
            coordinates[own].astype(np.float64),
            momenta[own].astype(np.float64),
            of_widths[:n_chains],
            predictors[:, :n_chains, : self._n_rows].astype(np.float64),
        )


def _filled(n, whole=leapfrog.N_PANEL):
    """Return a number of columns, with those that fill up the last panel."""
    return max(1, -(-n // whole)) * whole


def _padded(values):
    """Return float32 values with zeros that fill up the last panel."""
    found = np.zeros((*values.shape[:-1], _filled(values.shape[-1])), dtype=np.float32)
    found[..., : values.shape[-1]] = values
    return found


def _with_chains(values, axis):
    """Return a copy of values, with chains of zeros that fill up the last product."""
    shape = list(values.shape)
    shape[axis] = _filled(shape[axis], leapfrog.N_ABREAST)
    found = np.zeros(shape, dtype=values.dtype)
    found[(slice(None),) * axis + (slice(values.shape[axis]),)] = values
    return found


def _panels(matrix):
    """Return a matrix as panels of columns, with zeros that fill up both axes."""
    rows = _padded(_padded(matrix.T).T)
    panels = rows.reshape(len(rows), -1, leapfrog.N_PANEL).transpose(1, 0, 2)
    return np.ascontiguousarray(panels)
