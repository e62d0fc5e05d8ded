"""The comparison of the Bayesian classifier: its figures, and ranks of blocks."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest

from benchmarks.bayes import peers

PAGE = Path(__file__).parents[2] / "doc" / "guide" / "bayesian_comparison.rst"


@pytest.mark.parametrize("make", peers.TABLES, ids=lambda make: make.__name__)
def test_tables_of_the_page_are_those_of_the_records(make):
    text = PAGE.read_text(encoding="utf-8")
    assert make(peers.read()) in text


def test_all_methods_have_the_same_splits():
    records = peers.read()
    assert set(records["method"]) == set(peers.METHODS)
    assert not records.duplicated(peers.KEY).any()
    for part in peers.PARTS:
        own = peers.complete(records, part)
        assert own.groupby("method").size().nunique() == 1
        assert len(own) >= 4 * len(peers.METHODS)


def ranks(error, n_rows=4000, n_draws=400):
    """Ranks of blocks for predictions whose log-odds are wrong by a factor."""
    generator = np.random.default_rng(0)
    log_odds = generator.normal(size=n_rows)
    p, predicted = (1 / (1 + np.exp(-f * log_odds)) for f in (1.0, error))
    drawn = generator.random((n_draws, n_rows)) < predicted
    return peers.ranks_of_blocks(drawn, generator.random(n_rows) < p, predicted, 0)


def test_ranks_are_uniform_if_probabilities_are_right():
    right = ranks(1.0)
    assert len(right) == 400
    assert kstest(right, "uniform").pvalue > 1e-4
    assert abs((np.abs(right - 0.5) <= 0.45).mean() - 0.9) < 5.5 * np.sqrt(0.09 / 400)


def test_ranks_find_probabilities_that_are_too_certain():
    assert (np.abs(ranks(4.0) - 0.5) <= 0.45).mean() < 0.7


@pytest.mark.parametrize("make", peers.TRUTHS.values(), ids=peers.TRUTHS)
def test_simulated_tables_have_both_classes(make):
    X, p = make(200, 3)
    assert X.shape == (200, peers.N_COLUMNS) and p.shape == (200,)
    assert 0 <= p.min() < 0.5 < p.max() <= 1
    assert (make(200, 3)[1] == p).all() and (make(200, 4)[1] != p).any()
