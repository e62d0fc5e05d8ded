"""The learner, against Winnow over explicit terms: joint, margins, averages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference import plain_winnow
from sklearn.base import clone

from sklearn_dnfwinnow import DNFWinnowClassifier


def noisy_table(n_samples=60, n_features=4, n_classes=3, seed=0):
    """Letters with gaps, and classes that follow from them, but for some noise."""
    random = np.random.RandomState(seed)
    X = random.choice(list("abc"), size=(n_samples, n_features)).astype(object)
    y = ((X == "a").sum(axis=1) + (random.random_sample(n_samples) < 0.1)) % n_classes
    X[random.random_sample(X.shape) < 0.1] = None
    return X, np.array(["no", "yes", "zen", "zoo"])[y]


# -- against explicit terms ------------------------------------------------------------


def test_two_classes_together_are_balanced_winnow():
    X, y = noisy_table(n_classes=2)
    clf = DNFWinnowClassifier(cv=None, random_state=0).fit(X, y)
    assert_array_equal(clf.net_promotion_counts_[0], -clf.net_promotion_counts_[1])
    assert clf.net_promotion_counts_.any()


# -- averages, checkpoints, literals ---------------------------------------------------


@pytest.mark.parametrize("literals", ["ordered", "intervals"])
def test_new_values_make_new_literals(literals):
    X = [[1.0, "a"], [2.0, "b"], [3.0, "c"], [4.0, "a"]] * 3
    y = [0, 1, 1, 0] * 3
    clf = DNFWinnowClassifier(literals=literals, random_state=0)
    for start in (0, 2, 4):
        clf.partial_fit(X[start : start + 4], y[start : start + 4], classes=[0, 1])
    assert clf.stored_examples_.shape[1] == 2
    scores = clf.log_weighted_sums(X)
    # What a table that knows of all values from the start makes of the same updates.
    whole = DNFWinnowClassifier(literals=literals, random_state=0)
    whole.fit(X, y)
    decoded = [
        [values[code - 1] for values, code in zip(clf.categories_, update)]
        for update in clf.stored_examples_
    ]
    decoded = np.array(decoded, dtype=object)
    decoded[:, 0] = decoded[:, 0].astype(float)
    columns = [decoded[:, 0].astype(float), decoded[:, 1]]
    examples = whole._model.encoding.encode(columns, str)
    examples = replace(clf._model.stored, examples=examples)
    whole._model = replace(
        whole._model,
        stored=examples,
        candidate=clf._model.candidate,
        log_threshold=clf._model.log_threshold,
    )
    assert_allclose(whole.log_weighted_sums(X), scores, atol=1e-9)


# -- settings --------------------------------------------------------------------------


def test_paper_settings_are_parameters():
    settings = DNFWinnowClassifier.paper_settings()
    clf = DNFWinnowClassifier().set_params(**settings)
    assert {name: clf.get_params()[name] for name in settings} == settings
    settings["alpha"] = 7
    assert DNFWinnowClassifier.paper_settings()["alpha"] == 1.5
    X, y = noisy_table()
    paper = clf.set_params(random_state=0).fit(X, y)
    assert paper.n_iter_ <= 20 and paper.validation_ is None and paper.scale_ == 1.0
    plain = plain_winnow(random_state=0, max_term_size=None).fit(X, y)
    assert_array_equal(paper.net_promotion_counts_, plain.net_promotion_counts_)


@pytest.mark.slow
def test_class_weights_are_weights():
    X, y = noisy_table()
    # With internal cross-validation, they only are within a fold: see test_splits.py.
    by_hand = DNFWinnowClassifier(cv=None, random_state=0)
    clf = clone(by_hand).set_params(class_weight={"no": 3.0}).fit(X, y)
    by_hand.fit(X, y, sample_weight=np.where(y == "no", 3.0, 1.0))
    assert_array_equal(clf.net_promotion_counts_, by_hand.net_promotion_counts_)
    online = DNFWinnowClassifier(class_weight={"no": 2}, random_state=0)
    online.partial_fit(X, y, classes=np.unique(y))
    again = DNFWinnowClassifier(random_state=0)
    again.partial_fit(
        X, y, classes=np.unique(y), sample_weight=np.where(y == "no", 2, 1)
    )
    assert_array_equal(online.net_promotion_counts_, again.net_promotion_counts_)
    # Fifty rows of each class, in effect.
    counts = {label: (y == label).sum() for label in np.unique(y)}
    balanced = {label: len(y) / (3 * count) for label, count in counts.items()}
    ours = DNFWinnowClassifier(class_weight="balanced", random_state=0).fit(X, y)
    same = DNFWinnowClassifier(class_weight=balanced, random_state=0).fit(X, y)
    assert_array_equal(ours.net_promotion_counts_, same.net_promotion_counts_)


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({"no": -1.0}, "class_weight must contain finite numbers that are not"),
        ({"no": np.nan}, "class_weight must contain finite numbers"),
        ({"other": 1.0}, "are not in class_weight"),
        ("even", "The 'class_weight' parameter"),
    ],
)
def test_bad_class_weights(class_weight, message):
    X, y = noisy_table()
    with pytest.raises(ValueError, match=message):
        DNFWinnowClassifier(class_weight=class_weight).fit(X, y)


def test_balanced_is_not_for_batches():
    X, y = noisy_table()
    clf = DNFWinnowClassifier(class_weight="balanced")
    with pytest.raises(ValueError, match="'balanced' is not supported for partial_fit"):
        clf.partial_fit(X, y, classes=np.unique(y))
    assert not hasattr(clf, "classes_")
