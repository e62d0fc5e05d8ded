"""Figures 1 to 3: a quintic, with more and more observations.

The paper does not say where x is. Points are uniform on [-1, 1], as Wallace has them,
where noise hides most of the quintic; and on [-2, 2], where it is plain to see. A data
set of each is drawn, and degrees are counted over more of them.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from benchmarks.polynomials.data import Data
from benchmarks.polynomials.plots import draw_fits
from benchmarks.polynomials.priors import AdditivePrior, NormalPrior
from benchmarks.polynomials.sampler import Sampler
from benchmarks.polynomials.summaries import summarize
from benchmarks.polynomials.tables import print_table
from benchmarks.polynomials.targets import quintic, sample

OBSERVATIONS = 10, 20, 40
HALF_WIDTHS = 1, 2
PRIORS = {"1": NormalPrior(), "2": AdditivePrior(), "2, exact": AdditivePrior(True)}


def run(options):
    """Print what is found in some data sets, and draw the first of each kind."""
    n_sets = max(1, options.trials // 20)
    rows, counts, panels = [], [], {}
    for half_width in HALF_WIDTHS:
        for n in OBSERVATIONS:
            generator = np.random.default_rng([options.seed, half_width, n])
            x, y = sample(
                quintic,
                1.0,
                n_trials=n_sets,
                n=n,
                half_width=half_width,
                generator=generator,
            )
            data = Data.of(x, y)
            for prior_name, prior in PRIORS.items():
                all_draws = Sampler(data, prior, generator).run()
                found = [
                    (draws, summarize(draws, data[i : i + 1], options.search))
                    for i, draws in enumerate(all_draws)
                ]
                head = [str(half_width), str(n), prior_name]
                rows.append([*head, *_described(*found[0])])
                counts.append([*head, *_counted(found)])
                if prior_name == "1":
                    panels[half_width, n] = x[0], y[0], *found[0]
    header = ["half width", "n", "prior"]
    print("The quintic, one data set")
    print_table([*header, "degree", "sigma", "regions", "best region", "weight"], rows)
    print(f"Degrees of the representatives in {n_sets} data sets")
    print_table([*header, *map(str, range(8)), "above", "small", "sigma"], counts)
    if options.figure_folder is not None:
        for half_width in HALF_WIDTHS:
            draw_fits(
                [panels[half_width, n] for n in OBSERVATIONS],
                quintic,
                options.figure_folder / f"quintic_{half_width}.png",
            )


def _described(draws, summary):
    """Return the cells of one data set."""
    best = summary.representative
    return [
        str(draws.degrees[best]),
        f"{np.sqrt(draws.variances[best]):.2f}",
        str(summary.n_regions),
        f"{summary.share:.2f}",
        f"{summary.weight:.2f}",
    ]


def _counted(found):
    """Return how often each degree is found, too small a region, and median sigma."""
    degrees = [draws.degrees[summary.representative] for draws, summary in found]
    variances = [draws.variances[summary.representative] for draws, summary in found]
    n_small = sum(summary.small for _, summary in found)
    return [
        *map(str, np.bincount(np.minimum(degrees, 8), minlength=9)),
        str(n_small),
        f"{np.median(np.sqrt(variances)):.2f}",
    ]
