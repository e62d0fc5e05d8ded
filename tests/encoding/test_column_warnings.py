"""Column warnings: columns that are taken as categories, and probably are none."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFClassifier,
    DNFWinnowClassifier,
    datasets,
)
from sklearn_dnfwinnow.datasets import make_customers

MANY_VALUES = 32
N_ROWS = MANY_VALUES + 8
RNG = np.random.default_rng(0)
INTEGERS = RNG.permutation(N_ROWS) * 7
TEXT = INTEGERS.astype(str).tolist()
# Of values that differ, nearly all, and too few to identify a row.
NAMES = [f"n{i}" for i in range(N_ROWS)]
CITIES = [f"n{i}" for i in range(MANY_VALUES + 2)] + ["n0"] * 6
ADVICE = {
    "numbers": "set discretizer='auto'",
    "text of numbers": "pandas.to_numeric",
    "identifiers": "drop",
    "dates": "pandas.to_datetime",
    "text": "TfidfVectorizer",
    "categories": "merge rare categories",
}
SAID = {
    "hold many numbers": "numbers",
    "hold numbers as text": "text of numbers",
    "look like": "identifiers",
    "hold dates or times as text": "dates",
    "hold free text": "text",
    "hold many categories with few rows each": "categories",
}


def plain(**options):
    settings = {"discretizer": None, "max_iter": 1, "cv": None, "random_state": 0}
    return DNFWinnowClassifier(**{**settings, **options})


def warnings_of(fit, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(*args, **kwargs)
    return [warning for warning in caught if warning.category is UserWarning]


def kinds_of(X, y=None, **parameters):
    """What the one warning says of the columns: dict of kind to text, {} for none."""
    y = np.arange(len(X)) % 2 if y is None else y
    caught = warnings_of(plain(**parameters).fit, X, y)
    if not caught:
        return {}
    (warning,) = caught
    assert warning.filename == __file__
    return said_in(str(warning.message))


def said_in(text):
    """The columns of each kind that a warning names."""
    found = {}
    for sentence in re.split(r"(?<=\.) (?=Column)", text):
        columns, said = re.fullmatch(
            r"Columns? (.*?) ((?:look|hold)s? .*)", sentence
        ).groups()
        said = re.sub(r"^(look|hold)s ", r"\1 ", said)
        (kind,) = (kind for words, kind in SAID.items() if said.startswith(words))
        assert ADVICE[kind] in said and "{" not in said
        assert sentence.startswith("Columns ") == ("," in columns)
        found[kind] = columns
    return found


def kind_of(values, dtype=None, **parameters):
    column = pd.Series(values, dtype=dtype)
    return next(iter(kinds_of(pd.DataFrame({"a": column}), **parameters)), None)


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
        "numbers": "'amount', 'size'",
        "text of numbers": "'age'",
        "identifiers": "'name'",
    }
    assert kinds_of(X[["rating", "city", "good"]]) == {}
    # An array has positions.
    assert kinds_of(X.to_numpy())["numbers"] == "0, 2"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (INTEGERS, "numbers"),
        (INTEGERS / 2, "numbers"),
        (INTEGERS[:MANY_VALUES], None),
        (np.where(INTEGERS == 7, np.nan, INTEGERS), "numbers"),
        ([Decimal(int(i)) / 8 for i in INTEGERS], "numbers"),
        ([None, *(2**53 + INTEGERS).tolist()], "text of numbers"),
        ([*INTEGERS.tolist(), "12,50 EUR"], "text of numbers"),
        ([*INTEGERS.tolist(), "?", "?", None], "text of numbers"),
        (TEXT, "text of numbers"),
        ([f" {i} " for i in INTEGERS], "text of numbers"),
        ([f"-{i}.5e{i}" for i in range(N_ROWS)], "text of numbers"),
        ([f".{i}" for i in range(N_ROWS)], "text of numbers"),
        # One value may stand for missing ones.
        ([*TEXT, "?", "?"], "text of numbers"),
        ([*TEXT, "NaN"], "text of numbers"),
        ([*TEXT, None, 0.5], "text of numbers"),
        ([*TEXT, "?", "NA"], "identifiers"),
        ([*CITIES, "1", "2"], None),
        # Codes, not numbers: leading zeros, groups.
        ([f"00{i}" for i in INTEGERS] * 2, None),
        ([f"1_{i}" for i in INTEGERS] * 2, None),
        ([f"{i}-{i}" for i in INTEGERS] * 2, None),
        (NAMES, "identifiers"),
        ([(name,) for name in NAMES], "identifiers"),
        (CITIES, None),
        (NAMES[:MANY_VALUES], None),
        # Rows without a value do not count.
        (NAMES + [None] * 100, "identifiers"),
    ],
)
def test_kinds_of_columns(values, kind):
    objects = isinstance(values, list)
    assert kind_of(values, dtype=object if objects else None) == kind


@pytest.mark.parametrize("values", [[True, *INTEGERS.tolist()], [2**70, *INTEGERS]])
def test_numbers_that_can_not_be_cut(values):
    for discretizer in (None, "auto"):
        kind = kind_of(values, dtype=object, discretizer=discretizer)
        assert kind == "text of numbers"
    assert kind_of(values, dtype=float, discretizer="auto") is None


def test_dtypes_of_pandas():
    for values, dtype in ((INTEGERS, "Int64"), (INTEGERS, "int64[pyarrow]")):
        assert kind_of(values, dtype=dtype) == "numbers"
    assert kind_of(TEXT, dtype="string") == "text of numbers"
    # A categorical dtype is the user's word, but no category identifies rows.
    twice = [*INTEGERS, *INTEGERS]
    assert kind_of(twice) == "numbers"
    assert kind_of(twice, dtype="category") is None
    assert kind_of([*TEXT, *TEXT], dtype="category") is None
    for values in (INTEGERS, TEXT, NAMES):
        kind = kind_of(values, dtype="category")
        assert kind == "identifiers"


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
        "numbers": "'int'",
        "text of numbers": "'text'",
    }


def test_numbers_with_many_rows_each_are_no_reason_to_warn():
    few, many = (pd.DataFrame({"a": np.tile(INTEGERS, n)}) for n in (99, 100))
    assert kinds_of(few) == {"numbers": "'a'"}
    assert kinds_of(many) == {}
    # Most values count, not most rows.
    skewed = pd.DataFrame({"a": [*INTEGERS, *[0] * 10_000]})
    assert kinds_of(skewed) == {"numbers": "'a'"}


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
        assert said_in(text)["text of numbers"] == columns
        assert "amount" not in text and "numbers" not in said_in(text)
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
    assert said_in(text) == {"text of numbers": "'age'", "identifiers": "'name'"}


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
    named = [said_in(text).get("identifiers") for text in texts]
    assert named == ["'id'"] if identify else not any(named)


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


# -- dates and texts -------------------------------------------------------------------

DAYS = pd.Timestamp("2019-11-05 07:03:09") + pd.to_timedelta(
    np.random.default_rng(2).integers(0, 1500 * 86_400, size=200), unit="s"
)
FORMATS = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%m/%d/%Y",
    "%m/%d/%y",
    "%d-%m-%Y",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S.123456Z",
    "%Y-%m-%dT%H:%M+01:00",
    "%m/%d/%Y %I:%M %p",
    "%d %b %Y",
    "%d-%b-%y",
    "%B %d, %Y",
    "%a, %d %b %Y %H:%M:%S +0000",
    "%Y-%m",
    "%H:%M:%S",
    "%H:%M",
]


@pytest.mark.parametrize("form", FORMATS)
def test_dates_as_text(form):
    texts = DAYS.strftime(form).tolist()
    # Days may repeat, and one value may stand for missing ones.
    for values in (texts, [*texts, "?"], [*texts, None], texts * 2):
        assert kind_of(values, dtype=object) == "dates"
    assert kind_of(texts, dtype="category") == "dates"


def both(a, b, sep):
    return [f"{x}{sep}{y}" for x in a for y in b]


@pytest.mark.parametrize(
    "values",
    [
        both(range(1, 15), range(1, 30), "-"),
        both(range(1, 15), range(1, 30), "/"),
        both(both(range(1, 9), range(1, 9), "."), range(1, 9), "."),
        both(both(range(1, 40, 3), range(20), "-"), [21, 22], "-"),
        both(["10.0.0"], range(300), "."),
        both(["2021-13", "2021-99"], range(100), "-"),
        both(["May", "June", "March"], range(100), " "),
        both(range(1000, 1400), ["01"], "-")[::2],
        both(["(555) 010"], range(100, 400), "-"),
        both(range(20, 60), range(60, 99), ":"),
    ],
    ids=lambda values: values[-1],
)
def test_codes_are_no_dates(values):
    assert kind_of(values, dtype=object) == "identifiers"


WORDS = "the parcel came late and nobody answered when i called the shop".split()


def remarks(n, n_words=8):
    return [" ".join(words) for words in RNG.choice(WORDS, size=(n, n_words))]


def test_free_text():
    assert kind_of(remarks(500), dtype=object) == "text"
    # Some remarks occur more often.
    some = remarks(300) + ["no remark to speak of"] * 400
    assert kind_of(some, dtype=object) == "text"
    assert kind_of([*remarks(300), None], dtype="string") == "text"
    # Names of categories may consist of several words.
    jobs = remarks(120) * 6
    assert kind_of(jobs, dtype=object) is None
    # Short texts that differ, such as names, are identifiers.
    assert kind_of([f"{name} and sons" for name in NAMES]) == "identifiers"


def test_many_rare_categories():
    places = [f"place {i}" for i in RNG.integers(0, 300, size=1000)]
    assert kind_of(places, dtype=object) == "categories"
    # Enough rows each, too few categories, and the user's word.
    assert kind_of(places * 2, dtype=object) is None
    assert kind_of([f"place {i % 99}" for i in range(300)], dtype=object) is None
    assert kind_of(places, dtype="category") is None


def test_sentences():
    X, y = make_customers(300, random_state=0)
    X = X.assign(remark=remarks(300))
    (warning,) = warnings_of(plain(discretizer="auto").fit, X, y)
    assert str(warning.message) == (
        "Column 'customer_id' looks like a row identifier (nearly all values differ): "
        "drop it. Column 'signup_date' holds dates or times as text, each a category: "
        "replace it by numbers such as the month or the days since an event "
        "(pandas.to_datetime). Column 'remark' holds free text, each a category: drop "
        "it, or replace it by columns of keywords (TfidfVectorizer)."
    )
    days = pd.to_datetime(X.pop("signup_date")) - pd.Timestamp("2021-01-01")
    X = X.drop(columns=["customer_id", "remark"]).assign(days=days.dt.days)
    assert not warnings_of(plain(discretizer="auto").fit, X, y)


@pytest.mark.parametrize("estimator", [None, plain(discretizer="auto")])
def test_learnt_rules_come_with_the_same_warning_once(estimator):
    """Also if a classifier that would warn is trained for them."""
    X, y = make_customers(200, random_state=0)
    (expected,) = warnings_of(plain(discretizer="auto").fit, X, y)
    rules = DNFClassifier(cv=None, price=8.0, estimator=estimator, random_state=0)
    (warning,) = warnings_of(rules.fit, X, y)
    assert str(warning.message) == str(expected.message)
    assert warning.filename == __file__
    # Not for rules that are given, nor for those of a model that has warned.
    assert not warnings_of(DNFClassifier("age > 60").fit, X, y)
    model = plain(discretizer="auto")
    assert len(warnings_of(model.fit, X, y)) == 1
    assert not warnings_of(model.to_dnf, X=X, y=y, cv=None, price=0.5)


@pytest.mark.parametrize(
    "load", [getattr(datasets, name) for name in datasets.__all__ if "load_" in name]
)
def test_no_false_alarm_on_bundled_sets(load):
    X, y = load(return_X_y=True)
    clf = plain(discretizer="auto", max_term_size=1)
    assert not warnings_of(clf.fit, X, y)
