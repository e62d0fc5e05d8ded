"""Calibration: ranks of true parameters are uniform."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import importlib
from pathlib import Path

import pytest

SHORT = {"n_draws": 15, "thin": 10, "burn_in": 100, "max_order": 2}
# Sweeps of Hamiltonian Monte Carlo take longer, and fewer of them are needed.
HMC = {"family": "normal", "sampler": "hmc", "thin": 4, "burn_in": 50, "n_rows": 16}
CASES = [
    {**HMC, "family": "cauchy"},
    {**HMC, "n_classes": 3},
    {"family": "cauchy", "sampler": "slice", "interactions": "nested", "thin": 60},
    {
        "family": "cauchy",
        "interactions": "nested",
        "hyperprior": "inverse_gamma",
        "hyperprior_shape": 3.0,
        "fit_intercept_scale": True,
    },
]
# What a sampler may get wrong: the prior of widths, or its tails. And how many fits
# tell.
N_FITS = 25
WRONG = [
    ({**HMC, "factor": 4.0}, N_FITS),
    ({"family": "cauchy", "sampler": "no_tails", "interactions": "nested"}, 80),
]


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    return importlib.import_module("benchmarks.bayes.calibration")


def least_p(module, n_fits, seed, **options):
    """Return the least p-value of the tests of one case."""
    found = module.ranks_of(module.Case(**{**SHORT, **options}), n_fits, seed)
    return min(p for values in found.values() for p in values.values())


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("options", CASES, ids=str)
def test_ranks_are_uniform(module, options, global_random_seeds):
    # Ranks of all seeds are judged together: as many fits find what `WRONG` has.
    first, n_fits = global_random_seeds[0], N_FITS * len(global_random_seeds)
    assert least_p(module, n_fits, first, **options) > 1e-6


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("options, n_fits", WRONG)
def test_ranks_of_a_wrong_sampler_are_not(module, options, n_fits):
    assert least_p(module, n_fits, 0, **options) < 1e-6
