"""Figures 1 to 3: a quintic, with more and more observations.

The paper does not say where x is. Points are uniform on [-1, 1], as Wallace has them,
where noise hides most of the quintic; and on [-2, 2], where it is plain to see.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import product

import numpy as np
from joblib import Parallel, delayed

from benchmarks.accuracy.tables import print_table
from benchmarks.polynomials.data import Data
from benchmarks.polynomials.exact import normal_draws
from benchmarks.polynomials.priors import AdditivePrior, NormalPrior
from benchmarks.polynomials.sampler import BURN_IN, Sampler
from benchmarks.polynomials.targets import quintic, sample

OBSERVATIONS = 10, 20, 40
HALF_WIDTHS = 1, 2
PRIORS = {
    "1": NormalPrior(),
    "2": AdditivePrior(exact=True),
    "2, printed": AdditivePrior(exact=False),
}
# Independent draws under prior 1, as chains may be too short.
EXACT = "1, exact"


def drawn(prior, *, data, generator, options):
    """Return draws of each data set, by the sampler or exact."""
    if prior != EXACT:
        return Sampler(data, PRIORS[prior], generator).run(options.sweeps)
    n_draws = options.sweeps - BURN_IN
    return [normal_draws(data[i : i + 1], n_draws, generator) for i in range(len(data))]


def one_kind(half_width, n, *, prior, options):
    """Return draws and summary of each data set."""
    generator = np.random.default_rng([options.seed, half_width, n])
    x, y = sample(
        quintic,
        1.0,
        n_trials=max(1, options.trials // 40),
        n=n,
        half_width=half_width,
        generator=generator,
    )
    data = Data.of(x, y)
    all_draws = drawn(prior, data=data, generator=generator, options=options)
    summaries = [
        draws.summarize(data[i : i + 1], options.search)
        for i, draws in enumerate(all_draws)
    ]
    return list(zip(all_draws, summaries))


def run(options):
    """Print the degrees that are found in some data sets of each kind."""
    kinds = list(product(HALF_WIDTHS, OBSERVATIONS, [*PRIORS, EXACT]))
    found = Parallel(n_jobs=options.n_jobs)(
        delayed(one_kind)(half_width, n, prior=prior, options=options)
        for half_width, n, prior in kinds
    )
    header = ["half width", "n", "prior", *map(str, range(8)), "above", "small"]
    print(f"Degrees of the representatives in {len(found[0])} data sets")
    print_table(
        [*header, "sigma"],
        [[*map(str, kind), *_counted(sets)] for kind, sets in zip(kinds, found)],
    )


def _counted(sets):
    """Return how often each degree is found, too small a region, and median sigma."""
    chosen = [(draws, summary.representative) for draws, summary in sets]
    degrees = [draws.degrees[best] for draws, best in chosen]
    sigmas = [np.sqrt(draws.variances[best]) for draws, best in chosen]
    return [
        *map(str, np.bincount(np.minimum(degrees, 8), minlength=9)),
        str(sum(summary.small for _, summary in sets)),
        f"{np.median(sigmas):.2f}",
    ]
