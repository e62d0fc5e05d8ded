"""Figure 5: errors of all methods on x^2, and the claims of section 5.

The signal to noise ratio is read as the second moment of the target over the variance
of the noise: 100 is then Wallace's ratio of 10 of standard deviations, to which his
table gives the noise. Besides the methods of the paper there are the message from
exact draws of prior 1, the posterior mean, and the average of all representatives; and
MML87 with the paper's prior of degrees, or with prior 1 over the data.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from time import process_time

import numpy as np
from joblib import Parallel, delayed

from benchmarks.accuracy.tables import print_table
from benchmarks.polynomials.criteria import message_lengths, structural_risks
from benchmarks.polynomials.data import Data, is_inside
from benchmarks.polynomials.exact import normal_draws
from benchmarks.polynomials.priors import AdditivePrior, NormalPrior, log_degree
from benchmarks.polynomials.sampler import BURN_IN, Sampler
from benchmarks.polynomials.targets import (
    noise_variance,
    prediction_errors,
    quadratic,
    sample,
)

RATIOS = 0.78125, 100.0
# Of trials that chains are run of at once; the results depend on it.
BLOCK = 100
N_BOOTSTRAP = 500
#: Methods of the paper, and what each of its two is compared with.
MESSAGES, OTHERS = ("MMC-1", "MMC-2"), ("MML87", "SRM")


def methods(data, x, *, generator, options):
    """Return coefficients and diagnostics of each method for some trials.

    Returns
    -------
    coefficients : dict
        From methods to arrays of shape (n_trials, max_degree + 1).
    diagnostics : dict
        From messages to lists of summaries.
    """
    draws = {
        "MMC-1": Sampler(data, NormalPrior(), generator).run(options.sweeps),
        "MMC-2": Sampler(data, AdditivePrior(), generator).run(options.sweeps),
        "MMC-1, exact": [
            normal_draws(data[i : i + 1], options.sweeps - BURN_IN, generator)
            for i in range(len(data))
        ],
    }
    summaries = {
        name: [
            one.summarize(data[i : i + 1], options.search)
            for i, one in enumerate(of_method)
        ]
        for name, of_method in draws.items()
    }
    coefficients = {
        name: np.array(
            [
                one.coefficients[summary.representative]
                for one, summary in zip(draws[name], found)
            ]
        )
        for name, found in summaries.items()
    }
    lengths = message_lengths(data, x)
    length_of_degree = -log_degree(np.arange(lengths.shape[1]))
    degrees = {
        "MML87": lengths.argmin(axis=1),
        "MML87, degrees": (lengths + length_of_degree).argmin(axis=1),
        "MML87, data": message_lengths(data).argmin(axis=1),
        "SRM": structural_risks(data).argmin(axis=1),
    }
    for name, chosen in degrees.items():
        inside = is_inside(data.projections, chosen)
        coefficients[name] = np.where(inside, data.projections, 0.0)
    coefficients["average-1"] = np.array([s.average for s in summaries["MMC-1"]])
    coefficients["mean-1"] = np.array(
        [one.coefficients.mean(axis=0) for one in draws["MMC-1"]]
    )
    return coefficients, summaries


def block(n, ratio, *, n_trials, seed, options):
    """Return the errors and summaries of each method in a block of trials."""
    generator = np.random.default_rng(seed)
    began = process_time()
    variance = noise_variance(quadratic, ratio)
    x, y = sample(quadratic, variance, n_trials=n_trials, n=n, generator=generator)
    coefficients, summaries = methods(
        Data.of(x, y), x, generator=generator, options=options
    )
    errors = {
        name: np.array(
            [prediction_errors(quadratic, points, row) for points, row in zip(x, found)]
        )
        for name, found in coefficients.items()
    }
    return errors, summaries, process_time() - began


def run(options):
    """Print quartiles and claims for each number of observations and ratio."""
    for n in options.observations:
        for i, ratio in enumerate(RATIOS):
            sizes = [
                min(BLOCK, options.trials - begin)
                for begin in range(0, options.trials, BLOCK)
            ]
            seeds = np.random.SeedSequence([options.seed, n, i]).spawn(len(sizes))
            found = Parallel(n_jobs=options.n_jobs)(
                delayed(block)(n, ratio, n_trials=size, seed=seed, options=options)
                for size, seed in zip(sizes, seeds)
            )
            errors = {
                name: np.concatenate([of_block[name] for of_block, _, _ in found])
                for name in found[0][0]
            }
            summaries = {
                name: [one for _, of_block, _ in found for one in of_block[name]]
                for name in found[0][1]
            }
            seconds = sum(of_block for _, _, of_block in found)
            print(
                f"The quadratic, n = {n}, ratio {ratio}: {options.trials} trials, "
                f"{seconds:.0f} s of processor time"
            )
            print_methods(errors, summaries)
            print_claims(errors, np.random.default_rng([options.seed, n, i, 1]))


def print_methods(errors, summaries):
    """Print quartiles of log errors, their average, and what regions are like."""
    rows = []
    for name, values in errors.items():
        low, median, high = np.percentile(np.log(values), [25, 50, 75])
        rows.append(
            [
                name,
                *(f"{q:.2f}" for q in (low, median, high, high - low)),
                f"{values.mean():.3g} ± {_standard_error(values):.2g}",
            ]
        )
        if name in summaries:
            found = summaries[name]
            rows[-1] += [
                f"{np.median([s.n_regions for s in found]):.0f}",
                f"{np.median([s.share for s in found]):.2f}",
                str(sum(s.small for s in found)),
            ]
    header = ["method", "25 %", "median", "75 %", "range", "mean error"]
    print_table([*header, "regions", "best region", "small"], rows)


def print_claims(errors, generator):
    """Print differences between methods, paired by trial, with standard errors.

    Shares of lower errors are of those trials where both methods differ.
    """
    logs = {name: np.log(values) for name, values in errors.items()}
    n_trials = len(logs["SRM"])
    samples = generator.integers(n_trials, size=(N_BOOTSTRAP, n_trials))

    def compared(one, other):
        quartiles = [
            np.percentile(logs[name][samples], [25, 50, 75], axis=1)
            for name in (one, other)
        ]
        found = [np.percentile(logs[name], [25, 50, 75]) for name in (one, other)]
        medians = quartiles[0][1] - quartiles[1][1]
        ranges = _ranges(quartiles[0]) - _ranges(quartiles[1])
        away = errors[one] - errors[other]
        n_apart = max(1, np.sum(away != 0))
        return [
            f"{one} less {other}",
            f"{found[0][1] - found[1][1]:+.3f} ± {medians.std():.3f}",
            f"{_ranges(found[0]) - _ranges(found[1]):+.3f} ± {ranges.std():.3f}",
            f"{np.sum(away < 0) / n_apart:.3f} ± {0.5 / np.sqrt(n_apart):.3f}",
            f"{away.mean():+.3g} ± {_standard_error(away):.2g}",
        ]

    pairs = [(one, other) for one in MESSAGES for other in OTHERS]
    pairs += [MESSAGES, OTHERS, ("MMC-1", "MMC-1, exact")]
    pairs += [("MMC-1", "MML87, degrees"), ("MML87, data", "SRM")]
    pairs += [("mean-1", "MMC-1"), ("average-1", "MMC-1"), ("mean-1", "MML87")]
    print_table(
        ["of log errors", "medians", "ranges", "lower in", "mean errors"],
        [compared(*pair) for pair in pairs],
    )


def _ranges(quartiles):
    return quartiles[2] - quartiles[0]


def _standard_error(values):
    return values.std(ddof=1) / np.sqrt(len(values))
