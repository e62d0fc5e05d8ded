"""Factorized tables: views of a table by some of its rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from encoding_checks import table_of
from internals.encoding import Encoding, FactorizedTable, columns_of
from numpy.testing import assert_array_equal
from sklearn.base import clone

from sklearn_dnfwinnow import ClassEntropyDiscretizer

MISSING = "unspecified", "category", "most_frequent"


def mixed_table(rng, n, gaps=0.2):
    """Columns of all kinds, with missing values in those that can have them."""
    large = 2**60 + rng.integers(0, 400, n)
    columns = {
        "normal": rng.normal(size=n),
        "few": rng.integers(0, 5, n).astype(float),
        "integers": rng.integers(-30, 30, n),
        "large": pd.Series(large, dtype="Int64"),
        "truth": rng.random(n) < 0.5,
        "maybe": rng.choice(np.array([True, False], dtype=object), n),
        "text": rng.choice(np.array(["b", "a", "c"], dtype=object), n),
        "grades": pd.Categorical(rng.integers(0, 4, n)),
        # 10 sorts before 9 by its print, if there is text beside them.
        "any": rng.choice(np.array([9, 10, 11, "x", (1, 2)], dtype=object), n),
        "rare": np.where(rng.random(n) < 0.03, "x", rng.integers(7, 13, n)),
    }
    rare = np.empty(n, dtype=object)
    rare[:] = [v if v == "x" else int(v) for v in columns["rare"]]
    columns["rare"] = rare
    frame = pd.DataFrame(columns)
    for name in frame:
        if name not in ("integers", "truth") and gaps:
            frame.loc[rng.random(n) < gaps, name] = None
    return frame


def factorized(X):
    names = list(X.columns) if isinstance(X, pd.DataFrame) else ()
    return table_of(X, lambda j: repr(names[j]) if names else str(j), names)


def view(table, discretizer, labels, weights, n_classes, missing, held_out=None):
    """Codes and values, learned without the rows that are held out."""
    encoding = Encoding.empty(
        len(table.columns), n_classes, missing, discretizer=discretizer
    )
    known = table, labels, weights
    encoding = encoding.with_cuts(*known, held_out=held_out)
    encoding, codes = encoding.learn(*known, held_out=held_out)
    return codes, encoding.categories


def slow_view(X, discretizer, labels, weights, n_classes, missing, held_out):
    """A discretizer and an encoder that learn the rows that are not held out."""
    known = ~held_out
    # What a column holds is a matter of all rows.
    columns = columns_of(X, exact=True)
    to_cut = factorized(X).columns_to_cut(discretizer)
    chosen = np.isin(np.arange(X.shape[1]), to_cut)
    if to_cut:
        discretizer = clone(discretizer).set_params(columns=chosen)
        discretizer.fit(X[known], labels[known], weights[known])
        intervals = discretizer.transform(X)
        columns = [
            intervals[:, j].astype(float) if is_cut else column
            for j, (column, is_cut) in enumerate(zip(columns, chosen))
        ]
    codes = np.empty(X.shape, dtype=np.int32)
    first = FactorizedTable.of([column[known] for column in columns], str)
    encoding = Encoding.empty(X.shape[1], n_classes, missing)
    encoding, codes[known] = encoding.learn(first, labels[known], weights[known])
    codes[held_out] = encoding.encode([column[held_out] for column in columns], str)
    return codes, encoding.categories


def assert_views_are_equal(X, discretizer, labels, weights, missing, held_out):
    question = {
        "discretizer": discretizer,
        "labels": labels,
        "weights": weights,
        "n_classes": labels.max() + 2,
        "missing": missing,
        "held_out": held_out,
    }
    codes, categories = view(factorized(X), **question)
    if held_out is None:
        question["held_out"] = np.zeros(len(X), dtype=bool)
    expected, values = slow_view(X, **question)
    assert codes.dtype == np.int32
    assert_array_equal(codes, expected)
    assert len(categories) == len(values)
    for ours, theirs in zip(categories, values):
        if len(theirs):
            assert (ours.dtype.kind == "O") == (theirs.dtype.kind == "O")
        assert list(map(str, ours)) == list(map(str, theirs))


@pytest.mark.filterwarnings("ignore:More than max_segments")
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("fractions", [False, True])
def test_view_is_that_of_a_discretizer_and_an_encoder(missing, fractions):
    rng = np.random.default_rng(0)
    discretizers = [
        None,
        ClassEntropyDiscretizer(),
        ClassEntropyDiscretizer(max_intervals=3, columns=["normal", "maybe", "truth"]),
        ClassEntropyDiscretizer(selection="mdl", min_samples_interval=3),
        ClassEntropyDiscretizer(min_samples_interval=0.1, columns=[0, 2, 3]),
        ClassEntropyDiscretizer(selection="balanced", max_segments=5),
    ]
    for discretizer in discretizers:
        for n in (3, 20, 80):
            X = mixed_table(rng, n)
            labels = rng.integers(0, 3, n)
            weights = rng.integers(1, 4, n) / (7.0 if fractions else 1.0)
            for share in (None, 0.4):
                held_out = None if share is None else rng.permutation(n) < share * n
                assert_views_are_equal(
                    X,
                    discretizer=discretizer,
                    labels=labels,
                    weights=weights,
                    missing=missing,
                    held_out=held_out,
                )


@pytest.mark.parametrize("missing", MISSING)
def test_columns_that_have_values_only_where_they_are_held_out(missing):
    X = pd.DataFrame({"a": [np.nan, np.nan, 1.0, 2.0], "b": [None, None, "x", "y"]})
    for discretizer in (None, ClassEntropyDiscretizer()):
        assert_views_are_equal(
            X,
            discretizer=discretizer,
            labels=np.array([0, 1, 0, 1]),
            weights=np.ones(4),
            missing=missing,
            held_out=np.array([False, False, True, True]),
        )


def test_large_integers_are_values_of_their_own_unless_they_are_cut():
    X = pd.DataFrame(
        {"id": pd.Series([2**60 + i for i in range(4)] + [None], dtype="Int64")}
    )
    labels = np.array([0, 0, 1, 1, 0])
    table = factorized(X)
    rest = {"labels": labels, "weights": np.ones(5), "n_classes": 2}
    codes, _ = view(table, None, missing="unspecified", **rest)
    assert_array_equal(codes, [[1], [2], [3], [4], [0]])
    codes, _ = view(table, ClassEntropyDiscretizer(), missing="unspecified", **rest)
    assert_array_equal(codes, [[1], [1], [1], [1], [0]])


def test_rows_are_taken_in_another_order():
    X = mixed_table(np.random.default_rng(0), 30)
    rows = np.random.default_rng(1).permutation(30)[:20]
    labels, weights = np.arange(20) % 2, np.ones(20)
    question = {
        "discretizer": ClassEntropyDiscretizer(),
        "labels": labels,
        "weights": weights,
        "n_classes": 2,
        "missing": "category",
        "held_out": np.arange(20) % 3 == 0,
    }
    table = factorized(X)
    codes, _ = view(replace(table, codes=table.codes[rows]), **question)
    expected, _ = view(factorized(X.iloc[rows]), **question)
    assert_array_equal(codes, expected)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("gaps", [0, 0.2])
def test_one_view_serves_where_nothing_depends_on_the_rows(missing, gaps):
    rng = np.random.default_rng(0)
    X = mixed_table(rng, 60, gaps)
    table = factorized(X)
    of_text = ClassEntropyDiscretizer(columns=[])
    assert not table.is_one_view(ClassEntropyDiscretizer(), missing)
    quantiles = ClassEntropyDiscretizer(selection="quantiles")
    sized = ClassEntropyDiscretizer(selection="quantiles", min_samples_interval=5)
    assert not table.is_one_view(sized, missing)
    shared = table.is_one_view(None, missing)
    assert shared == table.is_one_view(of_text, missing)
    assert shared == table.is_one_view(quantiles, missing)
    assert shared == (missing != "most_frequent" or not gaps)
    if not shared:
        return
    labels, weights = rng.integers(0, 2, 60), np.ones(60)
    held_out = rng.permutation(60) < 20
    rest = {"labels": labels, "weights": weights, "n_classes": 2, "missing": missing}
    every, _ = view(table, None, **rest)
    some, _ = view(table, None, held_out=held_out, **rest)
    # The same rows agree on the same columns.
    for a, b in zip(every.T, some.T):
        pairs = {(x, y) for x, y in zip(a[~held_out], b[~held_out])}
        assert len(pairs) == len({x for x, _ in pairs}) == len({y for _, y in pairs})


def test_infinite_and_unhashable_values_are_refused():
    with pytest.raises(ValueError, match=r"infinity.*column 1"):
        factorized(np.array([[0.0, np.inf]]))
    lists = np.empty((1, 1), dtype=object)
    lists[0, 0] = [1]
    with pytest.raises(TypeError, match=r"Column 0 contains \[1\]"):
        factorized(lists)


@pytest.mark.parametrize("column", ["text", "grades", "any"])
def test_columns_without_numbers_are_not_cut(column):
    X = mixed_table(np.random.default_rng(0), 20)
    for columns in ([column], "all"):
        discretizer = ClassEntropyDiscretizer(columns=columns)
        with pytest.raises(
            ValueError, match=r"selects column .* not all numbers"
        ) as at:
            factorized(X[["normal", column]]).columns_to_cut(discretizer)
        with pytest.raises(ValueError, match="selects column") as expected:
            discretizer.fit(X[["normal", column]], np.arange(20) % 2)
        assert str(at.value) == str(expected.value)
