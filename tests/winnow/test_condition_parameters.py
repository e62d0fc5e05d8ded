"""`monotonic_cst`, `forbidden` and `initial_terms`: read, in codes, kept."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from fractions import Fraction
from itertools import permutations
from math import inf, log

import numpy as np
import pandas as pd
import pytest
from encoding_checks import encoding_of
from internals.winnow import (
    ColumnConditions,
    WeightedTerm,
    _folds,
    codes_about,
    codes_within,
    in_codes,
)
from numpy.testing import assert_array_equal
from sklearn.base import clone

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.rules import Literal, Term

QUICK = {"cv": None, "max_iter": 3, "random_state": 0}
RED = Literal(1, "color", "=", "red", ("red",))
OLD = Literal(0, "age", ">", "40", None, ((40.0, inf),))


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


def fitted(table, **parameters):
    return DNFWinnowClassifier(**{**QUICK, **parameters}).fit(*table)


# -- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"monotonic_cst": {"size": 1}},
            "monotonic_cst contains 'size', which is not a column",
        ),
        ({"monotonic_cst": {7: 1}}, "positions from 0 to 2; got 7"),
        ({"monotonic_cst": {True: 1}}, "positions from 0 to 2; got True"),
        (
            {"monotonic_cst": {"age": 2}},
            r"monotonic_cst\['age'\] must be -1, 0 or 1, .*got 2",
        ),
        (
            {"monotonic_cst": {"age": "up"}},
            r"monotonic_cst\['age'\] must be -1, 0 or 1",
        ),
        ({"monotonic_cst": {"age": {"maybe": 1}}}, "classes of y, .* got 'maybe'"),
        ({"monotonic_cst": {"age": 1, 0: 1}}, "monotonic_cst contains column 0 twice"),
        (
            {"monotonic_cst": {"color": 1}},
            "must select numeric columns; got column 'color', whose",
        ),
        (
            {"monotonic_cst": [1, 0]},
            r"one sign for each of the 3 columns of X; got \[1, 0",
        ),
        ({"monotonic_cst": {1, 0, -1}}, "a dict, or contain one sign for each"),
        ({"monotonic_cst": np.array(1)}, "a dict, or contain one sign for each"),
        ({"monotonic_cst": np.ones((3, 3))}, "a dict, or contain one sign for each"),
        ({"monotonic_cst": "age"}, "The 'monotonic_cst' parameter"),
        (
            {"forbidden": ["size <= 4"]},
            "forbidden contains .size <= 4., .* literal. Line 1, column 1",
        ),
        (
            {"forbidden": ["age <= ?"]},
            "forbidden contains 'age <= .*column 8: expected",
        ),
        (
            {"initial_terms": [("age > 40 &", "yes", 1.0)]},
            "initial_terms contains .age > 40 &., which is not a term. Line 1",
        ),
        ({"forbidden": [("age", "color", "rank")]}, "forbidden may contain pairs"),
        ({"forbidden": [("age", "age")]}, "pairs of different columns; got"),
        ({"forbidden": [3.5]}, "forbidden must contain names of columns of X"),
        ({"forbidden": 3}, "The 'forbidden' parameter"),
        ({"forbidden": {"age": "color"}}, "forbidden must be a list; got {'age'"),
        ({"forbidden": np.array("age")}, "forbidden must be a list"),
        ({"forbidden": ["size"]}, "'size', which is not a column or literal"),
        ({"forbidden": ["color < 3"]}, "forbidden compares column 'color' with numb"),
        (
            {"forbidden": [Literal(1, "color", ">", "4", None, ((4.0, inf),))]},
            "compares column 'color' with numbers",
        ),
        ({"initial_terms": [Term([RED])]}, "triples of a term, a class and a weight"),
        ({"initial_terms": [(RED, "yes", 2)]}, "must contain terms or their text"),
        ({"initial_terms": [(Term([RED]), "yes", 0)]}, "positive numbers; got 0"),
        ({"initial_terms": [(Term([RED]), "yes", inf)]}, "positive numbers; got inf"),
        ({"initial_terms": [(Term([RED]), "yes", True)]}, "positive numbers; got True"),
        ({"initial_terms": [(Term([RED]), "yes", 10**400)]}, "positive numbers; got 1"),
        ({"initial_terms": [(Term([RED]), "yes", Fraction(1, 10**400))]}, "positive n"),
        (
            {"initial_terms": [(Term([RED]), ["yes"], 1)]},
            r"classes of y, .* got \['yes'\]",
        ),
        (
            {"initial_terms": [(Term([RED]), np.array(["yes", "no"]), 1)]},
            "classes of y, ",
        ),
        ({"initial_terms": [(Term([RED]), "oui", 1.0)]}, "classes of y, .* got 'oui'"),
        ({"initial_terms": 2 * [(Term([RED]), "yes", 1.0)]}, "of a class twice"),
        (
            {"initial_terms": [(Term([RED]), "yes", 1.0)], "forbidden": [RED]},
            "that monotonic_cst or forbidden excludes",
        ),
        (
            {
                "initial_terms": [(Term([RED, OLD]), "yes", 1.0)],
                "forbidden": [("color", "age")],
                "literals": "ordered",
            },
            "that monotonic_cst or forbidden excludes",
        ),
        (
            {
                "initial_terms": [(Term([RED, OLD]), "yes", 1.0)],
                "max_term_size": 1,
                "literals": "ordered",
            },
            "at most max_term_size=1 literals; got a term of 2",
        ),
    ],
)
def test_what_is_refused(table, parameters, message):
    with pytest.raises(ValueError, match=message):
        fitted(table, **parameters)


def test_signs_of_several_classes_have_names(table):
    X, _ = table
    y = np.arange(len(X)) % 3
    with pytest.raises(
        ValueError, match=r"must be a dict from classes .* got 1 with 3 classes"
    ):
        fitted((X, y), monotonic_cst={"age": 1})
    clf = fitted((X, y), monotonic_cst={"age": {2: 1, 0: -1}})
    assert clf.conditions_.directions == ((0, (-1, 0, 1)),)


def test_a_column_of_too_many_numbers_has_to_be_cut(table):
    with pytest.raises(
        ValueError,
        match=r"monotonic_cst must .* at most 32 distinct .* got column 'age'",
    ):
        fitted(table, monotonic_cst={"age": 1}, discretizer=None)


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
    by_name = fitted(table, monotonic_cst={"age": 1, "rank": 0}).conditions_
    by_position = fitted((X, y), monotonic_cst={0: 1}).conditions_
    in_a_row = fitted((X, y), monotonic_cst=np.array([1, 0, 0])).conditions_
    by_class = fitted((X, y), monotonic_cst={"age": {"yes": 1, "no": -1}}).conditions_
    assert by_name == by_position == in_a_row == by_class
    assert by_name.directions == ((0, (-1, 1)),)
    assert not fitted(table, monotonic_cst=[0, 0, 0], forbidden=[]).conditions_
    pairs = fitted(table, forbidden=[("rank", "age"), (0, 2), {"age", "rank"}])
    assert pairs.conditions_.pairs == ((0, 2),)


def test_the_order_of_entries_means_nothing(table):
    forbidden = ["rank = 3", "color = red", "rank = 0"]
    terms = [
        ("age > 40", "yes", 2.0),
        ("age > 40.2", "yes", 9.0),
        ("rank = 1", "no", 3),
    ]
    clf = fitted(table, forbidden=forbidden, initial_terms=terms)
    for of_order in [*permutations(range(3))][1:]:
        other = fitted(
            table,
            forbidden=[forbidden[i] for i in of_order],
            initial_terms=[terms[i] for i in of_order],
        )
        assert other.conditions_ == clf.conditions_
        assert_array_equal(
            other.decision_function(table[0]), clf.decision_function(table[0])
        )
    as_sets = fitted(table, forbidden={*forbidden}, initial_terms={*terms})
    assert as_sets.conditions_ == clf.conditions_
    as_sets.set_params(forbidden=forbidden[::-1]).partial_fit(*table)


def test_columns_of_literals_go_by_their_names(table):
    elsewhere = Literal(17, "color", "=", "red", ("red",))
    found = fitted(table, forbidden=[elsewhere, "rank"]).conditions_
    assert found.literals == (RED,)
    assert found.features == (2,)


def test_texts_say_the_same_as_objects(table):
    X, y = table
    by_text = {
        "forbidden": ["color = red", "rank in {1, 2}"],
        "initial_terms": [("age > 40 & color != red", "yes", 2)],
    }
    found = fitted(table, **by_text).conditions_
    assert found.literals[0] == RED
    assert found.literals[1].values == (1, 2)
    (term,) = found.initial_terms
    assert term.term.literals[0].intervals == OLD.intervals
    # Columns without names have the names that terms are listed by.
    unnamed = fitted(
        (X.to_numpy(dtype=object), y),
        forbidden=["x1 = red", "x2"],
        initial_terms=[("x0 > 40", "yes", 2)],
    )
    assert unnamed.conditions_.literals[0].values == ("red",)
    assert unnamed.conditions_.features == (2,)
    assert unnamed.conditions_.names == ()
    assert unnamed.terms("yes", top=1)["term"][0].startswith("x0")


def test_columns_that_scores_rise_with_are_cut(table):
    clf = fitted(table, monotonic_cst={"rank": 1})
    assert clf.discretizer_.cut_points_[2] is not None
    assert fitted(table).discretizer_.cut_points_[2] is None


# -- in codes --------------------------------------------------------------------------


def test_codes_of_intervals():
    values, points = np.arange(4.0), np.array([10.0, 20.0, 30.0])
    above = Literal(0, "x", ">", "19", None, ((19.0, inf),))
    # Of (10, 20] some numbers are above 19; it counts about, but not within.
    assert codes_within(above, values, points).tolist() == [0, 0, 0, 1, 1]
    assert codes_about(above, values, points).tolist() == [0, 0, 0, 1, 1]
    above = Literal(0, "x", ">", "12", None, ((12.0, inf),))
    assert codes_within(above, values, points).tolist() == [0, 0, 0, 1, 1]
    assert codes_about(above, values, points).tolist() == [0, 0, 1, 1, 1]
    narrow = Literal(0, "x", "in", "(12, 13]", None, ((12.0, 13.0),))
    assert not codes_within(narrow, values, points).any()
    assert codes_about(narrow, values, points).tolist() == [0, 0, 1, 0, 0]
    missing = Literal(0, "x", "is", "missing", (), missing=True)
    values = np.array([0.0, 1.0, np.nan])
    for find in codes_within, codes_about:
        assert find(missing, values, points).tolist() == [0, 0, 0, 1]


def allowed_literals(conditions, literals="equal", points=None, n_classes=2):
    """The literals that each class may have of one column, as sets of codes."""
    values = np.array([1.0, 3.0, 2.0])
    encoding = encoding_of([values], literals, [points], conditions.ordered)
    found = in_codes(conditions, encoding, n_classes)
    rows = encoding.with_literals(np.arange(4, dtype=np.int32)[:, None])
    return [
        {
            frozenset(values[np.flatnonzero(rows[1:, place] == code)].tolist())
            for place, of_column in enumerate(found.allowed)
            for code in range(1, of_column.shape[1])
            if of_column[k, code]
        }
        for k in range(n_classes)
    ]


@pytest.mark.parametrize("literals", ["equal", "ordered", "intervals"])
def test_directions_leave_upper_and_lower_sets(literals):
    lower, upper = allowed_literals(
        ColumnConditions(directions=((0, (-1, 1)),)), literals
    )
    assert upper == {frozenset({3.0}), frozenset({2.0, 3.0})}
    assert lower == {frozenset({1.0}), frozenset({1.0, 2.0})}
    # Negative control: without a condition there are others.
    free, _ = allowed_literals(ColumnConditions(directions=((0, (0, 1)),)), literals)
    assert frozenset({2.0}) in free


def test_literals_that_imply_a_forbidden_one():
    above = Literal(0, "x", ">", "1", None, ((1.0, inf),))
    (found, _) = allowed_literals(ColumnConditions(literals=(above,)), "ordered")
    singles = {frozenset({1.0})}
    assert found == {*singles, frozenset({1.0, 2.0})}
    (found, _) = allowed_literals(ColumnConditions(features=(0,)), "ordered")
    assert found == set()


def initial_terms(term, values, points=None, literals="equal", **more):
    conditions = ColumnConditions(initial_terms=(WeightedTerm(term, 1, 5.0),), **more)
    encoding = encoding_of(values, literals, [points, None], conditions.ordered)
    found = in_codes(conditions, encoding, 2)
    assert all(found.k == 1 for found in found.initial_terms)
    assert all(found.log_weight == log(5) for found in found.initial_terms)
    return {found.literals for found in found.initial_terms}


def test_initial_terms_in_codes():
    colors = np.array(["blue", "green", "red"], dtype=object)
    ages, points = np.arange(4.0), np.array([20.0, 39.0, 60.0])
    term = Term([OLD, RED])
    # Equalities: a row has one of both intervals above the cut next to 40.
    assert initial_terms(term, [ages, colors], points) == {
        ((0, 3), (1, 3)),
        ((0, 4), (1, 3)),
    }
    # Cuts: columns 2, 3, 4 are those at 20, 39 and 60, code 2 above.
    ordered = initial_terms(term, [ages, colors], points, "ordered")
    assert ordered == {((1, 3), (3, 2))}
    between = Literal(0, "age", "in", "(21, 59]", None, ((21.0, 59.0),))
    found = initial_terms(Term([between]), [ages, colors], points, "ordered")
    assert found == {((2, 2), (4, 1))}
    # Intervals: column 2 is the halves. Above the cut next to 40 is the upper one.
    nested = initial_terms(term, [ages, colors], points, "intervals")
    assert nested == {((1, 3), (2, 2))}
    low = Literal(0, "age", "<=", "60", None, ((-inf, 60.0),))
    found = initial_terms(Term([low]), [ages, colors], points, "intervals")
    assert found == {((2, 1),), ((0, 3),)}
    unknown = Literal(1, "color", "=", "pink", ("pink",))
    assert initial_terms(Term([unknown]), [ages, colors], points) == set()
    assert initial_terms(Term([]), [ages, colors], points) == {()}


def test_terms_of_values_that_no_row_has(table):
    pink = Literal.parse("color = pink", features=["age", "color", "rank"])
    for wrong in (
        {"initial_terms": [("color = pink", "yes", 2.0)]},
        {"forbidden": ["color = pink"]},
    ):
        message = r"contains 'color = pink', .* a value of column 'color' \('.*pink'"
        with pytest.raises(ValueError, match=message):
            fitted(table, **wrong)
    assert fitted(table, forbidden=[pink]).conditions_.literals[0].values == ("pink",)
    given = [(Term([pink]), "yes", 2.0), ("color = red", "yes", 2.0)]
    with pytest.warns(
        UserWarning, match="Some terms in initial_terms have no effect: 'color = pink'"
    ):
        clf = fitted(table, initial_terms=given)
    assert [
        len(one.literals) for one in clf._term_model().conditions.initial_terms
    ] == [1]


# -- kept ------------------------------------------------------------------------------


CONDITIONS = {
    "monotonic_cst": {"age": 1},
    "forbidden": [RED, ("color", "rank")],
    "initial_terms": [(Term([OLD]), "yes", 2.5)],
}


def test_conditions_survive(table):
    clf = fitted(table, **CONDITIONS)
    again = pickle.loads(pickle.dumps(clf))
    assert again.conditions_ == clf.conditions_
    assert again.conditions_.names == clf.conditions_.names
    assert_array_equal(
        again.decision_function(table[0]), clf.decision_function(table[0])
    )
    refitted = clone(again).fit(*table)
    assert refitted.conditions_ == clf.conditions_


def test_partial_fit_keeps_the_conditions(table):
    X, y = table
    clf = DNFWinnowClassifier(**CONDITIONS, random_state=0)
    clf.partial_fit(X[:60], y[:60], classes=["no", "yes"]).partial_fit(X[60:], y[60:])
    assert clf.conditions_.directions == ((0, (-1, 1)),)
    with pytest.raises(
        ValueError, match="must be the same as in the first training call"
    ):
        clf.set_params(forbidden=None).partial_fit(X, y)


def test_texts_keep_their_meaning_from_batch_to_batch():
    """Whatever values a batch has; one of them may have none at all."""
    X = pd.DataFrame({"code": ["1", "2", "3"] * 4, "size": np.arange(12) % 5})
    y = np.arange(12) % 2
    clf = DNFWinnowClassifier(
        monotonic_cst={"size": 1},
        forbidden=["code = 2", "size > 3"],
        initial_terms=[("code=3 & size <= 2", 0, 2.0)],
        random_state=0,
    ).partial_fit(X, y, classes=[0, 1])
    conditions = clf.conditions_
    assert conditions.literals[0].values == ("2",)
    for batch in X.assign(code=None), X.assign(size=None), X[["code", "size"]][:1]:
        clf.partial_fit(batch, y[: len(batch)])
        assert clf.conditions_ == conditions
    with pytest.raises(ValueError, match="compares column 'size' with numbers"):
        clf.partial_fit(X.assign(size="s"), y)
    with pytest.raises(
        ValueError, match="must be the same as in the first training call"
    ):
        clf.set_params(forbidden=["code = 1", "size > 3"]).partial_fit(X, y)


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
    assert clf.conditions_.directions == ((0, (-1, 1)),)


def test_each_fold_has_conditions_in_its_own_codes(table, monkeypatch):
    found = []

    def seen(conditions, encoding, n_classes):
        found.append(encoding.cut_points[0])
        return in_codes(conditions, encoding, n_classes)

    monkeypatch.setattr(_folds, "in_codes", seen)
    DNFWinnowClassifier(forbidden=[OLD], random_state=0).fit(*table)
    assert len({tuple(points) for points in found}) > 2


def test_discretizers_of_the_users_cut(table):
    cuts = ClassEntropyDiscretizer(max_intervals=4, columns=["age"])
    clf = fitted(table, monotonic_cst={"age": 1}, discretizer=cuts)
    model = clf._term_model()
    equalities, *cuts = (
        allowed[:, 1:].tolist()
        for allowed, column in zip(model.conditions.allowed, model.encoding.columns)
        if column.attribute == 0
    )
    assert len(cuts) == len(clf.discretizer_.cut_points_[0]) > 1
    assert equalities == 2 * [[False] * (len(cuts) + 1)]
    # Below and above each cut.
    assert cuts == len(cuts) * [[[True, False], [False, True]]]
