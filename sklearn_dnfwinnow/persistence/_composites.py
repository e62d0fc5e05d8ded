"""Composite estimators as dicts: Pipeline and ColumnTransformer."""

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
    "transformers",
    "remainder",
    "n_features",
    "feature_names",
    "output",
    "sparse_threshold",
    "transformer_weights",
    "verbose_feature_names_out",
)
# Maximum number of columns, checked before an array of them is allocated.
_MOST_COLUMNS = 1 << 20


# -- Pipeline --------------------------------------------------------------------------


def pipeline_to_dict(pipeline, to_dict):
    """Return the steps of a Pipeline, each converted by `to_dict`."""
    steps = []
    for name, step in pipeline.steps:
        idle = step is None or (isinstance(step, str) and step == "passthrough")
        steps.append([name, "passthrough" if idle else to_dict(step)])
    return {"steps": steps}


def pipeline_from_dict(state, from_dict):
    """Return the Pipeline from the result of `pipeline_to_dict`."""
    check_keys(state, ("steps",), "a Pipeline")
    steps = state["steps"]
    check(type(steps) is list and steps, "a list of steps", steps)
    for step in steps:
        right = type(step) is list and len(step) == 2 and type(step[0]) is str
        check(right, "steps of a name and an estimator", step)
        right = type(step[1]) is dict or step[1] == "passthrough"
        check(right, "steps that are estimators", step)
    pipeline = Pipeline(
        [
            (name, step if step == "passthrough" else from_dict(step))
            for name, step in steps
        ]
    )
    for name, step in pipeline.steps[:-1]:
        right = isinstance(step, str) or hasattr(step, "transform")
        check(right, "a classifier as the last step", name)
    return pipeline


# -- ColumnTransformer -----------------------------------------------------------------


def column_transformer_to_dict(transformer, to_dict):
    """Return the parts of a fitted ColumnTransformer, each converted by `to_dict`."""
    names = getattr(transformer, "feature_names_in_", None)
    n_features = int(transformer.n_features_in_)
    check(n_features <= _MOST_COLUMNS, f"up to {_MOST_COLUMNS} columns", n_features)
    verbose_names = transformer.verbose_feature_names_out
    if not isinstance(verbose_names, bool):
        raise TypeError(
            "Parameter verbose_feature_names_out must be True or False to be saved; "
            f"got {verbose_names!r}."
        )
    given = {name: part for name, part, _ in transformer.transformers}
    given["remainder"] = transformer.remainder
    parts, remainder = [], "drop"
    for name, part, columns in transformer.transformers_:
        passes = isinstance(given.get(name), str) and given[name] == "passthrough"
        if isinstance(part, str) or not positions_of(columns, transformer):
            # A part without columns was never fitted, and adds nothing.
            part_state = "drop"
        else:
            part_state = "passthrough" if passes else to_dict(part)
        if name == "remainder":
            remainder = part_state
        else:
            parts.append([name, part_state, _plain_columns(columns)])
    weights = transformer.transformer_weights
    where = "Parameter transformer_weights has"
    return {
        "transformers": parts,
        "remainder": remainder,
        "n_features": n_features,
        "feature_names": None if names is None else names.tolist(),
        "output": _output_config.get_state(transformer),
        "sparse_threshold": float(transformer.sparse_threshold),
        "transformer_weights": weights
        and {name: plain(weight, where) for name, weight in weights.items()},
        "verbose_feature_names_out": verbose_names,
    }


def column_transformer_from_dict(state, from_dict):
    """Return the ColumnTransformer of a dict, each part converted by `from_dict`."""
    check_keys(state, _COLUMNS_KEYS, "a ColumnTransformer")
    n_features, names = state["n_features"], state["feature_names"]
    right = type(n_features) is int and 0 < n_features <= _MOST_COLUMNS
    check(right, f"a number of columns from 1 to {_MOST_COLUMNS}", n_features)
    if names is not None:
        right = type(names) is list and all(type(name) is str for name in names)
        check(right and len(names) == n_features, f"{n_features} names", names)
    transformer = ColumnTransformer([], **_options(state))
    transformer.n_features_in_ = n_features
    if names is not None:
        transformer.feature_names_in_ = np.array(names, dtype=object)
    given, places = [], {}
    check(type(state["transformers"]) is list, "a list", state["transformers"])
    for part in state["transformers"]:
        right = type(part) is list and len(part) == 3 and type(part[0]) is str
        check(right, "parts of a name, an estimator and columns", part)
        name, of_part, columns = part
        right = name not in places and name != "remainder"
        check(right, "names of parts that differ", name)
        columns, places[name] = _columns(columns, transformer)
        given.append((name, _part(of_part, from_dict), columns))
    remainder = _part(state["remainder"], from_dict)
    taken = {place for of_part in places.values() for place in of_part}
    places["remainder"] = [j for j in range(n_features) if j not in taken]

    transformer.transformers, transformer.remainder = given, remainder
    _fit(transformer, places)
    _output_config.set_state(transformer, state["output"])
    return transformer


def _fit(transformer, places):
    """Fit a ColumnTransformer with fitted parts.

    scikit-learn fits it to a row of zeros whose columns all pass through, which sets
    its private attributes. Then the fitted parts are inserted.

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


def _options(state):
    """Check and return parameters of a ColumnTransformer."""
    sparse_threshold = state["sparse_threshold"]
    check(is_number(sparse_threshold), "sparse_threshold", sparse_threshold)
    weights = state["transformer_weights"]
    right = weights is None or (
        type(weights) is dict
        and all(weight is None or is_number(weight) for weight in weights.values())
    )
    check(right, "transformer_weights that are numbers", weights)
    verbose_names = state["verbose_feature_names_out"]
    check(type(verbose_names) is bool, "verbose_feature_names_out", verbose_names)
    return {
        "sparse_threshold": sparse_threshold,
        "transformer_weights": weights,
        "verbose_feature_names_out": verbose_names,
    }


def _plain_columns(columns):
    """Return names, positions or a mask of columns as plain values."""
    where = "A part of the ColumnTransformer has the column"
    if isinstance(columns, slice):
        ends = columns.start, columns.stop, columns.step
        return {"slice": [None if end is None else plain(end, where) for end in ends]}
    if np.isscalar(columns):
        return plain(columns, where)
    return [plain(column, where) for column in columns]


def _columns(state, transformer):
    """Check and return columns, and their positions."""
    columns, ends = state, (type(None), int, str)
    if type(state) is dict:
        check_keys(state, ("slice",), "columns")
        right = type(state["slice"]) is list and len(state["slice"]) == 3
        right = right and all(type(end) in ends for end in state["slice"])
        check(right, "a start, a stop and a step", state)
        columns = slice(*state["slice"])
    else:
        kinds = {type(column) for column in (state if type(state) is list else [state])}
        right = len(kinds) < 2 and kinds <= {int, str, bool}
        right = right and (type(state) is list or kinds <= {int, str})
        check(right, "columns by name, position or mask", state)
    try:
        return columns, positions_of(columns, transformer)
    except (ValueError, IndexError, TypeError, OverflowError):
        raise ValueError(f"Expected columns of the data; got {state!r:.200}.") from None


def _part(state, from_dict):
    """Check and return a part."""
    if type(state) is str:
        check(state in ("drop", "passthrough"), "a part or what to do instead", state)
        return state
    part = from_dict(state)
    check(hasattr(part, "transform"), "parts that transform", type(part).__name__)
    return part


def _stand_in(part):
    """Return the substitute of a part while its transformer is fitted."""
    return "drop" if isinstance(part, str) and part == "drop" else "passthrough"


def _n_out(part, n_columns):
    """Return the number of output columns of a part."""
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
