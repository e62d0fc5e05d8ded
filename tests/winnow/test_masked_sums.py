"""Masked sums: every way to sum and to train counts the allowed terms of a class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from math import log

import numpy as np
import pytest
from allowed_checks import log_sums_of, random_allowed
from internals.winnow import (
    Progress,
    Summation,
)
from lane_checks import (
    N_VALUES,
    block_of,
    index_of,
    lane,
    repetitions,
)
from numpy.testing import assert_allclose

from sklearn_dnfwinnow.samplers import (
    Auto,
    BruteForce,
    Exact,
    Frontier,
    Gibbs,
    Metropolis,
    MetropolizedGibbs,
)

LOG_ALPHA = 0.4
EXACT = [Auto(), Exact(), BruteForce(), Frontier(max_states=10_000)]


def a_model(seed, n=None, m=15, n_rows=8, n_classes=3, share=None):
    """Updates, exponents by class, other rows, numbers of values, and literals."""
    random = np.random.RandomState(seed)
    n = random.randint(1, 7) if n is None else n
    n_values = random.randint(1, 4, n)
    examples = random.randint(0, n_values + 1, (m, n)).astype(np.int32)
    examples = random.permutation(np.unique(examples, axis=0))
    net_counts = random.randint(-4, 5, (n_classes, len(examples)))
    net_counts[random.rand(*net_counts.shape) < 0.3] = 0
    rows = random.randint(0, n_values + 1, (n_rows, n)).astype(np.int32)
    if share is None:
        share = random.choice([0.0, 0.3, 0.6])
    allowed = random_allowed(random, n_values, n_classes, share)
    return examples, net_counts, rows, n_values, allowed


def summation_of(sampler, size, log_beta, allowed, seed=0):
    return Summation(
        sampler=sampler,
        max_term_size=size,
        log_alpha=LOG_ALPHA,
        log_beta=log_beta,
        seed=seed,
        allowed=allowed,
    )


def weighted_sums(summation, examples, net_counts, rows):
    """The WeightedSums of rows as training computes them, by class."""
    found = []
    for row in rows:
        found.append([])
        for k, own in enumerate(net_counts):
            evaluation = summation.in_training(examples, own, k, version=0)
            found[-1].append(evaluation.weighted_sum(row))
    return found


# -- exact sums ------------------------------------------------------------------------


@pytest.mark.parametrize("sampler", EXACT, ids=lambda sampler: sampler.name)
@pytest.mark.parametrize("size", [None, 1, 2, 3])
def test_exact_sums_are_over_allowed_terms(sampler, size):
    """Of batches, of single rows in training; without the mask they are not."""
    apart = 0.0
    for seed in range(8):
        examples, net_counts, rows, _, allowed = a_model(seed)
        log_beta = [0.0, -1.0, 0.3][seed % 3]
        question = rows, examples, net_counts, LOG_ALPHA, log_beta
        expected = log_sums_of(*question, allowed, size)
        summation = summation_of(sampler, size, log_beta, allowed)
        evaluation = summation.evaluation(examples, net_counts, rows)
        found = evaluation.estimates(rows)
        assert_allclose(found[..., 0], expected, rtol=1e-12, atol=1e-12)
        assert not found[..., 1].any()
        for sums, logs in zip(
            weighted_sums(summation, examples, net_counts, rows[:3]), expected
        ):
            assert all(weighted_sum.exact for weighted_sum in sums)
            values = [weighted_sum.log_value for weighted_sum in sums]
            assert_allclose(values, logs, rtol=1e-12, atol=1e-12)
        plain = replace(summation, allowed=None)
        without = plain.evaluation(examples, net_counts, rows).estimates(rows)[..., 0]
        apart = max(apart, np.abs(without - expected).max())
    assert apart > 0.1


# -- estimates -------------------------------------------------------------------------

ESTIMATES = [
    Gibbs(n_steps=4000, burn_in=200),
    Metropolis(n_steps=8000, burn_in=400),
    MetropolizedGibbs(n_steps=4000, burn_in=200),
    Frontier(max_states=5, n_replicates=30),
]


@pytest.mark.parametrize("sampler", ESTIMATES, ids=lambda sampler: sampler.name)
def test_estimates_are_within_their_errors(sampler):
    """Those of batches and of training; sums over all terms are far away."""
    n_apart = n_estimated = 0
    for seed in range(4):
        examples, net_counts, rows, _, allowed = a_model(
            seed, n=9, m=30, n_rows=3, share=0.2
        )
        rows = np.maximum(rows, 1)
        size = 3 if not sampler.runs_chains and seed % 2 else None
        question = rows, examples, net_counts, LOG_ALPHA, -0.5
        expected = log_sums_of(*question, allowed, size)
        summation = summation_of(sampler, size, -0.5, allowed, seed)
        batch = summation.evaluation(examples, net_counts, rows).estimates(rows)
        single = np.array(
            [
                [(found.log_value, found.std_error) for found in sums]
                for sums in weighted_sums(summation, examples, net_counts, rows)
            ]
        )
        without = replace(summation, allowed=None)
        plain = without.evaluation(examples, net_counts, rows).estimates(rows)
        for values, errors in np.moveaxis([batch, single], -1, 1):
            room = 6 * errors + 1e-9
            assert (np.abs(values - expected) <= room).all()
            n_estimated += (errors > 0).sum()
        # Estimates of sums over all terms would not pass.
        far = np.abs(plain[..., 0] - expected) > 6 * plain[..., 1] + 1e-9
        n_apart += far.sum()
    assert n_estimated > 10 and n_apart > 10


# -- training --------------------------------------------------------------------------


def allowed_for(seed, n_classes, share=0.25):
    random = np.random.RandomState(seed)
    return random_allowed(random, N_VALUES, n_classes, share)


def test_lanes_weigh_as_tables():
    """Scores of rows held out, of candidates with priors and caps of their own."""
    rows = repetitions(5, n_classes=3)
    allowed = allowed_for(5, 3, share=0.2)
    folds = np.arange(len(rows.labels)) % 3
    lanes = [
        lane(max_term_size=size, literal_weight=prior, fold=fold)
        for fold in range(3)
        for size, prior in ((None, 0.5), (2, 0.25))
    ]
    for kind in ("lists", "numbers"):
        index = index_of(rows, kind)
        block = block_of(rows, lanes, index, folds, allowed=allowed)
        block.train(4, Progress())
        for t, (one, scores) in enumerate(zip(lanes, block.held_out_scores())):
            net_counts, times = block.net_counts(t)
            unit = log(one.alpha) / (one.rule.parts * rows.one * times)
            expected = log_sums_of(
                rows.codes[folds == one.fold],
                index.rows,
                net_counts.T,
                unit,
                one.candidate.log_beta,
                allowed,
                one.candidate.max_term_size,
            )
            assert_allclose(scores, expected, rtol=2e-5, atol=2e-5)


# -- models ----------------------------------------------------------------------------
