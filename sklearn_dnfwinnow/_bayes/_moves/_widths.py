"""Widths: moves that update the widths of orders, given the sums or with them.

A chain needs both moves (Yu & Meng 2011): sums that the data determine poorly determine
their widths in the first one, and sums that the data determine well in the second.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import exp

import numpy as np

from sklearn_dnfwinnow._kernels import width_slices

# Maximum number of orders that a sweep updates given the likelihood, at random.
_MOST_ORDERS = 5


def centred(problem, state, generator):
    """Update each width given the sums, which need not be given scales."""
    counts, squares = problem.groups.counts, state.sums**2
    multiplicity = np.ones(len(counts))
    if problem.prior.family == "normal":
        # Sums of one kind have the same distribution: their squares are added.
        counts, kind_of, n_groups = problem.groups.kinds
        multiplicity = n_groups * float(problem.n_sets)
        squares = np.bincount(kind_of, weights=squares.sum(axis=1))[:, np.newaxis]
    width_slices.given_sums(
        power=problem.prior.power,
        hyperprior=problem.prior.for_kernels,
        first=problem.prior.first,
        log_scales=np.log(problem.prior.scales),
        counts=counts,
        multiplicity=multiplicity,
        squares=squares,
        log_sigma=state.log_sigma,
        bit_generator=generator.bit_generator,
    )


def non_centred(problem, state, generator):
    """Update each width, and scale the sums with it; then scale all widths together.

    Sums are divided into parts of orders. Each part is the product of a width and a
    number whose prior does not depend on the width. These numbers are unchanged.
    """
    first, log_sigma = problem.prior.first, state.log_sigma
    log_scales = np.log(problem.prior.scales)
    parts = _parts(problem, state, generator)
    n_groups, n_orders, n_sets = parts.shape
    slopes = problem.to_rows(parts.reshape(n_groups, n_orders * n_sets))
    slopes = slopes.reshape(-1, n_orders, n_sets).transpose(1, 0, 2).copy()
    orders = np.arange(first, n_orders)
    if len(orders) > _MOST_ORDERS:
        orders = generator.permutation(orders)[:_MOST_ORDERS]
    of_orders = [exp(log_width) * slope for log_width, slope in zip(log_sigma, slopes)]

    def scaled(chosen, rest, own):
        """Return predictors after an update of the widths of the chosen orders."""
        shift = width_slices.given_parts(
            hyperprior=problem.prior.for_kernels,
            log_sigma=log_sigma[chosen],
            log_scales=log_scales[chosen],
            rest=rest,
            own=own,
            weights=problem.weights_of_sets,
            totals=problem.totals,
            bit_generator=generator.bit_generator,
        )
        log_sigma[chosen] += shift
        return rest + exp(shift) * own

    predictors = sum(of_orders)
    for o in orders:
        own = of_orders[o]
        predictors = scaled(slice(o, o + 1), predictors - own, own)
    if n_orders > first:
        # What order 0 adds stays, if its width is not learned.
        rest = of_orders[0] if first else np.zeros_like(predictors)
        predictors = scaled(slice(first, None), rest, predictors - rest)
    state.predictors = predictors
    state.sums = np.einsum("gok,o->gk", parts, np.exp(log_sigma))


def _parts(problem, state, generator):
    """Return parts of the sums, each divided by a width, by order.

    The width of a Cauchy distribution is a sum over orders. A sum with a normal
    distribution is a sum of normal variables, one per order, which are drawn given the
    sum.
    """
    counts = problem.groups.counts[:, :, np.newaxis]
    widths = problem.prior.widths(state.log_sigma, problem.groups.counts)
    relative = state.sums / widths[:, np.newaxis]
    if problem.prior.family == "cauchy":
        return counts * relative[:, np.newaxis]
    sigma = np.exp(state.log_sigma)[:, np.newaxis]
    noise = generator.standard_normal((*counts.shape[:2], state.sums.shape[1]))
    noise *= np.sqrt(counts)
    gap = state.sums - np.einsum("gok,ol->gk", noise, sigma)
    gap /= widths[:, np.newaxis] ** 2
    return noise + counts * sigma * gap[:, np.newaxis]
