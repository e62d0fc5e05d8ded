"""Updates by residuals, against training over explicit terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import Gibbs


def noisy_table(n_samples=40, n_features=4, n_classes=3, seed=0):
    """Letters with gaps, and classes that follow from them, but for some noise."""
    random = np.random.RandomState(seed)
    X = random.choice(list("abc"), size=(n_samples, n_features)).astype(object)
    y = ((X == "a").sum(axis=1) + (random.random_sample(n_samples) < 0.2)) % n_classes
    X[random.random_sample(X.shape) < 0.1] = None
    return X, y


def classifier(**params):
    """A classifier by residuals, of one setting."""
    return DNFWinnowClassifier(
        **{
            "scale": 8.0,
            "alpha": 1.2,
            "literals": "equal",
            "discretizer": None,
            "max_iter": 5,
            "cv": None,
            "average": False,
            "random_state": 0,
            **params,
        }
    )


# -- online ----------------------------------------------------------------------------


def in_batches(clf, X, y, *ends, weights=None):
    classes = np.unique(y)
    weights = np.ones(len(y)) if weights is None else weights
    for start, end in zip((0, *ends), (*ends, len(y))):
        batch = slice(start, end)
        clf.partial_fit(X[batch], y[batch], classes, sample_weight=weights[batch])
    return clf


def learned(clf):
    """Net promotions of rows: batches number the values of a column differently."""
    values = [[None, *column] for column in clf.categories_]
    net_counts = (clf.net_promotion_counts_.T / clf.denominator_).tolist()
    return {
        tuple(column[code] for column, code in zip(values, update)): tuple(promotions)
        for update, promotions in zip(clf.stored_examples_, net_counts)
        if any(promotions)
    }


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
def test_rules_may_take_turns(multi_class):
    X, y = noisy_table()
    clf = classifier(multi_class=multi_class, scale="auto", average=True, max_iter=3)
    clf.fit(X, y)
    before = clf.denominator_
    assert before % 64
    first = learned(clf)
    clf.set_params(scale=8.0).partial_fit(X[:1], y[:1])
    assert clf.margin_ is None
    assert clf.denominator_ % 64 == 0 and clf.denominator_ % before == 0
    changed = {
        row
        for row, net_counts in learned(clf).items()
        if not np.allclose(net_counts, first.get(row, 0), rtol=0, atol=1e-12)
    }
    assert len(changed) <= 1
    by_residuals = learned(clf)
    clf.set_params(scale="auto", margin=1e6).partial_fit(X[1:2], y[1:2])
    moved = [
        np.subtract(net_counts, by_residuals.get(row, 0))
        for row, net_counts in learned(clf).items()
        if net_counts != by_residuals.get(row)
    ]
    # A whole promotion.
    assert len(moved) == 1
    assert_allclose(moved[0].max(), 1.0)
    assert clf.margin_ == 1e6


# -- kernel and single calls -----------------------------------------------------------


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"max_stored_examples": 8},
        {"multi_class": "ovr", "max_stored_examples": 8},
        {"multi_class": "ovr"},
        {"alpha": 3.0, "scale": 100.0},
        {"max_term_size": 2, "average": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("n_classes", [4])
def test_the_kernel_does_as_single_calls_do(n_classes, params):
    X, y = noisy_table(n_samples=60, n_classes=n_classes, n_features=5, seed=4)
    weights = np.random.RandomState(0).randint(1, 8, len(y)) / 2
    models = []
    for sampler in "table", "brute_force":
        clf = classifier(**params)
        clf.set_params(sampler=sampler).fit(X, y, sample_weight=weights)
        clf.partial_fit(X[:20], y[:20])
        models.append(
            (
                clf.stored_examples_.tolist(),
                clf.net_promotion_counts_.tolist(),
                clf.n_updates_.tolist(),
                clf.denominator_,
            )
        )
        if "max_stored_examples" in params and not params.get("average"):
            assert (clf.net_promotion_counts_ != 0).sum(axis=1).max() <= 8
    assert all(model == models[0] for model in models)
    assert np.sum(models[0][2]) > 100


# -- the rule --------------------------------------------------------------------------


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_chains_learn_by_estimates(multi_class):
    X = np.array([[a, b, c] for a in "xy" for b in "xy" for c in "xy"] * 2)
    y = (X[:, 0] == "x") & (X[:, 1] == "y")
    clf = classifier(
        multi_class=multi_class,
        sampler=Gibbs(n_steps=300),
        alpha=1.5,
        scale=5.0,
        max_iter=6,
        random_state=0,
    )
    exact = clone(clf).set_params(sampler="exact")
    wanted, found = learned(in_batches(exact, X, y)), learned(in_batches(clf, X, y))
    assert clf.chains_["run"] > 0
    # Sums are off by some percent, and residuals by no more than this makes of them.
    for row, net_counts in wanted.items():
        assert_allclose(found[row], net_counts, atol=0.15)
