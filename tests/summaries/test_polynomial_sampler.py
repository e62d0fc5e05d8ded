"""Polynomials: the reversible-jump sampler keeps the posterior; wrong ones do not."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from types import SimpleNamespace

import numpy as np
import pytest
from additive_draws import additive_draws
from numpy.testing import assert_allclose
from scipy.stats import invgamma, norm

BIRTH = DEATH = 0.2


@pytest.fixture
def prior_of(module):
    priors = module("priors")
    return {
        "1": priors.NormalPrior(),
        "2": priors.AdditivePrior(exact=True),
        "2, printed": priors.AdditivePrior(exact=False),
    }


def observations(n, seed, target=np.square, deviation=0.4):
    generator = np.random.default_rng(seed)
    x = generator.uniform(-1, 1, (1, n))
    return x, target(x) + deviation * generator.normal(size=x.shape)


def inverted(module, sampler):
    """Return a sampler whose probabilities of moves are upside down, as in (19)."""

    class Inverted(sampler):
        def log_ratio(self, data, lower, upper):
            log_move = module("sampler").log_move
            there = log_move(lower.degrees, upper.degrees, data.max_degree)
            back = log_move(upper.degrees, lower.degrees, data.max_degree)
            return super().log_ratio(data, lower, upper) + 2 * (there - back)

    return Inverted


def log_density(problem, a, variance, which):
    """Return the log of the unnormalized posterior, straight from the paper."""
    y, values = problem.y, problem.values
    d, left = len(a) - 1, (y**2).sum()
    found = norm(values[:, : d + 1] @ a, np.sqrt(variance)).logpdf(y).sum()
    found += invgamma(1e-4, scale=1e-4).logpdf(variance) + np.log(0.9 * 0.1**d)
    if which == "1":
        return found + norm(0, np.sqrt(left / (d + 2))).logpdf(a).sum()
    for a_k in a:
        if left <= 0 or abs(a_k) > 2 * np.sqrt(left):
            return -np.inf
        found -= np.log(4 * np.sqrt(left))
        left -= a_k**2
    return found


def log_birth(problem, a, m, variance, which):
    """Return the log of the density that a model proposes one of more coefficients."""
    k, b = len(a) - 1, problem.values.T @ problem.y
    steps = 0.5 ** np.arange(1, len(problem.y) - k)
    found = np.log(BIRTH * steps[m.size - len(a) - 1] / steps.sum())
    for z in range(k + 1, m.size):
        mean, spread = b[z], variance
        if which == "1":
            square = (problem.y**2).sum() / (m.size + 1)
            mean = square * b[z] / (square + variance)
            spread = square * variance / (square + variance)
        found += norm(mean, np.sqrt(spread)).logpdf(m[z])
    return found


def log_death(a, k):
    """Return the log probability of a death to degree k."""
    steps = 0.5 ** np.arange(1, len(a))
    return np.log(DEATH * steps[len(a) - k - 2] / steps.sum())


@pytest.mark.parametrize("is_inverted", [False, True])
@pytest.mark.parametrize("which", ["1", "2"])
def test_jumps_are_in_detailed_balance(module, prior_of, which, is_inverted):
    x, y = observations(8, seed=1)
    data = module("data").Data.of(x, y)
    values = module("basis").Basis(x[0], 7).values
    problem = SimpleNamespace(y=y[0], values=values)
    state = module("sampler").State
    generator = np.random.default_rng(2)
    kind = module("sampler").Sampler
    kind = inverted(module, kind) if is_inverted else kind
    sampler = kind(data, prior_of[which], generator)
    n_apart = 0
    for k, m in [(0, 1), (0, 4), (1, 3), (2, 7), (6, 7)]:
        variance = generator.uniform(0.05, 0.5)
        upper = np.zeros(8)
        # Small enough for prior 2.
        upper[: m + 1] = 0.3 * data.projections[0, : m + 1]
        upper[: m + 1] += 0.05 * generator.normal(size=m + 1)
        lower = np.where(np.arange(8) <= k, upper, 0.0)
        one, other = (
            state(np.array([d]), a[None], np.array([variance]))
            for d, a in ((k, lower), (m, upper))
        )
        ratio = sampler.log_ratio(data, one, other)[0]
        a, a_new = lower[: k + 1], upper[: m + 1]
        there = log_density(problem, a, variance, which)
        there += log_birth(problem, a, a_new, variance, which) + min(0.0, ratio)
        back = log_density(problem, a_new, variance, which)
        back += log_death(a_new, k) + min(0.0, -ratio)
        assert np.isfinite([there, back]).all()
        if is_inverted:
            n_apart += abs(there - back) > 0.1
        else:
            assert_allclose(there, back, atol=1e-9)
    assert n_apart >= 4 or not is_inverted


def test_jumps_to_all_degrees_have_the_probabilities_of_births_and_deaths(module):
    log_move = module("sampler").log_move
    for k in range(10):
        above, below = np.arange(k + 1, 10), np.arange(k)
        for targets, total in ((above, BIRTH), (below, DEATH)):
            if len(targets):
                found = np.exp(log_move(np.full(len(targets), k), targets, 9))
                assert_allclose(found.sum(), total)
                # Each further step is half as likely.
                ordered = np.sort(found)[::-1]
                assert_allclose(ordered[1:], ordered[:-1] / 2)


def features(draws):
    """Return statistics of draws: degrees, log sigma, coefficients and squares."""
    degrees = np.arange(draws.coefficients.shape[1])
    return np.column_stack(
        [
            draws.degrees[:, None] == degrees,
            np.log(draws.variances),
            draws.coefficients,
            draws.coefficients**2,
        ]
    )


def exact_features(module, data, which):
    """Return means of the features and their errors, from exact draws."""
    exact, generator = module("exact"), np.random.default_rng(3)
    n_draws = 200_000
    if which == "1":
        draws = exact.normal_draws(data, n_draws, generator)
        weights = np.full(n_draws, 1 / n_draws)
    else:
        draws, log_weights = additive_draws(data, n_draws, generator)
        weights = np.exp(log_weights - log_weights.max())
        weights /= weights.sum()
    found = features(draws)
    means = weights @ found
    return means, np.sqrt((weights[:, None] ** 2 * (found - means) ** 2).sum(axis=0))


def largest_z(data, exact, sampler_class, *, prior):
    """Return how many standard errors many chains are from exact draws, at most."""
    copies = data[np.zeros(100, dtype=int)]
    sampler = sampler_class(copies, prior, np.random.default_rng(4))
    means = np.array([features(d).mean(axis=0) for d in sampler.run(600, 150)])
    errors = means.std(axis=0, ddof=1) / np.sqrt(len(means))
    # Degrees that hardly occur are no matter of a normal approximation.
    n_degrees = data.max_degree + 1
    frequent = exact[0][:n_degrees] > 0.005
    kept = np.concatenate([frequent, [True], frequent, frequent])
    z = (means.mean(axis=0) - exact[0])[kept] / np.hypot(errors, exact[1])[kept]
    return np.abs(z).max()


@pytest.mark.parametrize("which", ["1", "2"])
def test_chains_agree_with_exact_draws_and_wrong_ones_do_not(module, prior_of, which):
    data = module("data").Data.of(*observations(8, seed=8))
    sampler = module("sampler").Sampler

    class WrongJacobian(sampler):
        def _log_jacobian(self, deviations, born):
            return 0.5 * super()._log_jacobian(deviations, born)

    exact, prior = exact_features(module, data, which), prior_of[which]
    assert np.sum(exact[0][: data.max_degree + 1] > 0.005) >= 3
    assert largest_z(data, exact, sampler, prior=prior) < 5.5
    assert largest_z(data, exact, WrongJacobian, prior=prior) > 8
    assert largest_z(data, exact, inverted(module, sampler), prior=prior) > 8


def test_the_printed_step_of_prior_2_does_not_keep_the_posterior(module, prior_of):
    # A line: the range of its slope depends on the constant.
    x, y = observations(8, seed=8, target=lambda x: 2 + 3 * x, deviation=1.0)
    data = module("data").Data.of(x, y)
    sampler = module("sampler").Sampler
    exact = exact_features(module, data, "2")
    assert largest_z(data, exact, sampler, prior=prior_of["2"]) < 5.5
    assert largest_z(data, exact, sampler, prior=prior_of["2, printed"]) > 8


def test_trials_in_lockstep_have_posteriors_of_their_own(module):
    stack = [observations(8, seed=s) for s in (5, 6)]
    x, y = (np.concatenate(part) for part in zip(*stack))
    data = module("data").Data.of(x, y * np.array([[1.0], [3.0]]))
    both = data[np.repeat([0, 1], 100)]
    prior = module("priors").NormalPrior()
    sampler = module("sampler").Sampler(both, prior, np.random.default_rng(7))
    means = np.array([features(d).mean(axis=0) for d in sampler.run(1000, 300)])
    for i in range(2):
        exact, _ = exact_features(module, data[i : i + 1], "1")
        own = means[100 * i : 100 * (i + 1)]
        place = data.max_degree + 1  # log sigma squared
        error = own[:, place].std(ddof=1) / 10
        assert abs(own[:, place].mean() - exact[place]) < 5.5 * error
