"""Small problems of the Bayesian interaction model, grouped by brute force."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations

import numpy as np
from internals.bayes import Prior, Problem, State
from internals.terms import InteractionGroups
from scipy.special import softmax

HYPERPRIORS = "half_t", "log_normal", "inverse_gamma"


def groups_of(rows, max_order, nested=False):
    """Return the groups of all terms, or of all suffixes, up to some order."""
    rows = np.unique(np.asarray(rows, dtype=np.int32), axis=0)
    n = rows.shape[1]
    counts = {}
    for o in range(max_order + 1):
        subsets = [tuple(range(n - o, n))] if nested else combinations(range(n), o)
        for subset in subsets:
            chosen = rows[:, list(subset)]
            for values in np.unique(chosen, axis=0):
                extent = tuple(np.flatnonzero((chosen == values).all(axis=1)))
                counts.setdefault(extent, np.zeros(max_order + 1))[o] += 1
    # Nested: longer contexts come later.
    extents = list(counts)
    parents = None
    if nested:
        parents = np.full(len(extents), -1, dtype=np.int32)
        for g, extent in enumerate(extents):
            for above in range(g):
                if set(extent) <= set(extents[above]):
                    parents[g] = above
    sizes = [len(extent) for extent in extents]
    return InteractionGroups(
        rows=rows,
        max_order=max_order,
        counts=np.array([counts[extent] for extent in extents]),
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        members=np.concatenate(extents).astype(np.int32),
        parents=parents,
    )


def indicators(groups):
    """Return Z, (n_rows, n_groups): which row is in which group."""
    z = np.zeros((len(groups.rows), groups.n_groups))
    z[groups.members, np.repeat(np.arange(groups.n_groups), groups.sizes)] = 1.0
    return z


def make_problem(
    *,
    family="cauchy",
    hyperprior="log_normal",
    n_classes=2,
    n_rows=6,
    n_columns=3,
    n_values=2,
    max_order=2,
    nested=False,
    scale=0.7,
    shape=1.0,
    first=1,
    seed=0,
):
    """Return a problem with random rows and weights."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(1, n_values + 1, (n_rows, n_columns))
    groups = groups_of(rows, max_order, nested)
    class_weights = rng.integers(0, 3, (len(groups.rows), n_classes)).astype(float)
    class_weights[class_weights.sum(axis=1) == 0, 0] = 1.0
    prior = Prior(
        family=family,
        hyperprior=hyperprior,
        scales=np.full(max_order + 1, scale),
        shape=shape,
        first=first,
    )
    return Problem(groups=groups, class_weights=class_weights, prior=prior)


def with_prior(problem, prior):
    """Return a problem with another prior, and the same arrays of weights."""
    other = Problem(problem.groups, problem.class_weights, prior)
    other.__dict__.update(
        weights_of_sets=problem.weights_of_sets, totals=problem.totals
    )
    return other


def log_density(prior, o, log_sigma):
    """Return the log density of log sigma_o, up to a constant, if it is learned."""
    relative = log_sigma - np.log(prior.scales[o])
    if prior.hyperprior == "half_t":  # of three degrees of freedom
        return relative - 2 * np.logaddexp(0.0, 2 * relative - np.log(3))
    if prior.hyperprior == "log_normal":
        # The standard deviation of BPHO, the authors' package: ln(10) / 2.
        return -0.5 * (relative / (np.log(10) / 2)) ** 2
    # Inverse gamma with its mode at the scale (Li & Neal 2008).
    return -prior.shape * relative - (prior.shape + 1) * np.exp(-relative)


def drawn_from_prior(problem, generator):
    """Return a state with widths and sums of the prior."""
    prior, groups = problem.prior, problem.groups
    log_sigma = prior.draw_log_sigma(generator)
    shape = groups.n_groups, problem.n_sets
    cauchy = prior.family == "cauchy"
    sums = (generator.standard_cauchy if cauchy else generator.standard_normal)(shape)
    sums *= prior.widths(log_sigma, groups.counts)[:, np.newaxis]
    return State(log_sigma=log_sigma, sums=sums, predictors=problem.to_rows(sums))


def class_probabilities(predictors):
    """Return the probabilities of the classes of each row."""
    if predictors.shape[1] == 1:
        predictors = np.hstack([np.zeros_like(predictors), predictors])
    return softmax(predictors, axis=1)


def redraw_classes(problem, state, generator):
    """Draw classes of all rows in position, given the sums; weights stay whole."""
    counts = generator.multinomial(
        problem.totals.astype(int), class_probabilities(state.predictors)
    )
    problem.class_weights[:] = counts
    problem.weights_of_sets[:] = counts[:, -problem.n_sets :]


def functions_of(problem, state):
    """Return some functions of a state whose means exist."""
    sigma = (state.log_sigma - np.log(problem.prior.scales))[problem.prior.first :]
    bounded = np.tanh(state.sums).ravel()
    sizes = np.log1p(np.abs(state.sums)).ravel()
    return np.concatenate(
        [sigma, sigma**2, bounded, bounded**2, sizes, *np.outer(sigma, sizes)]
    )


def standardized(differences):
    """Return the means of columns in units of their standard errors."""
    error = differences.std(axis=0, ddof=1) / np.sqrt(len(differences))
    return differences.mean(axis=0) / np.where(error > 0, error, 1.0)


def shifts(problem, moves, seed, n=350, drawn_for=None):
    """Return by how much moves shift means, in standard errors.

    The parameters are drawn from the prior, and then the classes given them. Moves that
    leave the posterior invariant do not change the law of the parameters. The moves are
    those for the problem `drawn_for`, if it is given, with the same classes.
    """
    generator = np.random.default_rng(seed)
    differences = []
    for _ in range(n):
        state = drawn_from_prior(problem, generator)
        before = functions_of(problem, state)
        redraw_classes(problem, state, generator)
        for _ in range(3):
            for move in moves:
                move(drawn_for or problem, state, generator)
        differences.append(functions_of(problem, state) - before)
    return standardized(np.array(differences))


def dispersion(values):
    """Return the standard errors of means of chains: (n_chains, n, ...), by batches."""
    n_chains, n = values.shape[:2]
    size = n // 20
    batches = values[:, : 20 * size].reshape(n_chains, 20, size, *values.shape[2:])
    means = batches.mean(axis=2).reshape(n_chains * 20, *values.shape[2:])
    return means.std(axis=0, ddof=1) / np.sqrt(len(means))
