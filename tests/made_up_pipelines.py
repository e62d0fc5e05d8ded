"""Pipelines of scikit-learn's transformers in front of the classifier, and tables."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pandas as pd
import pytest
from internals.inspection import TermDecoder
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline
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

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
    inspection,
)

NUMBERS = "width", "count", "gap"
WORDS = "colour", "shape"


def a_table(draws, n_rows, n_more=0):
    """Columns of numbers and of words, some missing; `n_more` words that are new."""
    random = np.random.default_rng(draws.integer(0, 255))
    digits = draws.choice([0, 1, 12])
    width = random.normal(5, 3, n_rows).round(digits)
    count = random.integers(0, draws.choice([2, 6, 40]), n_rows)
    gap = random.normal(-1, 100, n_rows).round(digits)
    gap[random.random(n_rows) < 0.2] = np.nan
    words = np.array(["red", "green", "blue", "it's", *["new"] * n_more], dtype=object)
    colour = words[random.integers(0, len(words), n_rows)]
    shape = words[random.integers(1, len(words), n_rows)]
    shape[random.random(n_rows) < 0.2] = np.nan
    columns = width, count, gap, colour, shape
    X = pd.DataFrame(dict(zip((*NUMBERS, *WORDS), columns)))
    y = (width > 5).astype(int) + ((colour == "red") & (count > 1))
    return X, y


def a_transformer_of_numbers(draws):
    """One that takes numbers; some mix columns, or rows."""
    return draws.choice(
        [
            StandardScaler(),
            MinMaxScaler(clip=draws.boolean()),
            MaxAbsScaler(),
            RobustScaler(),
            PowerTransformer(),
            QuantileTransformer(
                n_quantiles=9,
                output_distribution=draws.choice(["uniform", "normal"]),
            ),
            FunctionTransformer(np.arcsinh),
            FunctionTransformer(np.log1p),
            FunctionTransformer(np.abs),
            FunctionTransformer(np.negative),
            FunctionTransformer(_half, _twice),
            FunctionTransformer(_below, _below, check_inverse=True),
            FunctionTransformer(_turned, _turned, check_inverse=True),
            FunctionTransformer(_centred, _centred, check_inverse=True),
            FunctionTransformer(),
            ClassEntropyDiscretizer(max_intervals=4),
            SimpleImputer(
                strategy=draws.choice(["mean", "median", "most_frequent", "constant"]),
                add_indicator=draws.boolean(),
            ),
            SimpleImputer(missing_values=1.0, strategy="most_frequent"),
            MissingIndicator(features="all"),
            KNNImputer(n_neighbors=2),
            KBinsDiscretizer(
                n_bins=draws.choice([2, 4]),
                encode=draws.choice(["ordinal", "onehot-dense"]),
                strategy=draws.choice(["uniform", "quantile"]),
            ),
            Binarizer(threshold=1.5),
            VarianceThreshold(),
            SelectKBest(k=1),
            PCA(n_components=1),
            PolynomialFeatures(2),
            Normalizer(),
            FeatureUnion([("one", StandardScaler()), ("two", PCA(n_components=1))]),
        ]
    )


def a_transformer_of_words(draws):
    """One that takes words or numbers, and categories at that."""
    max_categories = draws.choice([None, None, 2, 3])
    return draws.choice(
        [
            SimpleImputer(strategy="most_frequent", add_indicator=draws.boolean()),
            SimpleImputer(strategy="constant", fill_value="none"),
            MissingIndicator(features="all"),
            OrdinalEncoder(
                encoded_missing_value=draws.choice([np.nan, -5]),
                max_categories=max_categories,
            ),
            OrdinalEncoder(
                handle_unknown="use_encoded_value",
                unknown_value=draws.choice([-1, np.nan]),
                max_categories=max_categories,
            ),
            OneHotEncoder(
                sparse_output=False,
                drop=draws.choice([None, "first", "if_binary"]),
                handle_unknown=draws.choice(["error", "ignore"]),
            ),
            OneHotEncoder(
                sparse_output=False,
                handle_unknown=draws.choice(["infrequent_if_exist", "warn"]),
                max_categories=max_categories,
            ),
            TargetEncoder(cv=2, random_state=0),
            FunctionTransformer(),
        ]
    )


def some_steps(draws, kind, most):
    """Transformers one after the other, some in pipelines of their own."""
    makers = {
        "numbers": [a_transformer_of_numbers],
        "words": [a_transformer_of_words] * 9 + [a_transformer_of_numbers],
    }
    steps = [draws.choice(makers[kind])(draws) for _ in range(draws.integer(0, most))]
    named = [(str(i), step) for i, step in enumerate(steps)]
    if len(named) > 1 and draws.boolean():
        named[1:] = [("rest", Pipeline(named[1:]))]
    return named


def a_model(draws):
    """The classifier behind transformers of numbers, of words, and of all columns."""
    parts = [
        ("numbers", Pipeline([*some_steps(draws, "numbers", 3), ("as_is", None)])),
        ("words", Pipeline([*some_steps(draws, "words", 2), ("as_is", None)])),
    ]
    columns = draws.choice([NUMBERS[:2], NUMBERS]), draws.choice([WORDS[:1], WORDS])
    split = ColumnTransformer(
        [(*part, list(names)) for part, names in zip(parts, columns)],
        remainder=draws.choice(["drop", "passthrough"]),
        sparse_threshold=0,
    )
    last = draws.choice(
        [[], [], [ClassEntropyDiscretizer()], [VarianceThreshold()]]
        + [[FunctionTransformer()], [StandardScaler(), ClassEntropyDiscretizer()]]
    )
    classifier = DNFWinnowClassifier(
        discretizer=draws.choice([None, None, "auto", ClassEntropyDiscretizer()]),
        literals=draws.choice(["equal", "ordered", "intervals"]),
        missing=draws.choice(["unspecified", "category", "most_frequent"]),
        max_iter=2,
        cv=None,
        random_state=0,
    )
    named = [(f"last{i}", step) for i, step in enumerate(last)]
    model = Pipeline([("split", split), *named, ("clf", classifier)])
    return model.set_output(transform=draws.choice(["default", "default", "pandas"]))


def read_pipelines(draws):
    """What is read of a pipeline holds on the user's rows, or refuses them."""
    n_rows = draws.choice([20, 60])
    X, y = a_table(draws, n_rows)
    # None and NaN are two values to encoders and imputers, and one to a formula.
    with_none = X.astype({word: object for word in WORDS}).replace(np.nan, None)
    others = [X, a_table(draws, 40)[0], a_table(draws, 40, n_more=2)[0]]
    model = a_model(draws)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model.fit(X, y)
        except Exception:  # some steps do not take these columns
            return
        _check_literals(model, others)
        for table in (X, with_none):
            try:
                model.predict(table)
            except (ValueError, TypeError):
                continue
            _check_formula(model, table, y)


def _check_literals(model, tables):
    """Each literal holds where its column has its code, unless the model refuses."""
    decoder = TermDecoder.from_estimator(model)
    literals = [
        (column, code, decoder.literal(column, code))
        for column, n_codes in enumerate(decoder.model.encoding.n_values)
        for code in range(1, min(int(n_codes), 30) + 1)
    ]
    for X in tables:
        try:
            codes = decoder.model.encoding.with_literals(decoder.codes(X))
        except (ValueError, TypeError):
            continue
        columns = decoder.columns(X)
        for column, code, literal in literals:
            holds = literal.holds(columns[literal.column])
            expected = codes[:, column] == code
            assert np.array_equal(holds, expected), (literal, decoder.steps)


def _check_formula(model, X, y):
    """A DNF decides as its fidelity says on the rows that the model takes."""
    target = model.classes_[-1]
    dnf = inspection.to_dnf(model, target, X=X, y=y)
    predicted = model.predict(X) == target
    if dnf.transformed_by:
        for refusal in (lambda: dnf.holds(X), dnf.to_sql, dnf.to_python):
            with pytest.raises(ValueError, match="columns as transformed by"):
                refusal()
        decoder, _ = TermDecoder.with_codes(model, X)
        holds = dnf.holds(decoder.table(X), transformed=True)
    else:
        holds = dnf.holds(X)
        code = {}
        exec(dnf.to_python(), code)
        answers = list(map(code["predict"], X.to_dict("records")))
        yes = True if dnf.otherwise is None else dnf.class_
        assert [answer == yes for answer in answers] == holds.tolist()
    assert np.isclose(dnf.scores["fidelity"], np.mean(holds == predicted))


def _half(X):
    return X / 2


def _twice(X):
    return 2 * X


def _turned(X):
    return 1 - X


def _below(X):
    return 1 / X


def _centred(X):
    return X - X.mean(axis=0)
