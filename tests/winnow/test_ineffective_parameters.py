"""Ineffective parameters: a warning names them, and they change nothing indeed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import SAMPLERS, Gibbs, MarkovChain

pytestmark = pytest.mark.filterwarnings("ignore:The Markov chains")

X = np.random.RandomState(0).randint(3, size=(40, 8))
Y = (X[:, 0] == X[:, 1]).astype(int) + (X[:, 2] == 0)
# A value of each that is no default.
CHANGED = {
    "sampler__swap_probability": 0.2,
    "sampler__early_stop": False,
    "threshold": 5.0,
}


def winnow(**options):
    return DNFWinnowClassifier(
        **{"max_iter": 2, "cv": None, "random_state": 0, "alpha": 1.5, **options}
    )


def named(estimator):
    """Return the parameters that training warns of."""
    found = warnings_of(clone(estimator).partial_fit, X[:1], Y[:1], classes=[0, 1, 2])
    texts = [str(warning.message) for warning in found]
    reasons = [text.split("predictions: ")[1].split("; ") for text in texts]
    return {
        name
        for reason in itertools.chain(*reasons)
        for name in reason.split(" with ")[0].split(", ")
    }


def learned(estimator):
    """Everything that training and prediction come to, threshold apart."""
    estimator.fit(X, Y)
    return (
        estimator.net_promotion_counts_,
        estimator.stored_examples_,
        estimator.predict_proba(X),
    )


def warnings_of(fit, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(*args, **kwargs)
    return [
        warning
        for warning in caught
        if not issubclass(warning.category, ConvergenceWarning)
    ]


@pytest.mark.slow_beyond(2)
@pytest.mark.filterwarnings("ignore:Some parameters have no effect")
@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_named_parameters_change_nothing(sampler, multi_class):
    plain = winnow(sampler=SAMPLERS[sampler](), multi_class=multi_class)
    expected = learned(clone(plain))
    own = plain.get_params()
    changed = {name: value for name, value in CHANGED.items() if name in own}
    names = named(clone(plain).set_params(**changed))
    assert ("threshold" in names) == (multi_class == "joint")
    assert ("sampler__swap_probability" in names) == SAMPLERS[sampler].runs_chains
    found = learned(clone(plain).set_params(**{n: changed[n] for n in names}))
    for one, other in zip(found[:2], expected[:2]):
        assert_array_equal(one, other)
    # The threshold is added to scores, and rounds them.
    assert_allclose(found[2], expected[2], rtol=1e-9)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("sampler__swap_probability", {"sampler": Gibbs(tempering=True)}),
        # More rungs than chains that are simulated side by side.
        ("sampler__early_stop", {"sampler": Gibbs(tempering=True, ladder_step=0.1)}),
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
    clf = winnow(sampler=Gibbs(early_stop=False), multi_class="ovr").fit(X, Y)
    assert not named(clf)
    assert clf.chains_["run"] == clf.chains_["ladder"]
    stops = clone(clf).set_params(sampler__early_stop=True).fit(X, Y)
    assert stops.chains_["run"] < stops.chains_["ladder"]


def test_one_warning_names_them():
    gibbs = Gibbs(early_stop=False, swap_probability=0.5)
    (warning,) = warnings_of(winnow(sampler=gibbs, threshold=5.0).fit, X, Y)
    assert warning.category is UserWarning and warning.filename == __file__
    assert str(warning.message) == (
        "Some parameters have no effect on predictions: sampler__swap_probability with "
        "sampler__tempering=False; sampler__early_stop with multi_class='joint' and "
        "sampler__tempering=False; threshold with multi_class='joint'."
    )
    model = make_pipeline(ClassEntropyDiscretizer(), winnow(threshold=5.0))
    (warning,) = warnings_of(model.fit, X, Y)
    assert warning.filename == __file__


def test_streams_are_warned_of_once():
    clf = winnow(threshold=9.0)
    assert len(warnings_of(clf.partial_fit, X, Y, classes=[0, 1, 2])) == 1
    assert not warnings_of(clf.partial_fit, X, Y)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_defaults_and_settings_of_the_paper_are_not_named(sampler):
    assert not named(DNFWinnowClassifier(sampler=sampler))
    settings = DNFWinnowClassifier.paper_settings(sampler)
    assert not named(DNFWinnowClassifier(**settings))


def test_folds_do_not_repeat_the_warning():
    assert len(warnings_of(winnow(threshold=9.0, cv=3).fit, X, Y)) == 1
    search = GridSearchCV(winnow(), {"threshold": [5.0, 9.0]}, cv=2)
    # One of each fit: four of the search, and one at its end.
    assert len(warnings_of(search.fit, X, Y)) == 5


def test_subclasses_with_constructors_of_their_own():
    class Higher(DNFWinnowClassifier):
        def __init__(self, *, threshold=50.0):
            super().__init__(threshold=threshold)

    assert not named(Higher())
    assert named(Higher(threshold=9.0)) == {"threshold"}

    class Keen(MarkovChain):
        name = "keen"

        def __init__(self, *, swap_probability=0.5):
            super().__init__(swap_probability=swap_probability)

    assert not named(DNFWinnowClassifier(sampler=Keen()))
    keen = Keen(swap_probability=0.7)
    expected = {"sampler__swap_probability"}
    assert named(DNFWinnowClassifier(sampler=keen)) == expected
