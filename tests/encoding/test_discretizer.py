"""ClassEntropyDiscretizer: its kernel, its columns, and its place in scikit-learn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
import pickle
import re
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from internals.encoding import multisplits, n_log_n
from joblib import dump, load
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import issparse
from scipy.special import entr
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)

# ----------------------------------------------------------------------------------
# References: slow, and written from the definition of average class entropy.


def interval_costs(counts):
    """Entropy times rows of segments i .. j-1, in bits, at [i, j]."""
    prefix = np.vstack([np.zeros(counts.shape[1]), counts.cumsum(axis=0)])
    inside = np.maximum(prefix[None] - prefix[:, None], 0)
    rows = inside.sum(axis=2, keepdims=True)
    shares = np.divide(inside, rows, out=np.zeros_like(inside), where=rows > 0)
    return rows[..., 0] * entr(shares).sum(axis=2) / np.log(2)


@cache
def partitions(n_segments, n_intervals):
    """All partitions, as borders 0 < ... < n_segments; the leftmost last cut first."""
    cuts = itertools.combinations(range(1, n_segments), n_intervals - 1)
    cuts = sorted(cuts, key=lambda cut: cut[::-1])
    return np.array([(0, *cut, n_segments) for cut in cuts])


def best_partitions(costs, n_intervals):
    """Least cost over all partitions, and the cuts that the tie rule chooses.

    Of some tables at once: costs has one interval a cell, as `interval_costs` has.
    """
    borders = partitions(costs.shape[1] - 1, n_intervals)
    totals = costs[:, borders[:, :-1], borders[:, 1:]].sum(axis=2)
    least = totals.min(axis=1)
    first = (totals <= least[:, None] + 1e-9).argmax(axis=1)
    return least, borders[first, 1:-1]


def best_partition(costs, n_intervals):
    """The same, of one table."""
    least, cuts = best_partitions(costs[None], n_intervals)
    return least[0], cuts[0]


def unpruned_costs(costs, max_intervals):
    """The dynamic programme without pruning: least cost of 1 .. max_intervals."""
    n_segments = len(costs) - 1
    reachable = np.where(
        np.arange(n_segments + 1)[:, None] < np.arange(n_segments + 1), costs, np.inf
    )
    best = reachable[0]
    found = [best[-1]]
    for _ in range(1, max_intervals):
        best = (best[:, None] + reachable).min(axis=0)
        found.append(best[-1])
    return np.array(found)


def run_kernel(counts, max_intervals, min_weight=0.0, whole=True):
    """Least cost, and cuts, of each arity that is possible."""
    counts = np.array(counts)
    counts.flags.writeable = False
    table = n_log_n(counts) if whole else np.empty(0)
    halted = np.zeros(1, dtype=np.uint8)
    found = multisplits(counts, max_intervals, min_weight, table, halted)
    assert all(starts[0] == 0 for starts in found.starts)
    return found.entropies * counts.sum(), [starts[1:] for starts in found.starts]


# ----------------------------------------------------------------------------------
# The kernel


KINDS = pytest.mark.parametrize("kind", ["counts", "sparse counts", "weights"])
N_TABLES = 2500  # of each kind


def small_tables(kind, seed):
    """Random tables of one shape at a time, for vectors of partitions."""
    rng = np.random.default_rng(seed)
    for _ in range(100):
        shape = N_TABLES // 100, rng.integers(1, 9), rng.integers(1, 5)
        if kind == "counts":
            counts = rng.integers(0, 6, size=shape).astype(float)
        elif kind == "sparse counts":  # many pure segments, and many ties
            counts = np.eye(shape[2])[rng.integers(shape[2], size=shape[:2])]
        else:
            counts = rng.exponential(size=shape) * (rng.random(shape) < 0.7)
        counts[counts.sum(axis=2) == 0, 0] = 1.0
        yield counts


@pytest.mark.slow_beyond(1)
@KINDS
def test_kernel_finds_the_optimum_of_every_arity(kind):
    # Over all partitions of all tables of one shape, with the rule for ties.
    for tables in small_tables(kind, 0):
        found = [run_kernel(counts, len(counts)) for counts in tables]
        costs = np.stack([interval_costs(counts) for counts in tables])
        for arity in range(1, tables.shape[1] + 1):
            best, cuts = best_partitions(costs, arity)
            assert_allclose([f[0][arity - 1] for f in found], best, atol=1e-9)
            assert_array_equal([f[1][arity - 1] for f in found], cuts)


@pytest.mark.slow_beyond(1)
@KINDS
def test_kernel_finds_the_optimum_of_intervals_that_are_heavy_enough(kind):
    rng = np.random.default_rng(1)
    some_are_possible = 0
    for tables in small_tables(kind, 1):
        prefix = np.pad(tables.sum(axis=2).cumsum(axis=1), [(0, 0), (1, 0)])
        least = prefix[:, -1] * rng.uniform(0.02, 0.6, len(tables))
        if kind != "weights":
            least = np.maximum(least.round(), 1.0)  # that ties count as heavy
        found = [run_kernel(*one) for one in zip(tables, [8] * len(tables), least)]
        weights = prefix[:, None] - prefix[:, :, None]
        light = weights < least[:, None, None] - 1e-9
        costs = np.stack([interval_costs(counts) for counts in tables])
        costs[light] = np.inf
        for arity in range(2, tables.shape[1] + 1):
            best, cuts = best_partitions(costs, arity)
            for (entropies, borders), least_cost, cut in zip(found, best, cuts):
                assert (len(entropies) >= arity) == np.isfinite(least_cost)
                if np.isfinite(least_cost):
                    some_are_possible += 1
                    assert entropies[arity - 1] == pytest.approx(least_cost, abs=1e-9)
                    assert_array_equal(borders[arity - 1], cut)
    assert some_are_possible > N_TABLES


@pytest.mark.parametrize("least", [0.0, 0.02, 0.08])
@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("signal", ["none", "shift", "pieces"])
def test_pruning_loses_nothing(n_classes, signal, least):
    rng = np.random.default_rng(1)
    position = np.arange(300)[:, None]
    classes = np.arange(n_classes)
    odds = {
        "none": np.ones((300, n_classes)),
        "shift": np.exp(classes * (position - 150) / 100),
        "pieces": np.where(position // 40 % n_classes == classes, 10.0, 1.0),
    }[signal]
    for scale in (1.0, 0.1, 1e6):
        drawn = [rng.multinomial(rng.integers(1, 4), row / row.sum()) for row in odds]
        counts = scale * np.array(drawn)
        weight = np.concatenate([[0.0], counts.sum(axis=1).cumsum()])
        costs = interval_costs(counts)
        costs[weight - weight[:, None] < (least - 1e-9) * weight[-1]] = np.inf
        for whole in (True, False):
            found, cuts = run_kernel(counts, 12, least * weight[-1], whole)
            assert len(found) == 12
            assert_allclose(found, unpruned_costs(costs, 12), rtol=1e-10)
        for total, cut in zip(found, cuts):
            borders = np.array([0, *cut, len(counts)])
            assert (np.diff(borders) > 0).all()
            assert_allclose(costs[borders[:-1], borders[1:]].sum(), total, rtol=1e-10)


def test_kernel_can_be_halted():
    counts = np.eye(2)[np.arange(3000) % 2]
    with pytest.raises(RuntimeError, match="halted"):
        multisplits(counts, 10, 0.0, np.empty(0), np.ones(1, dtype=np.uint8))


def test_pure_intervals_cost_exactly_nothing():
    counts = np.array([[0.1, 0.0], [0.0, 0.7], [0.3, 0.0]])
    found, _ = run_kernel(counts, 3)
    assert found[2] == 0.0


# ----------------------------------------------------------------------------------
# Cut points


def cut(values, y, max_intervals=5, sample_weight=None):
    """Fit one column."""
    X = np.asarray(values)[:, None]
    discretizer = ClassEntropyDiscretizer(max_intervals=max_intervals)
    return discretizer.fit(X, y, sample_weight=sample_weight)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, np.asarray])
def test_one_hot_columns_are_those_of_ordinal_codes(frame):
    X = pd.DataFrame({"a": [1.0, 2, 3, 4, np.nan, 6], "b": [5, 5, 5, 1, 1, 1]})
    y = [0, 0, 1, 1, 0, 0]
    codes = ClassEntropyDiscretizer(columns=[0]).fit(X, y).transform(X)
    expected = np.column_stack([codes[:, [0]] == np.arange(3), codes[:, 1]])
    names = ["a_0.0", "a_1.0", "a_2.0", "b"]
    given = frame(X)
    if frame is np.asarray:
        names = [name.replace("a", "x0").replace("b", "x1") for name in names]
    for encode in ("onehot", "onehot-dense"):
        cut = ClassEntropyDiscretizer(columns=[0], encode=encode).fit(given, y)
        found = cut.transform(given)
        assert issparse(found) == (encode == "onehot")
        found = found.toarray() if issparse(found) else found
        assert_array_equal(found, expected)
        assert cut.get_feature_names_out().tolist() == names
        values = ClassEntropyDiscretizer(columns=[0]).fit(X, y).inverse_transform(codes)
        assert_array_equal(cut.inverse_transform(found), values)
    table = cut.set_output(transform="pandas").transform(given)
    assert list(table) == names
    words = X.assign(b=list("uvwxyz"))
    mixed = cut.set_output(transform="default").fit(words, y).transform(words)
    assert mixed[:, 3].tolist() == list("uvwxyz")
    with pytest.raises(ValueError, match=r"others in column 'b'.*onehot-dense"):
        cut.set_params(encode="onehot").fit(words, y).transform(words)
    with pytest.raises(ValueError, match="X must have 4 columns; got 2"):
        cut.inverse_transform(X)


def test_a_table_of_bins():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": "word"})
    y = np.where(X["a"] + rng.normal(size=200) > 0, "q", "p")
    X.loc[:9, "a"] = np.nan
    weights = rng.integers(0, 3, 200)
    cut = ClassEntropyDiscretizer(max_intervals=3).fit(X, y)
    table = cut.bin_table(X, y, weights)
    assert table["bin"].tolist() == [*cut.interval_labels_[0], "missing"]
    assert set(table["feature"]) == {"a"}
    codes = np.nan_to_num(cut.transform(X)[:, 0].astype(float), nan=3.0)
    share = {c: weights[y == c].sum() for c in "pq"}
    for i, row in table.iterrows():
        inside = codes == i
        q, p = (weights[inside & (y == c)].sum() for c in "qp")
        assert row["count"] == q + p
        assert row["share of q"] == pytest.approx(q / (q + p))
        more, less = q / share["q"], p / share["p"]
        assert row["woe"] == pytest.approx(np.log(more / less))
        assert row["iv"] == pytest.approx((more - less) * np.log(more / less))
    three = cut.bin_table(X, np.arange(200) % 3)
    assert {"share of 2", "woe of 2", "iv of 0"} < set(three)
    pure = ClassEntropyDiscretizer().fit([[0.0], [1.0]], [0, 1])
    assert np.isfinite(pure.bin_table([[0.0], [1.0]], [0, 1])["woe"]).all()


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_fit_finds_the_fewest_intervals_of_least_entropy(weighted):
    rng = np.random.default_rng(2)
    for _ in range(100):
        n_samples = rng.integers(1, 25)
        values = rng.integers(0, 8, size=n_samples)
        y = rng.integers(0, 3, size=n_samples)
        weight = rng.integers(1, 4, n_samples) / 10 if weighted else np.ones(n_samples)
        distinct, bins = np.unique(values, return_inverse=True)
        counts = np.zeros((len(distinct), 3))
        np.add.at(counts, (bins, y), weight)
        costs = interval_costs(counts)
        best = [best_partition(costs, k)[0] for k in range(1, len(distinct) + 1)]
        for max_intervals in (2, 3, 5, 20):
            fitted = cut(values, y, max_intervals, weight if weighted else None)
            least = best[:max_intervals][-1]
            fewest = 1 + next(k for k, c in enumerate(best) if c <= least + 1e-9)
            assert fitted.n_intervals_[0] == fewest
            assert fitted.average_class_entropy_[0] == pytest.approx(
                least / weight.sum(), abs=1e-9
            )
            # The entropy is that of the intervals into which the rows really fall.
            codes = fitted.transform(values[:, None])[:, 0].astype(int)
            table = np.zeros((fewest, 3))
            np.add.at(table, (codes, y), weight)
            assert (table.sum(axis=1) > 0).all()
            spread = interval_costs(table)[range(fewest), range(1, fewest + 1)].sum()
            assert spread == pytest.approx(least, abs=1e-9)


def test_cut_points_lie_midway_and_belong_to_the_interval_below():
    fitted = cut([1, 2, 4, 4, 7, 11], list("aabbcc"))
    assert_array_equal(fitted.cut_points_[0], [3.0, 5.5])
    assert fitted.cut_points_[0].dtype == np.float64
    assert fitted.n_intervals_.tolist() == [3]
    assert fitted.average_class_entropy_.tolist() == [0.0]
    codes = fitted.transform([[-1e9], [3.0], [np.nextafter(3, 4)], [5.5], [5.6], [1e9]])
    assert codes.ravel().tolist() == [0, 0, 1, 1, 2, 2]
    assert codes.dtype == np.float64


def test_average_class_entropy_is_in_bits():
    fitted = cut([1, 1, 2, 2], [0, 1, 0, 1])
    assert fitted.average_class_entropy_[0] == pytest.approx(1.0)
    assert fitted.n_intervals_[0] == 1


def test_ties_go_to_fewer_intervals_then_to_the_leftmost_cut():
    # One cut leaves the same entropy on either side of the lone 1.
    assert_array_equal(cut([0, 1, 2], [0, 1, 0], 2).cut_points_[0], [0.5])
    # Two values of one distribution need no cut between them.
    assert_array_equal(
        cut([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 1, 1]).cut_points_[0], [1.5]
    )


def test_fewer_distinct_values_than_intervals():
    fitted = cut([3, 3, 8], [0, 1, 1], max_intervals=50)
    assert_array_equal(fitted.cut_points_[0], [5.5])


@pytest.mark.parametrize(
    "values, y",
    [([5, 5, 5], [0, 1, 0]), ([1, 2, 3], [7, 7, 7]), ([np.nan, 2, np.nan], [0, 1, 1])],
    ids=["constant", "one class", "one value"],
)
def test_one_interval(values, y):
    fitted = cut(values, y)
    assert fitted.cut_points_[0].shape == (0,)
    assert fitted.n_intervals_[0] == 1
    codes = fitted.transform([[-10.0], [np.nan], [10.0]])
    assert_array_equal(codes, [[0], [np.nan], [0]])


def test_objects_that_are_all_missing_are_no_numbers():
    # What they will be is not known; numbers that are missing for once still are.
    X = np.array([[None, 1.0], [None, 2.0], [np.nan, 8.0], [None, 9.0]], dtype=object)
    discretizer = ClassEntropyDiscretizer().fit(X, [0, 0, 1, 1])
    assert discretizer.cut_points_[0] is None and len(discretizer.cut_points_[1])
    later = np.array([["text", 1.5], [3.5, None]], dtype=object)
    assert discretizer.transform(later)[:, 0].tolist() == ["text", 3.5]
    once = discretizer.transform(np.array([[None, None]], dtype=object))
    assert np.isnan(once[0, 1])
    chosen = ClassEntropyDiscretizer(columns="all").fit(X, [0, 0, 1, 1])
    assert len(chosen.cut_points_[0]) == 0


def test_missing_values_are_left_out_and_stay_missing():
    values = np.array([np.nan, 1, 2, np.nan, 3, 4, np.nan])
    y = [1, 0, 0, 0, 1, 1, 0]
    fitted = cut(values, y)
    assert_array_equal(fitted.cut_points_[0], [2.5])
    assert fitted.average_class_entropy_[0] == 0.0
    codes = fitted.transform(values[:, None]).ravel()
    assert_array_equal(codes, [np.nan, 0, 0, np.nan, 1, 1, np.nan])


def test_column_without_a_value():
    fitted = cut([np.nan, np.nan], [0, 1])
    assert fitted.n_intervals_[0] == 1
    assert np.isnan(fitted.average_class_entropy_[0])
    assert_array_equal(fitted.transform([[1.0], [np.nan]]), [[0], [np.nan]])


@pytest.mark.parametrize(
    "lower",
    [0.0, 1.0, np.nextafter(1, 0), -1.0, 5e-324, -5e-324, 0.1, 1e308, -1e-310],
)
def test_adjacent_floats_are_told_apart(lower):
    upper = np.nextafter(lower, np.inf)
    fitted = cut([lower, upper], [0, 1])
    assert_array_equal(fitted.cut_points_[0], [lower])
    assert_array_equal(fitted.transform([[lower], [upper]]), [[0], [1]])


def test_midpoints_do_not_overflow():
    fitted = cut([-1.7e308, 1.5e308, 1.7e308], [0, 1, 0])
    assert_allclose(fitted.cut_points_[0], [-1e307, 1.6e308])


def test_float32_rows_fall_where_they_were_counted():
    values = np.float32([1, np.nextafter(np.float32(1), np.float32(2)), 16777216])
    fitted = cut(values, [0, 1, 0])
    assert_array_equal(fitted.transform(values[:, None]).ravel(), [0, 1, 2])
    assert values[0] < fitted.cut_points_[0][0] < values[1]


def test_iris():
    X, y = load_iris(return_X_y=True)
    fitted = ClassEntropyDiscretizer(max_intervals=3).fit(X, y)
    assert_allclose(fitted.cut_points_[2], [2.45, 4.75])
    assert_allclose(fitted.cut_points_[3], [0.8, 1.75])
    # Of 54 rows with a petal width of 0.8 to 1.75, 49 are versicolor; 45 of 46 above.
    middle = interval_costs(np.array([[49.0, 5.0]]))[0, 1]
    high = interval_costs(np.array([[1.0, 45.0]]))[0, 1]
    assert_allclose(fitted.average_class_entropy_[3], (middle + high) / 150)


# ----------------------------------------------------------------------------------
# Weights


def test_weights_are_repeats_and_zero_weight_rows_do_not_exist():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.choice(list("abc"), 60)
    weight = rng.integers(0, 4, 60)
    weighted = ClassEntropyDiscretizer().fit(X, y, sample_weight=weight)
    repeated = ClassEntropyDiscretizer().fit(X.repeat(weight, 0), y.repeat(weight))
    for one, other in zip(weighted.cut_points_, repeated.cut_points_):
        assert_array_equal(one, other)
    assert_allclose(weighted.average_class_entropy_, repeated.average_class_entropy_)


@pytest.mark.slow_beyond(2)
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [0.1, 1 / 3, 1e-9, 1e9, 1e-322, 5e307])
def test_cut_points_do_not_depend_on_the_scale_of_the_weights(scale):
    rng = np.random.default_rng(4)
    for _ in range(20):
        X = rng.integers(0, 12, size=(80, 2))  # coarse, so that ties abound
        y = rng.integers(0, 3, 80)
        weight = rng.integers(1, 4, 80)
        plain = ClassEntropyDiscretizer().fit(X, y, sample_weight=weight)
        scaled = ClassEntropyDiscretizer().fit(X, y, sample_weight=weight * scale)
        for one, other in zip(plain.cut_points_, scaled.cut_points_):
            assert_array_equal(one, other)
        assert_allclose(plain.average_class_entropy_, scaled.average_class_entropy_)


@pytest.mark.filterwarnings("error")
def test_weights_have_a_scale_where_rows_are_counted():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 12, size=(200, 1))
    y = rng.integers(0, 2, 200) + (X[:, 0] > 6)
    for setting in ({"selection": "mdl"}, {"min_samples_interval": 20}):
        discretizer = ClassEntropyDiscretizer(**setting)
        whole = discretizer.fit(X, y).cut_points_[0]
        halves = discretizer.fit(X.repeat(2, axis=0), y.repeat(2), np.full(400, 0.5))
        assert_array_equal(halves.cut_points_[0], whole)
        assert discretizer.fit(X, y, np.full(200, 1e-322)).n_intervals_ == [1]
        heavy = discretizer.fit(X, y, np.full(200, 1e307)).n_intervals_
        assert heavy == ClassEntropyDiscretizer().fit(X, y).n_intervals_


# ----------------------------------------------------------------------------------
# Columns and containers


MIXED = {
    "width": [1.0, 2.0, np.nan, 3.0, 4.0, 5.0],
    "doors": [2, 2, 4, 4, 4, 5],
    "fuel": ["gas", "gas", None, "diesel", "diesel", "gas"],
    "turbo": [True, False, False, True, True, True],
}
MIXED_Y = ["cheap", "cheap", "dear", "dear", "dear", "dear"]
MIXED_CODES = [0, 0, np.nan, 1, 1, 1]


def pandas_frame():
    frame = pd.DataFrame(MIXED, index=list("uvwxyz"))
    frame["rating"] = pd.Series([1, None, 2, 3, 3, 3], dtype="Int64", index=frame.index)
    frame["price"] = frame["width"].astype("Float32")
    frame["grade"] = pd.Categorical([1, 1, 2, None, 2, 2])
    frame["sold"] = pd.Series([True, None] * 3, dtype="boolean", index=frame.index)
    frame["maker"] = pd.Series(["x", None] * 3, dtype="string", index=frame.index)
    return frame


def polars_frame():
    return pl.DataFrame(MIXED, nan_to_null=True).with_columns(
        pl.Series("rating", [1, None, 2, 3, 3, 3]),
        pl.Series("price", MIXED["width"], dtype=pl.Float32),
        pl.Series("grade", ["1", "1", "2", None, "2", "2"], dtype=pl.Categorical),
        pl.Series("sold", [True, None] * 3),
        pl.Series("maker", ["x", None] * 3, dtype=pl.Enum(["x", "y"])),
    )


FRAMES = pytest.mark.parametrize("frame", [pandas_frame(), polars_frame()], ids=type)
NUMERIC = ["width", "doors", "rating", "price"]


@FRAMES
def test_numeric_columns_of_a_frame_are_cut_and_the_others_untouched(frame):
    fitted = ClassEntropyDiscretizer().fit(frame, MIXED_Y)
    assert fitted.feature_names_in_.tolist() == list(frame.columns)
    is_cut = [points is not None for points in fitted.cut_points_]
    assert is_cut == [name in NUMERIC for name in frame.columns]
    assert_array_equal(fitted.n_intervals_ > 0, is_cut)
    assert_array_equal(np.isnan(fitted.average_class_entropy_), np.logical_not(is_cut))
    assert_array_equal(fitted.cut_points_[0], [2.5])

    out = fitted.transform(frame)
    assert isinstance(out, np.ndarray) and out.dtype == object
    assert_array_equal(out[:, 0].astype(float), MIXED_CODES)
    for j, name in enumerate(frame.columns):
        if name not in NUMERIC:
            original = frame[name].to_list()
            for one, other in zip(out[:, j], original):
                assert pd.isna(one) if pd.isna(other) else one == other


@FRAMES
def test_output_frame_keeps_the_dtype_of_untouched_columns(frame):
    library = type(frame).__module__.split(".")[0]
    discretizer = ClassEntropyDiscretizer().set_output(transform=library)
    before = frame.copy() if library == "pandas" else frame.clone()
    out = discretizer.fit_transform(frame, MIXED_Y)
    assert isinstance(out, type(frame))
    assert list(out.columns) == list(frame.columns)
    for name in frame.columns:
        if name in NUMERIC:
            assert str(out[name].dtype).lower() == "float64"
        else:
            assert out[name].dtype == frame[name].dtype
            assert out[name].equals(frame[name])
    assert_array_equal(out["width"].to_numpy(), MIXED_CODES)
    assert frame.equals(before)
    if library == "pandas":
        assert out.index.equals(frame.index)


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_output_frame_of_another_library_or_an_array(output):
    names = ["width", "doors", "fuel", "turbo"]
    frame = polars_frame() if output == "pandas" else pandas_frame()
    frame = frame[names]
    array = np.array([*zip(*MIXED.values())], dtype=object)
    for X in (frame, array, array.tolist()):
        discretizer = ClassEntropyDiscretizer().set_output(transform=output)
        out = discretizer.fit_transform(X, MIXED_Y)
        assert type(out).__module__.startswith(output)
        assert_array_equal(out.columns, discretizer.get_feature_names_out())
        out = [out[name] for name in out.columns]
        assert_array_equal(out[0].to_numpy(), MIXED_CODES)
        assert str(out[1].dtype).lower() == "float64"
        assert [None if pd.isna(v) else v for v in out[2]] == MIXED["fuel"]
        assert [bool(v) for v in out[3]] == MIXED["turbo"]


@pytest.mark.parametrize("dtype", [">f8", "longdouble", "float16", ">i4"])
def test_output_frame_of_an_array_of_any_dtype(dtype):
    X = np.array([[1], [2], [4], [5]], dtype=dtype)
    for output in ("pandas", "polars"):
        discretizer = ClassEntropyDiscretizer().set_output(transform=output)
        out = discretizer.fit_transform(X, [0, 0, 1, 1])
        assert_array_equal(out.to_numpy(), [[0], [0], [1], [1]])


def test_frame_of_numbers_gives_a_float_array():
    frame = pandas_frame()[NUMERIC]
    out = ClassEntropyDiscretizer().fit_transform(frame, MIXED_Y)
    assert out.dtype == np.float64
    out = ClassEntropyDiscretizer(columns=["width"]).fit_transform(frame, MIXED_Y)
    assert out.dtype == np.float64
    assert_array_equal(out[:, 1], MIXED["doors"])


@pytest.mark.parametrize("as_list", [False, True])
def test_arrays_of_objects(as_list):
    X = np.array(
        [
            [1, "1.5", None, True, 1.5],
            [2.5, "b", np.nan, False, pd.NA],
            [np.float32(3), np.nan, pd.NA, True, 2],
        ],
        dtype=object,
    )
    X = X.tolist() if as_list else X
    fitted = ClassEntropyDiscretizer().fit(X, [0, 0, 1])
    # A column without a value could be anything; it is left alone.
    assert fitted.n_intervals_.tolist() == [2, 0, 0, 0, 2]
    out = fitted.transform(X)
    assert out[:, 0].tolist() == [0.0, 0.0, 1.0]
    assert out[:, 1].tolist()[:2] == ["1.5", "b"] and np.isnan(out[2, 1])
    assert out[:, 3].tolist() == [True, False, True]
    assert_array_equal(out[:, 4].astype(float), [0, np.nan, 1])


@pytest.mark.parametrize(
    "columns",
    [
        *(["width", "price"], [0, 5], ["width", 5], [5, 0, 5], range(0, 9, 5)),
        *(pd.Index(["width", "price"]), pl.Series([0, 5]), np.array([0, 5], "u1")),
        *(np.arange(9) % 5 == 0, (np.arange(9) % 5 == 0).astype(object)),
        *(pd.array(np.arange(9) % 5 == 0, "boolean"), (np.arange(9) % 5 == 0).tolist()),
    ],
)
@FRAMES
def test_chosen_columns(frame, columns):
    fitted = ClassEntropyDiscretizer(columns=columns).fit(frame, MIXED_Y)
    is_cut = [points is not None for points in fitted.cut_points_]
    assert_array_equal(np.flatnonzero(is_cut), [0, 5])


def test_no_column_chosen():
    frame = pandas_frame()
    discretizer = ClassEntropyDiscretizer(columns=[]).set_output(transform="pandas")
    assert discretizer.fit_transform(frame, MIXED_Y).equals(frame)


@pytest.mark.parametrize(
    "columns, message",
    [
        ("all", "selects column 'fuel' .* not all numbers"),
        (["fuel"], "`columns`=['fuel'] selects column 'fuel'"),
        (["grade"], "selects column 'grade'"),
        (["widht"], "'widht', which is not a column of X (did you mean 'width'?)"),
        ([9], "`columns` must contain names, or positions from 0 to 8; got 9"),
        ([-1], "`columns` must contain .*positions .* got -1"),
        ([True, False], "must be a mask of length 9, .* got length 2"),
        ([True, 1], "must contain names, or positions .* got True"),
        ([[0, 1]], "or one-dimensional; got [[0, 1]]"),
        (np.array(0), "or one-dimensional; got array(0)"),
        ({"width"}, "or one-dimensional; got {'width'}"),
        ([0.5], "`columns` must contain names, or positions .* got 0.5"),
        ("some", "The 'columns' parameter of ClassEntropyDiscretizer must be"),
    ],
)
@FRAMES
def test_columns_that_cannot_be_cut(frame, columns, message):
    pattern = re.escape(message).replace(r"\.\*", ".*").replace(r"\ ", " ")
    with pytest.raises(ValueError, match=pattern):
        ClassEntropyDiscretizer(columns=columns).fit(frame, MIXED_Y)


def test_names_need_a_frame():
    with pytest.raises(ValueError, match="contains 'a', which is not a column of X"):
        ClassEntropyDiscretizer(columns=["a"]).fit([[1.0], [2.0]], [0, 1])


def test_column_that_is_no_longer_numeric():
    fitted = ClassEntropyDiscretizer().fit(pd.DataFrame({"a": [1, 2]}), [0, 1])
    with pytest.raises(ValueError, match=r"column 'a' .* not all numbers"):
        fitted.transform(pd.DataFrame({"a": ["x", "y"]}))
    # No value at all is another matter.
    out = fitted.transform(pd.DataFrame({"a": [None, None]}))
    assert_array_equal(out, [[np.nan], [np.nan]])


def test_mixed_table_in_a_pipeline():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, 200)
    frame = pd.DataFrame(
        {
            "length": np.where(rng.random(200) < 0.1, np.nan, y + rng.normal(size=200)),
            "colour": np.array(["red", "green", "blue"])[
                (y + (rng.random(200) < 0.3)) % 3
            ],
        }
    )
    frame.loc[::17, "colour"] = None
    encoder = OrdinalEncoder(encoded_missing_value=9)
    for output in ("default", "pandas", "polars"):
        discretizer = ClassEntropyDiscretizer().set_output(transform=output)
        model = make_pipeline(discretizer, encoder, CategoricalNB(min_categories=10))
        search = GridSearchCV(model, {"classentropydiscretizer__max_intervals": [2, 4]})
        assert search.fit(frame, y).best_score_ > 0.7


# ----------------------------------------------------------------------------------
# Refusals


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@FRAMES
def test_infinity_is_refused_by_name(frame, value):
    fitted = ClassEntropyDiscretizer().fit(frame, MIXED_Y)
    widths = [value, *MIXED["width"][1:]]
    if isinstance(frame, pd.DataFrame):
        frame = frame.assign(width=widths)
    else:
        frame = frame.with_columns(width=pl.Series(widths))
    message = "Input X contains infinity .* in column 'width'"
    with pytest.raises(ValueError, match=message):
        ClassEntropyDiscretizer().fit(frame, MIXED_Y)
    with pytest.raises(ValueError, match=message):
        fitted.transform(frame)


def test_infinity_in_an_array_is_refused_by_position():
    with pytest.raises(ValueError, match=r"Input X contains infinity .* in column 1"):
        ClassEntropyDiscretizer().fit([[0.0, 1.0], [1.0, np.inf]], [0, 1])


@pytest.mark.parametrize(
    "X, message",
    [
        ([1.0, 2.0], "Expected 2D array, got 1D array instead"),
        (np.empty((0, 2)), r"Found array with 0 sample\(s\) \(shape=\(0, 2\)\)"),
        (np.empty((2, 0)), r"0 feature\(s\) \(shape=\(2, 0\)\) while a minimum of 1"),
        (pd.DataFrame(np.empty((0, 2))), r"Found array with 0 sample\(s\)"),
        (pl.DataFrame(schema={"a": pl.Int64}), r"Found array with 0 sample\(s\)"),
        (np.array([[1j], [2]]), "Complex data not supported"),
        ([[1j], [2]], "Complex data not supported"),
        (pd.DataFrame({"a": [1j, 2]}), "Complex data not supported"),
        (pd.DataFrame({"a": [1, 2, 3]}), "inconsistent numbers of samples"),
    ],
)
def test_tables_that_are_refused(X, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ClassEntropyDiscretizer().fit(X, [0, 1])


@pytest.mark.parametrize(
    "y, message",
    [
        (None, "requires y to be passed, but the target y is None"),
        ([0.5, 1.5, 2.5, 0.1, 7.2, 3.3], "Unknown label type: continuous"),
        ([0, 1, 0, 1, 0, np.nan], "contains NaN"),
    ],
)
def test_labels_that_are_refused(y, message):
    for X in (pandas_frame(), polars_frame(), np.arange(6.0)[:, None]):
        with pytest.raises(ValueError, match=message):
            ClassEntropyDiscretizer().fit(X, y)


def test_labels_of_any_container():
    X = pandas_frame()
    expected = ClassEntropyDiscretizer().fit(X, MIXED_Y)
    for y in (pd.Series(MIXED_Y), pl.Series(MIXED_Y), np.array(MIXED_Y, dtype=object)):
        fitted = ClassEntropyDiscretizer().fit(X, y)
        assert_array_equal(fitted.cut_points_[0], expected.cut_points_[0])


@pytest.mark.parametrize(
    "weight, message",
    [
        ([1, -1], "Negative values"),
        ([0, 0], "non-zero"),
        ([1, 2, 3], "sample_weight.shape"),
    ],
)
def test_weights_that_are_refused(weight, message):
    with pytest.raises(ValueError, match=message):
        ClassEntropyDiscretizer().fit([[1.0], [2.0]], [0, 1], sample_weight=weight)


@pytest.mark.parametrize("max_intervals", [1, 2.5, None])
def test_max_intervals_that_are_refused(max_intervals):
    with pytest.raises(ValueError, match="The 'max_intervals' parameter"):
        cut([1.0, 2.0], [0, 1], max_intervals)


# ----------------------------------------------------------------------------------
# The scikit-learn contract


@parametrize_with_checks(
    [
        ClassEntropyDiscretizer(),
        ClassEntropyDiscretizer(max_intervals=2, columns="all"),
        ClassEntropyDiscretizer(columns=[0]),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "check",
    [
        "check_dataframe_column_names_consistency",
        "check_get_feature_names_out_error",
        "check_global_output_transform_pandas",
        "check_global_set_output_transform_polars",
        "check_inplace_ensure_writeable",
        "check_param_validation",
        "check_set_output_transform",
        "check_set_output_transform_pandas",
        "check_set_output_transform_polars",
        "check_transformer_get_feature_names_out",
        "check_transformer_get_feature_names_out_pandas",
    ],
)
def test_scikit_learn_checks_outside_the_generator(check):
    name = ClassEntropyDiscretizer.__name__
    getattr(estimator_checks, check)(name, ClassEntropyDiscretizer())


def test_pickle_and_read_only_memory_map(tmp_path):
    frame = pandas_frame()
    fitted = ClassEntropyDiscretizer().fit(frame, MIXED_Y)
    dump(fitted, tmp_path / "fitted.joblib")
    for copy in (
        pickle.loads(pickle.dumps(fitted)),
        load(tmp_path / "fitted.joblib", mmap_mode="r"),
    ):
        assert_array_equal(copy.transform(frame)[:, 0].astype(float), MIXED_CODES)

    X, y = load_iris(return_X_y=True)
    dump((X, y, np.ones(150)), tmp_path / "iris.joblib")
    mapped = ClassEntropyDiscretizer().fit(
        *load(tmp_path / "iris.joblib", mmap_mode="r")
    )
    for one, other in zip(mapped.cut_points_, clone(mapped).fit(X, y).cut_points_):
        assert_array_equal(one, other)


def test_weights_are_routed():
    X, y = load_iris(return_X_y=True)
    weight = np.arange(150) % 2
    with sklearn.config_context(enable_metadata_routing=True):
        discretizer = ClassEntropyDiscretizer().set_fit_request(sample_weight=True)
        model = make_pipeline(discretizer, CategoricalNB(min_categories=5))
        model[-1].set_fit_request(sample_weight=False)
        model.fit(X, y, sample_weight=weight)
    direct = ClassEntropyDiscretizer().fit(X[1::2], y[1::2])
    for one, other in zip(model[0].cut_points_, direct.cut_points_):
        assert_array_equal(one, other)


@pytest.mark.parametrize(
    "wrong",
    [
        {"selection": "mdlp"},
        {"max_intervals": 1},
        {"min_samples_interval": 2.5},
        {"max_segments": 1},
        {"columns": "few"},
    ],
)
def test_classifiers_validate_a_given_discretizer(wrong):
    X, y = np.arange(60.0).reshape(-1, 2), np.arange(30) % 2
    discretizer = ClassEntropyDiscretizer(**wrong)
    (name,) = wrong
    for estimator in (
        DNFWinnowClassifier(discretizer=discretizer),
        BayesianInteractionClassifier(discretizer=discretizer),
    ):
        with pytest.raises(ValueError, match=f"'{name}' parameter of ClassEntropy"):
            estimator.fit(X, y)
