"""Inverse transforms: literals behind transformers hold on the table before them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from math import inf, nan
from random import Random

import numpy as np
import pandas as pd
import pytest
from draws import Draws
from internals.inspection import (
    CategoricalPreimage,
    NumericPreimage,
    TermDecoder,
)
from literal_checks import check, every_literal, frame, labels, quick
from made_up_pipelines import read_pipelines
from numpy.testing import assert_array_equal
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.frozen import FrozenEstimator
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

from sklearn_dnfwinnow import ClassEntropyDiscretizer
from sklearn_dnfwinnow.inspection import explain, terms, to_dnf
from sklearn_dnfwinnow.rules import DNF

pytestmark = pytest.mark.filterwarnings("ignore:.*distinct values")


def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.columns = ["a", "b", "c", "d"]
    return X, y


def half(X):
    return X / 2


def twice(X):
    return 2 * X


def turned(X):
    return 7 - X


def centred(X):
    return X - X.mean(axis=0)


def first_column_everywhere(X):
    return X * 0 + np.asarray(X)[:, :1]


# -- which transformers ----------------------------------------------------------------

CUT = ClassEntropyDiscretizer(max_intervals=4)
OF_NUMBERS = {
    "standard": [StandardScaler()],
    "minmax": [MinMaxScaler((-2, 5))],
    "maxabs": [MaxAbsScaler()],
    "robust": [RobustScaler()],
    "power": [PowerTransformer(), CUT],
    "quantile": [QuantileTransformer(n_quantiles=20), CUT],
    "normal": [
        QuantileTransformer(n_quantiles=20, output_distribution="normal"),
        CUT,
    ],
    "bins": [KBinsDiscretizer(5, encode="ordinal")],
    "one-hot bins": [KBinsDiscretizer(5, encode="onehot-dense")],
    "scaled bins": [StandardScaler(), KBinsDiscretizer(5, encode="ordinal")],
    "binarizer": [StandardScaler(), Binarizer(threshold=0.3)],
    "logarithm": [FunctionTransformer(np.log1p), CUT],
    "root": [StandardScaler(), FunctionTransformer(np.sqrt), CUT],
    "function": [FunctionTransformer(half, twice, check_inverse=True), CUT],
    "turned": [FunctionTransformer(turned, turned, check_inverse=True), CUT],
    "negative": [FunctionTransformer(np.negative, np.negative), StandardScaler(), CUT],
    "cut twice": [CUT, ClassEntropyDiscretizer(max_intervals=3)],
    "scaled numbers of intervals": [CUT, StandardScaler()],
    "imputer": [SimpleImputer(strategy="median"), StandardScaler(), CUT],
    "indicator": [SimpleImputer(add_indicator=True), CUT],
    "frozen": [FrozenEstimator(StandardScaler()), CUT],
    "nested": [make_pipeline(SimpleImputer(), make_pipeline(StandardScaler())), CUT],
    "selected": [StandardScaler(), VarianceThreshold(), CUT, SelectKBest(k=2)],
    "one-hot intervals": [CUT, OneHotEncoder(sparse_output=False)],
    "other gaps": [SimpleImputer(missing_values=5.0, strategy="most_frequent"), CUT],
}


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("output", ["default", "pandas"])
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_transformers_of_numbers_go_back(name, output):
    X, y = iris()
    if name in ("imputer", "indicator", "nested"):
        X.iloc[::7, 1] = nan
    for step in OF_NUMBERS[name]:
        if isinstance(step, FrozenEstimator):
            step.estimator.fit(X)
    model = make_pipeline(*OF_NUMBERS[name], quick(literals="ordered"))
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore")
        model.set_output(transform=output).fit(X, y)
        random = np.random.default_rng(0)
        new = pd.DataFrame(random.uniform(0, 9, (80, 4)).round(1), columns=X.columns)
        decoder = check(model, X, new)
    assert decoder.n_opaque == 0 and decoder.transformed_by == ()
    assert decoder.table_features == ("a", "b", "c", "d")


OF_WORDS = {
    "ordinal": OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2
    ),
    "unknown is missing": OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=nan
    ),
    "few ordinal": OrdinalEncoder(
        max_categories=3, handle_unknown="use_encoded_value", unknown_value=9
    ),
    "one-hot": OneHotEncoder(sparse_output=False, handle_unknown="ignore"),
    "dropped": OneHotEncoder(
        sparse_output=False, handle_unknown="ignore", drop="first"
    ),
    "few one-hot": OneHotEncoder(
        sparse_output=False, max_categories=2, handle_unknown="infrequent_if_exist"
    ),
    "target": TargetEncoder(cv=2, random_state=0),
    "imputer": SimpleImputer(strategy="most_frequent", add_indicator=True),
    "constant": SimpleImputer(strategy="constant", fill_value="none"),
    "indicator": MissingIndicator(features="all"),
}


@pytest.mark.slow_beyond(5)
@pytest.mark.parametrize("missing", ["unspecified", "category"])
@pytest.mark.parametrize("name", OF_WORDS)
def test_transformers_of_words_go_back(name, missing):
    X, new = (frame(60, seed, seed)[["text", "grade"]] for seed in (0, 1))
    X, new = (table.astype(object).fillna(nan) for table in (X, new))
    y = labels(60) > 0
    model = make_pipeline(OF_WORDS[name], quick(literals="ordered", missing=missing))
    # Most of these take None for a value, and NaN for a missing one.
    check(model.fit(X, y), X, new)
    if not isinstance(OF_WORDS[name], (SimpleImputer, MissingIndicator)):
        # Without missing values in training, all are unknown alike to an encoder.
        known = X.fillna("known")
        assert check(model.fit(known, y), known, X, new).n_opaque == 0


@pytest.mark.slow
def test_opaque_transformers_make_the_table():
    X, y = iris()
    for step in (
        PCA(2),
        PolynomialFeatures(2),
        Normalizer(),
        KNNImputer(),
        FeatureUnion([("one", StandardScaler()), ("two", MinMaxScaler())]),
        FunctionTransformer(np.abs),
        FunctionTransformer(half),  # without an inverse
        FunctionTransformer(centred, centred),
        FunctionTransformer(first_column_everywhere, half, check_inverse=False),
        FunctionTransformer(first_column_everywhere, half),
        FunctionTransformer(np.sin, np.arcsin),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = make_pipeline(StandardScaler(), step, CUT, quick()).fit(X, y)
            decoder = check(model, X)
        assert decoder.transformed_by == ("StandardScaler", type(step).__name__)
        assert_array_equal(decoder.table(X), model[:2].transform(X))
    assert TermDecoder.from_estimator(
        make_pipeline(PCA(2), CUT, quick()).fit(X, y)
    ).table_features == ("pca0", "pca1")
    # Behind a curve only cuts go back: a single value may be off in the last digit.
    for more in ([], [MaxAbsScaler()], [MaxAbsScaler(), CUT]):
        uncut = quick().set_params(discretizer=None)
        model = make_pipeline(PowerTransformer(), *more, uncut).fit(X, y)
        expected = () if CUT in more else ("PowerTransformer",)
        assert check(model, X).transformed_by == expected
    # One part of a column transformer is enough.
    split = make_column_transformer((StandardScaler(), ["a"]), (PCA(1), ["b", "c"]))
    decoder = check(make_pipeline(split, CUT, quick()).fit(X, y), X)
    assert decoder.transformed_by == ("ColumnTransformer",)
    assert decoder.table_features == ("standardscaler__a", "pca__pca0")


@pytest.mark.slow_beyond(8)
@pytest.mark.parametrize("seed", range(60))
def test_pipelines_made_up(seed):
    read_pipelines(Draws(Random(seed).randbytes(100)))


def test_a_wrong_preimage_is_found():
    # The negative control of the check that the others rely on.
    X, y = iris()
    model = make_pipeline(StandardScaler(), CUT, quick()).fit(X, y)
    model[0].mean_[3] += 0.5  # The decoder is of one scaler, the rows of another.
    decoder = TermDecoder.from_estimator(model)
    model[0].mean_[3] -= 0.5
    with pytest.raises(AssertionError):
        codes = decoder.model.encoding.with_literals(decoder.codes(X))
        columns = decoder.columns(X)
        for column, code, literal in every_literal(decoder):
            holds = literal.holds(columns[literal.column])
            assert_array_equal(holds, codes[:, column] == code)


# -- to the last bit -------------------------------------------------------------------


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("scale", [1e-12, 0.3, 7.0, 1e9])
def test_cuts_are_exact_between_neighbouring_numbers(scale):
    random = np.random.default_rng(0)
    X = scale * (random.normal(3, 1, (200, 2)))
    y = (X[:, 0] > 3 * scale).astype(int)
    for steps in (
        [StandardScaler()],
        [MinMaxScaler(), RobustScaler()],
        [FunctionTransformer(np.negative, np.negative), StandardScaler()],
    ):
        model = make_pipeline(*steps, CUT, quick(literals="ordered")).fit(X, y)
        decoder = TermDecoder.from_estimator(model)
        for column in range(2):
            ends = np.array(
                [
                    end
                    for *_, literal in every_literal(decoder)
                    for pair in literal.intervals
                    for end in pair
                    if literal.column == column and np.isfinite(end)
                ]
            )
            assert len(ends)
            near = np.concatenate(
                [np.nextafter(ends, -inf), ends, np.nextafter(ends, inf)]
            )
            rows = np.full((len(near), 2), 3 * scale)
            rows[:, column] = near
            check(model, rows)


def test_bisection_on_numbers():
    values = np.array([-1.5, -0.5, 0.5, 4.5, nan] * 4)[:, None]
    y = np.array([0, 1, 0, 1, 1] * 4)
    cuts = ClassEntropyDiscretizer(max_intervals=4).fit(values, y)
    assert_array_equal(cuts.cut_points_[0], [-1.0, 0.0, 2.5])

    def preimage(function, X):
        step = FunctionTransformer(function)
        model = make_pipeline(step, FrozenEstimator(cuts), quick(missing="category"))
        decoder = TermDecoder.from_estimator(model.fit(X, y))
        assert decoder.transformed_by == ()
        return decoder.preimages[0]

    found = preimage(np.cbrt, values**3)
    assert_array_equal(found.codes, [1, 2, 3, 4])
    for x, code in ((-1.1, 1), (-1, 1), (-0.9, 2), (0, 2), (5e-324, 3), (16, 4)):
        assert found.code_of(x) == code == 1 + cuts.transform([[np.cbrt(x)]])
    # Where the function is not defined its value is missing.
    found = preimage(np.log, np.exp(values))
    points = -1e300, -5e-324, 5e-324, 0.3, 1, 99, nan
    assert [found.code_of(x) for x in points] == [5, 5, 1, 1, 2, 4, 5]


def test_preimages():
    decoder = CategoricalPreimage(0, {1.0: 1, 2.5: 2, 7.0: 1}, missing=3, other=4)
    numbers = decoder.as_numeric()
    for x in (1.0, np.nextafter(1, 2), 2.5, 7.0, -inf, 8.0, nan):
        assert numbers.code_of(x) == decoder.code_of(x)
    assert CategoricalPreimage(0, {"a": 1}).as_numeric() is None
    assert CategoricalPreimage(0, {2**53: 1, 2**53 + 1: 2}).as_numeric() is None
    ends = np.array([0.0, 1.0, 1.0, 2.0])
    merged = NumericPreimage(0, ends, np.array([1, 2, 3, 4, 4])).merged()
    assert_array_equal(merged.cuts, [0, 1])
    assert_array_equal(merged.codes, [1, 2, 4])
    neighbours = CategoricalPreimage(0, {1.0: 1, np.nextafter(1.0, 2): 2}).as_numeric()
    assert [neighbours.code_of(x) for x in (1.0, np.nextafter(1, 2), 1.1)] == [1, 2, 0]
    moved = merged.with_value(0.5, 7)
    assert [moved.code_of(x) for x in (0, 0.4, 0.5, 0.6, 1, 2)] == [1, 2, 7, 2, 2, 4]


# -- words -----------------------------------------------------------------------------


def said_behind(X, *steps, **parameters):
    X = pd.DataFrame(X)
    model = make_pipeline(*steps, quick(**parameters)).fit(X, np.arange(len(X)) % 2)
    return [
        str(literal) for *_, literal in every_literal(TermDecoder.from_estimator(model))
    ]


def test_words():
    X = {"a": [1, 2, 5, 8.5, 8.5, 11]}
    assert said_behind(X, StandardScaler(), literals="ordered") == [
        "a = 1",
        "a = 2",
        "a = 5",
        "a = 8.5",
        "a = 11",
        "a <= 1",
        "a >= 2",
        "a <= 2",
        "a >= 5",
        "a <= 5",
        "a >= 8.5",
        "a <= 8.5",
        "a >= 11",
    ]
    bins = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
    X = {"a": [0, 3, 6, 9, 12, 15]}
    assert said_behind(X, bins, literals="ordered") == [
        "a < 5",
        "a in [5, 10)",
        "a >= 10",
        "a < 5",
        "a >= 5",
        "a < 10",
        "a >= 10",
    ]
    bins = KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform")
    assert said_behind(X, bins) == [
        "a >= 5",
        "a < 5",
        "a not in [5, 10)",
        "a in [5, 10)",
        "a < 10",
        "a >= 10",
    ]
    colours = {"c": np.array(["red", "blue", "green", "blue", "red", nan], object)}
    one_hot = OneHotEncoder(sparse_output=False)
    assert said_behind(colours, one_hot)[:4] == [
        "c != blue",
        "c = blue",
        "c != green",
        "c = green",
    ]
    assert said_behind(colours, one_hot)[6:] == ["c is not missing", "c is missing"]
    colours["c"][4] = "blue"
    few = OrdinalEncoder(max_categories=2)
    assert said_behind(colours, few) == ["c = blue", "c in {green, red}"]
    said = said_behind(colours, few, literals="ordered", missing="category")
    assert said[2] == "c is missing"
    many = {"c": np.array(list("aabcdefghijkl"), object)}
    assert said_behind(many, few)[1] == "c in {b, c, d, e, f, g, ... 11 values}"


# -- what the user gets ----------------------------------------------------------------


@pytest.mark.slow
def test_rules_hold_on_the_table_that_the_pipeline_takes():
    # Before: fidelity 1.0, and an agreement of 0.32.
    X, y = iris()
    for steps in OF_NUMBERS.values():
        if any(isinstance(step, FrozenEstimator) for step in steps):
            continue
        with warnings.catch_warnings(), np.errstate(invalid="ignore"):
            warnings.simplefilter("ignore")
            model = make_pipeline(*steps, quick()).fit(X, y)
            dnf = to_dnf(model, 2, X=X, y=y)
        agreement = np.mean(dnf.holds(X) == (model.predict(X) == 2))
        assert dnf.scores["fidelity"] == pytest.approx(agreement)
        assert dnf.transformed_by == () and "transformed" not in dnf.to_sql()


def test_a_formula_of_transformed_columns_refuses_other_tables():
    X, y = iris()
    model = make_pipeline(PCA(2), CUT, quick()).fit(X, y)
    dnf = to_dnf(model, 2, X=X, y=y)
    assert dnf.transformed_by == ("PCA",) and dnf.features == ("pca0", "pca1")
    for call in (lambda: dnf.holds(X), dnf.to_sql, dnf.to_python):
        with pytest.raises(ValueError, match="columns as transformed by PCA, not to"):
            call()
    table = model[:1].transform(X)
    holds = dnf.holds(table, transformed=True)
    assert dnf.scores["fidelity"] == np.mean(holds == (model.predict(X) == 2))
    notice = "columns as transformed by PCA"
    assert str(dnf).splitlines()[1] == f"# {notice}"
    assert notice in dnf._repr_html_()
    assert dnf.to_sql(transformed=True).startswith(f"-- {notice}\nCASE WHEN")
    source = dnf.to_python(transformed=True)
    assert f"# {notice}" in source
    code = {}
    exec(source, code)
    rows = pd.DataFrame(table, columns=dnf.features).to_dict("records")
    assert [code["predict"](row) for row in rows] == holds.tolist()
    with pytest.warns(UserWarning, match=notice) as record:
        terms(model)
    assert record[0].filename == __file__
    (explanation,) = explain(model, X[:1])
    assert str(explanation).splitlines()[0].endswith(notice)
    assert notice in explanation._repr_html_()


def test_names_of_transformers_do_not_leave_their_comments():
    dnf = DNF([], "yes", features=["a"], transformed_by=["x\n); DROP TABLE t; --"])
    for text in (
        str(dnf),
        dnf.to_sql(transformed=True),
        dnf.to_python(transformed=True),
    ):
        (line,) = (line for line in text.splitlines() if "DROP" in line)
        assert line.strip().startswith(("#", "--"))
    code = {}
    exec(dnf.to_python(transformed=True), code)
    assert code["predict"]({"a": 1}) is False


def test_parts_of_a_column_transformer():
    X = pd.DataFrame(
        {
            "age": [20.0, 30, 40, 50, 60, 70] * 5,
            "job": np.array(["a", "b", "c"] * 10, dtype=object),
            "id": range(30),
        }
    )
    y = (X.age > 45).astype(int)
    split = ColumnTransformer(
        [
            ("number", make_pipeline(StandardScaler(), CUT), ["age"]),
            ("word", OneHotEncoder(sparse_output=False), ["job"]),
        ]
    )
    model = make_pipeline(split, quick()).fit(X, y)
    assert list(map(str, to_dnf(model, X=X, y=y).terms)) == ["age > 45"]
    decoder = check(model, X)
    assert decoder.table_features == ("age", "job", "id")
