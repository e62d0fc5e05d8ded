"""Convergence: agreement of Markov chains, and their effective sample size.

R-hat and the effective sample size are those of A. Vehtari, A. Gelman, D. Simpson,
B. Carpenter and P.-C. Bürkner, "Rank-Normalization, Folding, and Localization: An
Improved R-hat for Assessing Convergence of MCMC", Bayesian Analysis 16(2), 667-718,
2021.

Draws that never change give no information: they can have a single value by definition,
or chains can be stuck. Both measures are NaN then, as in the authors' R package
`posterior`. (ArviZ also has NaN for R-hat, but counts such draws as independent.)
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Real

import numpy as np
from scipy import fft
from scipy.special import ndtri
from scipy.stats import rankdata

from sklearn_dnfwinnow._utils._estimators import Interval

# Sokal's window: lags up to this number of autocorrelation times are summed.
_WINDOW = 5.0
# Each half of a chain needs a variance.
_FEWEST_DRAWS = 4


def r_hat(draws):
    """Return rank-normalized split R-hat: 1 if chains agree, larger otherwise.

    It is the maximum of two values. The R-hat of the draws is sensitive to chains in
    different places. The R-hat of their distances from the median is sensitive to
    chains with different widths. Halves of chains count as separate
    chains.

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws, ...)

    Returns
    -------
    r_hat : ndarray of shape (...), float64
        Infinite if each half of a chain is constant but not all are equal. NaN if all
        draws are equal, if some are not finite, or if there are fewer than 4.
    """
    return _of_halves(_r_hat, draws)


def effective_sample_size(draws):
    """Return bulk effective sample sizes: the equivalent numbers of independent draws.

    Computed from autocorrelations of rank-normalized halves of chains, up to the lag at
    which sums of pairs are no longer positive (C. J. Geyer, "Practical Markov Chain
    Monte Carlo", Statistical Science 7(4), 473-483, 1992).

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws, ...)

    Returns
    -------
    sizes : ndarray of shape (...), float64
        For all chains together; at most n log10(n) for n draws. NaN if all draws are
        equal, if some are not finite, or if there are fewer than 4.
    """
    return _of_halves(_effective_sample_size, draws)


def autocorrelation_times(series):
    """Return integrated autocorrelation times of series, in samples: (n_series,).

    Sokal's automatic window: the sum ends at the first lag that is at least `_WINDOW`
    times the current sum. At least 1: small negative correlations do not count. NaN for
    constant series.
    """
    n = series.shape[1]
    times = np.empty(len(series))
    for i, values in enumerate(series):
        if values.min() == values.max():
            times[i] = np.nan
            continue
        covariances = _autocovariances(values)
        sums = 2.0 * np.cumsum(covariances / covariances[0]) - 1.0
        beyond = np.arange(n) >= _WINDOW * sums
        end = beyond.argmax() if beyond.any() else n - 1
        times[i] = max(1.0, sums[end])
    return times


def _autocovariances(series):
    """Return autocovariances of series at all lags, times their length: last axis."""
    n = series.shape[-1]
    size = fft.next_fast_len(2 * n, real=True)
    spectrum = fft.rfft(series - series.mean(axis=-1, keepdims=True), size)
    return fft.irfft(np.abs(spectrum) ** 2, size)[..., :n]


def _of_halves(measure, draws):
    """Return a measure of halves of chains where it is defined, otherwise NaN.

    The measure takes an array of shape (n_series, n_halves, n_draws), float64.
    """
    draws = np.asarray(draws)
    n_chains, n_draws, *shape = draws.shape
    found = np.full(int(np.prod(shape)), np.nan)
    if n_draws >= _FEWEST_DRAWS:
        # If the number of draws is odd, the middle one belongs to no half.
        half = n_draws // 2
        series = np.moveaxis(draws.reshape(n_chains, n_draws, -1), -1, 0)
        halves = np.concatenate([series[..., :half], series[..., -half:]], axis=1)
        halves = np.ascontiguousarray(halves, dtype=np.float64)
        low, high = halves.min(axis=(1, 2)), halves.max(axis=(1, 2))
        right = np.isfinite(low) & np.isfinite(high) & (low < high)
        if right.any():
            found[right] = measure(halves[right])
    return found.reshape(shape)


def _normal_scores(halves):
    """Return the normal scores of the ranks among all draws of a series."""
    flat = halves.reshape(len(halves), -1)
    ranks = rankdata(flat, axis=1)
    return ndtri((ranks - 0.375) / (flat.shape[1] + 0.25)).reshape(halves.shape)


def _r_hat(halves):
    """Return the larger R-hat, of the draws or of their distances from the median."""
    distances = np.abs(halves - np.median(halves, axis=(1, 2), keepdims=True))
    of_draws = _plain_r_hat(_normal_scores(halves))
    return np.fmax(of_draws, _plain_r_hat(_normal_scores(distances)))


def _plain_r_hat(chains):
    """Return R-hat of unsplit chains; NaN if all draws are equal."""
    n_draws = chains.shape[-1]
    between = chains.mean(axis=-1).var(axis=-1, ddof=1)
    # Because of rounding, a constant chain can differ from its mean.
    changes = chains.min(axis=-1) < chains.max(axis=-1)
    within = np.where(changes, chains.var(axis=-1, ddof=1), 0.0).mean(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.sqrt(between / within + (n_draws - 1) / n_draws)


def _effective_sample_size(halves):
    """Return the bulk effective sample size of all halves together."""
    chains = _normal_scores(halves)
    _, n_chains, n_draws = chains.shape
    total = n_chains * n_draws
    covariances = _autocovariances(chains).mean(axis=1) / n_draws
    within = covariances[:, :1] * n_draws / (n_draws - 1)
    between = chains.mean(axis=-1).var(axis=-1, ddof=1, keepdims=True)
    correlations = 1.0 - (within - covariances) / (covariances[:, :1] + between)
    correlations[:, 0] = 1.0
    # Lags are used in pairs; lags with very few draws are omitted.
    n_pairs = max(1, (n_draws - 1) // 2)
    even = correlations[:, : 2 * n_pairs : 2]
    pairs = even + correlations[:, 1 : 2 * n_pairs : 2]
    ends = pairs <= 0
    end = np.where(ends.any(axis=1), ends.argmax(axis=1), n_pairs - 1)[:, np.newaxis]
    counts = np.arange(n_pairs) < end
    falling = np.minimum.accumulate(pairs, axis=1)
    # Of the pair that ends the sum, the even lag counts if it is positive.
    last = np.take_along_axis(even, end, axis=1)[:, 0]
    last = np.where(ends.any(axis=1), np.maximum(last, 0.0), last)
    times = 2.0 * np.where(counts, falling, 0.0).sum(axis=1) - 1.0 + last
    # Negative correlations increase the effective size, but by how much is uncertain.
    return total / np.maximum(times, 1.0 / np.log10(total))


# Constraints of functions that take the fraction of draws in an interval.
COVERAGE_CONSTRAINTS = {"coverage": [Interval(Real, 0, 1, closed="neither")]}


def interval_of(draws, coverage):
    """Return both ends of the central intervals of values: (..., 2).

    Parameters
    ----------
    draws : ndarray of shape (n_draws, ...), float64
    coverage : float
        Fraction of the draws in each interval. The other draws are divided equally
        between both sides.
    """
    tail = (1.0 - coverage) / 2
    return np.moveaxis(np.quantile(draws, (tail, 1.0 - tail), axis=0), 0, -1)
