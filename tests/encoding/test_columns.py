"""Data as users have it: any dtype of pandas, polars and NumPy, or a clear refusal."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import is_classifier
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

Y = np.array([0, 0, 0, 1, 1, 1] * 2)
WORDS = ["a", "a", "b", "b", "c", None] * 2
WHOLE = [3, 1, 1, 2, 2, 2] * 2
GAPS = [3, None, 1, 2, 2, 2] * 2
HALVES = [0.5, None, 0.5, 1.5, 1.5, 2.0] * 2
TRUTHS = [True, False, None, True, False, False] * 2
SURE = [True, False, True, True, False, False] * 2
MIXED = ["x", 1, None, b"x", 2.5, True] * 2
BYTES = [b"x", b"y", None, b"x", b"y", b"y"] * 2
PRICES = [None if value is None else Decimal(str(value)) for value in HALVES]
SHARES = [None if value is None else Fraction(value) for value in HALVES]
COLOURS = ["red", "blue", "red", "red", "blue", None] * 2
DAYS = [datetime.datetime(2020, 1, 1 + day, 12) for day in WHOLE]
BIG = [2**100 + value for value in WHOLE]


def winnow():
    return DNFWinnowClassifier(cv=None, max_iter=5, random_state=0)


def listed(values):
    """The same data without any library."""
    return [[value, colour] for value, colour in zip(values, COLOURS)]


def in_pandas(values, dtype=None):
    frame = pd.DataFrame({"value": pd.Series(values, dtype=dtype), "colour": COLOURS})
    # Another index than positions, which nothing may go by.
    return frame.set_index(np.arange(len(frame))[::-1])


def in_polars(values, dtype=None):
    value = pl.Series("value", values, dtype=dtype, strict=dtype != pl.Object)
    return pl.DataFrame([value, pl.Series("colour", COLOURS)])


def arrow(name, *arguments):
    return pd.ArrowDtype(getattr(pa, name)(*arguments))


PANDAS = {
    "object": (WORDS, object),
    "str": (WORDS, None),
    "string[python]": (WORDS, pd.StringDtype("python")),
    "string[pyarrow]": (WORDS, pd.StringDtype("pyarrow")),
    "arrow string": (WORDS, arrow("string")),
    "arrow dictionary": (WORDS, arrow("dictionary", pa.int32(), pa.string())),
    "arrow binary": (BYTES, arrow("binary")),
    "arrow null": ([None] * 12, arrow("null")),
    "category": (WORDS, "category"),
    "ordered category": (WORDS, pd.CategoricalDtype(["c", "b", "a", "z"], True)),
    "category of integers": (GAPS, "category"),
    "category of booleans": (SURE, "category"),
    "category of anything": (MIXED, "category"),
    "integers": (WHOLE, None),
    "int8": (WHOLE, np.int8),
    "uint64": (WHOLE, np.uint64),
    "integers with gaps": (GAPS, None),
    "objects of integers": (GAPS, object),
    "objects of decimals": (PRICES, object),
    "objects of fractions": (SHARES, object),
    "Int64": (GAPS, "Int64"),
    "UInt8": (GAPS, "UInt8"),
    "Float64": (HALVES, "Float64"),
    "Float32": (HALVES, "Float32"),
    "float16": (HALVES, np.float16),
    "arrow int64": (GAPS, arrow("int64")),
    "arrow float": (HALVES, arrow("float32")),
    "arrow decimal": (PRICES, arrow("decimal128", 10, 2)),
    "sparse integers": (WHOLE, pd.SparseDtype("int64", 1)),
    "sparse floats": (HALVES, pd.SparseDtype("float64")),
    "sparse booleans": (SURE, pd.SparseDtype(bool)),
    "bool": (SURE, None),
    "objects of booleans": (TRUTHS, object),
    "boolean": (TRUTHS, "boolean"),
    "arrow bool": (TRUTHS, arrow("bool_")),
    "mixed": (MIXED, object),
}
POLARS = {
    "String": (WORDS, None),
    "Categorical": (WORDS, pl.Categorical),
    "Enum": (WORDS, pl.Enum(["c", "b", "a", "z"])),
    "Binary": (BYTES, None),
    "Null": ([None] * 12, None),
    "Int64": (GAPS, None),
    "Int8": (WHOLE, pl.Int8),
    "UInt64": (WHOLE, pl.UInt64),
    "Float64": (HALVES, None),
    "NaN": ([np.nan if value is None else value for value in HALVES], None),
    "Float32": (HALVES, pl.Float32),
    "Decimal": (PRICES, pl.Decimal(10, 2)),
    "Boolean": (TRUTHS, None),
    "Boolean without gaps": (SURE, None),
    "Object": (MIXED, pl.Object),
}
# Not in every version of polars.
for name in ("Int128", "UInt128", "Float16"):
    if hasattr(pl, name):
        POLARS[name] = GAPS, getattr(pl, name)
CONTAINERS = [
    pytest.param(values, build(values, dtype), id=f"{library} {name}")
    for library, build, kinds in (
        ("pandas", in_pandas, PANDAS),
        ("polars", in_polars, POLARS),
    )
    for name, (values, dtype) in kinds.items()
]


# -- the same data in another container ------------------------------------------------


@pytest.mark.parametrize(("values", "X"), CONTAINERS)
def test_the_same_model_of_every_dtype(values, X):
    rows = listed(values)
    expected = winnow().fit(rows, Y)
    clf = winnow().fit(X, Y)
    assert clf.feature_names_in_.tolist() == ["value", "colour"]
    assert [len(c) for c in clf.categories_] == [len(c) for c in expected.categories_]
    assert_array_equal(clf.log_weighted_sums(X), expected.log_weighted_sums(rows))
    assert_array_equal(clf.predict(X), expected.predict(rows))


@pytest.mark.parametrize(("values", "X"), CONTAINERS)
def test_the_same_intervals_of_every_dtype(values, X):
    fitted = ClassEntropyDiscretizer().fit(X, Y)
    if X["value"].dtype == "category" or set(values) == {None}:
        # Categories are no numbers, even if they are; nor is what has no value.
        expected = values
    else:
        rows = listed(values)
        expected = ClassEntropyDiscretizer().fit_transform(rows, Y)[:, 0]
    outputs = [fitted.transform(X)[:, 0]]
    for library in ("pandas", "polars"):
        frame = fitted.set_output(transform=library).transform(X)
        assert type(frame).__module__.startswith(library)
        outputs.append(frame["value"].to_list())
    for out in outputs:
        for one, other in zip(out, expected):
            assert pd.isna(one) if pd.isna(other) else one == other


def test_frames_of_other_libraries():
    clf = winnow().fit(in_pandas(WORDS, "category"), Y)
    expected = clf.predict_proba(in_pandas(WORDS))
    # Polars keeps one dictionary for all of its categories; these come in between.
    pl.Series(["z", "y", "b"], dtype=pl.Categorical)
    for frame in (
        in_pandas(WORDS, pd.CategoricalDtype(list("zcba"))),
        in_polars(WORDS, pl.Categorical),
        in_polars(WORDS, pl.Enum(list("zcba"))),
        pa.Table.from_pandas(in_pandas(WORDS), preserve_index=False),
    ):
        assert_array_equal(clf.predict_proba(frame), expected)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        assert_array_equal(clf.predict_proba(listed(WORDS)), expected)


def test_partitions_of_a_dask_frame():
    dataframe = pytest.importorskip("dask.dataframe")
    frame = in_pandas(WORDS, "category").reset_index(drop=True)
    partitions = dataframe.from_pandas(frame, npartitions=3).partitions
    clf, start = winnow(), 0
    for partition in partitions:
        rows = partition.compute()
        labels = Y[start : start + len(rows)]
        clf.partial_fit(rows, labels, classes=[0, 1])
        start += len(rows)
    whole = winnow().partial_fit(frame, Y, classes=[0, 1])
    assert start == len(Y)
    assert_array_equal(clf.predict_proba(frame), whole.predict_proba(frame))


def test_a_category_that_training_did_not_have():
    clf = winnow().fit(in_pandas(WORDS, "category"), Y)
    unknown = clf.log_weighted_sums(in_pandas(["z"] * 12, "category"))
    assert_array_equal(unknown, clf.log_weighted_sums(in_polars([None] * 12)))


def test_integers_of_128_bits():
    assert len(winnow().fit(in_pandas(BIG, object), Y).categories_[0]) == 3
    if not hasattr(pl, "Int128"):
        pytest.skip("no Int128")
    frame = in_polars(BIG, pl.Int128)
    assert len(winnow().fit(frame, Y).categories_[0]) == 3
    discretizer = ClassEntropyDiscretizer().fit(frame, Y)
    assert discretizer.transform(frame)[:, 0].tolist() == BIG
    out = discretizer.set_output(transform="polars").transform(frame)
    assert out["value"].equals(frame["value"])


# -- NumPy -----------------------------------------------------------------------------


def read_only(array):
    array.flags.writeable = False
    return array


ARRAYS = {
    "str_": np.str_,
    "bytes": np.bytes_,
    "objects": object,
    "StringDType": np.dtypes.StringDType(),
    "int8": np.int8,
    ">i4": ">i4",
    "float16": np.float16,
    "longdouble": np.longdouble,
}


@pytest.mark.parametrize("dtype", ARRAYS.values(), ids=ARRAYS)
def test_arrays_of_every_dtype(dtype):
    X = np.array(WHOLE)[:, None].astype(dtype)
    expected = winnow().fit(np.array(WHOLE)[:, None], Y).predict_proba([[1], [2], [3]])
    clf = winnow().fit(X, Y)
    order = [WHOLE.index(value) for value in (1, 2, 3)]
    assert_array_equal(clf.predict_proba(X[order]), expected)


@pytest.mark.parametrize("dtype", [np.int64, np.float64, object])
def test_arrays_of_every_layout(dtype, tmp_path):
    X = np.array([WHOLE, Y, WHOLE[::-1]], dtype=dtype).T.copy()
    wide = np.zeros((24, 6), dtype=dtype)
    wide[::2, ::2] = X
    layouts = [np.asfortranarray(X), wide[::2, ::2], read_only(X.copy())]
    if dtype is not object:
        mapped = np.memmap(tmp_path / "X", dtype, "w+", shape=X.shape)
        mapped[:] = X
        mapped.flush()
        layouts.append(np.memmap(tmp_path / "X", dtype, "r", shape=X.shape))
    for estimator, method in (
        (winnow(), "log_weighted_sums"),
        (ClassEntropyDiscretizer(), "transform"),
    ):
        expected = getattr(estimator.fit(X, Y), method)(X)
        for layout in layouts:
            out = getattr(estimator.fit(layout, Y), method)(layout)
            assert_array_equal(out, expected)


@pytest.mark.parametrize("dtype", [np.int64, np.float64, object, "U4"])
def test_what_is_masked_is_missing(dtype):
    mask = np.array([value is None for value in GAPS])[:, None]
    X = np.ma.masked_array(np.array(WHOLE)[:, None].astype(dtype), mask)
    rows = [[None if gap else v] for v, (gap,) in zip(X.data[:, 0].tolist(), mask)]
    expected = winnow().fit(rows, Y)
    clf = winnow().fit(X, Y)
    assert len(clf.categories_[0]) == len(expected.categories_[0])
    assert_array_equal(clf.predict_proba(X), expected.predict_proba(rows))
    out = ClassEntropyDiscretizer().fit_transform(X, Y)
    assert [pd.isna(value) for value in out[:, 0]] == mask[:, 0].tolist()
    X.mask = False
    expected = winnow().fit(X.data, Y).predict_proba(X.data)
    assert_array_equal(winnow().fit(X, Y).predict_proba(X), expected)


def test_objects_of_several_types_in_polars():
    discretizer = ClassEntropyDiscretizer().set_output(transform="polars")
    out = discretizer.fit_transform(listed(MIXED), Y)
    assert out.dtypes == [pl.Object, pl.String]
    assert out.to_series(0).to_list() == MIXED
    assert_array_equal(
        winnow().fit(out, Y).predict_proba(out),
        winnow().fit(listed(MIXED), Y).predict_proba(listed(MIXED)),
    )


# -- refusals --------------------------------------------------------------------------

ESTIMATORS = pytest.mark.parametrize("make", [winnow, ClassEntropyDiscretizer])


def answers(estimator, X):
    return getattr(estimator, "predict" if is_classifier(estimator) else "transform")(X)


DATES = [day.date() for day in DAYS]
TIMES = [day.time() for day in DAYS]
SPANS = [day - DAYS[0] for day in DAYS]
STAMPS = pd.Series(DAYS)
TEMPORAL = {
    "datetime64": in_pandas(DAYS),
    "with a gap": in_pandas([*DAYS[:-1], None]),
    "time zone": in_pandas(STAMPS.dt.tz_localize("Europe/Rome")),
    "timedelta64": in_pandas(SPANS),
    "period": in_pandas(STAMPS.dt.to_period("D")),
    "category": in_pandas(DAYS, "category"),
    "objects": in_pandas(DATES, object),
    "times": in_pandas(TIMES, object),
    "objects with a gap": in_pandas([*DATES[:-1], None], object),
    "arrow date": in_pandas(DATES, arrow("date32")),
    "arrow timestamp": in_pandas(DAYS, arrow("timestamp", "us")),
    "arrow duration": in_pandas(SPANS, arrow("duration", "us")),
    "Date": in_polars(DATES),
    "Datetime": in_polars(DAYS),
    "Datetime of nanoseconds": in_polars(DAYS, pl.Datetime("ns", "UTC")),
    "Duration": in_polars(SPANS),
    "Time": in_polars(TIMES),
    "NumPy": np.array(DAYS, dtype="M8[D]")[:, None],
    # NumPy makes integers of these, asked for objects.
    "NumPy nanoseconds": np.array(DAYS, dtype="M8[ns]")[:, None],
    "NumPy spans": np.array(SPANS, dtype="m8[s]")[:, None],
    "NumPy masked": np.ma.masked_array(
        np.array(DAYS, dtype="M8[ns]")[:, None], np.arange(12)[:, None] == 0
    ),
    "NumPy objects": np.array(DAYS, dtype=object)[:, None],
    "list": [[day] for day in DAYS],
    "list of datetime64": [[np.datetime64(day)] for day in DAYS],
}


@pytest.mark.parametrize("X", TEMPORAL.values(), ids=TEMPORAL)
@ESTIMATORS
def test_dates_are_refused_by_name(make, X):
    label = "'value'" if hasattr(X, "columns") else "0"
    message = rf"Column {label} contains dates or times \(.*month.*days since.*strings"
    with pytest.raises(TypeError, match=message):
        make().fit(X, Y)
    strings = in_pandas([str(day) for day in DAYS])
    if label == "0":
        strings = strings[["value"]].to_numpy()
    fitted = make().fit(strings, Y)
    with pytest.raises(TypeError, match=message):
        answers(fitted, X)


NESTED = {
    "lists": in_pandas([[1], [2]] * 6, object),
    "sets": in_pandas([{1}, {2}] * 6, object),
    "arrow list": in_pandas([[1], [2]] * 6, arrow("list_", pa.int64())),
    "arrow struct": in_pandas(
        [{"a": 1}, {"a": 2}] * 6, arrow("struct", [("a", pa.int64())])
    ),
    "List": in_polars([[1], [2]] * 6),
    "Array": in_polars([[1, 3], [2, 3]] * 6, pl.Array(pl.Int64, 2)),
    "Array of strings": in_polars([["a", "b"], ["c", "d"]] * 6, pl.Array(pl.String, 2)),
    "Struct": in_polars([{"a": 1}, {"a": 2}] * 6),
}


@pytest.mark.parametrize("X", NESTED.values(), ids=NESTED)
def test_lists_in_cells_are_refused_by_name(X):
    with pytest.raises(
        TypeError, match=r"Column 'value' contains .* hashable value such"
    ):
        winnow().fit(X, Y)
    # The discretizer lets them through: somebody may yet make something of them.
    discretizer = ClassEntropyDiscretizer().fit(X, Y)
    for one, other in zip(discretizer.transform(X)[:, 0], X["value"].to_list()):
        assert list(one) == list(other)
    library = type(X).__module__.split(".")[0]
    out = discretizer.set_output(transform=library).transform(X)
    assert out["value"].dtype == X["value"].dtype


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array(3), "Expected 2D array, got scalar array"),
        (None, "Expected 2D array, got scalar array"),
        (np.zeros((12, 1, 1)), "Found array with dim 3"),
        (np.zeros(12, dtype=[("a", int), ("b", int)]), "Expected 2D array, got 1D"),
        (pd.Series(WHOLE), "Expected a 2-dimensional container|Expected 2D array"),
        (pl.Series(WHOLE), "Expected 2D array, got 1D array"),
        ([[1, 2], [3]] * 6, "Expected 2D array, got 1D array|inhomogeneous"),
        (in_polars(WORDS).lazy(), r"LazyFrame of polars; pass X.collect\(\)"),
    ],
    ids=lambda value: type(value).__name__,
)
@ESTIMATORS
def test_what_is_no_table(make, X, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make().fit(X, Y)


# -- names of columns ------------------------------------------------------------------


@ESTIMATORS
def test_names_that_are_none(make):
    frame = in_pandas(WORDS)
    for names in ([0, 1], [("a", "b"), ("a", "c")]):
        fitted = make().fit(frame.set_axis(names, axis=1), Y)
        assert fitted.n_features_in_ == 2
        assert not hasattr(fitted, "feature_names_in_")
    with pytest.raises(TypeError, match="only supported if all input features"):
        make().fit(frame.set_axis(["a", 1], axis=1), Y)
    assert make().fit(frame.set_axis(["", "b"], axis=1), Y).n_features_in_ == 2


@ESTIMATORS
def test_names_that_are_twice_there(make):
    frame = in_pandas(WHOLE).set_axis(["a", "a"], axis=1)
    estimator = make()
    try:
        estimator.fit(frame, Y)
    except Exception as error:  # of scikit-learn >= 1.9, by way of narwhals
        assert "Expected unique column names" in str(error)
    else:
        assert estimator.feature_names_in_.tolist() == ["a", "a"]


@pytest.mark.parametrize("build", [in_pandas, in_polars])
@ESTIMATORS
def test_names_that_differ(make, build):
    frame = build(WORDS)
    fitted = make().fit(frame, Y)
    with pytest.raises(ValueError, match="must be in the same order"):
        answers(fitted, frame[["colour", "value"]])
    other = build(WORDS)
    other.columns = ["value", "color"]
    with pytest.raises(ValueError, match="names unseen at fit time:\n- color\n"):
        answers(fitted, other)
    with pytest.raises(ValueError, match="seen at fit time, yet now missing"):
        answers(fitted, frame[["value"]])


# -- set_output ------------------------------------------------------------------------

# Not scikit-learn before 1.9 and polars 2 together.
MEET = hasattr(OrdinalEncoder().fit(pl.DataFrame({"a": ["x"]})), "feature_names_in_")
OUTPUTS = pytest.mark.parametrize("container", ["default", "pandas", "polars"])


def is_of(container, frame):
    return type(frame).__module__.startswith(container)


@OUTPUTS
@pytest.mark.parametrize("build", [in_pandas, in_polars])
def test_set_output(build, container):
    frame = build(HALVES)
    model = make_pipeline(ClassEntropyDiscretizer(), winnow())
    model.set_output(transform=container).fit(frame, Y)
    assert model[:-1].get_feature_names_out().tolist() == ["value", "colour"]
    names = getattr(model[-1], "feature_names_in_", None)
    if container == "default":
        assert names is None
    else:
        assert names.tolist() == ["value", "colour"]
        out = model[:-1].transform(frame)
        assert is_of(container, out)
        assert str(out["value"].dtype).lower() == "float64"
    alone = make_pipeline(ClassEntropyDiscretizer(), winnow()).fit(listed(HALVES), Y)
    assert_array_equal(model.predict_proba(frame), alone.predict_proba(listed(HALVES)))


@OUTPUTS
@pytest.mark.parametrize("build", [in_pandas, in_polars])
def test_set_output_of_column_transformers(build, container):
    if not MEET and (build is in_polars or container == "polars"):
        pytest.skip("scikit-learn before 1.9 does not know the frames of polars 2")
    frame = build(HALVES)
    cut = make_column_transformer(
        (ClassEntropyDiscretizer(), ["value"]),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    model = make_pipeline(cut, winnow()).set_output(transform=container).fit(frame, Y)
    assert cut.get_feature_names_out().tolist() == ["value", "colour"]
    if container != "default":
        assert model[-1].feature_names_in_.tolist() == ["value", "colour"]
        assert is_of(container, cut.transform(frame))
    whole = make_pipeline(ClassEntropyDiscretizer(), winnow()).fit(frame, Y)
    assert_array_equal(model.predict_proba(frame), whole.predict_proba(frame))
