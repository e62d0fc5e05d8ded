"""Stored models: what was learned once is learned again, and can be read."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import pickle
import warnings

import pytest
import stored_models
from internals.utils import _estimator_mixins
from numpy.testing import assert_allclose
from sklearn.exceptions import InconsistentVersionWarning

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.persistence import from_json

GOLDEN = json.loads((stored_models.DATA / "golden.json").read_text())


def assert_golden(name, estimator):
    """Integers are the same, scores are but for the last bits of a platform."""
    found, known = stored_models.golden(name, estimator), dict(GOLDEN[name])
    assert_allclose(found.pop("scores"), known.pop("scores"), rtol=1e-9, atol=1e-9)
    assert found == known


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_the_same_is_learned(name):
    """Updates, exponents, epochs and scores."""
    assert_golden(name, stored_models.fitted(name))


def test_stored_pickles_are_read():
    """And predict as they did."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InconsistentVersionWarning)
        models = pickle.loads((stored_models.DATA / "models.pkl").read_bytes())
    assert models.keys() == GOLDEN.keys()
    for name, model in models.items():
        assert_golden(name, model)


def test_stored_json_is_read():
    """And predicts as it did."""
    models = json.loads((stored_models.DATA / "models.json").read_text())
    assert models.keys() == GOLDEN.keys()
    for name, model in models.items():
        assert_golden(name, from_json(json.dumps(model)))


def test_pickles_of_other_versions_warn(monkeypatch):
    """As scikit-learn's do; those of this version, and clones, do not."""
    classifier = stored_models.fitted("paper")
    text = pickle.dumps(classifier)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pickle.loads(text)
    message = f"from version {_estimator_mixins.__version__} of sk"
    monkeypatch.setattr(_estimator_mixins, "__version__", "99.0")
    with pytest.warns(InconsistentVersionWarning, match=message):
        again = pickle.loads(text)
    assert isinstance(again, DNFWinnowClassifier)
    assert vars(again).keys() == vars(classifier).keys()
