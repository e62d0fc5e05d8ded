"""Polynomials: the basis, divergences, evidence, and criteria that select a degree."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from additive_draws import additive_draws
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from scipy.stats import invgamma, norm


def observations(n, n_trials=1, seed=0):
    generator = np.random.default_rng(seed)
    x = generator.uniform(-1, 1, (n_trials, n))
    return x, x**2 + 0.5 + generator.normal(size=x.shape)


@pytest.mark.parametrize(
    "n, max_degree", [(1, 0), (2, 1), (10, 9), (40, 20), (100, 20)]
)
def test_basis_is_orthonormal_over_the_data(module, n, max_degree):
    x = observations(n)[0][0]
    basis = module("basis").Basis(x, max_degree)
    gram = basis.values.T @ basis.values
    assert_allclose(gram, np.eye(max_degree + 1), rtol=0, atol=1e-10)
    assert_allclose(basis.at(x), basis.values, rtol=0, atol=1e-9)
    # Column k is a polynomial of degree k, also at other points.
    line = np.linspace(-0.9, 0.9, 60)
    for k in range(min(max_degree, 6) + 1):
        values = basis.at(line)[:, k]
        fit = np.polynomial.Polynomial.fit(line, values, k)
        assert_allclose(fit(line), values, rtol=0, atol=1e-8 * np.abs(values).max())


def test_legendre_polynomials_have_unit_mean_squares(module):
    targets = module("targets")
    values = module("basis").legendre(targets.NODES, 20)
    gram = values.T * targets.WEIGHTS @ values
    assert_allclose(gram, np.eye(21), rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [4, 30])
def test_squared_errors_and_likelihoods_are_those_of_the_polynomials(module, n):
    x, y = observations(n, n_trials=3)
    data = module("data").Data.of(x, y)
    generator = np.random.default_rng(1)
    degrees = np.array([0, data.max_degree, 2])
    coefficients = generator.normal(size=data.projections.shape)
    coefficients[np.arange(data.max_degree + 1) > degrees[:, None]] = 0
    variances = generator.uniform(0.5, 2, 3)
    found = data.squared_errors(degrees, coefficients)
    for i in range(3):
        values = module("basis").Basis(x[i], data.max_degree).values
        expected = values @ coefficients[i]
        assert_allclose(found[i], ((y[i] - expected) ** 2).sum())
        draws = module("draws").Draws(
            n, degrees[[i]], coefficients[[i]], variances[[i]]
        )
        density = norm(expected, np.sqrt(variances[i])).logpdf(y[i]).sum()
        assert_allclose(draws.log_likelihoods(data[i : i + 1]), [density])


def test_divergence_is_that_of_the_distributions_of_the_data(module):
    x, _ = observations(5)
    values = module("basis").Basis(x[0], 3).values
    generator = np.random.default_rng(2)
    coefficients = generator.normal(size=(4, 4))
    coefficients[1, 2:] = 0
    variances = np.array([0.3, 1.0, 2.0, 0.7])
    draws = module("draws").Draws(5, np.array([3, 1, 3, 3]), coefficients, variances)
    found = draws.divergence(np.arange(4), 2)
    line = np.linspace(-40, 40, 40_001)
    for i in range(4):
        total = 0.0
        for row in values:
            true = norm(row @ coefficients[i], np.sqrt(variances[i]))
            estimate = norm(row @ coefficients[2], np.sqrt(variances[2]))
            gain = true.logpdf(line) - estimate.logpdf(line)
            total += np.trapezoid(true.pdf(line) * gain, line)
        assert_allclose(found[i], total, rtol=1e-8, atol=1e-10)


def brute_force(data, degree, log_prior):
    """Return the log evidence of degree 0 or 1, by a grid over all parameters."""
    width = np.sqrt(data.totals[0])
    line = np.linspace(-8 * width, 8 * width, 500)
    logs = np.linspace(-7, 40, 200)
    a = np.meshgrid(*[line] * (degree + 1), indexing="ij")
    away = sum((a_k - b) ** 2 for a_k, b in zip(a, data.projections[0]))
    errors = data.residuals[0, degree] + away
    with np.errstate(divide="ignore"):
        prior = log_prior([a_k.ravel() for a_k in a]).reshape(errors.shape)
    steps = np.log(line[1] - line[0]) * (degree + 1)
    steps += np.log(logs[1] - logs[0])
    parts = [
        logsumexp(prior - 0.5 * errors / np.exp(t))
        - 0.5 * data.n * (np.log(2 * np.pi) + t)
        + invgamma(1e-4, scale=1e-4).logpdf(np.exp(t))
        + t
        for t in logs
    ]
    return logsumexp(parts) + steps + np.log(0.9 * 0.1**degree)


@pytest.mark.parametrize("degree", [0, 1])
def test_evidence_of_prior_1_is_that_of_brute_force(module, degree):
    x, y = observations(6, seed=3)
    data = module("data").Data.of(x, y)
    deviation = np.sqrt((y**2).sum() / (degree + 2))
    expected = brute_force(
        data, degree, lambda a: sum(norm(0, deviation).logpdf(a_k) for a_k in a)
    )
    found = module("exact").normal_table(data).log_evidence()
    assert_allclose(found[degree], expected, atol=1e-5)


@pytest.mark.parametrize("degree", [0, 1])
def test_weights_of_prior_2_have_the_evidence_of_brute_force(module, degree):
    x, y = observations(6, seed=3)
    data = module("data").Data.of(x, y)

    def log_prior(a):
        left, density = np.full(a[0].shape, data.totals[0]), 0.0
        for a_k in a:
            allowed = (left > 0) & (np.abs(a_k) <= 2 * np.sqrt(np.abs(left)))
            density = density - np.log(4 * np.sqrt(np.abs(left)))
            density = np.where(allowed, density, -np.inf)
            left = left - a_k**2
        return density

    expected = np.exp(brute_force(data, degree, log_prior))
    draws, log_weights = additive_draws(data, 200_000, np.random.default_rng(0))
    terms = np.where(draws.degrees == degree, np.exp(log_weights), 0.0)
    error = terms.std() / np.sqrt(len(terms))
    # The grid has steps at the bounds of the ranges: hence the share of the value.
    assert error < 0.02 * expected
    assert abs(terms.mean() - expected) < 5 * error + 0.004 * expected


def wallace_freeman(x, y, values, unit):
    """Return the length of a message by the general form, with sigma searched for."""
    n, n_coefficients = values.shape
    fit = np.linalg.lstsq(values, y)[0]
    deviation = np.sqrt(unit * (y**2).sum() / (n_coefficients + 1))
    n_parameters = n_coefficients + 1

    def length(log_sigma):
        sigma = np.exp(log_sigma)
        information = np.zeros((n_parameters, n_parameters))
        information[:-1, :-1] = values.T @ values / sigma**2
        information[-1, -1] = 2 * n / sigma**2
        prior = norm(0, deviation).logpdf(fit).sum() - log_sigma
        likelihood = norm(values @ fit, sigma).logpdf(y).sum()
        # Wallace and Freeman's approximation of D (1 + log kappa_D) / 2.
        lattice = 0.5 * np.log(n_parameters * np.pi) - np.euler_gamma
        lattice -= 0.5 * n_parameters * np.log(2 * np.pi)
        return -prior - likelihood + 0.5 * np.linalg.slogdet(information)[1] + lattice

    return minimize_scalar(length, bounds=(-8, 5), method="bounded").fun


@pytest.mark.parametrize("legendre", [False, True])
def test_message_lengths_are_those_of_the_general_form(module, legendre):
    x, y = observations(7, n_trials=2)
    data = module("data").Data.of(x, y)
    criteria, basis = module("criteria"), module("basis")
    found = criteria.message_lengths(data, x if legendre else None)
    assert found.shape == (2, 6)
    for i in range(2):
        values = basis.legendre(x[i], 5) if legendre else basis.Basis(x[i], 5).values
        unit = 1 / 7 if legendre else 1
        expected = [
            wallace_freeman(x[i], y[i], values[:, : d + 1], unit) for d in range(6)
        ]
        assert_allclose(found[i], expected, atol=1e-6)


def test_structural_risks_are_infinite_where_wallace_stops(module):
    x, y = observations(10)
    data = module("data").Data.of(x, y)
    risks = module("criteria").structural_risks(data)
    assert np.isfinite(risks[0, :5]).all()
    assert np.isinf(risks[0, 5:]).all()
    # By hand: p = 3 / 10.
    margin = 1 - np.sqrt(0.3 - 0.3 * np.log(0.3) + np.log(10) / 20)
    assert_allclose(risks[0, 2], data.residuals[0, 2] / 10 / margin)


def test_prediction_errors_are_exact_for_polynomials(module):
    targets = module("targets")
    x = np.array([-0.5, 0.1, 0.8])
    values = module("basis").Basis(x, 2).values
    exact = values.T @ x**2
    errors = targets.prediction_errors(
        targets.quadratic, x, np.array([exact, np.zeros(3)])
    )
    # The mean of x^4 is 1 / 5.
    assert_allclose(errors, [0, 0.2], atol=1e-14)
    assert_allclose(targets.noise_variance(targets.quadratic, 100), 0.002)


# C. S. Wallace, "On the Selection of the Order of a Polynomial Model", 1997, section
# 4.1: cases of degrees 0 to 6 and of those above, of 1,000; ten observations of a
# squared sine, with a ratio of 10 of the standard deviations of signal and noise.
PUBLISHED = {
    "MML87": (222, 33, 27, 23, 177, 30, 426, 62),
    "SRM": (564, 32, 35, 138, 231, 0, 0, 0),
}


def test_selected_degrees_are_those_of_the_published_table(module):
    targets, criteria = module("targets"), module("criteria")

    def sine(x):
        return np.sin(np.pi * (x + 1)) ** 2

    variance = targets.noise_variance(sine, 100)
    assert_allclose(np.sqrt(variance), 0.0612, 1e-3)
    x, y = targets.sample(
        sine, variance, n_trials=2000, n=10, generator=np.random.default_rng(0)
    )
    data = module("data").Data.of(x, y)
    selected = {
        "MML87": criteria.message_lengths(data, x),
        "SRM": criteria.structural_risks(data),
        "MML87, data": criteria.message_lengths(data),
    }

    def distance(name, published):
        degrees = np.minimum(selected[name].argmin(axis=1), 7)
        expected = np.array(PUBLISHED[published])
        counts = np.bincount(degrees, minlength=8) / 2
        # Both samples have errors: of 1,000 cases, and of 2,000.
        variances = 1.5 * np.maximum(counts + expected, 1) / 2
        return ((counts - expected) ** 2 / variances).sum()

    # Chi-square with at most 7 degrees of freedom: 35 is a p-value of 1e-5.
    for name in PUBLISHED:
        assert distance(name, name) < 35
    assert distance("MML87, data", "MML87") > 500
