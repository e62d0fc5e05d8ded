"""Numbers at their limits: sums are finite and right, or refused; never NaN."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from decimal import Decimal, localcontext
from itertools import combinations

import numpy as np
import pytest
from reference import CHAINS

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import SAMPLERS
from sklearn_dnfwinnow.sums import log_weighted_sum

ALPHAS = (1 + 1e-12, 1 + 1e-6, 1.1, 1.5, 100.0, 1e6)
PRIORS = (1e-12, 1e-3, 0.3, 1.0, 50.0, 1e6)
EXACT = [name for name, cls in SAMPLERS.items() if not cls.runs_chains]


def reference(agreements, net_counts, alpha, literal_weight, max_term_size=None):
    """The logarithm of the sum over all subsets, in fifty digits."""
    n = agreements.shape[1]
    longest = n if max_term_size is None else min(n, max_term_size)
    with localcontext(prec=50):
        log_alpha, log_prior = Decimal(alpha).ln(), Decimal(literal_weight).ln()
        logs = [
            size * log_prior + sum(map(int, net_counts[inside])) * log_alpha
            for size in range(longest + 1)
            for subset in combinations(range(n), size)
            for inside in [agreements[:, list(subset)].all(axis=1)]
        ]
        return float(max(logs) + sum((one - max(logs)).exp() for one in logs).ln())


@pytest.mark.slow_beyond(30)
@pytest.mark.parametrize("max_term_size", [None, 1, 2, 3])
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("literal_weight", PRIORS)
def test_exact_sums_at_the_limits(alpha, literal_weight, max_term_size):
    """Promotion factors, priors and exponents over many powers of ten."""
    rng = np.random.default_rng(0)
    for scale in (1, 7, 1000, 10**6, 2**40, 2**58):
        n, m = rng.integers(1, 6), rng.integers(1, 6)
        agreements = rng.random((m, n)) < 0.6
        net_counts = rng.integers(-1, 2, m) * scale
        expected = reference(
            agreements, net_counts, alpha, literal_weight, max_term_size
        )
        for sampler in EXACT:
            found = log_weighted_sum(
                agreements,
                net_counts,
                alpha=alpha,
                literal_weight=literal_weight,
                sampler=sampler,
                max_term_size=max_term_size,
            )
            assert found.exact and found.std_error == 0
            np.testing.assert_allclose(found.log_value, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("sampler", CHAINS)
def test_chains_at_the_limits(sampler):
    """Where the ladder has few rungs, they come near; else they are refused."""
    agreements = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    for alpha, literal_weight in ((1 + 1e-12, 1e-6), (1 + 1e-6, 1e6), (1.1, 1e3)):
        found = log_weighted_sum(
            agreements,
            [3, -2, 4],
            alpha=alpha,
            literal_weight=literal_weight,
            sampler=sampler,
            random_state=0,
        )
        expected = reference(agreements, np.array([3, -2, 4]), alpha, literal_weight)
        # What is improbable is never visited, and no sample tells of it.
        assert abs(found.log_value - expected) < max(6 * found.std_error, 1e-3)
    with pytest.raises(ValueError, match="tabulates the net promotion counts of terms"):
        log_weighted_sum(
            agreements, [2**40, 1, -(2**40)], alpha=1 + 1e-12, sampler=sampler
        )


@pytest.mark.parametrize("sampler", (*EXACT, *CHAINS))
@pytest.mark.parametrize(
    "net_counts", [[2**62, 2**62], [2**63 - 1, 1], [-(2**63), -1], [2**62, -(2**62)]]
)
def test_exponents_that_would_overflow_are_refused(sampler, net_counts):
    """Not wrapped."""
    with pytest.raises(ValueError, match=r"sum to less than 2\*\*62"):
        log_weighted_sum([[1, 0], [1, 1]], net_counts, sampler=sampler)


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("sampler", EXACT)
@pytest.mark.parametrize("max_term_size", [None, 1, 2, 3])
def test_large_exponents_cancel(sampler, max_term_size):
    """What is left of them is small, and right to the last digits."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        n, m = rng.integers(2, 8), rng.integers(2, 9)
        agreements = rng.random((m, n)) < 0.7
        net_counts = rng.integers(-4, 4, m)
        # The empty term comes to nothing, and others with it.
        net_counts[-1] -= net_counts.sum()
        for scale in (1, 2**30, 2**55):
            expected = reference(
                agreements, scale * net_counts, 1.1, 1.0, max_term_size
            )
            found = log_weighted_sum(
                agreements,
                scale * net_counts,
                **{"alpha": 1.1, "max_term_size": max_term_size, "sampler": sampler},
            )
            np.testing.assert_allclose(found.log_value, expected, rtol=1e-12, atol=0)


def test_sums_are_monotone_in_exponents():
    """One promotion more never lowers a sum, nor by more than alpha."""
    agreements = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0]])
    for scale in (1, 10**9, 2**58):
        net_counts = np.array([scale, -scale, scale // 2])
        for sampler in EXACT:
            one, more = (
                log_weighted_sum(agreements, e, alpha=1.5, sampler=sampler).log_value
                for e in (net_counts, net_counts + [1, 0, 0])
            )
            slack = 1e-12 * abs(one)
            assert -slack <= more - one <= np.log(1.5) + slack


@pytest.mark.slow_beyond(8)
@pytest.mark.parametrize(
    "extreme",
    [
        {"alpha": 1 + 1e-12},
        {"alpha": 1e6},
        {"alpha": 1e300},
        {"literal_weight": 1e-12},
        {"literal_weight": 1e6},
        {"literal_weight": 1e-300},
        {"literal_weight": 1e300},
        {"threshold": 1e-300, "multi_class": "ovr"},
        {"margin": 1e6},
        {"margin": 1e300},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "settings",
    [{}, {"max_term_size": None}, {"sampler": "exact"}, {"max_term_size": 2}],
    ids=str,
)
def test_classifiers_at_the_limits(extreme, settings):
    """Scores and probabilities are finite, and so is what is read of the model."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (40, 4)).astype(str), rng.integers(0, 2, 40)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        classifier = DNFWinnowClassifier(
            max_iter=5, random_state=0, **{**settings, **extreme}
        ).fit(X, y)
        assert np.isfinite(classifier.decision_function(X)).all()
        probabilities = classifier.predict_proba(X)
        assert np.isfinite(probabilities).all()
        (explanation,) = classifier.explain(X[:1], top=100)
        for record in explanation.records:
            assert np.isfinite(record["contribution"])
            assert 0 <= record["share"] <= 1
