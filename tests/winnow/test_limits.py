"""Limits: how large exponents may become, and what a model file may cost."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from class_checks import EVERY, all_classes, state_of, summation_by, trained
from internals.samplers import sampler_of
from internals.winnow import (
    LARGEST_SUM,
    ClassState,
    Repetitions,
    check_sum,
    largest_sum,
    union,
    whole_units,
)

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.persistence import from_json, to_json
from sklearn_dnfwinnow.samplers import (
    SAMPLERS,
    Auto,
    Engine,
    Exact,
    Frontier,
    Gibbs,
    Sampler,
)

X, Y = np.eye(3, dtype=int).astype(str), ["a", "b", "a"]
TOO_LARGE = "net promotion counts of a class are too large"


def file_of(net_count, denominator=1, **parameters):
    """A model file of three updates, with opposite exponents in two classes."""
    clf = DNFWinnowClassifier(cv=None, max_iter=1, **parameters).fit(X, Y)
    said = json.loads(to_json(clf))
    said["estimator"]["fitted"]["_model"]["stored"].update(
        examples=[1, 2, 2, 2, 1, 2, 2, 2, 1],
        net_counts=[net_count] * 3 + [-net_count] * 3,
        own=[[0, 1, 2]] * 2,
        versions=[9, 9],
        denominator=denominator,
    )
    return json.dumps(said)


# -- exponents -------------------------------------------------------------------------


def test_sums_up_to_the_limit_are_right():
    assert largest_sum(np.array([[1, -2], [-(2**63), 2**62]])) == 2.0**63 + 2**62
    assert largest_sum(np.empty((2, 0), dtype=np.int64)) == 0
    check_sum(LARGEST_SUM, LARGEST_SUM)
    for wrong in ((LARGEST_SUM * 1.01,), (1, LARGEST_SUM + 1), (np.nan,), (np.inf,)):
        with pytest.raises(ValueError, match=TOO_LARGE):
            check_sum(*wrong)


@pytest.mark.parametrize("net_count", [2**61, -(2**62), 2**60 // 3 + 2**20, 2**63 - 1])
def test_files_with_exponents_beyond_the_limit_are_refused(net_count):
    with pytest.raises(ValueError, match=TOO_LARGE):
        from_json(file_of(net_count))
    with pytest.raises(ValueError, match=TOO_LARGE):
        from_json(file_of(1, denominator=LARGEST_SUM + 1))


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("sampler", ["auto", "table", "exact", "frontier"])
def test_training_goes_on_or_is_refused(sampler, multi_class):
    """With fractional weights, from exponents of any size: never a wrapped integer."""
    outcomes = set()
    for bits in (20, 40, 50, 52, 54, 56, 58, 58.4):
        size = {"max_term_size": 2} if sampler == "table" else {}
        text = file_of(
            int(2**bits), sampler=sampler, multi_class=multi_class, margin=50.0, **size
        )
        clf = from_json(text).set_params(class_weight={"a": 0.37, "b": 0.37})
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
    for denominator in (10**18 + 9, LARGEST_SUM // 8 + 1):
        clf = from_json(file_of(1, denominator))
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
        for call in (clf.fit, lambda *data, **w: clf.partial_fit(*data, [*"ab"], **w)):
            with pytest.raises(ValueError, match=TOO_LARGE):
                call(X, Y, sample_weight=sample_weight)
    assert not hasattr(clf, "classes_")


def test_weights_up_to_the_limit_are_learned():
    clf = DNFWinnowClassifier(cv=None, max_iter=3)
    clf.fit(X, Y, sample_weight=[1e15, 1e15, 0.37])
    assert np.isfinite(clf.decision_function(X)).all()
    units, denominator = whole_units(np.array([1e15, 0.37]), 7)
    assert denominator == 700 and units.tolist() == [7 * 10**17, 259]


def test_epochs_are_refused_before_they_can_overflow():
    """What all presentations of an epoch may add is known before it begins."""
    codes = np.array([[1], [2]], dtype=np.int32)
    rows = Repetitions(codes, np.array([0, 1]), np.array([2**59, 2**58]), one=2**57)
    summation = summation_by(Exact(max_states=100).engine(), log_alpha=0.1)
    for net_count, refused in ((2**57, False), (2**58 + 2**10, True)):
        states = [ClassState(codes, np.array([net_count, 0]))] * 2
        block = all_classes(rows, states, EVERY, summation=summation)
        if refused:
            with pytest.raises(ValueError, match=TOO_LARGE):
                trained(block, 1)
            assert state_of(block)[0][1] == [net_count, 0]
        else:
            first, _ = trained(block, 1)
            assert first.net_counts.tolist() == [net_count + 2**59, -(2**58)]


def test_averages_are_refused_before_they_overflow():
    codes = np.array([[1], [2]], dtype=np.int32)
    rows = Repetitions(codes, np.array([0, 1]), np.ones(2, dtype=int), n_epochs=5)
    states = [ClassState(codes, np.array([2**58, 0]))] * 2
    summation = summation_by(Exact(max_states=100).engine(), log_alpha=0.1)
    options = {"average": True, "summation": summation}
    first, _ = trained(all_classes(rows, states, EVERY, **options), 3)
    assert first.net_counts.tolist() == [3 * 2**58 + 6, -6] and first.times == 3
    with pytest.raises(ValueError, match=TOO_LARGE):
        trained(all_classes(rows, states, EVERY, **options), 5)


def test_unions_are_refused_before_they_overflow():
    def trained(net_count, times):
        return SimpleNamespace(
            examples=np.ones((1, 1), dtype=np.int32),
            net_counts=np.array([net_count]),
            times=times,
        )

    _, net_counts, _, times = union([trained(2**50, 31), trained(5, 32)])
    assert times == 31 * 32
    assert net_counts.tolist() == [[2**50 * 32], [5 * 31]]
    with pytest.raises(ValueError, match=TOO_LARGE):
        union([trained(2**57, 31), trained(5, 32)])


# -- cost ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model():
    """A model of 120 updates over 60 attributes."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, (120, 60)).astype(str)
    clf = DNFWinnowClassifier(
        sampler=Frontier(max_states=50), max_term_size=None, random_state=0
    )
    return clf.partial_fit(rows, rng.integers(0, 2, 120), classes=[0, 1])


def with_sampler(model, sampler):
    """The text of a model whose author asked for a sampler, as JSON has it."""
    said = json.loads(to_json(model))
    said["estimator"]["parameters"]["sampler"] = sampler
    return json.dumps(said)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize(
    ("name", "options", "limit"),
    [
        ("frontier", {"max_states": 2**30}, "max_bytes"),
        ("exact", {"max_states": 2**30}, "max_bytes"),
        ("table", {"max_states": 2**30}, "max_bytes"),
        ("gibbs", {"ladder_step": 1e-9}, "max_bytes"),
        ("gibbs", {"ladder_step": 1e-320}, "max_bytes"),
        ("frontier", {"n_replicates": 10**6, "max_states": 10**4}, "max_steps"),
        ("metropolis", {"n_steps": 2**48}, "max_steps"),
        ("metropolized_gibbs", {"burn_in": 2**48}, "max_steps"),
    ],
    ids=str,
)
def test_what_a_file_may_ask_for_is_bounded_by_the_reader(model, name, options, limit):
    sampler = {"name": name, **SAMPLERS[name]().get_params(), **options}
    text = with_sampler(model, sampler)
    with pytest.raises(ValueError, match=f"the limit is {limit}=.*. Increase"):
        from_json(text)
    if options.get("ladder_step") != 1e-320:
        again = from_json(text, max_bytes=1e300, max_steps=1e300)
        assert again.sampler.get_params().items() >= options.items()


def test_terms_of_many_literals_take_steps(model):
    said = json.loads(to_json(model.set_params(sampler="auto")))
    said["estimator"]["fitted"]["_model"]["weighting"]["max_term_size"] = 30
    with pytest.raises(ValueError, match="max_steps="):
        from_json(json.dumps(said))
    said["estimator"]["fitted"]["_model"]["weighting"]["max_term_size"] = 3
    from_json(json.dumps(said))


@pytest.mark.parametrize(
    "sampler",
    [
        *SAMPLERS,
        {
            **Gibbs().get_params(),
            "name": "gibbs",
            "tempering": True,
            "early_stop": False,
        },
    ],
    ids=str,
)
def test_defaults_are_within_the_limits(model, sampler):
    text = with_sampler(model, sampler)
    again = from_json(text, max_bytes=2**30, max_steps=10**10)
    with pytest.raises(ValueError, match=r"scoring one sample.*max_steps=1"):
        from_json(text, max_steps=1)
    engine = sampler_of(again.sampler).engine()
    assert min(engine.cost_bounds(n=3, m=3, total=9.0, log_alpha=0.1)) >= 0


def test_costs_are_those_of_the_model():
    """A budget of states is not reached where there are fewer updates."""
    text = file_of(1, sampler=Auto(max_states=2**30), max_term_size=None)
    # Eight bytes more are for the array of the classes.
    limits = {"max_bytes": 8 + 8 * 64, "max_steps": 8 * 3 * 9}
    from_json(text, **limits)
    for name, limit in limits.items():
        with pytest.raises(ValueError, match=f"scoring one sample.* {name}="):
            from_json(text, **{**limits, name: limit - 1})


def test_engines_of_unknown_cost_are_refused(model, monkeypatch):
    class Careless(Sampler):
        name = "careless"

        def engine(self, max_term_size=None):
            return Engine()

    monkeypatch.setitem(SAMPLERS, "careless", Careless)
    text = with_sampler(model, "careless")
    with pytest.raises(ValueError, match="up to inf bytes of memory"):
        from_json(text)
    again = from_json(text, max_bytes=np.inf, max_steps=np.inf)
    assert again.sampler == "careless"
