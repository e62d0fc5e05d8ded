"""Agreement: what is read behind transformers is what they do, or is not claimed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from functools import cache
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
    _agreement,
    agrees,
)
from literal_checks import check, every_literal, quick
from made_up_missing_values import check_rows, read_missing_values
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
    TargetEncoder,
)

from sklearn_dnfwinnow import ClassEntropyDiscretizer
from sklearn_dnfwinnow.inspection import (
    counterfactuals,
    explain,
    terms,
    to_dnf,
)

FORMS = None, nan, pd.NA, pd.NaT
Y = np.array([1, 0, 0, 1] * 20)


def words(missing, n=20):
    return pd.DataFrame({"a": pd.Series(["p", "q", "r", missing] * n, dtype=object)})


def rows_of(values):
    return [pd.DataFrame({"a": pd.Series([v], dtype=object)}) for v in values]


def read(X, *steps, y=Y, **parameters):
    """What is read behind steps that learned from words: its steps, and its texts."""
    model = make_pipeline(*steps, quick(**parameters)).fit(X, y)
    check_rows(model, rows_of(["p", "q", "r", "new", *FORMS]))
    decoder = TermDecoder.from_estimator(model)
    return decoder.transformed_by, [str(text) for *_, text in every_literal(decoder)]


# -- None and NaN ----------------------------------------------------------------------


def test_none_is_a_category_of_an_ordinal_encoder():
    X = words(None)
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    model = make_pipeline(encoder, quick()).fit(X, Y)
    # None has the number 3, and NaN is unknown: one rule cannot hold for both.
    with pytest.warns(UserWarning, match="as transformed by OrdinalEncoder"):
        terms(model)
    assert to_dnf(model, 1, 3).transformed_by == ("OrdinalEncoder",)
    assert to_dnf(model, 1, 3, X=X, y=Y).transformed_by == ("OrdinalEncoder",)
    assert explain(model, X[:1])[0].transformed_by == ("OrdinalEncoder",)
    assert counterfactuals(model, X[:1])[0].transformed_by == ("OrdinalEncoder",)
    # Without a number for unknown values, NaN is refused, and the rules are readable.
    model = make_pipeline(OrdinalEncoder(), quick()).fit(X, Y)
    dnf = to_dnf(model, 1, 3)
    assert dnf.transformed_by == () and "a is missing" in str(dnf)
    assert_array_equal(dnf.holds(X), Y == 1)


@pytest.mark.parametrize("missing", [None, nan])
@pytest.mark.parametrize("rare", [{"max_categories": 2}, {"min_frequency": 21}])
def test_rare_categories_beside_a_missing_one(missing, rare):
    cells = ["p"] * 30 + ["q"] * 10 + ["r"] * 10 + [missing] * 30
    X = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    y = [1] * 30 + [0] * 50
    for encoder in (OrdinalEncoder(**rare), OneHotEncoder(sparse_output=False, **rare)):
        transformed_by, _ = read(X, encoder, y=y, missing="category")
        assert transformed_by == ()
    unknown = {"handle_unknown": "infrequent_if_exist", "sparse_output": False}
    assert read(X, OneHotEncoder(**unknown, **rare), y=y)[0] == ("OneHotEncoder",)
    assert read(X[:50], OneHotEncoder(**unknown, **rare), y=y[:50])[0] == ()


def test_an_imputer_leaves_none_alone():
    fill = SimpleImputer(strategy="constant", fill_value="p")
    encoder = OneHotEncoder(sparse_output=False)
    # NaN becomes 'p', and None stays a category.
    transformed_by, texts = read(words(None), fill, encoder)
    assert transformed_by == ("SimpleImputer",) and "a is missing" in texts
    # Here, the encoder refuses None.
    transformed_by, texts = read(words(nan), fill, encoder)
    assert transformed_by == () and "a = p" in texts
    # The most frequent value is None itself.
    often = SimpleImputer(strategy="most_frequent")
    transformed_by, texts = read(words(None), often, encoder)
    assert transformed_by == () and "a is missing" in texts
    unknown = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
    assert read(words(nan), fill, unknown)[0] == ("SimpleImputer",)
    assert read(words(None), fill, unknown)[0] == ("SimpleImputer", "OneHotEncoder")


@pytest.mark.parametrize("missing", [None, nan])
def test_encoders_that_take_unknown_values(missing):
    for encoder in (
        OneHotEncoder(sparse_output=False, handle_unknown="ignore"),
        TargetEncoder(cv=2, random_state=0),
    ):
        assert read(words(missing), encoder)[0] == (type(encoder).__name__,)
        assert read(words("s"), encoder)[0] == ()
    assert read(words(missing), OneHotEncoder(sparse_output=False))[0] == ()
    assert read(words(nan), MissingIndicator())[0] == ("MissingIndicator",)


@cache
def read_made_up(seed):
    return read_missing_values(Draws(Random(seed).randbytes(80)))


@pytest.mark.slow_beyond(16)
@pytest.mark.parametrize("seed", range(40))
def test_pipelines_with_missing_values_made_up(seed):
    for i in range(5):
        read_made_up(5 * seed + i)


@pytest.mark.slow
def test_many_pipelines_made_up_are_read():
    found = [read_made_up(seed) for seed in range(60)]
    assert sum(n_rows is not None and n_rows > 4 for n_rows in found) > 9


# -- transformers that do not do what their type says ----------------------------------


class Swapping(OrdinalEncoder):
    def transform(self, X):
        return 2 - super().transform(X)


class Sorting(OneHotEncoder):
    def transform(self, X):
        return super().transform(X)[:, ::-1]


class Filling(SimpleImputer):
    def transform(self, X):
        return np.where(pd.isna(X), "q", super().transform(X))


class Turned(ColumnTransformer):
    def transform(self, X, **parameters):
        return super().transform(X, **parameters)[:, ::-1]


class Above(ClassEntropyDiscretizer):
    def transform(self, X):
        return super().transform(np.nextafter(X, inf))


class Below(KBinsDiscretizer):
    def transform(self, X):
        return super().transform(np.nextafter(X, -inf))


class Rarely(OneHotEncoder):
    def transform(self, X):
        found = super().transform(X)
        found[~np.isin(np.asarray(X)[:, 0], self.categories_[0]), 0] = 1.0
        return found


@pytest.mark.parametrize(
    "step",
    [Above(max_intervals=3), Below(3, encode="ordinal")],
    ids=lambda step: type(step).__name__,
)
def test_a_transformer_of_numbers_that_differs_is_found(step):
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = (X[:, 0] > 0.1).astype(int)
    usual = type(step).__mro__[1](**step.get_params())
    cut = ClassEntropyDiscretizer(max_intervals=3)
    for inverted, expected in ((usual, ()), (step, (type(step).__name__,))):
        model = make_pipeline(inverted, cut, quick()).fit(X, y)
        assert TermDecoder.from_estimator(model).transformed_by == expected


@pytest.mark.parametrize(
    "step",
    [
        Swapping(),
        Sorting(sparse_output=False),
        Rarely(sparse_output=False, handle_unknown="ignore"),
    ],
    ids=lambda step: type(step).__name__,
)
def test_an_encoder_that_differs_is_read_as_it_is(step):
    """Its categories are transformed, so that nothing is said but what it does."""
    assert read(words("s"), step)[0] == ()


@pytest.mark.parametrize(
    "step",
    [Sorting(sparse_output=False), Filling(strategy="most_frequent")],
    ids=lambda step: type(step).__name__,
)
def test_a_transformer_of_words_that_differs_is_found(step):
    # In the other column there are as many words, but in other rows.
    X, y = words("s").assign(b=np.repeat(["t", "u", "v", "w"], 20)), Y
    usual = type(step).__mro__[1](**step.get_params())
    last = OneHotEncoder(sparse_output=False)  # which refuses None
    more = [last] if isinstance(step, SimpleImputer) else []
    for inverted, expected in ((usual, ()), (step, (type(step).__name__,))):
        model = make_pipeline(inverted, *more, quick()).fit(X, y)
        assert TermDecoder.from_estimator(model).transformed_by == expected


def test_a_column_transformer_that_differs_is_found():
    X = np.random.default_rng(0).normal(size=(80, 2))
    parts = [("a", StandardScaler(), [0]), ("b", Binarizer(), [1])]
    for kind, expected in ((ColumnTransformer, ()), (Turned, ("Turned",))):
        cut = ClassEntropyDiscretizer(max_intervals=3)
        model = make_pipeline(kind(parts), cut, quick()).fit(X, X[:, 0] > 0)
        assert TermDecoder.from_estimator(model).transformed_by == expected


def test_samples_can_show_more_than_probes():
    X = np.random.default_rng(0).normal(size=(80, 1))
    step = FunctionTransformer(_but_once, _same, check_inverse=True)
    cut = ClassEntropyDiscretizer(max_intervals=3)
    model = make_pipeline(step, cut, quick()).fit(X, X[:, 0] > 0.1)
    assert to_dnf(model, X=X, y=X[:, 0] > 0.1).transformed_by == ()
    X[0] = -0.123456
    dnf = to_dnf(model, X=X, y=X[:, 0] > 0.1)
    assert dnf.transformed_by == ("FunctionTransformer", "ClassEntropyDiscretizer")


def _but_once(X):
    return np.where(np.asarray(X) == -0.123456, 9.0, X)


def _same(X):
    return X


# -- the comparison --------------------------------------------------------------------


def test_each_probe_can_show_a_difference():
    step = StandardScaler(with_mean=False, with_std=False).fit(np.zeros((1, 1)))
    cuts = np.array([-1.0, 0.5, 7.0])
    after = NumericPreimage(0, cuts, np.array([1, 2, 3, 4]), missing=5)
    assert agrees([step], [after], [after])
    for place in range(3):
        for towards in (-inf, inf):
            moved = cuts.copy()
            moved[place] = np.nextafter(moved[place], towards)
            before = NumericPreimage(0, moved, after.codes, after.missing)
            assert not agrees([step], [before], [after])
    for place in range(4):
        codes = after.codes.copy()
        codes[place] = 0
        assert not agrees([step], [NumericPreimage(0, cuts, codes, 5)], [after])
    assert not agrees([step], [NumericPreimage(0, cuts, after.codes, 0)], [after])


def test_each_value_can_show_a_difference():
    values = [f"v{i}" for i in range(30)]
    X = np.array(values, dtype=object)[:, None]
    step = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1).fit(X)
    numbers = step.transform(X)[:, 0].tolist()
    codes = {number: i + 1 for i, number in enumerate(numbers)}
    after = CategoricalPreimage(0, {**codes, -1.0: 31}, missing=32)
    right = dict(zip(values, range(1, 31)))
    before = CategoricalPreimage(0, right, missing=31, other=31)
    assert agrees([step], [before], [after])
    for value in values:
        wrong = CategoricalPreimage(0, {**right, value: 0}, missing=31, other=31)
        assert not agrees([step], [wrong], [after])
    for missing, other in ((31, 0), (0, 31)):
        wrong = CategoricalPreimage(0, right, missing, other)
        assert not agrees([step], [wrong], [after])


def test_refused_values_do_not_hide_others():
    # The first column refuses None, and the second takes it for an unknown value.
    X = pd.DataFrame({"a": ["p", "q", nan, "q"] * 20, "b": ["p", "q", nan, "p"] * 20})
    X = X.astype(object)
    refusing = OneHotEncoder(sparse_output=False)
    taking = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
    for first, second, expected in (
        (refusing, refusing, ()),
        (refusing, taking, ("ColumnTransformer",)),
        (taking, refusing, ("ColumnTransformer",)),
    ):
        split = make_column_transformer((first, ["a"]), (second, ["b"]))
        model = make_pipeline(split, quick()).fit(X, Y)
        assert TermDecoder.from_estimator(model).transformed_by == expected
    # One step for all columns: only one of them learned None.
    X["a"] = X["a"].where(X["a"].notna(), None)
    fill = SimpleImputer(strategy="constant", fill_value="p")
    for columns in (["a", "b"], ["b", "a"]):
        model = make_pipeline(fill, OneHotEncoder(sparse_output=False), quick())
        decoder = TermDecoder.from_estimator(model.fit(X[columns], Y))
        assert decoder.transformed_by == ("SimpleImputer",)


def test_steps_that_refuse_every_probe_are_not_inverted():
    class Refusing(StandardScaler):
        def transform(self, X):
            if len(X) < 80:
                raise ValueError("too few samples")
            return super().transform(X)

    X = np.random.default_rng(0).normal(size=(80, 2))
    model = make_pipeline(Refusing(), quick(discretizer="auto")).fit(X, X[:, 0] > 0)
    assert TermDecoder.from_estimator(model).transformed_by == ("Refusing",)


def test_domains_of_functions():
    # log(0) is infinite, which the scaler refuses; the others are checked all the same.
    X = np.random.default_rng(0).uniform(0.1, 5, (80, 30))
    cut = ClassEntropyDiscretizer(max_intervals=3)
    steps = FunctionTransformer(np.log), StandardScaler(), cut
    model = make_pipeline(*steps, quick()).fit(X, X[:, 0] > 2)
    assert check(model, X, elsewhere=False).transformed_by == ()


def test_columns_that_no_rule_uses():
    X = words("s").assign(b="same", c=pd.Timestamp(0))
    encoder = OneHotEncoder(sparse_output=False, drop="first")
    split = make_column_transformer((encoder, ["a", "b"]), remainder="drop")
    model = make_pipeline(split, quick()).fit(X, Y)
    assert TermDecoder.from_estimator(model).transformed_by == ()


class Absent:
    """A finder that finds some modules missing."""

    def __init__(self, *names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ImportError(name)


def test_without_pandas(monkeypatch):
    pytest.importorskip("polars")  # which looks for pandas itself
    array = words(nan).to_numpy()
    encoder = OneHotEncoder(sparse_output=False)
    model = make_pipeline(encoder, quick()).fit(array, Y)
    named = make_pipeline(clone(encoder), quick()).fit(words(nan), Y)
    monkeypatch.setattr(sys, "meta_path", [Absent("pandas"), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "pandas")
    assert TermDecoder.from_estimator(model).transformed_by == ()
    assert TermDecoder.from_estimator(named).transformed_by == ()


def test_wide_tables_are_compared_in_parts(monkeypatch):
    monkeypatch.setattr(_agreement, "_CELLS", 40)
    X = words("s").assign(b=lambda table: table.a)
    model = make_pipeline(OneHotEncoder(sparse_output=False), quick()).fit(X, Y)
    assert TermDecoder.from_estimator(model).transformed_by == ()
    wrong = make_pipeline(Sorting(sparse_output=False), quick()).fit(X, Y)
    assert TermDecoder.from_estimator(wrong).transformed_by == ("Sorting",)
