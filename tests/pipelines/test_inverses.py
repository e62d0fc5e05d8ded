"""Inverses: literals behind transformers hold on the table before them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from math import inf, nan

import numpy as np
import pandas as pd
import pytest
from internals.inspection import TermDecoder
from literal_checks import check, every_literal, frame, labels, quick
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, SelectorMixin, VarianceThreshold
from sklearn.frozen import FrozenEstimator
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

from sklearn_dnfwinnow import ClassEntropyDiscretizer
from sklearn_dnfwinnow.inspection import (
    counterfactuals,
    explain,
    feature_effect,
    terms,
    to_dnf,
)
from sklearn_dnfwinnow.rules import DNF

pytestmark = pytest.mark.filterwarnings("ignore:.*distinct values")
CUT = ClassEntropyDiscretizer(max_intervals=4)
BINS = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
ONE_HOT = OneHotEncoder(sparse_output=False)
# Takes None for an unknown value, whatever it learned.
IGNORING = OneHotEncoder(sparse_output=False, handle_unknown="ignore")


def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.columns = ["a", "b", "c", "d"]
    return X, y


def beside(decoder, X):
    """Rows with the ends of all intervals, and the numbers next to these."""
    for place, name in enumerate(X.columns):
        ends = {
            end
            for *_, literal in every_literal(decoder)
            for pair in literal.intervals or ()
            for end in pair
            if literal.column == place and np.isfinite(end)
        }
        ends = np.array(sorted(ends))
        near = [np.nextafter(ends, -inf), ends, np.nextafter(ends, inf)]
        rows = X.iloc[np.zeros(3 * len(ends), dtype=int)].copy()
        rows[name] = np.concatenate(near)
        if len(rows):
            yield rows


# -- which transformers ----------------------------------------------------------------

# Whose output has other columns than their input, and names of its own.
COMPOSED = {
    "one-hot bins",
    "indicator",
    "selected",
    "one-hot intervals",
    "parts",
}
OF_NUMBERS = {
    "standard": [StandardScaler()],
    "minmax": [MinMaxScaler((-2, 5))],
    "clipped": [MinMaxScaler(clip=True), CUT],
    "maxabs": [MaxAbsScaler()],
    "robust": [RobustScaler()],
    "bins": [KBinsDiscretizer(5, encode="ordinal")],
    "one-hot bins": [KBinsDiscretizer(5, encode="onehot-dense")],
    "scaled bins": [StandardScaler(), KBinsDiscretizer(5, encode="ordinal")],
    "cut twice": [CUT, ClassEntropyDiscretizer(max_intervals=3)],
    "scaled numbers of intervals": [CUT, StandardScaler()],
    "imputer": [SimpleImputer(strategy="median"), StandardScaler(), CUT],
    "indicator": [SimpleImputer(add_indicator=True), CUT],
    "frozen": [FrozenEstimator(StandardScaler()), CUT],
    "nested": [make_pipeline(SimpleImputer(), make_pipeline(StandardScaler())), CUT],
    "identity": [FunctionTransformer(), "passthrough", StandardScaler()],
    "selected": [StandardScaler(), VarianceThreshold(), CUT, SelectKBest(k=2)],
    "one-hot intervals": [CUT, ONE_HOT],
    "parts": [
        make_column_transformer(
            (MinMaxScaler(), ["d"]), ("drop", ["a"]), remainder="passthrough"
        )
    ],
}


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize(
    "name, output",
    [
        *((name, "default") for name in OF_NUMBERS),
        *((name, "pandas") for name in OF_NUMBERS if name in COMPOSED),
    ],
)
def test_transformers_of_numbers_go_back(name, output):
    X, y = (whole[::3] for whole in iris())
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
        new = pd.DataFrame(random.uniform(0, 9, (20, 4)).round(1), columns=X.columns)
        decoder = check(model, X[::2], new)
        check(model, *beside(decoder, X), elsewhere=False)
        dnf = to_dnf(model, 2, X=X, y=y, cv=None)
    assert decoder.transformed_by == () and decoder.table_features == tuple("abcd")
    assert np.mean(dnf.holds(X) == (model.predict(X) == 2)) > 0.8
    assert dnf.transformed_by == () and "transformed" not in dnf.to_sql()


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
    "one-hot": IGNORING,
    "dropped": OneHotEncoder(
        sparse_output=False, handle_unknown="ignore", drop="first"
    ),
    "few one-hot": OneHotEncoder(
        sparse_output=False, max_categories=2, handle_unknown="infrequent_if_exist"
    ),
    "imputer": SimpleImputer(strategy="most_frequent", add_indicator=True),
    "constant": SimpleImputer(strategy="constant", fill_value="none"),
}


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize("missing", ["unspecified", "category"])
@pytest.mark.parametrize("name", OF_WORDS)
def test_transformers_of_words_go_back(name, missing):
    X, new = (frame(60, seed, seed)[["text", "grade"]] for seed in (0, 1))
    X, new = (table.astype(object).fillna(nan) for table in (X, new))
    y = labels(60) > 0
    model = make_pipeline(OF_WORDS[name], quick(missing=missing))
    # Most of these take None for a value, and NaN for a missing one.
    check(model.fit(X, y), X, new)
    if not isinstance(OF_WORDS[name], SimpleImputer):
        # Without missing values in training, all are unknown alike to an encoder.
        known = X.fillna("known")
        assert check(model.fit(known, y), known, X, new).n_opaque == 0


class Own(StandardScaler):
    """A subclass may do something else."""


class Nameless(BaseEstimator):
    def fit(self, X, y=None):
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):
        return np.asarray(X)


class FirstTwo(SelectorMixin, BaseEstimator):
    def fit(self, X, y=None):
        self.n_features_in_ = X.shape[1]
        return self

    def _get_support_mask(self):
        return np.arange(self.n_features_in_) < 2


class Backwards(FirstTwo):
    def transform(self, X):
        return super().transform(X)[:, ::-1]


@pytest.mark.parametrize(
    "step",
    [
        PCA(2),
        Normalizer(),
        KNNImputer(),
        Binarizer(threshold=3),
        FunctionTransformer(np.abs, feature_names_out="one-to-one"),
        TargetEncoder(cv=2, random_state=0),
        PowerTransformer(),
        Own(),
        Nameless(),
        Backwards(),
        make_column_transformer((StandardScaler(), ["a"]), (PCA(1), ["b", "c"])),
        make_union(StandardScaler(), PCA(1)),
    ],
    ids=lambda step: type(step).__name__,
)
def test_behind_other_transformers_literals_have_their_names(step):
    X, y = iris()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make_pipeline(RobustScaler().set_output(transform="pandas"), step)
        model = make_pipeline(*model, CUT, quick()).fit(X, y > 1)
        decoder = check(model, X)
        assert decoder.transformed_by == ("RobustScaler", type(step).__name__)
        assert_array_equal(decoder.table(X), model[:2].transform(X))
    try:
        expected = tuple(model[:2].get_feature_names_out())
    except AttributeError:
        expected = tuple(f"x{j}" for j in range(model[2].n_features_in_))
    assert decoder.table_features == expected


def test_any_selection_by_the_method_of_scikit_learn_goes_back():
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(FirstTwo(), StandardScaler(), CUT, quick()).fit(X, y)
    assert check(model, X).transformed_by == ()


# -- missing values, in all forms ------------------------------------------------------

Y = np.array([1, 0, 0, 1] * 20)


def words(missing, n=20, dtype=object):
    return pd.DataFrame({"a": pd.Series(["p", "q", "r", missing] * n, dtype=dtype)})


def read(X, *steps, y=Y, **parameters):
    """What is read behind steps that learned from words: its steps, and its texts.

    The literals hold where they must in all rows that the steps accept, if missing
    values have the form that they have in X.
    """
    model = make_pipeline(*steps, quick(**parameters)).fit(X, y)
    decoder, _ = TermDecoder.with_codes(model, X)
    literals = list(every_literal(decoder))
    for value in ("p", "q", "r", "new", *X["a"][X["a"].isna()][:1]):
        row = pd.DataFrame({"a": pd.Series([value], dtype=object)})
        try:
            codes = decoder.model.encoding.with_literals(decoder.codes(row))
        except (TypeError, ValueError):
            continue
        columns = decoder.columns(row)
        for column, code, literal in literals:
            holds = literal.holds(columns[literal.column])
            assert_array_equal(holds, codes[:, column] == code)
    return decoder.transformed_by, [str(text) for *_, text in literals]


def test_rows_with_nan_where_training_had_none_are_told_apart():
    X = words(None)
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    model = make_pipeline(encoder, quick()).fit(X, Y)
    dnf = to_dnf(model, 1, X=X, y=Y)
    assert dnf.transformed_by == () and "missing" in str(dnf)
    assert_array_equal(dnf.holds(X), Y == 1)
    # None has the number 3, and NaN is unknown: one rule cannot hold for both.
    other = words(nan)
    for found in (
        to_dnf(model, 1, X=other, y=Y),
        explain(model, other[:4])[0],
        counterfactuals(model, other[:4])[0],
    ):
        assert found.transformed_by == ("OrdinalEncoder",)
    with pytest.warns(UserWarning, match="as transformed by OrdinalEncoder"):
        terms(model, X=other)


@pytest.mark.parametrize("missing", [None, nan])
@pytest.mark.parametrize("rare", [{"max_categories": 2}, {"min_frequency": 21}])
def test_rare_categories_beside_a_missing_one(missing, rare):
    cells = ["p"] * 30 + ["q"] * 10 + ["r"] * 10 + [missing] * 30
    X = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    y = [1] * 30 + [0] * 50
    for encoder in (OrdinalEncoder(**rare), OneHotEncoder(sparse_output=False, **rare)):
        assert read(X, encoder, y=y, missing="category")[0] == ()
    unknown = {"handle_unknown": "infrequent_if_exist", "sparse_output": False}
    assert read(X, OneHotEncoder(**unknown, **rare), y=y)[0] == ()
    assert read(X[:50], OneHotEncoder(**unknown, **rare), y=y[:50])[0] == ()


def test_an_imputer_leaves_none_alone():
    fill = SimpleImputer(strategy="constant", fill_value="p")
    # NaN becomes 'p', and None stays a category.
    transformed_by, texts = read(words(None), fill, ONE_HOT)
    assert transformed_by == ("SimpleImputer",) and "a is missing" in texts
    assert read(words(None), fill, IGNORING)[0] == ("SimpleImputer",)
    for encoder in (ONE_HOT, IGNORING):
        transformed_by, texts = read(words(nan), fill, encoder)
        assert transformed_by == () and "a = p" in texts
    # The most frequent value is None itself.
    often = SimpleImputer(strategy="most_frequent")
    transformed_by, texts = read(words(None), often, ONE_HOT)
    assert transformed_by == () and "a is missing" in texts


@pytest.mark.parametrize("missing", [None, nan, "s"])
@pytest.mark.parametrize("encoder", [IGNORING, ONE_HOT])
def test_encoders_of_words(missing, encoder):
    assert read(words(missing), encoder)[0] == ()


@pytest.mark.parametrize("dtype", [float, "Float64", "category", "str", object])
def test_a_column_of_any_type_keeps_its_values(dtype):
    X = words(nan).a
    X = X.map({"p": 1.0, "q": 2.0, "r": 3.0}) if dtype in (float, "Float64") else X
    X = X.astype(dtype).to_frame()
    fill = SimpleImputer(strategy="most_frequent")
    for steps in ([IGNORING], [fill, IGNORING]):
        model = make_pipeline(*steps, quick()).fit(X, Y)
        dnf = to_dnf(model, 1, X=X, y=Y)
        assert dnf.features == ("a",)
        assert_array_equal(dnf.holds(X), model.predict(X) == 1)
        for found in (
            dnf,
            explain(model, X[:1])[0],
            counterfactuals(model, X[:1])[0],
            feature_effect(model, X, "a"),
        ):
            assert getattr(found, "transformed_by", ()) == ()


def changed(step, transform):
    """A fitted transformer with another `transform`, a function of the usual one."""
    usual = step.transform
    step.transform = lambda X: transform(usual, X)
    return step


def test_rows_of_which_a_transformer_makes_something_else_are_found():
    X = np.random.default_rng(0).normal(size=(80, 1))
    y = X[:, 0] > 0.1
    model = make_pipeline(StandardScaler(), CUT, quick()).fit(X, y)
    changed(model[0], lambda usual, X: np.where(X == -0.123456, 9.0, usual(X)))
    assert to_dnf(model, X=X, y=y).transformed_by == ()
    X[0] = -0.123456
    dnf = to_dnf(model, X=X, y=y)
    assert dnf.transformed_by == ("StandardScaler", "ClassEntropyDiscretizer")


def test_columns_that_no_rule_uses():
    X = words("s").assign(b="same", c=pd.Timestamp(0))
    encoder = OneHotEncoder(sparse_output=False, drop="first")
    split = make_column_transformer((encoder, ["a", "b"]), remainder="drop")
    model = make_pipeline(split, quick()).fit(X, Y)
    assert TermDecoder.from_estimator(model).transformed_by == ()


# -- words -----------------------------------------------------------------------------


def said_behind(X, *steps, **parameters):
    X = pd.DataFrame(X)
    model = make_pipeline(*steps, quick(**parameters)).fit(X, np.arange(len(X)) % 2)
    return [
        str(literal) for *_, literal in every_literal(TermDecoder.from_estimator(model))
    ]


def test_words():
    found = said_behind({"a": [1, 2, 8.5, 8.5]}, StandardScaler(), literals="ordered")
    assert ", ".join(found) == "a = 1, a = 2, a = 8.5, a <= 1, a > 1, a <= 5, a > 5"
    found = said_behind({"a": [0, 1, 2, 2] * 2}, StandardScaler(), literals="ordered")
    assert ", ".join(found) == "a = 0, a = 1, a = 2, a <= 0, a > 0, a <= 1, a > 1"
    X = {"a": [0, 3, 6, 9, 12, 15]}
    assert said_behind(X, BINS) == ["a < 5", "a in [5, 10)", "a >= 10"]
    bins = KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform")
    assert ", ".join(said_behind(X, bins)) == (
        "a >= 5, a < 5, a not in [5, 10), a in [5, 10), a < 10, a >= 10"
    )
    colours = {"c": np.array(["red", "blue", "green", "blue", "red", nan], object)}
    assert ", ".join(said_behind(colours, ONE_HOT)) == (
        "c != blue, c = blue, c != green, c = green, c != red, c = red, "
        "c is not missing, c is missing"
    )
    colours["c"][4] = "blue"
    few = OrdinalEncoder(max_categories=2)
    assert said_behind(colours, few) == ["c = blue", "c in {green, red}"]
    assert said_behind(colours, few, missing="category")[2] == "c is missing"
    many = {"c": np.array(list("aabcdefghijkl"), object)}
    assert said_behind(many, few)[1] == "c in {b, c, d, e, f, g, ... 11 values}"


# -- what the user gets ----------------------------------------------------------------


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
    assert np.mean(holds == (model.predict(X) == 2)) > 0.8
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
            ("word", ONE_HOT, ["job"]),
        ]
    )
    model = make_pipeline(split, quick()).fit(X, y)
    assert list(map(str, to_dnf(model, X=X, y=y).terms)) == ["age > 45"]
    assert check(model, X).table_features == ("age", "job", "id")
