"""Merging: exponents of the parts add up, update by update, in common codes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from collections import defaultdict
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from fitted_state import fitted_state
from internals.winnow import given_candidates
from model_changes import change_model
from monotone_checks import falls
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.preprocessing import StandardScaler

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier, merge
from sklearn_dnfwinnow.datasets import load_car, make_dnf
from sklearn_dnfwinnow.inspection import explain

FIXED = {
    "alpha": 1.2,
    "literal_weight": 0.5,
    "literals": "equal",
    "max_term_size": None,
    "cv": None,
    "max_iter": 3,
    "random_state": 0,
}


def three_parts(**options):
    """Classifiers of parts with values, and missing values, that others lack."""
    random = np.random.RandomState(0)
    models = []
    for letters in ("abc", "bcd", "eaz"):
        X = random.choice(list(letters), size=(60, 3)).astype(object)
        X[random.rand(60, 3) < 0.1] = None
        y = random.choice(["no", "yes", "zen"], size=60)
        models.append(DNFWinnowClassifier(**{**FIXED, **options}).fit(X, y))
    every = np.array([*"abcdez", None, "new"], dtype=object)
    return models, random.choice(every, size=(200, 3))


def exponents_by_values(model):
    """Exponents of all classes by the values of an update, as fractions."""
    categories = [[None, *values] for values in model.categories_]
    found = {}
    for update, net_counts in zip(
        model.stored_examples_.tolist(), model.net_promotion_counts_.T.tolist()
    ):
        values = tuple(category[code] for category, code in zip(categories, update))
        found[values] = [Fraction(e, model.denominator_) for e in net_counts]
    return found


@pytest.mark.parametrize("how", ["mean", "sum"])
@pytest.mark.parametrize("options", [{}, {"scale": 30.0}, {"average": False}])
def test_exponents_add_up(options, how):
    models, _ = three_parts(**options)
    expected = defaultdict(lambda: [Fraction(0)] * 3)
    for model in models:
        for values, net_counts in exponents_by_values(model).items():
            share = Fraction(1, 3 if how == "mean" else 1)
            before = expected[values]
            expected[values] = [b + e * share for b, e in zip(before, net_counts)]
    merged = merge(models, how=how)
    found = exponents_by_values(merged)
    assert found == {values: e for values, e in expected.items() if any(e)}
    assert [list(values) for values in merged.categories_] == [list("abcdez")] * 3
    # In the smallest units there are.
    assert (
        np.gcd.reduce(
            merged.net_promotion_counts_, axis=None, initial=merged.denominator_
        )
        == 1
    )
    assert merged.net_promotion_counts_.any(axis=0).all()
    assert merged.n_iter_ == len(merged.n_updates_) == 3
    assert merged.n_updates_.sum() == sum(m.n_updates_.sum() for m in models)
    assert merged.sums_ == {
        kind: sum(model.sums_[kind] for model in models) for kind in merged.sums_
    }
    scale = models[0].scale_
    assert merged.scale_ == pytest.approx(scale if how == "mean" else scale / 3)


@pytest.mark.parametrize("literals", ["equal", "ordered", "intervals"])
@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
def test_order_does_not_matter(missing, literals):
    models, X = three_parts(missing=missing, literals=literals)
    scores = [merge(list(order)).decision_function(X) for order in permutations(models)]
    for other in scores[1:]:
        assert_array_equal(other, scores[0])


def test_threshold_is_that_of_all_values():
    models, _ = three_parts()
    assert merge(models).log_threshold_ == pytest.approx(3 * np.log(1 + 0.5 * 6))
    models, _ = three_parts(threshold=7.0, multi_class="ovr")
    assert merge(models).log_threshold_ == pytest.approx(np.log(7.0))


def test_most_frequent_values_are_those_of_all_rows():
    parts = [np.array([["a"]] * 3 + [["b"]] * 2), np.array([["c"]] + [["b"]] * 2)]
    models = [
        DNFWinnowClassifier(**FIXED, missing="most_frequent").fit(
            X, np.arange(len(X)) % 2
        )
        for X in parts
    ]
    merged = merge(models)
    gap, b = [merged.decision_function([[value]]) for value in (None, "b")]
    assert_array_equal(gap, b)
    a = models[0].decision_function([[None], ["a"]])
    assert a[0] == a[1]


def test_one_model_and_twice_the_same():
    (model, *_), X = three_parts()
    for merged in (merge([model]), merge([model, model])):
        assert_allclose(merged.decision_function(X), model.decision_function(X))
        assert_array_equal(merged.predict(X), model.predict(X))
    doubled = merge([model, model], how="sum")
    assert_array_equal(
        doubled.net_promotion_counts_, 2 * merge([model]).net_promotion_counts_
    )


def test_columns_of_numbers_stay_numbers():
    X = np.array([[1.0, 5], [2, 5], [3, 6], [4, 6]] * 3)
    y = np.array([0, 1, 1, 0] * 3)
    options = {**FIXED, "literals": "ordered"}
    gap = X.astype(object)
    gap[:, 1] = None
    parts = X, X + 10, gap
    models = [DNFWinnowClassifier(**options).fit(part, y) for part in parts]
    first, second = merge(models).categories_
    assert first.dtype == float and first.tolist() == [1, 2, 3, 4, 11, 12, 13, 14]
    assert second.dtype == float and second.tolist() == [5, 6, 15, 16]


@pytest.mark.parametrize("sampler", ["auto", "exact", "gibbs"])
def test_training_goes_on(sampler):
    X, y = load_car(return_X_y=True)
    parts = [slice(0, None, 40), slice(1, None, 40), slice(2, None, 40)]
    clf = DNFWinnowClassifier(**{**FIXED, "sampler": sampler, "max_iter": 1})
    models = [
        clone(clf).partial_fit(X[part], y[part], classes=np.unique(y)) for part in parts
    ]
    merged = merge(models)
    before = fitted_state(merged)
    again = pickle.loads(pickle.dumps(merged))
    rest = slice(3, None, 40)
    for model in (merged, again):
        model.partial_fit(X[rest], y[rest])
        assert model.n_iter_ == 2
    assert fitted_state(merged) == fitted_state(again) != before
    assert_array_equal(merged.predict(X[:50]), again.predict(X[:50]))


def test_parts_are_left_as_they_were():
    models, _ = three_parts()
    before = [fitted_state(model) for model in models]
    merged = merge(models)
    merged.partial_fit([["q", "r", "s"]], ["no"])
    assert [fitted_state(model) for model in models] == before
    assert "q" not in models[0].categories_[0]


def test_the_merged_model_is_read():
    X, y = make_dnf(300, 5, n_values=3, random_state=0)
    models = [DNFWinnowClassifier(**FIXED).fit(X[i::3], y[i::3]) for i in range(3)]
    merged = merge(models)
    assert merged.score(X, y) > max(model.score(X, y) for model in models)
    (explanation,) = explain(merged, X[:1])
    assert_array_equal(explanation.probabilities, merged.predict_proba(X[:1])[0])


def test_columns_that_were_cut_alike():
    X, y = load_iris(return_X_y=True)
    discretizer = ClassEntropyDiscretizer(max_intervals=3)
    cut = DNFWinnowClassifier(**FIXED, discretizer=discretizer)
    twice = [clone(cut).fit(X, y), clone(cut).fit(X[::-1], y[::-1])]
    assert merge(twice).score(X, y) > 0.9
    with pytest.raises(ValueError, match=r"cut points of column 0"):
        merge([twice[0], clone(cut).fit(X[::2], y[::2])])
    with pytest.raises(ValueError, match=r"None in model 1.*FrozenEstimator"):
        plain = DNFWinnowClassifier(**FIXED, discretizer=None)
        merge([twice[0], plain.fit(X.round(), y)])
    # As the message says.
    frozen = FrozenEstimator(discretizer.fit(X, y))
    cut = DNFWinnowClassifier(**FIXED, discretizer=frozen)
    merged = merge([clone(cut).fit(X[i::2], y[i::2]) for i in range(2)])
    assert merged.score(X, y) > 0.9
    # As with intervals in the place of numbers.
    codes = discretizer.transform(X)
    plain = DNFWinnowClassifier(**FIXED, discretizer=None)
    parts = [clone(plain).fit(codes[i::2], y[i::2]) for i in range(2)]
    expected = merge(parts).decision_function(codes)
    assert_array_equal(merged.decision_function(X), expected)


def mixed(n):
    """Numbers, a category with missing values, and labels by two rules."""
    random = np.random.RandomState(0)
    X = pd.DataFrame(random.normal(size=(n, 3)), columns=list("pqr"))
    X["s"] = random.choice(["a", "b", None], size=n)
    return X, ((X["p"] > 0.3) & (X["s"] == "a")) | ((X["q"] > 0) & (X["r"] > 0))


@pytest.mark.parametrize("rule", [{}, {"margin": 0.1}, {"scale": 10.0}])
def test_settings_of_a_sample(rule):
    X, y = mixed(1600)
    sample = DNFWinnowClassifier(
        missing="category", screening=None, random_state=0, **rule
    )
    sample.fit(X[:400], y[:400])
    params, best = sample.fitted_params(), sample.estimators_[0]
    parts = [DNFWinnowClassifier(**params).fit(X[i::4], y[i::4]) for i in range(4)]
    for part in parts:
        for name in ("alpha_", "literals_", "max_term_size_", "margin_", "n_iter_"):
            assert getattr(part, name) == getattr(best, name)
        assert part.discretizer_ is best.discretizer_
        assert part.validation_ is None
    # The part that is the sample learns its model.
    again = DNFWinnowClassifier(**params).fit(X[:400], y[:400])
    assert_array_equal(again.net_promotion_counts_, best.net_promotion_counts_)
    merged = merge(parts)
    assert merged.score(X, y) > max(0.9, sample.score(X, y) - 0.02)
    merged.partial_fit(X[:9], y[:9])


EFFECTS = {"screening": np.inf, "max_term_size": 1, "scale": 100.0, "alpha": 1.01}
SCREENED = {**EFFECTS, "screening": 0.5, "max_term_size": 3}
PLAIN = {"margin": 60.0, "alpha": 1.0001, "max_term_size": 1, "literals": "equal"}


@pytest.mark.parametrize("best", [SCREENED, EFFECTS])
def test_settings_that_parts_cannot_share(best):
    X, y = mixed(400)
    model = DNFWinnowClassifier(n_estimators=1, max_iter=4, random_state=0)
    with given_candidates(best, PLAIN):
        model.fit(X, y)
    # Chosen terms, or a start, are other ones in each part.
    assert model.alpha_ == 1.01
    with pytest.raises(ValueError, match=r"Set screening=None before `fit`"):
        model.fitted_params()


def test_frozen_discretizers_that_are_refused():
    X, y = mixed(60)
    fitted = ClassEntropyDiscretizer().fit(X, y)
    for discretizer, table, message in (
        (ClassEntropyDiscretizer(), X, "not fitted"),
        (fitted, X[["q", "p", "r", "s"]], "fitted to the columns of X.*'p', 'q'"),
        (fitted, X[["p", "q"]], "fitted to the columns of X.* 4 columns"),
    ):
        clf = DNFWinnowClassifier(discretizer=FrozenEstimator(discretizer))
        with pytest.raises(ValueError, match=message):
            clf.fit(table, y)
    other = FrozenEstimator(StandardScaler().fit(X[["p"]]))
    with pytest.raises(TypeError, match="got StandardScaler"):
        DNFWinnowClassifier(discretizer=other).fit(X, y)
    frozen = FrozenEstimator(fitted)
    with pytest.raises(ValueError, match=r"screening=1\.0 cannot be combined"):
        DNFWinnowClassifier(discretizer=frozen, screening=1.0).fit(X, y)


def test_monotone_models_are_monotone_after_merging():
    random = np.random.RandomState(0)
    X = pd.DataFrame(random.randint(5, size=(200, 3)), columns=list("pqr"))
    y = (X["p"] + X["q"] + random.randint(-3, 4, size=200) > 4).astype(int)
    options = {"discretizer": None, "monotonic_cst": {"p": 1}}
    clf = DNFWinnowClassifier(**{**FIXED, "literals": "ordered"}, **options)
    models = [clone(clf).fit(X[i::3], y[i::3]) for i in range(3)]
    for how in ("mean", "sum"):
        merged = merge(models, how=how)
        assert falls(merged, X, [("p", np.arange(5), 1, 0)]) == []
    other = clone(clf).set_params(monotonic_cst=None).fit(X, y)
    with pytest.raises(ValueError, match="different monotonic_cst cannot be merged"):
        merge([models[0], other])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 1.5}, r"alpha_ .*1\.2 in model 0, and 1\.5 in model 1"),
        ({"literal_weight": 1.0}, "literal_weight_"),
        ({"literals": "ordered"}, "literals_"),
        ({"missing": "category"}, "missing_"),
        ({"max_term_size": 2}, "max_term_size_ .*None in model 0, and 2 in model 1"),
        ({"multi_class": "ovr"}, "multi_class .*'joint' in model 0, and 'ovr' in"),
        ({"scale": 30.0}, "rules of updates .*same parameters"),
    ],
)
def test_models_that_do_not_fit_each_other(options, message):
    (one, *_), _ = three_parts()
    (other, *_), _ = three_parts(**options)
    with pytest.raises(ValueError, match=message):
        merge([one, other])


@pytest.mark.parametrize(
    ("options", "name", "values"),
    [
        ({"multi_class": "ovr"}, "threshold", (7.0, "auto")),
        ({}, "scale", (30.0, 1.0)),
    ],
)
def test_scores_that_mean_something_else(options, name, values):
    models = [three_parts(**options, **{name: value})[0][0] for value in values]
    with pytest.raises(ValueError, match=f"different {name}_? .*same parameters"):
        merge(models)
    _, X = three_parts()
    expected = models[0].log_weighted_sums(X)
    assert_allclose(merge([models[0]] * 2).log_weighted_sums(X), expected)
    if name == "threshold":
        # It has no effect on models that are trained jointly.
        merge([model.set_params(multi_class="joint") for model in models])


def test_what_cannot_be_merged():
    X, y = [["a", "b"], ["b", "a"]] * 2, [0, 1] * 2
    clf = DNFWinnowClassifier(**FIXED)
    with pytest.raises(ValueError, match="models is empty"):
        merge([])
    with pytest.raises(TypeError, match="got ClassEntropyDiscretizer"):
        merge([clone(clf).fit(X, y), ClassEntropyDiscretizer()])
    with pytest.raises(NotFittedError):
        merge([clone(clf).fit(X, y), clf])
    with pytest.raises(ValueError, match=r"classes_ .*\[0, 1\] .*\[0, 2\]"):
        merge([clone(clf).fit(X, y), clone(clf).fit(X, [0, 2] * 2)])
    with pytest.raises(ValueError, match=r"features .* 2 in model 0, and 1 in"):
        merge([clone(clf).fit(X, y), clone(clf).fit([row[:1] for row in X], y)])
    frame = pd.DataFrame(X, columns=["p", "q"])
    with pytest.raises(ValueError, match=r"features .*Fit all parts"):
        merge([clone(clf).fit(frame, y), clone(clf).fit(frame[["q", "p"]], y)])


def test_exponents_that_are_too_large():
    X, y = [["a", "b"], ["b", "a"]] * 2, [0, 1] * 2
    models = [DNFWinnowClassifier(**FIXED).fit(X, y) for _ in range(3)]
    for model, denominator in zip(models, (2**40, 3**20, 5**13)):
        change_model(model, "stored", denominator=denominator)
    with pytest.raises(ValueError, match="too large"):
        merge(models)


def test_missing_categories_of_chosen_terms_are_the_same():
    """NaN differs from itself."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (200, 4)).astype(float)
    y = (X[:, 0] == 1) & (X[:, 1] == 2) | (X[:, 2] == 0)
    X[rng.random(X.shape) < 0.1] = np.nan
    params = {"missing": "category", "screening": 1.0, "cv": None, "random_state": 0}
    one = DNFWinnowClassifier(**params).fit(X, y)
    both = merge([one, pickle.loads(pickle.dumps(one))])
    assert_allclose(both.decision_function(X), one.decision_function(X))
