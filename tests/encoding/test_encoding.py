"""Encoding: cells to codes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sqlite3
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from encoding_checks import learned, table_of
from internals.encoding import columns_of
from internals.inspection import TermDecoder
from literal_checks import literal_of
from numpy.testing import assert_array_equal
from sklearn.base import clone

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFClassifier,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.rules import DNF, Term


def objects(rows):
    array = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            array[i, j] = value
    return array


def test_values_of_any_hashable_kind():
    X = objects([["b", 2, True, (1, 2)], ["a", 1, False, (1,)], [None, 2, True, "z"]])
    encoding, codes = learned(X)
    assert_array_equal(codes, [[2, 2, 2, 2], [1, 1, 1, 3], [0, 2, 2, 1]])
    assert [list(c) for c in encoding.categories] == [
        ["a", "b"],
        [1, 2],
        [False, True],
        ["z", (1, 2), (1,)],  # by type and print, where values do not compare
    ]
    assert encoding.n_values.tolist() == [2, 2, 2, 3]
    new = objects([["c", 1.0, 1, (1, 2)], ["a", 3, None, [].__len__]])
    assert_array_equal(
        encoding.encode(columns_of(new), str), [[0, 1, 2, 2], [1, 0, 0, 0]]
    )


def test_every_missing_value_is_the_same():
    missing = [None, float("nan"), float("nan"), np.float64("nan"), pd.NaT, pd.NA]
    encoding, codes = learned(
        objects([[value] for value in [*missing, "a", Decimal("nan")]]),
        missing="category",
    )
    assert list(encoding.categories[0]) == ["a", None]
    assert codes[:, 0].tolist() == [2] * len(missing) + [1, 2]
    with pytest.raises(TypeError, match=r"Column 0 contains a value.*'list'.*hashable"):
        learned(objects([[float("nan")], ["a"], [[]]]))


FRAMES = {
    "pandas": lambda: pd.DataFrame(
        {
            "str": ["x", None, "y"],
            "category": pd.Categorical(["v", "u", None], categories=["v", "u", "t"]),
            "int": [3, 1, 2],
            "Int64": pd.array([3, None, 2], dtype="Int64"),
            "float": [0.5, np.nan, 1.5],
            "bool": [True, False, True],
            "object": ["x", 1, pd.NA],
        }
    ),
    "polars": lambda: pl.DataFrame(
        {
            "str": ["x", None, "y"],
            "category": pl.Series(["v", "u", None], dtype=pl.Categorical),
            "int": [3, 1, 2],
            "Int64": [3, None, 2],
            "float": [0.5, None, 1.5],
            "bool": [True, False, True],
            "object": pl.Series(["x", 1, None], dtype=pl.Object),
        }
    ),
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("missing", ["unspecified", "category"])
def test_frames(frame, missing):
    encoding, codes = learned(FRAMES[frame](), missing=missing)
    own = {"unspecified": 0, "category": 3}[missing]
    expected = [
        [1, 2, 3, 2, 1, 2, 2],
        [own, 1, 1, own, own, 1, 1],
        [2, own, 2, 1, 2, 2, own],
    ]
    assert_array_equal(codes, expected)
    # Categories are the values that occur, not those that the dtype allows.
    assert encoding.n_values.tolist() == [len(c) for c in encoding.categories]
    assert encoding.n_values[1] == (2 if missing == "unspecified" else 3)
    assert_array_equal(encoding.encode(columns_of(FRAMES[frame]()), str), expected)


def test_missing_as_most_frequent():
    X = objects([["a"], ["a"], ["b"], ["b"], ["b"], ["a"], [None], [None]])
    labels = [0, 0, 0, 1, 1, 1, 0, 1]
    encoding, codes = learned(X, labels, "most_frequent", [1, 1, 1, 2, 1, 1, 1, 1])
    # In training by class, later over all: a 3, b 4 by weight. An unseen value is not a
    # missing one.
    assert codes[6:].tolist() == [[1], [2]]
    new = objects([[None], ["c"]])
    assert encoding.encode(columns_of(new), str).tolist() == [[2], [0]]
    # A class without a value of its own takes the overall one; a column without any, 0.
    X = objects([["a", None], [None, None]])
    _, codes = learned(X, [0, 1], "most_frequent")
    assert codes.tolist() == [[1, 0], [1, 0]]


def test_later_batches_add_codes_behind():
    encoding, _ = learned(objects([["m"], ["k"]]))
    more = table_of(objects([["a"], ["k"], ["z"]]))
    encoding, codes = encoding.learn(more, np.zeros(3, dtype=int), np.ones(3))
    assert codes.ravel().tolist() == [3, 1, 4]
    assert list(encoding.categories[0]) == ["k", "m", "a", "z"]


def test_sets_are_in_the_same_order_whatever_order_they_come_in():
    """They compare as subsets, which sorts only some of them."""
    sets = [frozenset(text) for text in ("a", "b", "c", "ab", "bc", "", "abc")]
    orders = [learned(objects([[s] for s in some]))[0] for some in (sets, sets[::-1])]
    values = [encoding.categories[0].tolist() for encoding in orders]
    assert values[0] == values[1]


def test_integers_beyond_all_floats():
    """They are values like any other, but to be measured."""
    X = [[10**400], [0.5], [None]]
    clf = DNFWinnowClassifier(random_state=0).fit(X, [0, 1, 1])
    assert clf.predict(X).tolist() == [0, 1, 1]
    assert clf.predict(X[:1]).tolist() == [0]
    with pytest.raises(ValueError, match="not all numbers"):
        ClassEntropyDiscretizer(columns="all").fit(X, [0, 1, 1])


# -- cells are read once ---------------------------------------------------------------


GRADES = pd.DataFrame(
    {
        "grade": [1, 2, 3, 4, 5, 6] * 20,
        "vip": [True, False, False] * 40,
        "dose": [0.1, 0.2, 0.3, 0.7] * 30,
        "town": ["a", "b", "c", "a", "b"] * 24,
    }
)
LIKED = np.where((GRADES["grade"] == 3) | GRADES["vip"] | (GRADES["dose"] > 0.25), 1, 0)
RANDOM = {"cv": None, "random_state": 0}
CLASSIFIERS = [
    DNFWinnowClassifier(**RANDOM),
    DNFWinnowClassifier(literals="ordered", **RANDOM),
    DNFWinnowClassifier(discretizer=ClassEntropyDiscretizer(columns=[]), **RANDOM),
    BayesianInteractionClassifier(
        prior="normal", n_draws=20, max_rhat=9, min_ess=1, random_state=0
    ),
    DNFClassifier(price=0.5, **RANDOM),
]


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_numbers_are_numbers_however_many_values_they_have(classifier):
    clf = clone(classifier).fit(GRADES, LIKED)
    expected = clf.predict(GRADES)
    assert_array_equal(expected, LIKED)
    for other in (
        GRADES.astype({"dose": np.float32, "grade": float, "vip": int}),
        GRADES.assign(dose=GRADES["dose"] + 1e-12, vip=GRADES["vip"].astype("boolean")),
        GRADES.assign(grade=GRADES["grade"].replace({6: 7, 1: -1})),
        GRADES.assign(dose=GRADES["dose"].replace({0.2: 0.15001, 0.7: 0.51})),
        GRADES.astype({"grade": "category", "dose": object}),
        pl.from_pandas(GRADES).with_columns(pl.col("dose").cast(pl.Float32)),
    ):
        assert_array_equal(clf.predict(other), expected)
    wrong = [
        (GRADES.astype({"grade": str}), "'grade' are not all numbers, as .*; got '1'"),
        (GRADES.astype({"dose": str}), "'dose' are not all numbers"),
        (GRADES.astype({"vip": str}), "'vip' are not all numbers.*got 'True'"),
        (GRADES.assign(dose=[b"0.1"] * 120), "'dose' are not all numbers.*got b'0.1'"),
    ]
    if not isinstance(clf, DNFClassifier):  # whose rules have no other column
        towns = (1.5, b"a", True)
        wrong += [(GRADES.assign(town=one), "'town' are not all text") for one in towns]
    for other, message in wrong:
        for method in (clf.predict, clf.predict_proba):
            with pytest.raises(ValueError, match=message):
                method(other)


@pytest.mark.filterwarnings("error")
def test_a_column_without_a_known_value_is_named():
    clf = DNFWinnowClassifier(**RANDOM).fit(GRADES, LIKED)
    message = "column 'town' is.*X has 'A', 'B', and `fit` had 'a', 'b', 'c'"
    with pytest.warns(UserWarning, match=message):
        clf.predict(GRADES.assign(town=["A", "B"] * 60))
    clf.predict(GRADES.assign(town=["A", "b"] * 60))
    clf.predict(GRADES.assign(town=None))
    clf.predict(GRADES.iloc[:1].assign(town="A"))
    numbers = clf.set_params(discretizer=None).fit(GRADES, LIKED)
    with pytest.warns(UserWarning, match=r"'dose'.*X has 0.15, and `fit` had 0.1, 0.2"):
        numbers.predict(GRADES.assign(dose=0.15))


@pytest.mark.parametrize("literals", ["equal", "ordered", "intervals"])
def test_a_literal_of_few_numbers_means_the_same_everywhere(literals):
    clf = DNFWinnowClassifier(literals=literals, **RANDOM).fit(GRADES, LIKED)
    decoder = TermDecoder.from_estimator(clf)
    grades = np.arange(-1, 9, 0.25)
    doses = np.resize([0.1, 0.15, 0.151, np.float32(0.1), 0.24, 0.5, 0.51, 9], 40)
    rows = pd.DataFrame({"grade": grades, "vip": True, "dose": doses, "town": "a"})
    columns, encoding = decoder.columns(rows), clf._model.encoding
    codes = encoding.with_literals(encoding.encode_table(rows, clf))
    texts = set()
    for j, column in enumerate(encoding.columns):
        for code in range(1, len(column.relations) + 1):
            literal = decoder.literal(j, code)
            if literal.feature not in ("grade", "dose"):
                continue
            holds = literal.holds(columns[literal.column])
            assert_array_equal(holds, codes[:, j] == code)
            parsed = literal_of(literal.to_text(), features=list(rows))
            assert_array_equal(parsed.holds(columns[literal.column]), holds)
            dnf = DNF([Term([literal])], 1, 0, list(rows))
            with sqlite3.connect(":memory:") as database:
                rows.to_sql("t", database, index=False)
                found = database.execute(
                    f"SELECT {dnf.to_sql(dialect='sqlite')} FROM t"
                )
                assert_array_equal([one for (one,) in found], holds.astype(int))
            texts.add(str(literal))
    assert {"grade = 3", "grade = 1", "dose = 0.1", "dose = 0.3"} <= texts
    if literals == "ordered":
        assert {"grade <= 3", "dose > 0.25", "dose <= 0.5"} <= texts


@pytest.mark.parametrize("value", ["n/a", True])
def test_a_later_batch_with_another_value_in_a_cut_column(value):
    X = pd.DataFrame({"age": np.random.default_rng(0).normal(size=100)})
    y = (X["age"] > 0).astype(int)
    clf = DNFWinnowClassifier(random_state=0).partial_fit(X, y, classes=[0, 1])
    later = X.astype(object)
    later.loc[3, "age"] = value
    for call in (clf.predict, lambda X: clf.partial_fit(X, y)):
        with pytest.raises(ValueError, match="column 'age' are not all numbers, as"):
            call(later)
