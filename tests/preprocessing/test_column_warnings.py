"""Column warnings: columns that are taken as categories, and probably are none."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow._preprocessing._literal_columns import MANY_VALUES

N_ROWS = MANY_VALUES + 8
RNG = np.random.default_rng(0)
INTEGERS = RNG.permutation(N_ROWS) * 7
TEXT = INTEGERS.astype(str).tolist()
# Of values that differ, nearly all, and too few to identify a row.
NAMES = [f"n{i}" for i in range(N_ROWS)]
CITIES = [f"n{i}" for i in range(MANY_VALUES + 2)] + ["n0"] * 6
ADVICE = {
    "numbers": "set discretizer='auto'",
    "text that reads as numbers": "pandas.to_numeric",
    "values that differ in nearly all rows": "leave out identifiers",
}


def plain(**options):
    settings = {"discretizer": None, "max_iter": 1, "n_folds": None, "random_state": 0}
    return DNFWinnowClassifier(**{**settings, **options})


def warnings_of(fit, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(*args, **kwargs)
    return [warning for warning in caught if warning.category is UserWarning]


def kinds_of(X, y=None):
    """What the one warning says of the columns: dict of kind to text, {} for none."""
    y = np.arange(len(X)) % 2 if y is None else y
    caught = warnings_of(plain().fit, X, y)
    if not caught:
        return {}
    (warning,) = caught
    assert warning.filename == __file__
    text = str(warning.message)
    parts = text.split(": ", 1)[1].split(");")
    found = {}
    for part in parts:
        (kind,) = (kind for kind in ADVICE if part.strip().startswith(f"{kind} in"))
        assert ADVICE[kind] in part
        found[kind] = part.strip().removeprefix(f"{kind} in ").split(" (")[0]
    return found


def kind_of(values, **options):
    column = pd.Series(values, **options)
    return next(iter(kinds_of(pd.DataFrame({"a": column}))), None)


def test_one_warning_names_all_columns():
    X = pd.DataFrame(
        {
            "amount": INTEGERS,
            "rating": INTEGERS % 5,
            "size": INTEGERS / 3,
            "age": TEXT,
            "name": NAMES,
            "city": CITIES,
            "good": INTEGERS > 9,
        }
    )
    assert kinds_of(X) == {
        "numbers": "columns 'amount', 'size'",
        "text that reads as numbers": "column 'age'",
        "values that differ in nearly all rows": "column 'name'",
    }
    assert kinds_of(X[["rating", "city", "good"]]) == {}
    # An array has positions.
    assert kinds_of(X.to_numpy())["numbers"] == "columns 0, 2"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (INTEGERS, "numbers"),
        (INTEGERS / 2, "numbers"),
        (INTEGERS[:MANY_VALUES], None),
        (np.where(INTEGERS == 7, np.nan, INTEGERS), "numbers"),
        ([Decimal(int(i)) / 8 for i in INTEGERS], "numbers"),
        ([None, *(2**53 + INTEGERS).tolist()], "numbers"),
        (TEXT, "text that reads as numbers"),
        ([f" {i} " for i in INTEGERS], "text that reads as numbers"),
        ([f"-{i}.5e{i}" for i in range(N_ROWS)], "text that reads as numbers"),
        ([f".{i}" for i in range(N_ROWS)], "text that reads as numbers"),
        # One value may stand for missing ones.
        ([*TEXT, "?", "?"], "text that reads as numbers"),
        ([*TEXT, "NaN"], "text that reads as numbers"),
        ([*TEXT, None, 0.5], "text that reads as numbers"),
        ([*TEXT, "?", "NA"], "values that differ in nearly all rows"),
        ([*CITIES, "1", "2"], None),
        # Codes, not numbers: leading zeros, groups.
        ([f"00{i}" for i in INTEGERS] * 2, None),
        ([f"1_{i}" for i in INTEGERS] * 2, None),
        ([f"{i}-{i}" for i in INTEGERS] * 2, None),
        (NAMES, "values that differ in nearly all rows"),
        ([(name,) for name in NAMES], "values that differ in nearly all rows"),
        (CITIES, None),
        (NAMES[:MANY_VALUES], None),
        # Rows without a value do not count.
        (NAMES + [None] * 100, "values that differ in nearly all rows"),
    ],
)
def test_kinds_of_columns(values, kind):
    objects = isinstance(values, list)
    assert kind_of(values, dtype=object if objects else None) == kind


def test_dtypes_of_pandas():
    for values, dtype in ((INTEGERS, "Int64"), (INTEGERS, "int64[pyarrow]")):
        assert kind_of(values, dtype=dtype) == "numbers"
    assert kind_of(TEXT, dtype="string") == "text that reads as numbers"
    # A categorical dtype is the user's word, but no category identifies rows.
    twice = [*INTEGERS, *INTEGERS]
    assert kind_of(twice) == "numbers"
    assert kind_of(twice, dtype="category") is None
    assert kind_of([*TEXT, *TEXT], dtype="category") is None
    for values in (INTEGERS, TEXT, NAMES):
        kind = kind_of(values, dtype="category")
        assert kind == "values that differ in nearly all rows"


def test_dtypes_of_polars():
    twice = [*TEXT, *TEXT]
    X = pl.DataFrame(
        {
            "int": [*INTEGERS, *INTEGERS],
            "text": twice,
            "categorical": pl.Series(twice, dtype=pl.Categorical),
            "enum": pl.Series(twice, dtype=pl.Enum(TEXT)),
        }
    )
    assert kinds_of(X) == {
        "numbers": "column 'int'",
        "text that reads as numbers": "column 'text'",
    }


def test_numbers_with_many_rows_each_are_no_reason_to_warn():
    few, many = (pd.DataFrame({"a": np.tile(INTEGERS, n)}) for n in (99, 100))
    assert kinds_of(few) == {"numbers": "column 'a'"}
    assert kinds_of(many) == {}
    # Most values count, not most rows.
    skewed = pd.DataFrame({"a": [*INTEGERS, *[0] * 10_000]})
    assert kinds_of(skewed) == {"numbers": "column 'a'"}


def test_rows_without_weight_do_not_count():
    X = pd.DataFrame({"a": INTEGERS})
    y = np.arange(N_ROWS) % 2
    few = np.arange(N_ROWS) < MANY_VALUES
    assert not warnings_of(plain().fit, X, y, sample_weight=few.astype(float))
    assert len(warnings_of(plain().fit, X, y)) == 1


def test_streams_warn_in_the_batch_that_has_too_many_values():
    X = pd.DataFrame({"a": INTEGERS, "city": CITIES})
    y = np.arange(N_ROWS) % 2
    clf = plain()
    n_warnings = [
        len(warnings_of(clf.partial_fit, X[i : i + 1], y[i : i + 1], classes=[0, 1]))
        for i in range(N_ROWS)
    ]
    assert np.flatnonzero(n_warnings).tolist() == [MANY_VALUES]
    assert not warnings_of(clf.partial_fit, X + X, y)
    (warning,) = warnings_of(plain().partial_fit, X, y, classes=[0, 1])
    assert warning.filename == __file__


def test_an_error_instead_of_a_warning_changes_nothing():
    X = pd.DataFrame({"a": INTEGERS})
    clf = plain()
    with warnings.catch_warnings(), pytest.raises(UserWarning):
        warnings.simplefilter("error")
        clf.fit(X, INTEGERS > 9)
    assert not hasattr(clf, "classes_")


def test_pipelines_warn_once_of_what_the_discretizer_leaves():
    X = pd.DataFrame({"amount": INTEGERS, "age": TEXT, "name": NAMES})
    y = INTEGERS > INTEGERS.mean()
    for transform, columns in (("default", "1"), ("pandas", "'age'")):
        model = make_pipeline(ClassEntropyDiscretizer(), plain())
        model.set_output(transform=transform)
        (warning,) = warnings_of(model.fit, X, y)
        assert warning.filename == __file__
        text = str(warning.message)
        assert f"text that reads as numbers in column {columns} (" in text
        assert "amount" not in text and "numbers in column 0" not in text
    assert not warnings_of(model.fit, X[["amount"]], y)


def test_what_the_warning_is_about():
    """Categories of numbers predict no new row; intervals do."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"amount": rng.integers(10**6, size=300)})
    y = X["amount"] > 500_000
    clf = plain()
    with pytest.warns(UserWarning, match="set discretizer='auto'"):
        as_categories = cross_val_score(clf, X, y, cv=3).mean()
    as_intervals = cross_val_score(make_pipeline(ClassEntropyDiscretizer(), clf), X, y)
    assert as_categories < 0.6 and as_intervals.mean() > 0.97


# -- columns that are cut --------------------------------------------------------------

SHUFFLED = np.random.default_rng(1).permutation(60)


@pytest.mark.parametrize("discretizer", ["auto", ClassEntropyDiscretizer()], ids=str)
def test_columns_that_are_cut_do_not_warn(discretizer):
    X = pd.DataFrame({"amount": INTEGERS, "size": INTEGERS / 3, "rating": INTEGERS % 5})
    fit = plain(discretizer=discretizer).fit
    assert not warnings_of(fit, X, INTEGERS > 99)
    many = ClassEntropyDiscretizer(max_intervals=35)
    assert not warnings_of(plain(discretizer=many).fit, X, np.arange(N_ROWS) % 2)
    # Text is not cut, whatever it reads as.
    (warning,) = warnings_of(fit, X.assign(age=TEXT, name=NAMES), INTEGERS > 99)
    assert warning.filename == __file__
    text = str(warning.message)
    assert "text that reads as numbers in column 'age' (" in text
    assert "in nearly all rows in column 'name' (" in text and "amount" not in text


@pytest.mark.parametrize("discretizer", [None, "auto", ClassEntropyDiscretizer()])
@pytest.mark.parametrize(
    ("values", "identify"),
    [
        (np.arange(60), True),
        (SHUFFLED, True),
        (SHUFFLED + 10.0**6, True),
        (np.where(SHUFFLED < 9, np.nan, SHUFFLED), True),
        # A part of those that were counted.
        (np.random.default_rng(0).permutation(200)[:60], True),
        # Gaps, but sorted.
        (np.arange(60) ** 2 * 5 + 1000, True),
        (-(np.arange(60) ** 2) * 5, True),
        (SHUFFLED**2 * 5, False),
        (SHUFFLED / 2, False),
        (np.append(SHUFFLED[:-1], SHUFFLED[0]), False),
        (SHUFFLED[:MANY_VALUES], False),
    ],
)
def test_integers_that_identify_rows(discretizer, values, identify):
    X, y = pd.DataFrame({"id": values}), np.arange(len(values)) % 2
    caught = warnings_of(plain(discretizer=discretizer).fit, X, y)
    texts = [str(warning.message) for warning in caught]
    named = [
        "values that differ in nearly all rows in column 'id' (" in t for t in texts
    ]
    assert named == [True] if identify else not any(named)


def test_amounts_of_which_most_differ_are_no_identifiers():
    """Such as those of loans: 92 % of the values differ."""
    rng = np.random.default_rng(0)
    amounts = np.exp(rng.normal(7.8, 0.8, 1000)).round()
    assert 0.85 < len(np.unique(amounts)) / 1000 < 0.97
    X, y = pd.DataFrame({"amount": amounts}), amounts > 2000
    assert not warnings_of(plain(discretizer="auto").fit, X, y)


def test_identifiers_are_named_in_the_first_batch_alone():
    clf = plain(discretizer="auto")
    batches = [(pd.DataFrame({"id": np.arange(60) + k}), SHUFFLED % 2) for k in (0, 60)]
    fits = [warnings_of(clf.partial_fit, *batch, classes=[0, 1]) for batch in batches]
    assert list(map(len, fits)) == [1, 0]
