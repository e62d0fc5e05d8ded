"""Widths: updates of the widths of orders, given the sums or with them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._prior import HYPERPRIORS, LIMIT
from sklearn_dnfwinnow._kernels import _group_sums, _width_slices

# Maximum number of orders that a sweep updates given the likelihood, at random.
_MOST_ORDERS = 5


class Widths:
    """Updates of the widths of a problem.

    Parameters
    ----------
    problem : Problem
    """

    def __init__(self, problem):
        self._problem = problem
        self._groups = problem.groups
        self._prior = problem.prior
        self._hyperprior = {
            "law": HYPERPRIORS.index(problem.prior.hyperprior),
            "shape": problem.prior.shape,
            "first": problem.prior.first,
            "log_scales": np.log(problem.prior.scales),
            "limit": LIMIT,
        }
        self._counts, self._multiplicity = self._groups.counts, np.empty(0)
        if problem.prior.family == "normal":
            # Sums of one kind have the same distribution: their squares are added.
            self._counts, self._kind_of = self._groups.kinds
            self._multiplicity = np.bincount(self._kind_of).astype(float)
            self._multiplicity *= problem.n_sets
        self._likelihood = {
            "weights": problem.weights_of_sets,
            "totals": problem.totals,
        }

    def centred(self, state, generator):
        """Update each width given the sums, which need not be given scales."""
        squares = state.sums**2
        if self._prior.family == "normal":
            squares = np.bincount(self._kind_of, weights=squares.sum(axis=1))
            squares = squares[:, np.newaxis]
        _width_slices.centred(
            power=self._prior.power,
            **self._hyperprior,
            counts=self._counts,
            multiplicity=self._multiplicity,
            squares=squares,
            log_sigma=state.log_sigma,
            bit_generator=generator.bit_generator,
        )

    def non_centred(self, state, generator):
        """Update each width, and scale the sums with it.

        Sums are divided into parts of orders. Each part is the product of a width and a
        number whose prior does not depend on the width. These numbers are unchanged.
        """
        parts = self._parts(state, generator)
        n_groups, n_orders, n_sets = parts.shape
        n_rows = len(self._groups.rows)
        slopes = np.empty((n_rows, n_orders * n_sets))
        _group_sums.add_vectors_to_rows(
            starts=self._groups.starts,
            members=self._groups.members,
            vectors=parts.reshape(n_groups, n_orders * n_sets),
            totals=slopes,
        )
        slopes = slopes.reshape(n_rows, n_orders, n_sets).transpose(1, 0, 2)
        orders = np.arange(self._prior.first, n_orders)
        if len(orders) > _MOST_ORDERS:
            orders = generator.permutation(orders)[:_MOST_ORDERS]
        state.log_likelihood = _width_slices.non_centred(
            **self._hyperprior,
            orders=orders,
            slopes=np.ascontiguousarray(slopes),
            **self._likelihood,
            log_sigma=state.log_sigma,
            predictors=state.predictors,
            bit_generator=generator.bit_generator,
        )
        sigma = np.exp(state.log_sigma)
        state.sums = np.einsum("gok,o->gk", parts, sigma)

    def _parts(self, state, generator):
        """Return parts of the sums, each divided by a width, by order.

        The width of a Cauchy distribution is a sum over orders. A sum with a normal
        distribution is a sum of normal variables, one per order, which are drawn given
        the sum.
        """
        counts = self._groups.counts[:, :, np.newaxis]
        widths = self._prior.widths(state.log_sigma, self._groups.counts)
        relative = state.sums / widths[:, np.newaxis]
        if self._prior.family == "cauchy":
            return counts * relative[:, np.newaxis]
        sigma = np.exp(state.log_sigma)[:, np.newaxis]
        noise = generator.standard_normal((*counts.shape[:2], state.sums.shape[1]))
        noise *= np.sqrt(counts)
        gap = state.sums - np.einsum("gok,ol->gk", noise, sigma)
        gap /= widths[:, np.newaxis] ** 2
        return noise + counts * sigma * gap[:, np.newaxis]
