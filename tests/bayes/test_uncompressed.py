"""Groups of single terms, which a benchmark of speed compares with compressed ones."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bayes_problems import dispersion, indicators, make_problem
from numpy.testing import assert_array_equal

from benchmarks.bayes.chains import run_chains


@pytest.fixture
def speed(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    return importlib.import_module("benchmarks.bayes.speed")


@pytest.mark.parametrize("nested", [False, True])
def test_each_term_is_a_group(speed, nested):
    groups = make_problem(n_rows=9, max_order=3, n_values=3, nested=nested).groups
    single = speed.uncompressed(groups)
    assert single.n_groups == groups.n_terms > groups.n_groups
    assert_array_equal(single.counts.sum(axis=1), 1)
    z, every = indicators(groups), indicators(single)
    assert_array_equal(z @ groups.counts, every @ single.counts)
    if nested:
        orders = single.counts.argmax(axis=1)
        assert_array_equal(orders[single.parents[1:]], orders[1:] - 1)
        assert (every[:, single.parents[1:]] >= every[:, 1:]).all()
        assert single.parents[0] == -1


@pytest.mark.slow
@pytest.mark.parametrize("nested, sampler", [(False, "gibbs"), (True, "slice")])
def test_the_posterior_is_the_same(speed, nested, sampler):
    problem = make_problem(nested=nested, max_order=3)
    values = []
    for groups in (problem.groups, speed.uncompressed(problem.groups)):
        draws = run_chains(
            replace(problem, groups=groups),
            sampler=sampler,
            n_chains=2,
            burn_in=100,
            n_draws=2000,
            thin=1,
            seed=0,
        )
        predictors = np.tanh(draws.sums[..., 0] @ indicators(groups).T)
        values.append(np.concatenate([draws.log_sigma[..., 1:], predictors], axis=2))
    gap = values[0].mean(axis=(0, 1)) - values[1].mean(axis=(0, 1))
    error = np.hypot(*map(dispersion, values))
    assert (np.abs(gap) < 5.5 * error).all()
    assert error.max() < 0.15
