"""Missing values of all forms, behind encoders and imputers with all their settings."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pandas as pd
from internals.inspection import TermDecoder
from sklearn.compose import ColumnTransformer
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

FORMS = None, np.nan, pd.NA, pd.NaT
WORDS = "p", "q", "r", "s", "t"
NUMBERS = 1.0, 2.0, 3.0, 4.5, -1.0
# Containers of a column that have a place for a missing value, or none.
OF_WORDS = object, object, "str", "string", "category"
OF_NUMBERS = object, "float64", "float64", "Float64"


def an_encoder(draws):
    """One that takes words, and most often numbers, too."""
    rare = draws.choice(
        [{}, {}, {"max_categories": 2}, {"max_categories": 3}, {"min_frequency": 0.2}]
    )
    return draws.choice(
        [
            OrdinalEncoder(
                encoded_missing_value=draws.choice([np.nan, -5]),
                **rare,
            ),
            OrdinalEncoder(
                handle_unknown="use_encoded_value",
                unknown_value=draws.choice([-1, np.nan]),
                encoded_missing_value=draws.choice([np.nan, -1, -5]),
                **rare,
            ),
            OneHotEncoder(
                sparse_output=False,
                drop=draws.choice([None, "first", "if_binary"]),
                handle_unknown=draws.choice(
                    ["error", "ignore", "infrequent_if_exist", "warn"]
                ),
                **rare,
            ),
            TargetEncoder(cv=2, random_state=0),
            MissingIndicator(
                features=draws.choice(["all", "missing-only"]),
                missing_values=draws.choice([np.nan, None, pd.NA, "p"]),
                error_on_new=draws.boolean(),
            ),
            None,
        ]
    )


def an_imputer(draws, values):
    """One of any strategy, for any value."""
    of_numbers = ["mean", "median"] if values is NUMBERS else []
    strategy = draws.choice(["most_frequent", "constant", *of_numbers])
    return SimpleImputer(
        missing_values=draws.choice([np.nan] * 4 + [None, pd.NA, values[0]]),
        strategy=strategy,
        fill_value=draws.choice([values[1], values[-1]]),
        add_indicator=draws.boolean(),
        keep_empty_features=draws.boolean(),
    )


def a_step_of_numbers(draws):
    """A function of each number."""
    return draws.choice(
        [
            StandardScaler(),
            MinMaxScaler(clip=draws.boolean()),
            MaxAbsScaler(),
            RobustScaler(),
            Binarizer(threshold=1.5),
            PowerTransformer(),
            QuantileTransformer(n_quantiles=4),
            FunctionTransformer(np.log1p),
            FunctionTransformer(np.sqrt),
            KBinsDiscretizer(
                n_bins=2,
                encode=draws.choice(["ordinal", "onehot-dense"]),
                strategy="uniform",
            ),
            ClassEntropyDiscretizer(max_intervals=3),
        ]
    )


def some_steps(draws, values):
    """Up to three steps: an imputer, a function of numbers, an encoder."""
    steps = [an_imputer(draws, values)] if draws.boolean() else []
    if values is NUMBERS and draws.boolean():
        steps.append(a_step_of_numbers(draws))
    if not steps or draws.boolean():
        steps.append(an_encoder(draws))
    return make_pipeline(*steps)


def a_column(draws, values, n_rows):
    """Cells of words or of numbers, with no form of missing values, one, or two."""
    few = values[: draws.integer(2, 4)]
    cells = [few[i] for i in draws.integers(0, len(few) - 1, n_rows)]
    gap = draws.choice([2, 3, 7])
    for start, form in enumerate(draws.choice([(), *zip(FORMS[:3]), FORMS[:2]])):
        cells[start::gap] = [form] * len(cells[start::gap])
    return cells


def a_table(columns, dtypes, is_array):
    """A table of some columns; None if a dtype has no place for a value."""
    try:
        series = [pd.Series(c, dtype=dtype) for c, dtype in zip(columns, dtypes)]
    except (TypeError, ValueError):
        return None
    table = pd.DataFrame(dict(zip("ab", series)))
    return table.to_numpy() if is_array else table


def read_missing_values(draws):
    """What is read of a pipeline is what it does, whatever form a missing value has.

    Each row is predicted on its own: a pipeline refuses some.
    """
    n_rows = 24
    kinds = [draws.choice([WORDS, NUMBERS]) for _ in range(draws.integer(1, 2))]
    dtypes = [draws.choice(OF_WORDS if k is WORDS else OF_NUMBERS) for k in kinds]
    is_array = draws.boolean()
    columns = [a_column(draws, kind, n_rows) for kind in kinds]
    X = a_table(columns, dtypes, is_array)
    apart = kinds[0][::2]
    y = [isinstance(cell, (str, float)) and cell in apart for cell in columns[0]]
    parts = [(str(j), some_steps(draws, kind), [j]) for j, kind in enumerate(kinds)]
    split = ColumnTransformer(parts, sparse_threshold=0)
    classifier = DNFWinnowClassifier(
        missing=draws.choice(["unspecified", "category"]),
        literals=draws.choice(["equal", "ordered", "intervals"]),
        discretizer=draws.choice([None, "auto"]),
        max_iter=2,
        cv=None,
        random_state=0,
    )
    model = make_pipeline(split if draws.boolean() else parts[0][1], classifier)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model.fit(X, y)
        except Exception:  # some steps do not take these columns
            return None
        rows = [
            a_table([[cell] for cell in cells], as_dtypes, is_array)
            for as_dtypes in (dtypes, [object] * len(kinds))
            for cells in _rows(kinds)
        ]
        return check_rows(model, [row for row in rows if row is not None])


def _rows(kinds):
    """Each value, form and unknown value of a column, beside usual ones of others."""
    for j, values in enumerate(kinds):
        unknown = "unknown" if values is WORDS else 2.25
        for cell in (*values, *FORMS, unknown):
            cells = [values[0] for values in kinds]
            cells[j] = cell
            yield cells


def check_rows(model, rows):
    """The literals that are read hold on all rows that a model takes.

    Returns the number of rows; None if what is read refers to transformed columns.
    """
    decoder = TermDecoder.from_estimator(model)
    literals = [
        (column, code, decoder.literal(column, code))
        for column, n_codes in enumerate(decoder.model.encoding.n_values)
        for code in range(1, int(n_codes) + 1)
    ]
    n_checked = 0
    for X in rows:
        try:
            model.predict(X)
        except Exception:  # which is the right of a transformer
            continue
        codes = decoder.model.encoding.with_literals(decoder.codes(X))
        columns = decoder.columns(X)
        for column, code, literal in literals:
            expected = codes[:, column] == code
            holds = literal.holds(columns[literal.column])
            assert np.array_equal(holds, expected), (X, literal, decoder.steps)
        n_checked += 1
    return None if decoder.transformed_by else n_checked
