"""Times of the Bayesian classifier beside their goals.

``python -m benchmarks.bayes.speed --data FOLDER`` prints, for each, what was measured
and what is to be reached: Polya-Gamma draws (beside the package ``polyagamma``, if it
is there), fits of four chains with default lengths, a prediction, and a sweep over a
tree. Last are sweeps with and without compression of the parameters of sequences, by
order; without, each term that a window satisfies is a group of its own. Their seconds
are those of the processor. ``--only compression`` runs one of these; ``--only tables``
prints the time until chains agree on tables with a noisy rule.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from dataclasses import replace
from functools import partial
from itertools import product
from time import perf_counter, process_time

import numpy as np

from benchmarks.bayes.chains import run_chains
from benchmarks.bayes.generators import kinds_of_letters, make_windows
from benchmarks.sets import load
from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._bayes._problem import Problem
from sklearn_dnfwinnow._kernels._polya_gamma import polya_gamma
from sklearn_dnfwinnow._terms._interactions import (
    InteractionGroups,
    nested_interactions,
)
from sklearn_dnfwinnow._utils._computing import distinct_rows


def seconds(function, repeats=1):
    """Return the least time of some calls."""
    times = []
    for _ in range(repeats):
        began = perf_counter()
        function()
        times.append(perf_counter() - began)
    return min(times)


def polya_gamma_draws():
    """Print the time of a draw of PG(1, z), z normal of standard deviation 2.5."""
    n = 1_000_000
    tilts = np.random.default_rng(0).normal(scale=2.5, size=n)
    out, bits = np.empty(n), np.random.PCG64(0)
    ours = seconds(
        lambda: polya_gamma(
            bit_generator=bits, shapes=np.ones(n), tilts=tilts, out=out
        ),
        repeats=5,
    )
    line = f"PG(1, z): {ours / n * 1e9:.0f} ns a draw (goal 75)"
    try:
        from polyagamma import random_polyagamma
    except ImportError:
        pass
    else:
        theirs = seconds(lambda: random_polyagamma(1, tilts), repeats=5)
        line += f"; polyagamma {theirs / n * 1e9:.0f} ns"
    print(line, flush=True)


def fit(name, X, y, goal, **options):
    """Print the time of a fit; return the classifier."""
    clf = BayesianInteractionClassifier(random_state=0, n_jobs=-1, **options)
    time = seconds(lambda: clf.fit(X, y))
    print(
        f"{name}, {options}: {clf.n_groups_} groups, {time:.1f} s (goal {goal}), R-hat "
        f"{clf.r_hat_['log_sigma'].max():.2f}, {clf.r_hat_['log_likelihood']:.2f}",
        flush=True,
    )
    return clf


def prediction(X, y):
    """Print the time of a prediction of 1,000 rows by 200 draws."""
    clf = BayesianInteractionClassifier(max_order=3, n_draws=50, random_state=0)
    clf.fit(X[:300], y[:300])
    rows = np.random.default_rng(0).choice(["n", "y"], (1000, X.shape[1]))
    time = seconds(lambda: clf.predict_proba(rows), repeats=3)
    print(f"1,000 rows by 200 draws: {time:.2f} s (goal 2)", flush=True)


def tables():
    """Print the time until chains agree on tables with a noisy rule."""
    for n_rows, n_columns, goal in ((300, 6, 2), (600, 10, 10)):
        for seed in range(3):
            random = np.random.default_rng(seed)
            X = random.integers(3, size=(n_rows, n_columns))
            y = ((X[:, 0] == 1) & (X[:, 1] != 2)) | (X[:, 2] == 0)
            y = np.where(random.random(n_rows) < 0.15, ~y, y)
            clf = BayesianInteractionClassifier(random_state=seed)
            began = process_time()
            clf.fit(X, y)
            print(
                f"{n_rows} rows, {n_columns} columns: {process_time() - began:.1f} s "
                f"(goal {goal}), {clf.n_sweeps_} sweeps",
                flush=True,
            )


def of_windows(n_windows, order, family):
    """Return the problem of the next of three kinds of letters, given contexts."""
    kinds = kinds_of_letters()
    X, y = make_windows(kinds[: n_windows + order], order)
    symbols, codes = np.unique(X, return_inverse=True)
    rows, _, inverse = distinct_rows(codes.reshape(X.shape).astype(np.int32) + 1)
    labels = np.searchsorted(symbols, y)
    weights = np.zeros((len(rows), len(symbols)))
    np.add.at(weights, (inverse, labels), 1.0)
    scales = np.append(2.5, 1.0 / np.arange(1, order + 1))
    groups = nested_interactions(rows, order)
    return Problem(groups, weights, Prior(family, "half_t", scales))


def tree_sweep(n_windows=30_000, order=20, n_sweeps=20):
    """Print the time of a sweep over a tree of contexts."""
    for family in ("cauchy", "normal"):
        problem = of_windows(n_windows, order, family)
        groups = problem.groups
        made = partial(
            run_chains,
            problem,
            sampler="gibbs",
            n_chains=1,
            burn_in=0,
            thin=1,
            seed=0,
        )
        few = seconds(partial(made, n_draws=2))
        many = seconds(partial(made, n_draws=2 + n_sweeps))
        sweep = (many - few) / n_sweeps
        unit = problem.class_weights.size * order
        print(
            f"tree, {family}: {groups.n_groups} groups, {sweep * 1e3:.0f} ms a sweep, "
            f"{sweep / unit * 1e6:.3f} us a row, order and class (goal 0.1)",
            flush=True,
        )


def uncompressed(groups):
    """Return groups of a single term each, in the order of their groups."""
    owners, orders = np.nonzero(groups.counts)
    n_alike = groups.counts[owners, orders].astype(int)
    owners, orders = np.repeat(owners, n_alike), np.repeat(orders, n_alike)
    lists = np.split(groups.members, groups.starts[1:-1])
    first = np.searchsorted(owners, np.arange(groups.n_groups + 1))
    parents = groups.parents
    if parents is not None:
        # A term is below the next shorter one: of its group, or the last one above.
        above = np.where(parents < 0, -1, first[parents + 1] - 1)
        parents = np.arange(-1, len(owners) - 1, dtype=np.int32)
        parents[first[:-1]] = above
    return InteractionGroups(
        rows=groups.rows,
        max_order=groups.max_order,
        counts=np.eye(groups.max_order + 1)[orders],
        starts=np.append(0, np.cumsum(groups.sizes[owners])),
        members=np.concatenate([lists[g] for g in owners]),
        parents=parents,
    )


def compression(orders=(1, 2, 3, 4, 5, 10, 20), n_sweeps=100):
    """Print the time of 1,000 sweeps with and without compression of parameters."""
    for order, sampler in product(orders, ("slice", "gibbs")):
        problem = of_windows(1000, order, "cauchy")
        times, sizes = [], []
        for groups in (uncompressed(problem.groups), problem.groups):
            made = replace(problem, groups=groups)
            began = process_time()
            run_chains(
                made,
                sampler=sampler,
                n_chains=1,
                burn_in=0,
                n_draws=n_sweeps,
                thin=1,
                seed=0,
            )
            times.append((process_time() - began) * 1000 / n_sweeps)
            sizes.append(groups.n_groups)
        print(
            f"order {order}, {sampler}: {sizes[0]:,} parameters {times[0]:.2f} s, "
            f"{sizes[1]:,} groups {times[1]:.2f} s per 1,000 sweeps",
            flush=True,
        )


def votes():
    """Print the times of fits of 300 rows, and of a prediction."""
    X, y = load("house-votes-84")
    for prior in ("cauchy", "normal"):
        fit("votes, 300 rows", X[:300], y[:300], goal=5, prior=prior, max_order=3)
    prediction(X, y)


def mushroom(data):
    """Print the time of a fit of all rows; without data, nothing."""
    if data is not None:
        fit("mushroom", *load("mushroom", data), goal=60, max_order=3)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=None)
    names = "polya_gamma", "votes", "tables", "tree", "mushroom", "compression"
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    runs = (
        polya_gamma_draws,
        votes,
        tables,
        tree_sweep,
        partial(mushroom, options.data),
        compression,
    )
    for name, run in zip(names, runs, strict=True):
        if name in options.only:
            run()


if __name__ == "__main__":
    main()
