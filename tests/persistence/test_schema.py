"""The schema of a classifier: each field, its type, its bounds and its message."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json

import numpy as np
import pytest
from mutations import NAMES, stored_models

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.persistence import from_json, to_json

LARGE = 2**60
# From a field to values that it cannot have, and to a part of the message.
WRONG = {
    "classes_": ([None, {}, {"kind": "i", "values": [1]}], "classes_"),
    "classes_.kind": (["x", None, "U", "b"], "kind|classes_"),
    "classes_.values": ([[0, 1, 1], [2, 1, 0], [0, 1, "2"], []], "classes_"),
    "_model.encoding.missing": (["auto", "none", None, 1], "missing"),
    "_model.encoding.literals": (["auto", "all", 3], "literals"),
    "_model.encoding.columns": ([[], None, [{}]], "column"),
    "_model.encoding.columns.0.numeric": ([0, None, "no"], "numeric"),
    "_model.encoding.columns.0.values": ([[0.0, 0.0, 1.0], [[]], None], "values"),
    "_model.encoding.columns.0.values.0": (
        [3.0, 0.5, -1.0, "x", None],
        "value|interv",
    ),
    "_model.encoding.columns.0.frequencies": (
        [[0.0], [-1.0] * 3, [1e301] * 3, [None] * 3, ["0"] * 3],
        "frequencies",
    ),
    "_model.encoding.discretizer.fitted.columns.0.points": (
        [[2.0, 1.0], [1.0], [None], None],
        "cut points|points|label",
    ),
    "_model.encoding.discretizer.fitted.columns.0.entropy_path": (
        [[0.0], [-1.0] * 3, [65.0] * 3],
        "entrop",
    ),
    "_model.encoding.discretizer.fitted.columns.0.labels": (
        [
            ["", "x", ""],
            ["", "(1,2]", ""],
            ["", "(, ", ""],
            ["", ", ]", ""],
            None,
        ],
        "label",
    ),
    "_model.encoding.discretizer.fitted.columns": ([[], [None]], "column"),
    "_model.stored.examples": (
        [[1, 2, 3], [4] * 36, [-1] * 36, [True] * 36],
        "examples|codes",
    ),
    "_model.stored.net_counts": ([[1], [2**63] * 27, [0.5] * 27], "net_counts"),
    "_model.stored.denominator": ([0, -1, 2**63, 1.0, True], "denominator"),
    "_model.stored.own": (
        [[], [[0]] * 3, [[*range(9), 8]] * 3, [[-1]] * 3, [[9]] * 3],
        "own|places",
    ),
    "_model.stored.versions": (
        [[1, 1], [-1] * 3, [LARGE + 1] * 3, [1.0] * 3],
        "versions",
    ),
    "_model.weighting.alpha": ([1.0, 0.5, 1e301, "auto", None, True], "alpha"),
    "_model.weighting.literal_weight": ([0.0, -1.0, 1e301, "auto"], "literal_weight"),
    "_model.weighting.update": (["auto", "other", 1], "update"),
    "_model.weighting.margin": ([-0.5, 1e301, "auto"], "margin"),
    "_model.weighting.scale": ([0.0, 1e-101, 1e101, "auto", None], "scale"),
    "_model.weighting.max_term_size": ([0, 2**31, 1.0, "auto"], "max_term_size"),
    "_model.weighting.log_threshold": ([None, "0", True], "log_threshold"),
    "_model.weighting.offsets": ([[0.0], [1e301] * 3, [None] * 3, 0.0], "offsets"),
    "_model.weighting.seed": ([-1, 2**31, 0.5, None], "seed"),
    "_model.weighting.conditions.directions": (
        [[[4, [0, 0, 0]]], [[0, [2, 0, 0]]], [[0, [0, 0]]], [0]],
        "directions",
    ),
    "_model.weighting.conditions.features": ([[4], [-1], [0.0], None], "features"),
    "_model.weighting.conditions.pairs": (
        [[[0, 0]], [[0, 4]], [[0, 1], [1, 0]]],
        "pairs",
    ),
    "_model.weighting.conditions.names": ([["a"], [1, 2, 3, 4]], "names"),
    "_model.record.n_iter": ([0, LARGE + 1, 1.0], "n_iter"),
    "_model.record.n_mistakes": ([[1], [-1] * 3, [0.5] * 3], "n_mistakes"),
    "_model.record.chains": ([{}, None, {"run": 0}], "chains"),
    "_model.record.chains.run": ([-1, 0.0, LARGE + 1], "chains.run"),
    "_model.record.sums.full": ([-1, None], "sums.full"),
    "_model.record.validation": ([{}, 3], "validation"),
    "_model.record.background": ([None, {}], "background"),
    "_model.record.background.weights": (
        [[0.0] * 9, [1e308] * 9, [1.0], []],
        "weights|rows",
    ),
}


def changed(said, path, value):
    """A stored classifier with another value of a field of its fitted part."""
    said = json.loads(json.dumps(said))
    place = said["estimator"]["fitted"]
    *before, last = (int(key) if key.isdigit() else key for key in path.split("."))
    for key in before:
        place = place[key]
    place[last] = value
    return json.dumps(said)


@pytest.mark.parametrize("path", WRONG)
def test_fields_have_types_and_bounds(path):
    text, _ = stored_models()["inside"]
    said = json.loads(text)
    assert to_json(from_json(text)) == text
    values, named = WRONG[path]
    for value in values:
        with pytest.raises(ValueError, match=rf"(?s)Expected .*({named}).*; got "):
            from_json(changed(said, path, value))


def places(node, path=""):
    """Yield the path of each dict of JSON whose keys are not optional."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    if isinstance(node, dict) and node and ".candidates" not in path:
        yield path
    for key, value in items:
        if isinstance(value, (dict, list)):
            yield from places(value, f"{path}.{key}")


@pytest.mark.parametrize("name", NAMES)
def test_no_key_may_be_added_or_missing(name):
    said = json.loads(stored_models()[name][0])
    for path in places(said):
        keys = [int(key) if key.isdigit() else key for key in path.split(".")[1:]]
        for change in ("add", "remove"):
            copy = json.loads(json.dumps(said))
            node = copy
            for key in keys:
                node = node[key]
            if change == "add":
                node["more"] = None
            else:
                del node[next(iter(node))]
            with pytest.raises(ValueError):
                from_json(json.dumps(copy))


def test_numbers_of_any_type_are_written():
    """Those of NumPy become those of Python."""
    X, y = [["a"], ["b"]] * 3, [0, 1] * 3
    parameters = {
        "alpha": np.float32(1.5),
        "max_term_size": np.int64(1),
        "average": np.bool_(True),
        "class_weight": {np.int64(0): np.float64(2.0)},
    }
    clf = DNFWinnowClassifier(**parameters, cv=None, random_state=0).fit(X, y)
    again = from_json(to_json(clf))
    assert to_json(again) == to_json(clf)
    assert again.get_params()["class_weight"] == {0: 2.0}
    assert again.max_term_size_ == 1


def test_conditions_are_on_columns_of_the_model():
    """The columns of literals and of initial terms, too."""
    text, _ = stored_models()["conditions"]
    from_json(text)
    for place in (
        "literals.0.column",
        "initial_terms.0.0.literals.0.column",
    ):
        path = f"_model.weighting.conditions.{place}"
        for column in (4, -1, None):
            with pytest.raises(ValueError, match="column"):
                from_json(changed(json.loads(text), path, column))
