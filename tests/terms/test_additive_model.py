"""The additive model: effects within bounds, and without."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.terms import AdditiveModel
from sklearn.linear_model import LogisticRegression


def made_up_model(n_classes):
    """Return a model of four terms that raise the odds of the last class."""
    rng = np.random.default_rng(n_classes)
    satisfied = rng.integers(0, 2, (800, 4))
    logits = np.zeros((800, n_classes))
    logits[:, -1] = satisfied @ [0.8, 1.2, 0.6, 1.0] - 1.5
    labels = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    weights = rng.integers(1, 3, 800).astype(float)
    model = AdditiveModel(labels, weights, n_classes)
    model.add([np.flatnonzero(of_one) for of_one in satisfied.T])
    return model, satisfied, labels, weights


@pytest.mark.parametrize("penalty", [0.5, 30.0])
def test_bounds_that_are_not_reached_change_nothing(penalty):
    model, satisfied, labels, weights = made_up_model(n_classes=2)
    is_free = np.array([[True, True, False, False], [True, True, True, True]])
    effects, intercepts = model.effects(penalty, is_free)
    assert (effects[0, 2:] == 0).all() and (effects[1, 2:] > 0).all()
    expected = LogisticRegression(C=1 / penalty, tol=1e-8).fit(
        satisfied, labels, sample_weight=weights
    )
    np.testing.assert_allclose(effects[1] - effects[0], expected.coef_[0], atol=2e-3)
    np.testing.assert_allclose(np.diff(intercepts), expected.intercept_, atol=2e-3)
    free, _ = model.effects(penalty)
    np.testing.assert_allclose(free[1] - free[0], expected.coef_[0], atol=0.02)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_effects_that_bounds_forbid_are_zero(n_classes):
    model, *_ = made_up_model(n_classes)
    # The last class may not have the terms that raise its odds.
    is_free = np.ones((n_classes, 4), dtype=bool)
    is_free[-1, :2] = False
    effects, _ = model.effects(1.0, is_free)
    np.testing.assert_array_equal(effects[:, :2], 0.0)
    assert (effects[-1, 2:] > effects[0, 2:]).all()
