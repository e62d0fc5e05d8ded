"""Limits: how large exponents may become."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import warnings

import numpy as np
import pytest
from model_changes import change_model

from sklearn_dnfwinnow import DNFWinnowClassifier

X, Y = np.eye(3, dtype=int).astype(str), ["a", "b", "a"]
TOO_LARGE = "net promotion counts of a class are too large"


def model_of(net_count, denominator=1, **parameters):
    """A model of three updates, with opposite exponents in two classes."""
    clf = DNFWinnowClassifier(cv=None, max_iter=1, **parameters).fit(X, Y)
    net_counts = np.array([[net_count] * 3, [-net_count] * 3])
    change_model(clf, "stored", net_counts=net_counts, denominator=denominator)
    return clf


# -- exponents -------------------------------------------------------------------------


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("sampler", ["auto", "table", "exact", "frontier"])
def test_training_goes_on_or_is_refused(sampler, multi_class):
    """With fractional weights, from exponents of any size: never a wrapped integer."""
    outcomes = set()
    for bits in (20, 40, 50, 52, 54, 56, 58, 58.4):
        size = {"max_term_size": 2} if sampler == "table" else {}
        clf = model_of(
            int(2**bits), sampler=sampler, multi_class=multi_class, margin=50.0, **size
        ).set_params(class_weight={"a": 0.37, "b": 0.37})
        before = clf.net_promotion_counts_.astype(object)
        state = pickle.dumps(vars(clf))
        assert np.isfinite(clf.log_weighted_sums(X)).all()
        try:
            clf.partial_fit(X, Y)
        except ValueError as error:
            assert TOO_LARGE in str(error)
            assert pickle.dumps(vars(clf)) == state
            outcomes.add("refused")
            continue
        outcomes.add("trained")
        # The same updates, in units of a hundredth; each row came once, of 37 units.
        change = clf.net_promotion_counts_.astype(object)
        change[:, :3] -= 100 * before
        assert clf.denominator_ == 100 and 0 < np.abs(change).max() <= 37
        assert np.isfinite(clf.log_weighted_sums(X)).all()
    assert outcomes == {"trained", "refused"}


def test_denominators_have_a_limit():
    clf = model_of(1, 10**18 + 9)
    clf.predict(X)
    with pytest.raises(ValueError, match=TOO_LARGE):
        clf.partial_fit(X, Y, sample_weight=[0.37] * 3)


@pytest.mark.parametrize(
    "weights",
    [
        {"sample_weight": [1e19, 1, 1]},
        {"sample_weight": [1e308, 1e308, 1e308]},
        {"sample_weight": [5e16, 0.37, 1]},
        {"class_weight": {"a": 1e300}},
        {"class_weight": {"a": 1e300}, "sample_weight": [1e300, 1, 1]},
        {"class_weight": {"a": 1e14}, "sample_weight": [1e5, 1, 1]},
    ],
    ids=str,
)
@pytest.mark.parametrize("missing", ["unspecified", "most_frequent"])
def test_weights_beyond_the_limit_are_refused(weights, missing):
    weights = dict(weights)
    sample_weight = weights.pop("sample_weight", None)
    clf = DNFWinnowClassifier(missing=missing, **weights)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        calls = [lambda *data, **w: clf.partial_fit(*data, [*"ab"], **w)]
        # In `fit`, sample weights so far from 1 are relative to their mean.
        calls += [clf.fit] if weights else []
        for call in calls:
            with pytest.raises(ValueError, match=TOO_LARGE):
                call(X, Y, sample_weight=sample_weight)
    assert not hasattr(clf, "classes_")


def test_weights_up_to_the_limit_are_learned():
    clf = DNFWinnowClassifier(cv=None, max_iter=3)
    clf.fit(X, Y, sample_weight=[1e15, 1e15, 0.37])
    assert np.isfinite(clf.decision_function(X)).all()
