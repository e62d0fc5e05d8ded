"""Small problems of the Bayesian interaction model, grouped by brute force."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations

import numpy as np

from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._bayes._problem import Problem
from sklearn_dnfwinnow._terms._interaction_groups import InteractionGroups


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
    seed=0,
):
    """Return a problem with random rows and weights."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(1, n_values + 1, (n_rows, n_columns))
    groups = groups_of(rows, max_order, nested)
    class_weights = rng.integers(0, 3, (len(groups.rows), n_classes)).astype(float)
    class_weights[class_weights.sum(axis=1) == 0, 0] = 1.0
    prior = Prior(
        family=family, hyperprior=hyperprior, scales=np.full(max_order + 1, scale)
    )
    return Problem(groups=groups, class_weights=class_weights, prior=prior)
