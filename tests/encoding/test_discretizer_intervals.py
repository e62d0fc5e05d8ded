"""How many intervals, how heavy, what they are called, and the way back from them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
import re
import signal
import time
import warnings
from math import comb, factorial, log

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference import interrupt_after
from scipy.stats import entropy
from sklearn.datasets import load_iris

from sklearn_dnfwinnow import ClassEntropyDiscretizer


def fit(values, y, sample_weight=None, **parameters):
    """Fit one column."""
    X = np.asarray(values)[:, None]
    return ClassEntropyDiscretizer(**parameters).fit(X, y, sample_weight=sample_weight)


def noise(n_samples, n_classes=2, seed=0):
    """A column that says nothing of the class."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=n_samples), rng.integers(0, n_classes, n_samples)


def blobs(n_samples, n_classes=3, seed=0):
    """A column that says something."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_samples)
    return rng.normal(y, 0.4), y


def entropy_of(codes, y, weight):
    """Average class entropy, by its definition."""
    table = np.zeros((int(codes.max()) + 1, y.max() + 1))
    np.add.at(table, (codes.astype(int), y), weight)
    rows = table.sum(axis=1)
    return rows @ entropy(table, base=2, axis=1) / rows.sum()


def same(one, other):
    """Whether two discretizers are equal, to the last bit."""
    assert_array_equal(one.n_intervals_, other.n_intervals_)
    assert_array_equal(one.average_class_entropy_, other.average_class_entropy_)
    for name in (
        *("cut_points_", "entropy_path_"),
        *("representatives_", "interval_labels_"),
    ):
        for a, b in zip(getattr(one, name), getattr(other, name), strict=True):
            assert_array_equal(a, b)


# -- from rows to segments -------------------------------------------------------------


@pytest.mark.parametrize("selection", ["quantiles", "max"])
def test_quantiles_ignore_the_classes(selection):
    values, y = noise(300)
    discretizer = ClassEntropyDiscretizer(selection=selection, max_intervals=8)
    cuts = [
        discretizer.fit(values[:, None], labels).cut_points_[0]
        for labels in (y, values > 0, np.arange(300) % 5)
    ]
    assert (len(cuts[0]) == 7 and len(cuts[1]) == 7) == (selection == "quantiles")
    is_same = all(np.array_equal(cuts[0], other) for other in cuts)
    assert is_same == (selection == "quantiles")


@pytest.mark.parametrize("scale", [1e-310, 1e-300, 1.0, 1e300])
def test_quantiles_of_weights_of_any_size(scale):
    """Beside a row of weight 1 that has no value, columns may weigh next to nothing."""
    values, y = np.arange(12.0), np.arange(12) % 2
    discretizer = ClassEntropyDiscretizer(max_intervals=3, max_segments=4)
    weights = np.append(np.full(12, scale), 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        discretizer.fit(np.append(values, np.nan)[:, None], [*y, 0], weights)
    (points,) = discretizer.cut_points_
    expected = discretizer.fit(values[:, None], y).cut_points_[0]
    assert_array_equal(points, expected)


# -- a least weight --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_the_best_partition_into_intervals_that_hold_enough(weighted):
    rng = np.random.default_rng(1)
    for _ in range(100):
        n = rng.integers(2, 25)
        values, y = rng.integers(0, 7, n), rng.integers(0, 3, n)
        weight = rng.integers(1, 4, n) if weighted else np.ones(n, dtype=int)
        least = int(rng.integers(2, 9))
        fitted = fit(
            values, y, weight if weighted else None, min_samples_interval=least
        )
        distinct = np.unique(values)
        best = {}
        for k in range(1, len(distinct) + 1):
            for cuts in itertools.combinations(distinct[:-1], k - 1):
                codes = np.searchsorted(cuts, values, side="left")
                if k == 1 or np.bincount(codes, weight, minlength=k).min() >= least:
                    found = entropy_of(codes, y, weight)
                    best[k] = min(best.get(k, np.inf), found)
        path = fitted.entropy_path_[0]
        # Values of equal shares are apart only where that matters.
        assert_allclose(path, list(best.values())[: len(path)], atol=1e-9)
        if min(np.bincount(values, weight)[distinct]) < least:
            assert len(path) == len(best)
        assert fitted.average_class_entropy_[0] == pytest.approx(min(best.values()))
        codes = fitted.transform(values[:, None])[:, 0]
        held = np.bincount(codes.astype(int), weight)
        assert len(held) == 1 or held.min() >= least


def test_a_cut_between_equal_shares_can_be_the_best():
    # One 'b' is too few for an interval, so 'a's are cut from 'a's.
    fitted = fit([1, 2, 3, 4, 5], list("aaaab"), min_samples_interval=2)
    assert_array_equal(fitted.cut_points_[0], [3.5])
    assert_allclose(fitted.entropy_path_[0], [entropy([4, 1], base=2), 2 / 5])


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_one_is_no_limit_and_shares_have_no_scale(scale):
    values, y = blobs(200)
    weight = np.random.default_rng(0).integers(1, 5, 200)
    free = fit(values, y, weight * scale)
    assert free.n_intervals_[0] == 10
    shares = fit(values, y, weight * scale, min_samples_interval=0.1)
    codes = shares.transform(values[:, None])[:, 0].astype(int)
    assert np.bincount(codes, weight).min() >= 0.1 * weight.sum() - 1e-9
    assert_array_equal(
        shares.cut_points_[0],
        fit(values, y, weight, min_samples_interval=0.1).cut_points_[0],
    )


def test_shares_are_of_the_rows_with_a_value():
    values = np.array([1, 2, 3, 4, 5, 6, 7, 8.0])
    y = np.array([0, 0, 1, 1, 1, 1, 1, 1])
    with_gaps = np.append(values, np.full(80, np.nan))
    labels = np.append(y, np.zeros(80, dtype=int))
    assert_array_equal(
        fit(with_gaps, labels, min_samples_interval=0.25).cut_points_[0], [2.5]
    )


def test_one_interval_may_hold_less():
    fitted = fit([1, 2, 3], [0, 1, 1], min_samples_interval=100)
    assert fitted.n_intervals_[0] == 1
    assert_allclose(fitted.entropy_path_[0], [entropy([1, 2], base=2)])
    fitted = fit([1, 2, 3], [0, 1, 1], min_samples_interval=0.9, selection="mdl")
    assert fitted.n_intervals_[0] == 1


# -- the number of intervals -----------------------------------------------------------


@pytest.mark.parametrize("selection", ["max", "mdl", "balanced"])
def test_the_path_of_entropies(selection):
    X, y = load_iris(return_X_y=True)
    fitted = ClassEntropyDiscretizer(selection=selection).fit(X, y)
    for j in range(4):
        path = fitted.entropy_path_[j]
        n = fitted.n_intervals_[j]
        assert len(path) <= 10
        assert path[0] == pytest.approx(np.log2(3))
        assert (np.diff(path) < 1e-12).all()
        assert fitted.average_class_entropy_[j] == path[n - 1]
        for k in range(2, len(path) + 1):
            capped = ClassEntropyDiscretizer(max_intervals=k).fit(X[:, [j]], y)
            assert capped.average_class_entropy_[0] == pytest.approx(path[k - 1])


def test_modl_criterion():
    rng = np.random.default_rng(0)
    for _ in range(50):
        values, y = rng.integers(0, 9, 40), rng.integers(0, 3, 40)
        y = np.where(values > 5, np.minimum(y, rng.integers(0, 3, 40)), y)
        chosen = fit(values, y, max_intervals=5, selection="mdl")
        costs = []
        for k in range(1, len(chosen.entropy_path_[0]) + 1):
            codes = np.zeros(40, dtype=int)
            if k > 1:
                capped = fit(values, y, max_intervals=k)
                if capped.n_intervals_[0] < k:  # no better with k
                    break
                codes = capped.transform(values[:, None])[:, 0].astype(int)
            cost = log(comb(40 + k - 1, k - 1))
            for i in range(k):
                inside = np.bincount(y[codes == i], minlength=3)
                cost += log(comb(inside.sum() + 2, 2)) + log(factorial(inside.sum()))
                cost -= sum(log(factorial(count)) for count in inside)
            costs.append(cost)
        assert chosen.n_intervals_[0] == 1 + np.argmin(costs)


def test_modl_leaves_noise_alone_and_finds_the_classes():
    one = [
        fit(*noise(300, seed=seed), selection="mdl").n_intervals_[0]
        for seed in range(50)
    ]
    assert np.mean(np.equal(one, 1)) > 0.9
    assert fit(*blobs(600), selection="mdl").n_intervals_[0] >= 3


def test_balanced_gain():
    values, y = blobs(300)
    fitted = fit(values, y, selection="balanced")
    path = fitted.entropy_path_[0]
    gains = (path[0] - path[1:]) / np.log2(np.arange(2, len(path) + 1))
    assert fitted.n_intervals_[0] == 2 + np.argmax(gains)
    # In noise every cut gains something.
    assert fit(*noise(300), selection="balanced").n_intervals_[0] == 10
    # Nothing to gain.
    assert fit([1, 2], [0, 0], selection="balanced").n_intervals_[0] == 1


# -- a budget of segments --------------------------------------------------------------


def test_quantiles_where_there_are_too_many_segments():
    values, y = blobs(3000)
    X = pd.DataFrame({"few": values.round(1), "many": values})
    exact = ClassEntropyDiscretizer(max_segments=None).fit(X, y)
    same(exact, ClassEntropyDiscretizer(max_segments=3000).fit(X, y))
    near = ClassEntropyDiscretizer(max_segments=100).fit(X, y)
    assert_array_equal(near.cut_points_[0], exact.cut_points_[0])
    # The entropy is that of its cut points; it can only be more, and is little more.
    codes = near.transform(X)[:, 1]
    path = near.entropy_path_[1]
    assert path[-1] == pytest.approx(entropy_of(codes, y, np.ones(3000)))
    assert (path >= exact.entropy_path_[1] - 1e-12).all()
    assert path[-1] - exact.entropy_path_[1][-1] < 0.03


# -- threads, order, interrupts --------------------------------------------------------


@pytest.mark.parametrize("selection", ["max", "mdl", "balanced"])
@pytest.mark.parametrize("least", [1, 0.07])
def test_results_do_not_depend_on_n_jobs_or_the_order_of_rows(selection, least):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[rng.random(X.shape) < 0.1] = -0.0
    y = rng.integers(0, 3, 300) + (X[:, 0] > 0)
    weight = rng.random(300)
    discretizer = ClassEntropyDiscretizer(
        selection=selection, min_samples_interval=least
    )
    one = discretizer.fit(X, y, weight)
    order = rng.permutation(300)
    for n_jobs in (None, 2):
        other = ClassEntropyDiscretizer(**discretizer.get_params())
        other.set_params(n_jobs=n_jobs).fit(X[order], y[order], weight[order])
        same(one, other)


@pytest.mark.slow_beyond(1)
@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs SIGALRM")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_interrupt(n_jobs):
    values, y = noise(100_000, n_classes=20)  # minutes
    X = np.column_stack([values, -values])
    fitted = ClassEntropyDiscretizer(n_jobs=n_jobs).fit(X[:100, :1], y[:100])
    before = fitted.cut_points_
    fitted.max_segments = None
    start = time.perf_counter()
    with interrupt_after(0.3), pytest.raises(KeyboardInterrupt):
        fitted.fit(X, y)
    assert time.perf_counter() - start < 10
    assert fitted.cut_points_ is before and fitted.n_features_in_ == 1
    # Nobody goes on.
    for _ in range(50):
        used = time.process_time()
        time.sleep(0.2)
        if time.process_time() - used < 0.05:
            return
    pytest.fail("a thread is still at work")


def test_a_fit_that_fails_changes_nothing():
    values, y = blobs(50)
    frame = pd.DataFrame({"a": values})
    fitted = ClassEntropyDiscretizer().fit(frame, y)
    before = fitted.transform(frame)
    for X, labels, weight in (
        (frame.assign(b=np.inf), y, None),
        (frame.to_numpy().repeat(2, axis=1), y, np.full(50, -1.0)),
        (frame.rename(columns={"a": "b"}), y + 0.5, None),
    ):
        with pytest.raises(ValueError):
            fitted.fit(X, labels, weight)
        assert_array_equal(fitted.transform(frame), before)
        assert fitted.feature_names_in_ == ["a"]


# -- labels ----------------------------------------------------------------------------


def test_labels_for_people():
    X, y = load_iris(return_X_y=True)
    fitted = ClassEntropyDiscretizer(max_intervals=3).fit(X, y)
    assert fitted.interval_labels_[3].tolist() == ["<= 0.8", "(0.8, 1.75]", "> 1.75"]
    assert fitted.interval_labels_[3].dtype == object
    assert fit([1, 1], [0, 1]).interval_labels_[0].tolist() == ["any value"]
    assert fit([1, 9], [0, 1]).interval_labels_[0].tolist() == ["<= 5", "> 5"]
    assert fit([1, 2], [0, 1]).interval_labels_[0].tolist() == ["<= 1.5", "> 1.5"]
    assert fit([-1, 1], [0, 1]).interval_labels_[0].tolist() == ["<= 0", "> 0"]


@pytest.mark.parametrize(
    "lower, upper, text",
    [
        (19, 30, "24"),
        (0.1, 1000, "500"),
        (1.7, 1.8, "1.75"),
        (0.1 + 0.2, 0.4, "0.35"),
        (123450, 123463, "123456"),
        (1e-9, 3e-9, "2e-9"),
        (-3e20, -1e20, "-2e+20"),
        (99.9, 100.3, "100.1"),
        (-1.8e308, 1.7e308, None),
        (1.0, np.nextafter(1.0, 2.0), "1"),
        (0.1, np.nextafter(0.1, 1.0), "0.1"),
    ],
)
def test_short_numbers(lower, upper, text):
    lower = max(lower, -1.7e308)
    below, above = fit([lower, upper], [0, 1]).interval_labels_[0]
    found = below.removeprefix("<= ")
    assert below == f"<= {found}" and above == f"> {found}"
    if text is not None:
        assert found == text
    assert lower <= float(found) < upper


def test_labels_tell_data_and_cut_points_apart():
    rng = np.random.default_rng(0)
    for _ in range(200):
        scale = 10.0 ** rng.integers(-12, 12)
        values = scale * (rng.normal(size=30) + 10.0 ** rng.integers(-3, 5))
        y = rng.integers(0, 2, 30)
        fitted = fit(values, y)
        labels = fitted.interval_labels_[0]
        assert len(set(labels)) == len(labels) == fitted.n_intervals_[0]
        numbers = [re.findall(r"-?\d[\d.e+-]*", label) for label in labels]
        ends = [float(found[-1]) for found in numbers[:-1]]
        for one, other in itertools.pairwise(numbers):
            assert one[-1] == other[0]
        codes = np.searchsorted(ends, values, side="left")
        assert_array_equal(codes, fitted.transform(values[:, None])[:, 0])


# -- the way back ----------------------------------------------------------------------


def test_representatives_are_weighted_medians():
    fitted = fit([1, 2, 3, 9, 10], [0, 0, 0, 1, 1])
    assert_array_equal(fitted.representatives_[0], [2, 9])
    fitted = fit([1, 2, 3, 9, 10], [0, 0, 0, 1, 1], [0.1, 0.1, 0.3, 0.1, 0.2])
    assert_array_equal(fitted.representatives_[0], [3, 10])
    rng = np.random.default_rng(0)
    for _ in range(50):
        values, y = rng.integers(0, 20, 60).astype(float), rng.integers(0, 2, 60)
        weight = rng.integers(1, 4, 60)
        fitted = fit(values, y, weight / 10)
        codes = fitted.transform(values[:, None])[:, 0]
        for i, found in enumerate(fitted.representatives_[0]):
            inside = np.repeat(values[codes == i], weight[codes == i])
            assert found == np.percentile(inside, 50, method="inverted_cdf")


@pytest.mark.filterwarnings("error")
def test_inverse_transform():
    frame = pd.DataFrame(
        {
            "width": [1.0, 2.0, np.nan, 8.0, 9.0],
            "fuel": ["gas", None, "gas", "diesel", "gas"],
            "empty": [np.nan] * 5,
        }
    )
    y = [0, 0, 1, 1, 1]
    for output in ("default", "pandas", "polars"):
        discretizer = ClassEntropyDiscretizer().set_output(transform=output)
        codes = discretizer.fit_transform(frame, y)
        back = discretizer.inverse_transform(codes)
        assert isinstance(back, np.ndarray) and back.dtype == object
        assert_array_equal(back[:, 0].astype(float), [1, 1, np.nan, 8, 8])
        assert back[[0, 2, 3, 4], 1].tolist() == ["gas", "gas", "diesel", "gas"]
        assert pd.isna(back[1, 1]) and pd.isna(back[:, 2]).all()
    assert discretizer.representatives_[1] is None
    assert np.isnan(discretizer.representatives_[2])

    X, y = load_iris(return_X_y=True)
    fitted = ClassEntropyDiscretizer().fit(X, y)
    codes = fitted.transform(X)
    back = fitted.inverse_transform(codes)
    assert back.dtype == np.float64
    assert_array_equal(fitted.transform(back), codes)
    assert np.isin(back[:, 0], X[:, 0]).all()
    as_frame = fitted.set_output(transform="pandas").transform(X)
    assert_array_equal(fitted.inverse_transform(as_frame), back)


@pytest.mark.parametrize("code", [-1, 2, 0.5, 1e300])
def test_codes_of_no_interval(code):
    fitted = fit([1, 2], [0, 1])
    with pytest.raises(
        ValueError, match="Column 0 must contain interval numbers 0 to 1; got"
    ):
        fitted.inverse_transform([[code]])
    with pytest.raises(ValueError, match="expecting 1 features"):
        fitted.inverse_transform([[0, 0]])


# -- what columns may hold -------------------------------------------------------------


def test_missing_is_missing_whether_or_not_there_was_some():
    values, y = blobs(50)
    whole = fit(values, y)
    gaps = fit(np.append(values, np.nan), np.append(y, 0))
    for name in ("cut_points_", "entropy_path_", "interval_labels_"):
        assert_array_equal(getattr(whole, name)[0], getattr(gaps, name)[0])
    rows = [[np.nan], [values[0]], [None]]
    assert_array_equal(whole.transform(rows), gaps.transform(rows))
    assert np.isnan(whole.transform(rows)[[0, 2], 0]).all()


def test_booleans_are_cut_if_named():
    X = np.array([[True], [False], [True], [True]])
    y = [1, 0, 1, 0]
    assert ClassEntropyDiscretizer().fit(X, y).cut_points_ == [None]
    for columns in ("all", [0], [True]):
        fitted = ClassEntropyDiscretizer(columns=columns).fit(X, y)
        assert_array_equal(fitted.cut_points_[0], [0.5])
        assert_array_equal(fitted.transform(X).ravel(), [1, 0, 1, 1])
        assert_array_equal(
            fitted.inverse_transform(fitted.transform(X)).ravel(), X.ravel()
        )
    with_gap = pd.DataFrame({"a": pd.array([True, False, None, True], "boolean")})
    fitted = ClassEntropyDiscretizer(columns=["a"]).fit(with_gap, y)
    assert_array_equal(fitted.transform(with_gap).ravel(), [1, 0, np.nan, 1])
    with_gap = pl.DataFrame({"a": [True, False, None, True]})
    assert_array_equal(fitted.transform(with_gap).ravel(), [1, 0, np.nan, 1])


CONTAINERS = {
    "float32": lambda v: v.astype(np.float32)[:, None],
    "float16": lambda v: v.astype(np.float16)[:, None],
    "Fortran order": lambda v: np.asfortranarray(np.column_stack([v, v])),
    "int8": lambda v: np.where(np.isnan(v), 7, v).astype(np.int8)[:, None],
    "Int64": lambda v: pd.DataFrame({"a": pd.array(v, "Int64")}),
    "UInt8": lambda v: pd.DataFrame({"a": pd.array(v, "UInt8")}),
    "Float64": lambda v: pd.DataFrame({"a": pd.array(v, "Float64")}),
    "arrow int64": lambda v: pd.DataFrame(
        {"a": pd.array(pd.array(v, "Int64"), pd.ArrowDtype(pa.int64()))}
    ),
    "arrow double": lambda v: pd.DataFrame(
        {"a": pd.array(pd.array(v, "Float64"), pd.ArrowDtype(pa.float64()))}
    ),
    "arrow decimal": lambda v: pd.DataFrame(
        {
            "a": pd.array(pd.array(v, "Int64"), pd.ArrowDtype(pa.int64())).astype(
                pd.ArrowDtype(pa.decimal128(30, 2))
            )
        }
    ),
    "polars Int16": lambda v: pl.DataFrame(
        {"a": pl.Series(v).fill_nan(None).cast(pl.Int16)}
    ),
    "polars Float32": lambda v: pl.DataFrame(
        {"a": pl.Series(v).fill_nan(None).cast(pl.Float32)}
    ),
    "polars Decimal": lambda v: pl.DataFrame(
        {"a": pl.Series(v).fill_nan(None).cast(pl.Decimal(10, 2))}
    ),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers(name):
    values = np.array([3, 1, np.nan, 4, 1, 5, 9, 2, 6, np.nan])
    y = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1]
    X = CONTAINERS[name](values)
    fitted = ClassEntropyDiscretizer().fit(X, y)
    out = fitted.transform(X)
    assert out.dtype == np.float64
    expected = np.where(np.isnan(values), np.nan, np.searchsorted([2.5, 7.5], values))
    if name == "int8":
        expected[np.isnan(values)] = 1
        assert_array_equal(fitted.cut_points_[0], [2.5, 8])
    else:
        assert_array_equal(fitted.cut_points_[0], [2.5, 7.5])
    assert_array_equal(out[:, 0], expected)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"selection": "least"}, "'selection'"),
        ({"min_samples_interval": 0}, "'min_samples_interval'"),
        ({"min_samples_interval": 1.0}, "'min_samples_interval'"),
        ({"min_samples_interval": 0.0}, "'min_samples_interval'"),
        ({"max_segments": 1}, "'max_segments'"),
        ({"n_jobs": "all"}, "'n_jobs'"),
    ],
)
def test_parameters_that_are_refused(parameters, message):
    with pytest.raises(ValueError, match=f"The {message} parameter of ClassEntropy"):
        fit([1.0, 2.0], [0, 1], **parameters)
