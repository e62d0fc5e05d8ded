"""Sums of trained models: the capped frontier is as close to them as its errors say."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_monotone_dnf
from sklearn_dnfwinnow.samplers import Frontier
from sklearn_dnfwinnow.sums import log_weighted_sum

N_SEEDS = 12


def sums_of_a_row():
    """Agreements and exponents of the row with most values, for either class."""
    X, y = make_monotone_dnf(300, 40, random_state=0)
    X, X_test, y, _ = train_test_split(X, y, test_size=1 / 3, random_state=0)
    model = DNFWinnowClassifier(random_state=0, **DNFWinnowClassifier.paper_settings())
    model.set_params(max_iter=1).fit(X, y)
    codes = model._model.encoding.encode(list(X_test.T), str)[:10]
    row = codes[np.count_nonzero(codes, axis=1).argmax()]
    for net_counts in model.net_promotion_counts_:
        kept = net_counts != 0
        yield (model.stored_examples_[kept] == row)[:, row != 0], net_counts[kept]


@pytest.fixture(scope="module")
def trained_sums():
    return list(sums_of_a_row())


@pytest.mark.slow
@pytest.mark.parametrize("place", range(2))
def test_estimates_of_trained_sums(trained_sums, place):
    agreements, net_counts = trained_sums[place]
    assert (net_counts > 0).any() and (net_counts < 0).any()
    exact = log_weighted_sum(agreements, net_counts, alpha=1.5, sampler="exact")
    errors, scores = [], []
    for seed in range(N_SEEDS):
        found = log_weighted_sum(
            agreements,
            net_counts,
            alpha=1.5,
            sampler=Frontier(max_states=50),
            random_state=seed,
        )
        assert not found.exact
        errors.append(found.log_value - exact.log_value)
        scores.append(errors[-1] / found.std_error)
    assert np.abs(errors).mean() < 1e-4
    # Standard errors are neither too small nor much too large.
    assert np.abs(scores).max() < 6
    assert np.sqrt(np.mean(np.square(scores))) > 0.2
