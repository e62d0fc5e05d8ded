"""Polynomials: a little of each experiment, and what must hold of it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from types import SimpleNamespace

import numpy as np
import pytest


@pytest.fixture
def options():
    return SimpleNamespace(
        trials=2,
        observations=[10],
        search="sequential",
        sweeps=560,
        seed=0,
        n_jobs=1,
    )


def test_claims_are_printed(module, options, capsys, monkeypatch):
    monkeypatch.setattr(module("quintic"), "HALF_WIDTHS", (2,))
    module("quintic").run(options)
    module("quadratic").run(options)
    found = capsys.readouterr().out
    for words in ("Degrees of the representatives", "MMC-1 less MMC-2"):
        assert words in found


def test_a_block_of_trials_has_the_same_errors_again(module, options):
    quadratic = module("quadratic")
    seed = np.random.SeedSequence(0)
    (one, _, _), (other, _, _) = (
        quadratic.block(10, 100.0, n_trials=3, seed=seed, options=options)
        for _ in range(2)
    )
    for name, errors in one.items():
        assert np.array_equal(errors, other[name])
        assert (errors > 0).all()


def test_summary_has_what_the_message_has(module):
    generator = np.random.default_rng(0)
    x = generator.uniform(-1, 1, (1, 10))
    data = module("data").Data.of(x, 1 + x + 0.1 * generator.normal(size=x.shape))
    draws = module("exact").normal_draws(data, 500, generator)
    summary = draws.summarize(data, "exhaustive")
    best = draws.coefficients[summary.representative]
    assert draws.degrees[summary.representative] == 1
    assert np.abs(best - data.projections[0] * (np.arange(10) < 2)).max() < 0.2
    assert 0.3 < summary.share < 1
    assert not summary.small
