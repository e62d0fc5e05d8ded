"""The forms of estimators that are made of others: Pipeline and ColumnTransformer."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from sklearn_dnfwinnow._preprocessing._named_columns import positions_of
from sklearn_dnfwinnow._utils._json_values import check, check_keys, is_number, plain
from sklearn_dnfwinnow.persistence import _output_config

_COLUMNS_KEYS = (
    *("transformers", "remainder", "n_features", "feature_names", "output"),
    *("sparse_threshold", "transformer_weights", "verbose_feature_names_out"),
)
# Columns of a table; more are refused before there is an array of them.
_MOST_COLUMNS = 1 << 20


# -- Pipeline --------------------------------------------------------------------------


def form_of_pipeline(pipeline, form_of):
    """The steps of a Pipeline, by a function for the form of each."""
    steps = []
    for name, step in pipeline.steps:
        idle = step is None or (isinstance(step, str) and step == "passthrough")
        steps.append([name, "passthrough" if idle else form_of(step)])
    return {"steps": steps}


def pipeline_of(said, estimator_of):
    """The Pipeline that `form_of_pipeline` wrote down, by a function for each step."""
    check_keys(said, ("steps",), "a Pipeline")
    steps = said["steps"]
    check(type(steps) is list and steps, "a list of steps", steps)
    for step in steps:
        right = type(step) is list and len(step) == 2 and type(step[0]) is str
        check(right, "steps of a name and an estimator", step)
        right = type(step[1]) is dict or step[1] == "passthrough"
        check(right, "steps that are estimators", step)
    pipeline = Pipeline(
        [
            (name, step if step == "passthrough" else estimator_of(step))
            for name, step in steps
        ]
    )
    for name, step in pipeline.steps[:-1]:
        right = isinstance(step, str) or hasattr(step, "transform")
        check(right, "a classifier as the last step", name)
    return pipeline


# -- ColumnTransformer -----------------------------------------------------------------


def form_of_columns(transformer, form_of):
    """The parts of a fitted ColumnTransformer, by a function for the form of each."""
    names = getattr(transformer, "feature_names_in_", None)
    n_features = int(transformer.n_features_in_)
    check(n_features <= _MOST_COLUMNS, f"up to {_MOST_COLUMNS} columns", n_features)
    verbose_names = transformer.verbose_feature_names_out
    if not isinstance(verbose_names, bool):
        raise TypeError(
            f"Parameter verbose_feature_names_out is {verbose_names!r}: only True and "
            "False can be written down."
        )
    given = {name: part for name, part, _ in transformer.transformers}
    given["remainder"] = transformer.remainder
    parts, remainder = [], "drop"
    for name, part, columns in transformer.transformers_:
        passes = isinstance(given.get(name), str) and given[name] == "passthrough"
        if isinstance(part, str) or not positions_of(columns, transformer):
            # What has no columns was never fitted, and adds nothing.
            said = "drop"
        else:
            said = "passthrough" if passes else form_of(part)
        if name == "remainder":
            remainder = said
        else:
            parts.append([name, said, _plain_columns(columns)])
    weights = transformer.transformer_weights
    where = "Parameter transformer_weights has"
    return {
        "transformers": parts,
        "remainder": remainder,
        "n_features": n_features,
        "feature_names": None if names is None else names.tolist(),
        "output": _output_config.form_of(transformer),
        "sparse_threshold": float(transformer.sparse_threshold),
        "transformer_weights": weights
        and {name: plain(weight, where) for name, weight in weights.items()},
        "verbose_feature_names_out": verbose_names,
    }


def columns_of(said, estimator_of):
    """The ColumnTransformer that `form_of_columns` wrote, by a function for parts."""
    check_keys(said, _COLUMNS_KEYS, "a ColumnTransformer")
    n_features, names = said["n_features"], said["feature_names"]
    right = type(n_features) is int and 0 < n_features <= _MOST_COLUMNS
    check(right, f"a number of columns from 1 to {_MOST_COLUMNS}", n_features)
    if names is not None:
        right = type(names) is list and all(type(name) is str for name in names)
        check(right and len(names) == n_features, f"{n_features} names", names)
    transformer = ColumnTransformer([], **_options(said))
    transformer.n_features_in_ = n_features
    if names is not None:
        transformer.feature_names_in_ = np.array(names, dtype=object)
    given, places = [], {}
    check(type(said["transformers"]) is list, "a list", said["transformers"])
    for part in said["transformers"]:
        right = type(part) is list and len(part) == 3 and type(part[0]) is str
        check(right, "parts of a name, an estimator and columns", part)
        name, of_part, columns = part
        right = name not in places and name != "remainder"
        check(right, "names of parts that differ", name)
        columns, places[name] = _columns(columns, transformer)
        given.append((name, _part(of_part, estimator_of), columns))
    remainder = _part(said["remainder"], estimator_of)
    taken = {place for of_part in places.values() for place in of_part}
    places["remainder"] = [j for j in range(n_features) if j not in taken]

    transformer.transformers, transformer.remainder = given, remainder
    _fit(transformer, places)
    _output_config.fill(transformer, said["output"])
    return transformer


def _fit(transformer, places):
    """Have a ColumnTransformer of fitted parts be fitted.

    scikit-learn fits it to a row of zeros whose columns all pass through, which makes
    what it keeps for itself; then the parts take their places.

    Parameters
    ----------
    transformer : ColumnTransformer
        With `n_features_in_`, perhaps `feature_names_in_`, and fitted parts.
    places : dict of str to list of int
        Positions of the columns of each part, and of the remainder.
    """
    given, remainder = transformer.transformers, transformer.remainder
    names = getattr(transformer, "feature_names_in_", None)
    transformer.transformers = [
        (name, _stand_in(part), places[name]) for name, part, _ in given
    ]
    transformer.remainder = _stand_in(remainder)
    transformer.fit(np.zeros((1, transformer.n_features_in_)))
    transformer.transformers, transformer.remainder = given, remainder
    if names is not None:
        transformer.feature_names_in_ = names
    parts = {name: (part, columns) for name, part, columns in given}
    parts["remainder"] = remainder, places["remainder"]
    fitted, slices, end = [], {}, 0
    for name, stand_in, _ in transformer.transformers_:
        part, columns = parts[name]
        place = places[name]
        if isinstance(part, str):
            part = stand_in
            if names is not None and isinstance(part, FunctionTransformer):
                part.feature_names_in_ = names[place]
        fitted.append((name, part, columns))
        n_columns = _n_out(part, len(place)) if place else 0
        slices[name] = slice(end, end + n_columns) if n_columns else slice(0, 0)
        end += n_columns
    transformer.transformers_ = fitted
    if end:
        transformer.output_indices_ = {**transformer.output_indices_, **slices}


def _options(said):
    sparse_threshold = said["sparse_threshold"]
    check(is_number(sparse_threshold), "sparse_threshold", sparse_threshold)
    weights = said["transformer_weights"]
    right = weights is None or (
        type(weights) is dict
        and all(weight is None or is_number(weight) for weight in weights.values())
    )
    check(right, "transformer_weights that are numbers", weights)
    verbose_names = said["verbose_feature_names_out"]
    check(type(verbose_names) is bool, "verbose_feature_names_out", verbose_names)
    return {
        "sparse_threshold": sparse_threshold,
        "transformer_weights": weights,
        "verbose_feature_names_out": verbose_names,
    }


def _plain_columns(columns):
    """Names, positions or a mask of columns as JSON has them."""
    where = "A part of the ColumnTransformer has the column"
    if isinstance(columns, slice):
        ends = columns.start, columns.stop, columns.step
        return {"slice": [None if end is None else plain(end, where) for end in ends]}
    if np.isscalar(columns):
        return plain(columns, where)
    return [plain(column, where) for column in columns]


def _columns(said, transformer):
    """Columns that were written down, and their positions."""
    columns, ends = said, (type(None), int, str)
    if type(said) is dict:
        check_keys(said, ("slice",), "columns")
        right = type(said["slice"]) is list and len(said["slice"]) == 3
        right = right and all(type(end) in ends for end in said["slice"])
        check(right, "a start, a stop and a step", said)
        columns = slice(*said["slice"])
    else:
        kinds = {type(column) for column in (said if type(said) is list else [said])}
        right = len(kinds) < 2 and kinds <= {int, str, bool}
        right = right and (type(said) is list or kinds <= {int, str})
        check(right, "columns by name, position or mask", said)
    try:
        return columns, positions_of(columns, transformer)
    except (ValueError, IndexError, TypeError, OverflowError):
        raise ValueError(f"Expected columns of the table; got {said!r:.200}.") from None


def _part(said, estimator_of):
    if type(said) is str:
        check(said in ("drop", "passthrough"), "a part or what to do instead", said)
        return said
    part = estimator_of(said)
    check(hasattr(part, "transform"), "parts that transform", type(part).__name__)
    return part


def _stand_in(part):
    return "drop" if isinstance(part, str) and part == "drop" else "passthrough"


def _n_out(part, n_columns):
    """How many columns a part makes of so many."""
    if isinstance(part, str):
        return 0 if part == "drop" else n_columns
    if isinstance(part, Pipeline):
        for _, step in part.steps:
            n_columns = _n_out(step, n_columns)
        return n_columns
    expected = getattr(part, "n_features_in_", n_columns)
    check(expected == n_columns, f"a part for {n_columns} columns", expected)
    if isinstance(part, ColumnTransformer):
        indices = getattr(part, "output_indices_", {})
        return max((place.stop for place in indices.values()), default=0)
    return n_columns
