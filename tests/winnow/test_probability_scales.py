"""Calibration: scales of scores, against a general minimizer."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.winnow import fit_scales
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax


def loss_of(scale, scores, labels, units):
    """The log loss to labels that are a little uncertain."""
    n, n_classes = scores.shape
    doubt = 1 / (n + 2)
    targets = (1 - doubt) * np.eye(n_classes)[labels] + doubt / n_classes
    losses = -(targets * log_softmax(scale * scores, axis=1)).sum(axis=1)
    return np.average(losses, weights=units)


def random_scores(seed, n_classes, true_scale, n=400):
    random = np.random.RandomState(seed)
    scores = random.standard_normal((n, n_classes))
    chances = softmax(true_scale * scores, axis=1)
    labels = np.array([random.choice(n_classes, p=p) for p in chances])
    return scores, labels, random.randint(1, 5, n)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_scales_are_the_best(n_classes):
    """Of scores near their best scale, and far from it, all at once."""
    _, labels, units = random_scores(0, n_classes, 3.0)
    factors = np.array([1e-3, 0.1, 1.0, 40.0])
    scores = random_scores(0, n_classes, 3.0)[0] / factors[:, None, None]
    scores[2] += np.random.RandomState(1).standard_normal(scores[2].shape)
    scales, losses = fit_scales(scores, labels, units)
    for of_one, scale, loss in zip(scores, scales, losses):
        best = minimize_scalar(
            lambda log_scale, of_one=of_one: loss_of(
                np.exp(log_scale), of_one, labels, units
            ),
            bounds=(-8, 8),
            method="bounded",
            options={"xatol": 1e-8},
        )
        assert loss == pytest.approx(loss_of(scale, of_one, labels, units), rel=1e-9)
        assert best.fun - 1e-9 <= loss < best.fun + 1e-6
        assert scale == pytest.approx(np.exp(best.x), rel=1e-3)
    assert_allclose(scales[[0, 1, 3]] / factors[[0, 1, 3]], scales[1] / 0.1, rtol=1e-3)
    # The truth within five standard errors.
    assert abs(scales[0] / 1e-3 - 3) < 5 * 3 / np.sqrt(len(labels))


def test_scores_without_an_error_have_a_finite_scale():
    labels = np.arange(40) % 2
    scores = np.array([[1.0, 0.0], [0.0, 2.0]] * 20)
    (scale,), (loss,) = fit_scales(scores[None], labels, np.ones(40))
    assert 1 < scale < 20 and 0 < loss < 0.2
    for factor in (1e-12, 1e12):
        (scale,), (loss,) = fit_scales(factor * scores[None], labels, np.ones(40))
        assert np.isfinite([scale, loss]).all() and loss > 0
