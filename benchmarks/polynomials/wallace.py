"""Wallace's table of selected degrees, which MML87 and SRM have to reproduce.

C. S. Wallace, "On the Selection of the Order of a Polynomial Model", Royal Holloway
College, London, 1997, section 4.1: 1,000 cases of ten observations of a squared sine,
with a ratio of 10 of the standard deviations of signal and noise. ``best`` is the
degree with the least error. Of degrees above 6 only the total number is known, for GCV
of those above 5. FPE, SCH and GCV are not reproduced: the largest published error is
771, ours have no such bound. Errors are means over 100 random points: by exact
integrals a constant never has less than .125, as more than a twentieth of the published
errors of constants do, and with 20 points errors vary too much.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.stats import chi2_contingency

from benchmarks.polynomials.criteria import (
    classical_criteria,
    message_lengths,
    structural_risks,
)
from benchmarks.polynomials.data import Data
from benchmarks.polynomials.tables import print_table
from benchmarks.polynomials.targets import (
    fits,
    noise_variance,
    prediction_errors,
    sample,
    sine,
)

N_CASES, N_OBSERVATIONS, RATIO = 1000, 10, 10.0
N_POINTS = 100
PERCENTILES = 5, 25, 50, 75, 95, 99
#: Average and deviation of squared prediction errors, their percentiles, and the
#: number of cases of degrees 0 to 6 and of those above.
PUBLISHED = {
    "best": (
        (0.0804, 0.0561),
        (0.0054, 0.0206, 0.0822, 0.1297, 0.1615, 0.1886),
        (312, 51, 38, 6, 113, 8, 373, 99),
    ),
    "MML87": (
        (0.1857, 0.2633),
        (0.0078, 0.0385, 0.1236, 0.1880, 0.6075, 1.3700),
        (222, 33, 27, 23, 177, 30, 426, 62),
    ),
    "SRM": (
        (3.5005, 24.2763),
        (0.1099, 0.1289, 0.1471, 0.4338, 9.4489, 73.2666),
        (564, 32, 35, 138, 231, 0, 0, 0),
    ),
    "FPE": (
        (15.8055, 63.8077),
        (0.0091, 0.0863, 0.7974, 5.4448, 60.7315, 306.5231),
        (0, 0, 2, 17, 78, 214, 340, 349),
    ),
    "SCH": (
        (16.3748, 65.4801),
        (0.0091, 0.0911, 0.8637, 5.5033, 63.7380, 378.0335),
        (0, 0, 2, 12, 75, 210, 344, 357),
    ),
    "GCV": (
        (13.0748, 56.2695),
        (0.0082, 0.0733, 0.5827, 4.2212, 48.9659, 277.2285),
        (0, 0, 7, 26, 113, 249, 605),
    ),
}


def selections(n_trials, seed):
    """Return the errors of the fits of each degree, and degrees by what chooses."""
    generator = np.random.default_rng(seed)
    variance = noise_variance(sine, RATIO**2)
    x, y = sample(
        sine, variance, n_trials=n_trials, n=N_OBSERVATIONS, generator=generator
    )
    data = Data.of(x, y)
    errors = np.array(
        [
            prediction_errors(
                sine,
                points,
                fits(fit),
                points=generator.uniform(-1, 1, N_POINTS),
                weights=np.full(N_POINTS, 1 / N_POINTS),
            )
            for points, fit in zip(x, data.projections)
        ]
    )
    lengths = message_lengths(data, x)
    return errors, {
        "best": errors[:, : lengths.shape[1]].argmin(axis=1),
        "MML87": lengths.argmin(axis=1),
        "MML87, data": message_lengths(data).argmin(axis=1),
        "SRM": structural_risks(data).argmin(axis=1),
        **{
            name: values.argmin(axis=1)
            for name, values in classical_criteria(data).items()
        },
    }


def run(options):
    """Print the published table beside what is found in ten times as many cases.

    A z beside a percentile is that of the share of errors found below the published
    one; both samples have errors.
    """
    errors, selected = selections(10 * options.trials, options.seed)
    rows, counts = [], []
    for name, degrees in selected.items():
        found = errors[np.arange(len(errors)), degrees]
        moments, percentiles, published = PUBLISHED.get(name, (None, None, None))
        row = [_short(found.mean()), *map(_short, np.percentile(found, PERCENTILES))]
        n_bins = 8 if published is None else len(published)
        n_found = np.bincount(np.minimum(degrees, n_bins - 1), minlength=n_bins)
        counts.append([name, *(f"{n:.0f}" for n in n_found * N_CASES / len(errors))])
        if published is None:
            rows.append([name, *row])
            continue
        z = [
            (found.mean() - moments[0])
            / np.hypot(moments[1] / N_CASES**0.5, found.std() / len(errors) ** 0.5)
        ]
        for percent, value in zip(PERCENTILES, percentiles):
            share = percent / 100
            error = np.sqrt(share * (1 - share) * (1 / N_CASES + 1 / len(errors)))
            z.append((np.mean(found <= value) - share) / error)
        rows.append([f"{name}, published", *map(_short, (moments[0], *percentiles))])
        rows.append([name, *row])
        rows.append(["z", *(f"{value:+.1f}" for value in z)])
        both = np.array([published, n_found])
        p_value = chi2_contingency(both[:, both.any(axis=0)]).pvalue
        counts[-1] += [*[""] * (8 - n_bins), f"{p_value:.3g}"]
        counts.insert(-1, [f"{name}, published", *map(str, published)])
    print(f"Wallace's table, {len(errors)} cases: squared prediction errors")
    print_table(["method", "mean", *(f"{p} %" for p in PERCENTILES)], rows)
    print(f"Degrees in {N_CASES} cases, and the p-value that both samples are alike")
    print_table(["method", *map(str, range(7)), "above", "p"], counts)


def _short(value):
    return f"{value:.4f}" if value < 100 else f"{value:.3g}"
