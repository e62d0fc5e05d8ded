"""Files made to be large: memory in proportion to the file, or within the limits."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import time
import tracemalloc
from contextlib import nullcontext
from itertools import product
from math import comb

import numpy as np
import pytest
from internals.persistence import Array
from mutations import NAMES, stored_models

from sklearn_dnfwinnow.persistence import from_json

# Bytes for each character of a file that ``doc/security.rst`` promises.
BYTES_A_CHARACTER = 50
MAX_BYTES = 2**24


def state_of(name):
    """A stored model, and its fitted part."""
    said = json.loads(stored_models()[name][0])
    said["estimator"]["feature_names"] = None
    return said, said["estimator"]["fitted"]


def winnow(n_features=1, n_classes=2, n_values=2, examples=(), **changes):
    """A DNFWinnowClassifier of any size, without a discretizer.

    `changes` are fields of any part of its model.
    """
    said, fitted = state_of("inside")
    model = fitted["_model"]
    m = len(examples) // n_features
    column = {"numeric": False, "values": list(range(n_values))}
    classes = {"kind": "i", "values": list(range(n_classes))}
    fitted["classes_"] = changes.pop("classes", classes)
    everything = {
        "discretizer": None,
        "columns": [{**column, "frequencies": [0] * n_classes}] * n_features,
        "examples": list(examples),
        "net_counts": [1] * (n_classes * m),
        "own": [list(range(m))] * n_classes,
        "versions": [1] * n_classes,
        "offsets": [0.0] * n_classes,
        "n_mistakes": [],
        "validation": None,
        "background": {"weights": [1.0], "codes": [0] * n_features},
        **changes,
    }
    for name, value in everything.items():
        (part,) = [part for part in PARTS if name in model[part]]
        model[part][name] = value
    return said


PARTS = "encoding", "stored", "weighting", "record"


def conditions(**changes):
    names = "directions", "features", "pairs", "literals", "initial_terms", "names"
    return {**{name: [] for name in names}, **changes}


def literal(value=1):
    common = {"column": 0, "feature": "x0", "relation": "=", "label": "1"}
    return {**common, "missing": False, "values": [value], "complement": False}


def wide(n_values=100_000):
    """One column of many values among thousands with two, under a condition."""
    said = winnow(3000, conditions=conditions(features=[0]))
    columns = said["estimator"]["fitted"]["_model"]["encoding"]["columns"]
    columns[0] = {**columns[0], "values": list(range(n_values))}
    return said


def average(n_models, n_points=20_000):
    """An average of which one model cuts a column into many intervals."""
    said, fitted = state_of("average")
    many = {
        "points": [*range(n_points)],
        "entropy_path": [0] * (n_points + 1),
        "labels": ["(, ]"] * (n_points + 1),
        "representatives": [0] * (n_points + 1),
    }
    none = {name: values[n_points:] for name, values in many.items()}
    background = {"weights": [1.0], "codes": [0] * 4}

    def with_cuts(node, cuts):
        parts = {**node["discretizer"], "fitted": {"columns": cuts}}
        return {**node, "discretizer": parts}

    def with_cuts_of_model(model, cuts):
        encoding = with_cuts(model["encoding"], cuts)
        columns = [{**column, "values": []} for column in encoding["columns"]]
        stored = {"examples": [0] * 4, "net_counts": [1] * 3, "own": [[0]] * 3}
        return {
            **model,
            "encoding": {**encoding, "columns": columns},
            "stored": {**model["stored"], **stored},
            "record": {**model["record"], "background": background},
        }

    first, second = fitted["_model"]["models"]
    wide = [many, none, none, none]
    models = [with_cuts_of_model(second, [none] * 4)] * (n_models - 1)
    fitted["_model"] = {
        **with_cuts(fitted["_model"], wide),
        "models": [with_cuts_of_model(first, wide), *models],
        "weights": [1 / n_models] * n_models,
        "background": background,
    }
    return said


def bayes(n_columns=14, order=6, n_draws=4):
    """A BayesianInteractionClassifier of all rows of binary columns."""
    rows = np.array([*product([1, 2], repeat=n_columns)], dtype=np.int32)
    n_groups = sum(comb(n_columns, k) * 2**k for k in range(order + 1))
    column = {"numeric": False, "values": ["a", "b"], "frequencies": [0, 0]}
    said, fitted = state_of("bayes")
    fitted["classes_"] = {"kind": "U", "values": ["a", "b"]}
    fitted["_model"].update(
        encoding={
            "missing": "unspecified",
            "discretizer": None,
            "columns": [column] * n_columns,
            "literals": "equal",
            "compared": None,
        },
        groups={"interactions": "all", "rows": plain(rows)},
        class_weights=plain(np.ones((len(rows), 2))),
        draws={
            "sums": plain(np.ones((1, n_draws, n_groups, 1), dtype=np.float32)),
            "log_sigma": plain(np.zeros((1, n_draws, order + 1))),
            "log_likelihood": plain(np.zeros((1, n_draws))),
        },
    )
    fitted["_model"]["prior"]["scales"] = plain(np.ones(order + 1))
    return said


def plain(array):
    """An array as it is written."""
    return Array(array.dtype.str, ()).write(array, "")


def rules(**changes):
    said, fitted = state_of("rules")
    fitted.update(dnfs_=[], class_counts_=[1.0] * 3, **changes)
    return said


LONG = {"kind": "U", "values": [*map(str, range(1000, 9000)), "z" * 300_000]}
FORBIDDEN = conditions(literals=[literal()] * 3000)
MANY = conditions(initial_terms=[[{"literals": [literal()]}, 0, 2.0]])
# From a name to a file, and to what the message of its refusal contains. It is empty if
# the file is read.
LARGE = {
    "codes": (lambda: winnow(10, examples=np.eye(10, dtype=int).ravel().tolist()), ""),
    "columns": (lambda: winnow(5000), ""),
    "classes": (lambda: winnow(n_classes=3000), ""),
    "values": (lambda: winnow(n_values=50_000), ""),
    "a long class": (lambda: winnow(classes=LONG), "array of .*classes_.*max_bytes"),
    "empty columns": (
        lambda: winnow(
            columns=[{}] * 10_000, classes={"kind": "i", "values": [*range(10_000)]}
        ),
        r"columns\[0\] to have the keys",
    ),
    "long terms": (lambda: winnow(5000, max_term_size=4999), "terms by size.*max_byt"),
    "long terms over no values": (
        lambda: winnow(5000, n_values=0, examples=[0] * 5000, max_term_size=4999),
        "terms by size.*max_bytes",
    ),
    "literals": (
        lambda: winnow(
            50, n_values=32, literals="ordered", examples=[*range(33)] * 50 + [0] * 50
        ),
        "",
    ),
    "literals of many": (
        lambda: winnow(
            1000,
            n_values=32,
            literals="ordered",
            examples=[*np.ones((33, 1000), int).ravel() * np.arange(33).repeat(1000)],
        ),
        "the literals of all examples.*max_bytes",
    ),
    "codes under a condition": (wide, ""),
    "an initial term": (
        lambda: winnow(n_values=10_000, conditions=MANY),
        "conditions on terms.*max_bytes",
    ),
    "forbidden literals": (
        lambda: winnow(n_values=3000, conditions=FORBIDDEN),
        "conditions on terms.*max_steps",
    ),
    "a string among codes": (
        lambda: winnow(examples=["z" * 10**5] + [1] * 10**5),
        "64",
    ),
    "lists among codes": (lambda: winnow(examples=[[]] * 10**5), "within 64 bits"),
    "dicts among codes": (
        lambda: winnow(examples=[{"a": 1}] * 10**5),
        "within 64 bits",
    ),
    "strings": (
        lambda: winnow(classes=["ab", "cd"] * 10**5),
        "Expected .*classes_",
    ),
    "equal hashes": (
        lambda: winnow(examples=[(2**61 - 1) * k for k in range(10**5)]),
        "integers beyond 64 bits",
    ),
    "columns of no formula": (
        lambda: rules(n_features_in_=2**31 - 1),
        "names of columns.*max_bytes",
    ),
    "intervals of an average": (lambda: average(3), ""),
    "intervals of a large average": (
        lambda: average(50),
        "the literals of all models.*max_bytes",
    ),
    "groups": (bayes, "groups of interactions.*max_bytes"),
    "samples of groups": (
        lambda: bayes(12, 4),
        "groups within max_bytes",
    ),
    "few groups": (lambda: bayes(8, 3), ""),
    "column transformers": (
        lambda: {
            "schema": 2,
            "estimator": {
                "type": "ColumnTransformer",
                "n_features": 1 << 20,
                "feature_names": None,
                "transformers": [["p", "passthrough", {"slice": [0, 1 << 20, None]}]],
            },
        },
        "is a ColumnTransformer",
    ),
}


@pytest.mark.slow_beyond(8)
@pytest.mark.parametrize("name", LARGE)
def test_memory_is_in_proportion_to_the_file_or_within_the_limit(name):
    make, message = LARGE[name]
    text = json.dumps(make(), default=int)
    refused = pytest.raises(ValueError, match=message) if message else nullcontext()
    tracemalloc.start()
    begin = time.process_time()
    try:
        with refused:
            from_json(text, max_bytes=MAX_BYTES)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MAX_BYTES + BYTES_A_CHARACTER * len(text)
    assert time.process_time() - begin < 10


def test_limits_are_of_all_parts_together():
    """Names of columns of two classifiers; each of them alone is within the limit."""
    part = rules(n_features_in_=10**5)["estimator"]
    from_json(json.dumps({"schema": 2, "estimator": part}), max_bytes=MAX_BYTES)
    both = {"type": "Pipeline", "steps": [["a", part], ["b", part]]}
    with pytest.raises(ValueError, match="max_bytes"):
        from_json(json.dumps({"schema": 2, "estimator": both}), max_bytes=MAX_BYTES)


# -- numbers ---------------------------------------------------------------------------


@pytest.mark.parametrize("value", [99.0, 1e300, "q", -1.0, 0.5, True, 3])
def test_values_of_a_column_that_is_cut_are_intervals(value):
    """Later, they were indices of cut points."""
    for name in ("inside", "conditions"):
        said, fitted = state_of(name)
        fitted["_model"]["encoding"]["columns"][0]["values"][-1] = value
        with pytest.raises(ValueError, match=r"intervals from 0|values that are"):
            from_json(json.dumps(said))
    said, fitted = state_of("inside")
    fitted["_model"]["encoding"]["columns"][0]["numeric"] = False
    with pytest.raises(ValueError, match="intervals to be numeric"):
        from_json(json.dumps(said))


def places_of_numbers(node, path=()):
    """Yield the place of each number in JSON; of each list, of the first one."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from places_of_numbers(value, (*path, key))
    elif isinstance(node, list):
        kinds = [type(value) for value in node]
        for place, value in enumerate(node):
            if type(value) not in kinds[:place] or isinstance(value, (dict, list)):
                yield from places_of_numbers(value, (*path, place))
    elif type(node) in (int, float):
        yield path


@pytest.mark.parametrize("name", NAMES)
def test_no_number_may_be_beyond_all_bounds(name):
    """Numbers beyond float64, in any place."""
    said = json.loads(stored_models()[name][0])
    for path in places_of_numbers(said):
        for number in (10**309, 10**4000, -(10**400), float("nan"), float("-inf")):
            changed = json.loads(json.dumps(said))
            *before, last = path
            node = changed
            for key in before:
                node = node[key]
            node[last] = number
            text = json.dumps(changed)
            with pytest.raises(ValueError):
                from_json(text)
        with pytest.raises(ValueError, match="Expected finite numbers"):
            from_json(text.replace("-Infinity", "1e999"))


@pytest.mark.parametrize("columns", [[None], [[0]], [{}], 3])
def test_columns_are_those_that_can_be_written(columns):
    said, _ = state_of("cuts")
    said["estimator"]["parameters"]["columns"] = columns
    with pytest.raises(ValueError):
        from_json(json.dumps(said))
