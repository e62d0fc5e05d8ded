"""Modes: where chains start, by normal approximations of the posterior.

With normal priors and for given widths, the posterior of coordinates has one mode. The
Laplace approximation around it gives the marginal likelihood of the widths (Rasmussen &
Williams 2006, section 3.4). It is computed for widths that are spread over their range,
and then for some near the best of them. Each chain starts from one of them, drawn with
its approximate posterior probability. So chains do not start in places of negligible
probability, which they would leave slowly. With Cauchy priors there are many modes for
the same widths, and chains start at sums of 0.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.stats import qmc

from sklearn_dnfwinnow._bayes._hamiltonian._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._hamiltonian._gaussian import Gaussian
from sklearn_dnfwinnow._bayes._hamiltonian._place import Place

# Logarithms of the first widths, relative to scales.
_LOWEST, _HIGHEST = -2.0, 4.0
# The number of first widths, which are spread evenly: this times 2 to the power of the
# number of orders, within limits. Then come rounds of half as many, near the best ones.
_SPREAD, _FEWEST, _MOST, _ROUNDS = 4, 16, 32, 2
# Deviation of the steps to others near them.
_NEAR = 0.5
# The number of starts with Cauchy priors, and the highest logarithm of their widths.
_STARTS, _HIGHEST_START = 16, 0.0
# Maximum number of Newton steps, and the rise of the log density at which they end.
_STEPS, _LEAST_RISE = 25, 0.05
_SHORTEST = 1e-3


@dataclass(frozen=True, eq=False)
class Mode(Place):
    """The mode of the coordinates for some widths.

    Attributes
    ----------
    log_density : float
        Approximate log density of the logarithms of the widths, up to a constant.
    """

    log_density: float

    @classmethod
    def of(cls, problem, log_sigma):
        """Find the mode.

        Widths so large that a matrix has no factor in float64 have density 0.
        """
        likelihood, gaussian = problem.once(Contrasts), Gaussian(problem, log_sigma)
        z = np.zeros((problem.groups.n_groups, likelihood.n))
        predictors = np.zeros((len(problem.totals), likelihood.n))
        try:
            z, predictors, height = _climbed(likelihood, gaussian, z, predictors)
            height -= 0.5 * gaussian.log_determinant(likelihood, predictors)
        except np.linalg.LinAlgError:
            height = -np.inf
        height += problem.prior.log_density(log_sigma)
        return cls(problem, log_sigma, z, predictors, float(height))


def _climbed(likelihood, gaussian, z, predictors):
    """Return a mode, its predictors and log density, by Newton steps from a place.

    Steps have the full length if they lead upwards.
    """
    height = likelihood.height(predictors) - 0.5 * np.sum(z**2)
    for _ in range(_STEPS):
        information = likelihood.information(predictors).mean(axis=1)
        slope = likelihood.score(predictors)
        slope += information[:, np.newaxis] * predictors
        aim = gaussian.mean(information, slope)
        gap, change = aim - z, gaussian.to_rows(aim) - predictors
        length, before = 1.0, height
        while True:
            place, there = z + length * gap, predictors + length * change
            height = likelihood.height(there) - 0.5 * np.sum(place**2)
            if height >= before or length < _SHORTEST:
                break
            length /= 2
        z, predictors = place, there
        if height - before < _LEAST_RISE:
            break
    return z, predictors, height


def starts_of(problem):
    """Return places where chains may start, and their probabilities."""
    prior = problem.prior
    if prior.family == "normal":
        return modes_of(problem)
    n_learned, n_contrasts = len(prior.scales) - prior.first, problem.once(Contrasts).n
    log_sigmas = np.tile(np.log(prior.scales), (_STARTS, 1))
    spread = qmc.Sobol(n_learned, rng=0).random(_STARTS) if n_learned else 0.0
    log_sigmas[:, prior.first :] += _LOWEST + (_HIGHEST_START - _LOWEST) * spread
    z = np.zeros((problem.groups.n_groups, n_contrasts))
    predictors = np.zeros((len(problem.totals), n_contrasts))
    starts = [Place(problem, log_sigma, z, predictors) for log_sigma in log_sigmas]
    return starts, np.full(_STARTS, 1 / _STARTS)


def modes_of(problem):
    """Return modes for several widths, and their approximate probabilities."""
    prior = problem.prior
    n_learned = len(prior.scales) - prior.first

    def mode(relative):
        log_sigma = np.log(prior.scales)
        log_sigma[prior.first :] += relative
        return Mode.of(problem, log_sigma)

    if not n_learned:
        return [mode([])], np.ones(1)
    generator = np.random.default_rng(0)
    n = int(np.clip(_SPREAD << n_learned, _FEWEST, _MOST))
    places = qmc.Sobol(n_learned, rng=0).random(n)
    places = _LOWEST + (_HIGHEST - _LOWEST) * places
    modes = [mode(place) for place in places]
    for _ in range(_ROUNDS):
        near = generator.choice(len(modes), n // 2, p=_probabilities(modes, 0.5))
        noise = generator.standard_normal((len(near), n_learned))
        others = np.clip(places[near] + _NEAR * noise, 2 * _LOWEST, 2 * _HIGHEST)
        places = np.concatenate([places, others])
        modes += [mode(place) for place in others]
    return modes, _probabilities(modes, 1.0)


def _probabilities(modes, power):
    """Return probabilities proportional to a power of the densities."""
    logs = power * np.array([mode.log_density for mode in modes])
    if logs.max() == -np.inf:
        logs = np.zeros(len(modes))
    probabilities = np.exp(logs - logs.max())
    return probabilities / probabilities.sum()
