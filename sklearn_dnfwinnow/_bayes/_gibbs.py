"""Gibbs: the moves of Markov chains over effects and widths."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import exp

import numpy as np

from sklearn_dnfwinnow._kernels import polya_gamma, sum_draws, sum_slices, width_slices


def draw_sums(problem, state, generator):
    """Update all sums, those of nested groups together.

    Cauchy priors of nested groups are normal given mixing variables, which are drawn
    here. Since a sum near 0 has a small one, and hardly leaves, a slice of its own
    follows. Other sums with Cauchy priors are updated by slices alone.
    """
    is_cauchy = problem.prior.family == "cauchy"
    if problem.groups.parents is not None or not is_cauchy:
        _draw_given_polya_gamma(problem, state, generator)
    if is_cauchy:
        slice_sums(problem, state, generator)


# Smallest precision whose square root has a finite inverse.
_LEAST_PRECISION = 1e-200


def _draw_given_polya_gamma(problem, state, generator):
    """Update the sums of each set, given the sums of all other sets."""
    groups, totals, prior = problem.groups, problem.totals, problem.prior
    variances = prior.widths(state.log_sigma, groups.counts)[:, np.newaxis] ** 2
    variances = np.broadcast_to(variances, state.sums.shape)
    if prior.family == "cauchy":
        noise = generator.standard_exponential(state.sums.shape)
        variances = (variances + state.sums**2) / (2 * noise)
    for k in range(problem.n_sets):
        offset = _log_sum_of_others(state.predictors, k)
        precision = np.empty(len(totals))
        polya_gamma.polya_gamma(
            shapes=totals,
            tilts=state.predictors[:, k] - offset,
            draws=precision,
            bit_generator=generator.bit_generator,
        )
        # Draws for rows with tiny weights may be rounded to 0.
        np.maximum(precision, _LEAST_PRECISION, out=precision)
        information = problem.weights_of_sets[:, k] - totals / 2 + precision * offset
        sums = np.ascontiguousarray(state.sums[:, k])
        given = {
            "precision": precision,
            "variances": np.ascontiguousarray(variances[:, k]),
            "sums": sums,
            "bit_generator": generator.bit_generator,
        }
        if groups.parents is not None:
            sum_draws.along_tree(
                parents=groups.parents,
                leaves=groups.leaves,
                information=information,
                **given,
            )
        else:
            sum_draws.one_at_a_time(
                starts=groups.starts,
                members=groups.members,
                residual=information - precision * problem.to_rows(sums),
                **given,
            )
        state.sums[:, k] = sums
        state.predictors[:, k] = problem.to_rows(sums)


def _log_sum_of_others(predictors, k):
    """Return the logarithm of the sum of exp(predictor) over all sets but one."""
    if predictors.shape[1] == 1:
        return 0.0
    others = np.arange(predictors.shape[1]) != k
    return np.logaddexp.reduce(predictors[:, others], axis=1)


def slice_sums(problem, state, generator):
    """Update each sum given all others."""
    groups, prior = problem.groups, problem.prior
    sum_slices.sweep(
        power=prior.power,
        starts=groups.starts,
        members=groups.members,
        weights=problem.weights_of_sets,
        totals=problem.totals,
        widths=prior.widths(state.log_sigma, groups.counts),
        sums=state.sums,
        predictors=state.predictors,
        bit_generator=generator.bit_generator,
    )


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


# The moves of a sweep. Each takes a problem, a state and a generator, and leaves the
# posterior of the problem invariant.
SWEEPS = {
    "gibbs": (draw_sums, centred, non_centred),
    "slice": (slice_sums, centred),
}
# Widths start within this factor, as a logarithm, of the scales of their prior.
_START = 2.0


@dataclass(eq=False)
class State:
    """The current state of a chain.

    Attributes
    ----------
    log_sigma : ndarray of shape (max_order + 1,)
    sums : ndarray of shape (n_groups, n_sets)
    predictors : ndarray of shape (n_rows, n_sets)
        For each row, the sum over its groups.
    """

    log_sigma: np.ndarray
    sums: np.ndarray
    predictors: np.ndarray


class Sweeps:
    """A sampler that applies moves of sums and widths in turn.

    Parameters
    ----------
    problem : Problem
    name : {'gibbs', 'slice'}
    """

    # Chains that move together, in one thread: only that of one state.
    n_together = 1
    # Nothing is adapted in the warm-up.
    adapted_after = ()

    def __init__(self, problem, name):
        self._problem, self._moves = problem, SWEEPS[name]

    def start(self, generator):
        """Return the first state of a chain: widths from their prior, sums of 0."""
        problem, groups = self._problem, self._problem.groups
        log_scales = np.log(problem.prior.scales)
        return State(
            log_sigma=np.clip(
                problem.prior.draw_log_sigma(generator),
                log_scales - _START,
                log_scales + _START,
            ),
            sums=np.zeros((groups.n_groups, problem.n_sets)),
            predictors=np.zeros((len(groups.rows), problem.n_sets)),
        )

    def sweep(self, states, generators):
        """Update the states of chains that move together."""
        for state, generator in zip(states, generators):
            for move in self._moves:
                move(self._problem, state, generator)

    def settle(self, states):
        """End the warm-up."""
