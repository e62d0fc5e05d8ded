"""Fitted state: what a classifier keeps of its parameters, and what it reads anew."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from dataclasses import replace

import numpy as np
import pytest
from model_changes import change_model
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import Auto, Gibbs

# Values that `fit` takes, and some that it refuses.
CHANGES = [
    ("alpha", 3.0),
    ("alpha", 0.5),
    ("literal_weight", 2.0),
    ("literals", "ordered"),
    ("literals", "intervals"),
    ("max_term_size", 1),
    ("max_term_size", None),
    ("missing", "category"),
    ("missing", "most_frequent"),
]


def table(seed=0, n_rows=60):
    """Three values an attribute, and gaps; the class goes by two of four attributes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n_rows, 4))
    y = np.array(["no", "yes"])[(X[:, 0] == X[:, 1]).astype(int)]
    X = X.astype(object)
    X[rng.random(X.shape) < 0.1] = None
    return X, y


def fitted(**params):
    """A classifier of terms of up to two literals."""
    given = {"random_state": 0, "cv": None, "max_iter": 4, "max_term_size": 2}
    return DNFWinnowClassifier(**{**given, **params}).fit(*table())


def readings(classifier, X):
    """All that can be read of a fitted classifier, as text."""
    return [
        classifier.decision_function(X).tolist(),
        classifier.predict_proba(X).tolist(),
        classifier.predict(X).tolist(),
        str(classifier.explain(X[:3], top=3)),
        str(classifier.terms(top=5)),
        str(classifier.to_dnf("yes", X=X, cv=None)),
    ]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_predictions_go_by_what_was_learned(name, value):
    X, _ = table(1)
    classifier = fitted()
    expected = readings(classifier, X)
    assert readings(classifier.set_params(**{name: value}), X) == expected


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("candidate", {"alpha": 3.0}),
        ("candidate", {"literal_weight": 3.0}),
        ("encoding", {"literals": "ordered"}),
    ],
)
def test_what_was_learned_depends_on_what_is_kept(part, changed):
    # Negative control of the test above.
    X, _ = table(1)
    classifier = fitted()
    expected = readings(classifier, X)
    model = classifier._model
    classifier._model = replace(
        model, **{part: replace(getattr(model, part), **changed)}
    )
    assert readings(classifier, X) != expected


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_training_does_not_go_on_with_other_parameters(name, value):
    classifier = fitted()
    kept = getattr(classifier, f"{name}_")
    classifier.set_params(**{name: value})
    before = pickle.dumps(vars(classifier))
    message = "'alpha' parameter" if value == 0.5 else f"^{name}=.*{name}_={kept!r}"
    with pytest.raises(ValueError, match=message):
        classifier.partial_fit(*table(2))
    assert pickle.dumps(vars(classifier)) == before
    if name != "missing":  # it is what the parameter is
        classifier.set_params(**{name: kept})
        assert_array_equal(
            classifier.partial_fit(*table(2)).net_promotion_counts_,
            fitted().partial_fit(*table(2)).net_promotion_counts_,
        )


def test_fit_learns_with_the_parameters_of_now():
    classifier = fitted()
    assert classifier.alpha_ == 1.1 and classifier.literal_weight_ == 0.5
    assert classifier.literals_ == "equal" and classifier.missing_ == "unspecified"
    new = {
        "alpha": 2,
        "literal_weight": 0.1,
        "literals": "ordered",
        "missing": "category",
    }
    classifier.set_params(**new).fit(*table())
    assert {name: getattr(classifier, f"{name}_") for name in new} == new
    assert type(classifier.alpha_) is float


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"literal_weight": "auto"}, {"literal_weight": 0.5}),
        ({"literal_weight": 0.5}, {"literal_weight": "auto"}),
        ({"max_term_size": "auto"}, {"max_term_size": None}),
        ({"max_term_size": 2}, {"max_term_size": "auto"}),
        ({"alpha": 2}, {"alpha": np.float32(2.0)}),
    ],
)
def test_other_words_for_the_same_are_no_change(before, after):
    classifier = fitted(**before)
    sizes = classifier.max_term_size_
    classifier.set_params(**after).partial_fit(*table(2))
    assert classifier.max_term_size_ == sizes
    expected = fitted(**before).partial_fit(*table(2))
    assert_array_equal(classifier.net_promotion_counts_, expected.net_promotion_counts_)


@pytest.mark.parametrize(
    "change",
    [
        {"margin": 20.0},
        {"max_stored_examples": 5},
        {"class_weight": {"yes": 3.0}},
        {"multi_class": "ovr", "threshold": 1e9},
    ],
    ids=str,
)
def test_other_parameters_may_change_between_batches(change):
    expected = fitted().partial_fit(*table(2))
    classifier = fitted().set_params(**change).partial_fit(*table(2))
    assert not np.array_equal(
        classifier.net_promotion_counts_, expected.net_promotion_counts_
    )


def test_how_to_sum_is_read_anew():
    X, _ = table(1)
    classifier = fitted(max_term_size=None)
    expected = classifier.decision_function(X)
    for change in ({"sampler": "brute_force"}, {"sampler": "exact", "n_jobs": 2}):
        scores = classifier.set_params(**change).decision_function(X)
        np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)
    classifier.set_params(sampler=Gibbs(n_steps=10))
    assert not np.allclose(classifier.decision_function(X), expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sampler", "best"),
        ("n_jobs", "many"),
        ("margin", -1.0),
        ("max_stored_examples", 0),
    ],
)
def test_parameters_are_validated_whenever_they_are_read(name, value):
    classifier = fitted().set_params(**{name: value})
    X, y = table(1)
    for call in (
        lambda: classifier.predict(X),
        lambda: classifier.explain(X),
        lambda: classifier.partial_fit(X, y),
    ):
        with pytest.raises(ValueError, match=f"The '{name}' parameter of "):
            call()


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_states", 2**40), ("max_states", 0), ("n_replicates", -1)],
)
def test_parameters_of_samplers_are_validated_whenever_they_are_read(name, value):
    classifier = fitted().set_params(sampler=Auto(**{name: value}))
    X, y = table(1)
    for call in (
        lambda: classifier.predict(X),
        lambda: classifier.explain(X),
        lambda: classifier.partial_fit(X, y),
    ):
        with pytest.raises(ValueError, match=f"The '{name}' parameter of sampler Auto"):
            call()


def test_chains_do_not_go_on_with_terms_of_a_largest_size():
    # They would take terms of any size for those of two literals.
    classifier = fitted(max_term_size="auto", max_iter=1)
    change_model(classifier, "candidate", max_term_size=2)
    classifier.set_params(sampler="gibbs")
    with pytest.raises(
        ValueError, match="max_term_size must be None or 'auto' for the samplers"
    ):
        classifier.partial_fit(*table(2))


@pytest.mark.parametrize(
    "classes", [np.array([1, 2**63 + 1], dtype=np.uint64), np.array([1, 2], np.uint8)]
)
def test_unsigned_classes_come_back(classes):
    X, y = table()
    classifier = DNFWinnowClassifier(random_state=0, max_iter=1, cv=None)
    classifier.fit(X, classes[(y == "yes").astype(int)])
    again = pickle.loads(pickle.dumps(classifier))
    assert_array_equal(again.classes_, classifier.classes_)
    assert_array_equal(again.predict(X), classifier.predict(X))


@pytest.mark.parametrize(
    ("first", "now", "expected"),
    [
        ({}, {}, (0.5, 1.0)),
        ({"margin": 1.0}, {"margin": "auto"}, (1.0, 1.0)),
        ({}, {"margin": 2}, (2.0, 1.0)),
        ({}, {"scale": 7}, (None, 7.0)),
        ({"scale": 30.0}, {"scale": 7.0}, (None, 7.0)),
        ({"scale": 30.0}, {"margin": 0.2, "scale": "auto"}, (0.2, 30.0)),
    ],
)
def test_parameters_of_the_rule_have_precedence(first, now, expected):
    """Those of the current call, over those that the model was trained with."""
    clf = fitted(**first, cv=None, max_iter=1)
    margin = clf.margin_
    model = clf.set_params(**now)._table_model()
    assert (model.candidate.margin, model.scale) == expected
    # The attributes are those of the last training call.
    assert clf.margin_ == margin
    clf.set_params(margin=1.0, scale=1.0)
    with pytest.raises(ValueError, match="margin and scale cannot both be set"):
        clf.predict(table()[0])
