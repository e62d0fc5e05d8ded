"""Ineffective parameters: a warning names them, and they change nothing indeed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow._winnow._ineffective_parameters import ineffective_parameters
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS, EFFECTIVE_WITH
from sklearn_dnfwinnow.sums import CHAINS, SAMPLERS
from sklearn_dnfwinnow.sums._log_weighted_sum import CHAIN_OPTIONS

pytestmark = pytest.mark.filterwarnings("ignore:The Markov chains")

X = np.random.RandomState(0).randint(3, size=(40, 8))
Y = (X[:, 0] == X[:, 1]).astype(int) + (X[:, 2] == 0)
ALL_SAMPLERS = "table", *SAMPLERS
# A value of each that is no default.
CHANGED = {
    "max_states": 3,
    "n_replicates": 2,
    "tempering": True,
    "swap_probability": 0.2,
    "n_steps": 40,
    "burn_in": 3,
    "ladder_step": 3.0,
    "ladder_scale": "max",
    "early_stop": False,
    "threshold": 5.0,
}


def winnow(**options):
    return DNFWinnowClassifier(
        **{"max_iter": 2, "n_folds": None, "random_state": 0, "alpha": 1.5, **options}
    )


def named(estimator):
    return {
        name for names in ineffective_parameters(estimator).values() for name in names
    }


def learned(estimator):
    """Everything that training and prediction come to, threshold apart."""
    estimator.fit(X, Y)
    return estimator.exponents_, estimator.updates_, estimator.predict_proba(X)


def warnings_of(fit, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(*args, **kwargs)
    return [
        warning
        for warning in caught
        if not issubclass(warning.category, ConvergenceWarning)
    ]


def test_the_table_knows_all_parameters_and_samplers():
    assert set(CHANGED) == set(EFFECTIVE_WITH) <= set(CONSTRAINTS)
    assert set(CHAIN_OPTIONS) < set(EFFECTIVE_WITH)
    for alternatives in EFFECTIVE_WITH.values():
        for needed in alternatives:
            assert set(needed.get("sampler", ())) <= set(ALL_SAMPLERS)


@pytest.mark.slow_beyond(2)
@pytest.mark.filterwarnings("ignore:Parameters without effect")
@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("sampler", ALL_SAMPLERS)
def test_named_parameters_change_nothing(sampler, multi_class):
    for tempering in (False, True) if sampler in CHAINS else (False,):
        plain = winnow(sampler=sampler, multi_class=multi_class, tempering=tempering)
        expected = learned(clone(plain))
        changed = {**CHANGED, "tempering": tempering}
        if sampler not in CHAINS:
            changed["tempering"] = True
        names = named(clone(plain).set_params(**changed))
        assert names
        found = learned(clone(plain).set_params(**{n: changed[n] for n in names}))
        for one, other in zip(found[:2], expected[:2]):
            assert_array_equal(one, other)
        # The threshold is added to scores, and rounds them.
        assert_allclose(found[2], expected[2], rtol=1e-9)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("max_states", {"sampler": "frontier", "max_iter": 1}),
        ("n_replicates", {"sampler": "frontier", "max_states": 3, "max_iter": 1}),
        ("tempering", {"sampler": "gibbs"}),
        ("swap_probability", {"sampler": "gibbs", "tempering": True}),
        ("n_steps", {"sampler": "metropolis"}),
        ("burn_in", {"sampler": "metropolis"}),
        ("ladder_step", {"sampler": "metropolized_gibbs"}),
        ("ladder_scale", {"sampler": "metropolized_gibbs"}),
        # More rungs than chains that are simulated side by side.
        ("early_stop", {"sampler": "gibbs", "tempering": True, "ladder_step": 0.1}),
        ("threshold", {"multi_class": "ovr"}),
    ],
)
def test_parameters_that_are_not_named_change_something(name, options):
    plain = winnow(**options)
    changed = clone(plain).set_params(**{name: CHANGED[name]})
    assert name not in named(changed)
    expected, found = learned(plain), learned(changed)
    assert any(
        one.shape != other.shape or (one != other).any()
        for one, other in zip(found, expected)
    )


def test_early_stop_changes_the_chains_of_the_paper():
    """Where classes have a threshold, without tempering, too."""
    clf = winnow(sampler="gibbs", multi_class="ovr", early_stop=False).fit(X, Y)
    assert not named(clf)
    assert clf.chains_["run"] == clf.chains_["ladder"]
    stops = clone(clf).set_params(early_stop=True).fit(X, Y)
    assert stops.chains_["run"] < stops.chains_["ladder"]


def test_one_warning_names_them():
    (warning,) = warnings_of(winnow(**CHANGED).fit, X, Y)
    assert warning.category is UserWarning and warning.filename == __file__
    assert str(warning.message) == (
        "Parameters without effect on predictions: tempering, swap_probability, "
        "n_steps, burn_in, ladder_step, ladder_scale, early_stop with sampler='auto'; "
        "threshold with multi_class='joint'."
    )
    model = make_pipeline(ClassEntropyDiscretizer(), winnow(early_stop=False))
    (warning,) = warnings_of(model.fit, X, Y)
    assert warning.filename == __file__
    options = {"sampler": "gibbs", "early_stop": False, "swap_probability": 0.5}
    (warning,) = warnings_of(winnow(**options).fit, X, Y)
    assert str(warning.message).endswith(
        "swap_probability with tempering=False; "
        "early_stop with multi_class='joint' and tempering=False."
    )


def test_streams_are_warned_of_once():
    clf = winnow(n_steps=9)
    assert len(warnings_of(clf.partial_fit, X, Y, classes=[0, 1, 2])) == 1
    assert not warnings_of(clf.partial_fit, X, Y)


@pytest.mark.parametrize("sampler", ALL_SAMPLERS)
def test_defaults_and_settings_of_the_paper_are_not_named(sampler):
    assert not named(DNFWinnowClassifier(sampler=sampler))
    settings = DNFWinnowClassifier.paper_settings()
    assert not named(DNFWinnowClassifier(sampler=sampler, **settings))


def test_folds_do_not_repeat_the_warning():
    assert len(warnings_of(winnow(n_steps=9, n_folds=3).fit, X, Y)) == 1
    search = GridSearchCV(winnow(), {"n_steps": [5, 9]}, cv=2)
    # One of each fit: four of the search, and one at its end.
    assert len(warnings_of(search.fit, X, Y)) == 5


def test_subclasses_with_constructors_of_their_own():
    class Longer(DNFWinnowClassifier):
        def __init__(self, *, n_steps=50):
            super().__init__(n_steps=n_steps)

    assert not named(Longer())
    assert named(Longer(n_steps=9)) == {"n_steps"}
