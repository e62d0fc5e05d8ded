"""Calibration of the Bayesian classifier: ranks of true parameters.

``python -m benchmarks.bayes.calibration`` draws widths and a parameter for each
term from the prior, classes from the parameters, and runs a chain; again and again.
The rank of a true value among draws of the posterior is uniform if the chain is right
(simulation-based calibration). What is ranked: log widths, some sums, the log
likelihood, and the linear predictor and a probability of a new row. Each line has the
p-values of Kolmogorov and Smirnov's test and of chi-square; the last one the least of
them, times their number. Draws that are not independent have ranks at both ends too
often, such as those of Cauchy intercepts of three classes, some of them rare.
``--fitted`` runs four chains until they agree, as `fit` does, and ranks true values
among draws spread evenly over them.

The tests of the package run a little of it, and wrong samplers, which are rejected.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product

import numpy as np
from scipy.special import log_softmax
from scipy.stats import chisquare, kstest

from benchmarks.bayes.chains import run_chains
from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow._bayes._chains import Draws, run_until_converged
from sklearn_dnfwinnow._bayes._gibbs import SWEEPS, centred, draw_sums, non_centred
from sklearn_dnfwinnow._bayes._prediction import Prediction
from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._bayes._problem import Problem, group_interactions

# Sweeps from one draw to the next, so that they are nearly independent.
THIN = {"auto": 15, "hmc": 15, "gibbs": 15, "slice": 200, "no_tails": 15}
N_BINS = 8


def draw_without_tails(problem, state, generator):
    """Draw sums as if their prior was normal: a part of a wrong sampler."""
    draw_sums(_with_normal_prior(problem), state, generator)


@lru_cache(maxsize=4)
def _with_normal_prior(problem):
    return replace(problem, prior=replace(problem.prior, family="normal"))


SWEEPS["no_tails"] = draw_without_tails, centred, non_centred


@dataclass(frozen=True)
class Case:
    """A model, a sampler, and how long its chains are.

    Attributes
    ----------
    family : {'cauchy', 'normal'}
    n_classes : int
    interactions : {'all', 'nested'}
    sampler : str
    n_rows, n_columns, n_values, max_order : int
        Of tables.
    n_draws, thin, burn_in : int
        Of chains.
    fitted : bool
        Whether the chains are as long as those of `fit`, whatever the lengths above.
    hyperprior : str
    hyperprior_shape : float
    fit_intercept_scale : bool
        See `BayesianInteractionClassifier`.
    factor : float
        What the scales of the sampler's prior are multiplied by: 1 is right.
    """

    family: str = "cauchy"
    n_classes: int = 2
    interactions: str = "all"
    sampler: str = "auto"
    n_rows: int = 30
    n_columns: int = 4
    n_values: int = 3
    max_order: int = 3
    n_draws: int = 31
    thin: int = 15
    burn_in: int = 300
    fitted: bool = False
    hyperprior: str = "half_t"
    hyperprior_shape: float = 1.0
    fit_intercept_scale: bool = False
    factor: float = 1.0


def terms_of(rows, max_order, nested):
    """Return which row satisfies which term, (n_rows, n_terms), and terms' orders."""
    n_columns = rows.shape[1]
    columns, orders = [], []
    for order in range(max_order + 1):
        sets = combinations(range(n_columns), order)
        if nested:
            sets = [range(n_columns - order, n_columns)]
        for chosen in sets:
            values = rows[:, list(chosen)]
            for term in np.unique(values, axis=0):
                columns.append((values == term).all(axis=1))
                orders.append(order)
    return np.array(columns, dtype=float).T, np.array(orders)


def sums_of_groups(groups, satisfied, parameters):
    """Return sums of the parameters of the terms with the rows of each group."""
    n_sets = parameters.shape[1]
    totals = {}
    for extent, own in zip(satisfied.T > 0, parameters):
        key = tuple(np.flatnonzero(extent))
        totals[key] = totals.get(key, np.zeros(n_sets)) + own
    extents = np.split(groups.members, groups.starts[1:-1])
    return np.array([totals[tuple(extent)] for extent in extents])


def log_probabilities(predictors):
    """Return log probabilities of classes; two have one predictor."""
    if predictors.shape[-1] == 1:
        predictors = np.concatenate([np.zeros_like(predictors), predictors], axis=-1)
    return log_softmax(predictors, axis=-1)


def draws_of(case, problem, seed):
    """Return draws from the posterior of a problem, as those of one chain."""
    if not case.fitted:
        return run_chains(
            problem,
            sampler=case.sampler,
            n_chains=1,
            burn_in=case.burn_in,
            n_draws=case.n_draws,
            thin=case.thin,
            seed=seed,
        )
    estimator = BayesianInteractionClassifier(sampler=case.sampler)
    draws, _ = run_until_converged(estimator, problem, seed)

    def some(values):
        flat = values.reshape(-1, *values.shape[2:])
        places = np.linspace(0, len(flat) - 1, case.n_draws).round().astype(int)
        return flat[np.newaxis, places]

    return Draws(
        sums=some(draws.sums),
        log_sigma=some(draws.log_sigma),
        log_likelihood=some(draws.log_likelihood),
    )


def simulated(case, seed):
    """Return ranks of what a chain is to find, as numbers from 0 to 1, by name.

    All terms of all rows, a new one too, have parameters of their own, and are found
    without the code of groups.
    """
    generator = np.random.default_rng(seed)
    nested = case.interactions == "nested"
    shape = case.n_rows + 1, case.n_columns
    everything = generator.integers(1, case.n_values + 1, shape).astype(np.int32)
    while (everything[:-1] == everything[-1]).all(axis=1).any():
        everything[-1] = generator.integers(1, case.n_values + 1, case.n_columns)
    rows, inverse = np.unique(everything[:-1], axis=0, return_inverse=True)
    new = everything[-1:]
    estimator = BayesianInteractionClassifier(
        prior=case.family,
        hyperprior=case.hyperprior,
        hyperprior_shape=case.hyperprior_shape,
        fit_intercept_scale=case.fit_intercept_scale,
        interactions=case.interactions,
        max_order=case.max_order,
    )
    n_sets = 1 if case.n_classes == 2 else case.n_classes
    groups = group_interactions(estimator, rows, n_sets)
    prior = Prior.of(estimator, case.n_columns, case.max_order)

    satisfied, orders = terms_of(np.vstack([rows, new]), case.max_order, nested)
    log_sigma = prior.draw_log_sigma(generator)
    standard = generator.standard_cauchy
    if case.family == "normal":
        standard = generator.standard_normal
    parameters = standard((len(orders), n_sets)) * np.exp(log_sigma[orders])[:, None]
    predictors = satisfied @ parameters
    sums = sums_of_groups(groups, satisfied[:-1], parameters)
    log_proba = log_probabilities(predictors)
    n_alike = np.bincount(inverse.ravel())
    class_weights = generator.multinomial(n_alike, np.exp(log_proba[:-1])).astype(float)

    wrong = replace(prior, scales=prior.scales * case.factor)
    draws = draws_of(case, Problem(groups, class_weights, wrong), seed)
    prediction = Prediction(groups, prior, draws, seed)
    found = prediction.predictors(new)[:, 0]
    log_likelihood = (class_weights * log_proba[:-1]).sum()
    pairs = {
        f"log_sigma_{o}": (log_sigma[o], draws.log_sigma[0, :, o])
        for o in range(prior.first, case.max_order + 1)
    }
    for name, g in (("empty", 0), ("middle", len(sums) // 2), ("last", -1)):
        pairs[f"sum_{name}"] = sums[g, -1], draws.sums[0, :, g, -1]
    pairs["log_likelihood"] = log_likelihood, draws.log_likelihood[0]
    pairs["new_predictor"] = predictors[-1, -1], found[:, -1]
    pairs["new_probability"] = log_proba[-1, 0], log_probabilities(found)[:, 0]
    return {
        name: (np.sum(drawn < true) + generator.uniform()) / (case.n_draws + 1)
        for name, (true, drawn) in pairs.items()
    }


def p_values(ranks):
    """Return the p-values of both tests that ranks are uniform."""
    counts = np.histogram(ranks, bins=N_BINS, range=(0, 1))[0]
    return {
        "ks": float(kstest(ranks, "uniform").pvalue),
        "chi2": float(chisquare(counts).pvalue),
    }


def ranks_of(case, n_fits, seed=0):
    """Return the p-values of both tests, for each quantity that is ranked."""
    seeds = np.random.SeedSequence(seed).generate_state(n_fits).tolist()
    found = [simulated(case, one) for one in seeds]
    return {name: p_values([ranks[name] for ranks in found]) for name in found[0]}


def print_ranks(options):
    """Print p-values of all cases, and the least of all, corrected."""
    least, n_tests = 1.0, 0
    for family, n_classes, interactions, sampler in product(
        options.priors, options.classes, options.interactions, options.samplers
    ):
        case = Case(
            family=family,
            n_classes=n_classes,
            interactions=interactions,
            sampler=sampler,
            thin=THIN[sampler],
            burn_in=20 * THIN[sampler],
            fitted=options.fitted,
        )
        for name, values in ranks_of(case, options.fits, options.seed).items():
            texts = [f"{test} {p:.3g}" for test, p in values.items()]
            print(family, n_classes, interactions, sampler, name, *texts, flush=True)
            least = min(least, *values.values())
            n_tests += len(values)
    print(f"{n_tests} tests, least p {min(1.0, least * n_tests):.3g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--priors", nargs="+", default=["cauchy", "normal"])
    parser.add_argument("--interactions", nargs="+", default=["all", "nested"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fits", type=int, default=200, help="of each case")
    parser.add_argument("--classes", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--samplers", nargs="+", default=["auto", "slice"])
    parser.add_argument("--fitted", action="store_true")
    print_ranks(parser.parse_args())


if __name__ == "__main__":
    main()
