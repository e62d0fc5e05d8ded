"""Factorized tables: views of a table by some of its rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

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
    return table_of(X, list(X.columns) if isinstance(X, pd.DataFrame) else ())


def view(table, discretizer, labels, weights, n_classes, missing, held_out):
    """Codes and values, learned without the rows that are held out."""
    encoding = Encoding.empty(
        len(table.columns), n_classes, missing, discretizer=discretizer
    )
    known = table, labels, weights, ~held_out
    encoding, codes = encoding.with_cuts(*known).learn(*known)
    return codes, encoding.categories


def slow_view(X, discretizer, labels, weights, n_classes, missing, held_out):
    """A discretizer and an encoder that learn the rows that are not held out."""
    known = ~held_out
    # What a column holds is a matter of all rows.
    columns = columns_of(X)
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
    first = FactorizedTable.of([column[known] for column in columns])
    encoding = Encoding.empty(X.shape[1], n_classes, missing)
    encoding, codes[known] = encoding.learn(first, labels[known], weights[known])
    rest = FactorizedTable.of([column[held_out] for column in columns])
    codes[held_out] = encoding.codes_as_new(rest)
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
    expected, values = slow_view(X, **question)
    assert codes.dtype == np.int32
    assert_array_equal(codes, expected)
    assert len(categories) == len(values)
    for ours, theirs in zip(categories, values):
        if len(theirs):
            assert (ours.dtype.kind == "O") == (theirs.dtype.kind == "O")
        assert list(map(str, ours)) == list(map(str, theirs))


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
            for share in (0.0, 0.4):
                held_out = rng.permutation(n) < share * n
                assert_views_are_equal(
                    X,
                    discretizer=discretizer,
                    labels=labels,
                    weights=weights,
                    missing=missing,
                    held_out=held_out,
                )
