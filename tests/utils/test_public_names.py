"""Former names: errors that state the present names, and nothing else changes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import inspect

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    DNFWinnowClassifier,
)

X, Y = [["a"], ["b"]] * 9, [0, 1] * 9


@pytest.fixture(scope="module")
def clf():
    return DNFWinnowClassifier(cv=None, max_iter=1, random_state=0).fit(X, Y)


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("monotone", "monotonic_cst"),
        ("n_folds", "cv"),
        ("term_prior", "literal_weight"),
        ("max_updates", "max_stored_examples"),
    ],
)
def test_parameters(clf, former, present):
    message = f"no '{former}': its name is '{present}' now"
    with pytest.raises(TypeError, match=message):
        DNFWinnowClassifier(**{former: None})
    with pytest.raises(ValueError, match=message):
        clf.set_params(**{former: None})
    with pytest.raises(ValueError, match=message):
        make_pipeline(clf).set_params(**{f"dnfwinnowclassifier__{former}": None})
    with pytest.raises(ValueError, match=message):
        GridSearchCV(clf, {former: [None]}).fit(X, Y)
    with pytest.raises(AttributeError, match=message):
        getattr(clf, former)


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("updates_", "stored_examples_"),
        ("exponents_", "net_promotion_counts_"),
        ("n_mistakes_", "n_updates_"),
        ("term_prior_", "literal_weight_"),
    ],
)
def test_attributes(clf, former, present):
    for estimator in (clf, clone(clf)):
        with pytest.raises(
            AttributeError, match=f"'{former}': its name is '{present}'"
        ):
            getattr(estimator, former)
        assert not hasattr(estimator, former)
    assert hasattr(clf, present) and not hasattr(clone(clf), present)


def test_all_else_is_as_before(clf):
    with pytest.raises(TypeError, match="unexpected keyword argument 'folds'"):
        DNFWinnowClassifier(folds=3)
    with pytest.raises(ValueError, match="Invalid parameter 'folds'"):
        clf.set_params(folds=3)
    with pytest.raises(AttributeError, match="no attribute 'folds_'"):
        clf.folds_  # noqa: B018
    # Of parameters that the owner never had.
    with pytest.raises(TypeError, match="unexpected keyword argument 'n_folds'"):
        BayesianInteractionClassifier(n_folds=3)
    assert (
        list(inspect.signature(DNFWinnowClassifier).parameters)
        == list(inspect.signature(DNFWinnowClassifier.__init__).parameters)[1:]
    )
