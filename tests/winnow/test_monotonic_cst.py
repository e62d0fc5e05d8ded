"""`monotonic_cst`: read, as allowed literals, kept."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

QUICK = {"cv": None, "max_iter": 3, "random_state": 0}


@pytest.fixture
def table():
    random = np.random.RandomState(0)
    X = pd.DataFrame(
        {
            "age": random.randint(18, 80, 120).astype(float),
            "color": random.choice(["red", "green", "blue"], 120),
            "rank": random.randint(0, 4, 120),
        }
    )
    y = np.where((X["age"] > 45) ^ (random.uniform(size=120) < 0.1), "yes", "no")
    return X, y


def fitted(table, monotonic_cst=None, **parameters):
    settings = {**QUICK, "monotonic_cst": monotonic_cst, **parameters}
    return DNFWinnowClassifier(**settings).fit(*table)


def signs_of(clf):
    return clf._table_model().directions.signs


# -- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("monotonic_cst", "message"),
    [
        ({"size": 1}, "monotonic_cst contains 'size', which is not a column"),
        ({"aeg": 1}, r"which is not a column of X \(did you mean 'age'"),
        ({7: 1}, "positions from 0 to 2; got 7"),
        ({True: 1}, "positions from 0 to 2; got True"),
        ({"age": 2}, r"monotonic_cst\['age'\] must be -1, 0 or 1, .*got 2"),
        ({"age": "up"}, r"monotonic_cst\['age'\] must be -1, 0 or 1"),
        ({"age": {"maybe": 1}}, "classes of y, .* got 'maybe'"),
        ({"age": 1, 0: 1}, "monotonic_cst contains column 0 twice"),
        ({"color": 1}, "must select numeric columns; got column 'color', whose"),
        ([1, 0], r"one sign for each of the 3 columns of X; got \[1, 0"),
        ({1, 0, -1}, "a dict, or contain one sign for each"),
        (np.array(1), "a dict, or contain one sign for each"),
        (np.ones((3, 3)), "a dict, or contain one sign for each"),
        ("age", "The 'monotonic_cst' parameter"),
    ],
)
def test_what_is_refused(table, monotonic_cst, message):
    with pytest.raises(ValueError, match=message):
        fitted(table, monotonic_cst)


def test_signs_of_several_classes_have_names(table):
    X, _ = table
    y = np.arange(len(X)) % 3
    with pytest.raises(
        ValueError, match=r"must be a dict from classes .* got 1 with 3 classes"
    ):
        fitted((X, y), {"age": 1})
    clf = fitted((X, y), {"age": {2: 1, 0: -1}})
    assert signs_of(clf) == ((0, (-1, 0, 1)),)


def test_a_column_of_too_many_numbers_has_to_be_cut(table):
    with pytest.raises(
        ValueError,
        match=r"monotonic_cst must .* at most 32 distinct .* got column 'age'",
    ):
        fitted(table, {"age": 1}, discretizer=None)


def test_a_refused_fit_leaves_the_model(table):
    clf = fitted(table)
    before = clf.predict(table[0])
    clf.set_params(monotonic_cst={"color": 1})
    with pytest.raises(ValueError, match="monotonic_cst"):
        clf.fit(*table)
    assert_array_equal(clf.set_params(monotonic_cst=None).predict(table[0]), before)


# -- what is read ----------------------------------------------------------------------


def test_forms_that_say_the_same(table):
    X, y = table
    scores = {
        fitted(table, given).decision_function(X).tobytes()
        for given in (
            {"age": 1, "rank": 0},
            {0: 1},
            [1, 0, 0],
            np.array([1, 0, 0]),
            {"age": {"yes": 1, "no": -1}},
            [{"yes": 1, "no": -1}, 0, {}],
        )
    }
    assert len(scores) == 1
    free = {
        fitted(table, given).decision_function(X).tobytes()
        for given in (None, {}, [0, 0, 0])
    }
    assert len(free) == 1 and free != scores
    # Columns without names have the names that terms are listed by.
    unnamed = X.to_numpy(dtype=object), y
    assert signs_of(fitted(unnamed, {"x0": 1})) == ((0, (-1, 1)),)


def test_columns_that_scores_rise_with_are_cut(table):
    clf = fitted(table, {"rank": 1})
    assert clf.discretizer_.cut_points_[2] is not None
    assert fitted(table).discretizer_.cut_points_[2] is None


# -- allowed literals ------------------------------------------------------------------


def test_discretizers_of_the_users_cut(table):
    cuts = ClassEntropyDiscretizer(max_intervals=4, columns=["age"])
    clf = fitted(table, {"age": 1}, discretizer=cuts)
    model = clf._table_model()
    equalities, *cuts = (
        allowed[:, 1:].tolist()
        for allowed, column in zip(model.allowed.literals, model.encoding.columns)
        if column.attribute == 0
    )
    assert len(cuts) == len(clf.discretizer_.cut_points_[0]) > 1
    assert equalities == 2 * [[False] * (len(cuts) + 1)]
    # Below and above each cut.
    assert cuts == len(cuts) * [[[True, False], [False, True]]]


@pytest.mark.parametrize("gap", [None, np.nan])
@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
@pytest.mark.parametrize("discretizer", ["auto", None])
def test_a_column_without_known_values_has_any_order(gap, missing, discretizer):
    X = pd.DataFrame({"a": [gap] * 20, "b": [0, 1] * 10})
    clf = DNFWinnowClassifier(
        **QUICK, monotonic_cst={"a": 1}, missing=missing, discretizer=discretizer
    ).fit(X, X["b"])
    assert clf.score(X, X["b"]) == 1
    clf.partial_fit(X.assign(a=np.arange(20) % 4), X["b"])
    assert signs_of(clf) == ((0, (-1, 1)),)


# -- kept ------------------------------------------------------------------------------


def test_directions_survive(table):
    clf = fitted(table, {"age": {"yes": 1, "no": 0}, 2: {"no": 1}})
    again = pickle.loads(pickle.dumps(clf))
    assert signs_of(again) == signs_of(clf) == signs_of(clone(again).fit(*table))
    assert_array_equal(
        again.decision_function(table[0]), clf.decision_function(table[0])
    )


def test_partial_fit_keeps_the_directions(table):
    X, y = table
    clf = DNFWinnowClassifier(monotonic_cst={"age": 1}, random_state=0)
    clf.partial_fit(X[:60], y[:60], classes=["no", "yes"]).partial_fit(X[60:], y[60:])
    assert signs_of(clf) == ((0, (-1, 1)),)
    clf.set_params(monotonic_cst=[1, 0, 0]).partial_fit(X, y)
    for changed in (None, {"age": -1}, {"age": 1, "rank": 1}):
        with pytest.raises(
            ValueError, match="must be the same as in the first training call"
        ):
            clf.set_params(monotonic_cst=changed).partial_fit(X, y)
