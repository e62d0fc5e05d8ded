"""The fitted state of a DNFWinnowClassifier as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._preprocessing._encoding import Encoding
from sklearn_dnfwinnow._terms._background import MOST_ROWS, Background
from sklearn_dnfwinnow._utils._compat import make_constraint
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    integer,
    integers,
    is_number,
    labels,
    number,
    numbers,
    plain_labels,
    plain_numbers,
)
from sklearn_dnfwinnow._winnow._exponents import LARGEST_SUM, check_sum, largest_sum
from sklearn_dnfwinnow._winnow._model import Model, former_values
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS, Settings
from sklearn_dnfwinnow.persistence._conditions import (
    conditions_from_dict,
    conditions_to_dict,
)
from sklearn_dnfwinnow.persistence._cost_limits import take_costs
from sklearn_dnfwinnow.persistence._discretizer import (
    discretizer_from_dict,
    discretizer_to_dict,
)
from sklearn_dnfwinnow.persistence._validation import (
    validation_from_dict,
    validation_to_dict,
)
from sklearn_dnfwinnow.persistence._value_encoder import (
    attributes_from_list,
    attributes_to_list,
    checked_list,
)

# Parameters that the model contains; `max_term_size` has other values there.
_KEPT = "alpha", "term_prior", "literals", "missing", "update", "margin"
_NAMED = "literals", "missing", "update"
_OF_ENCODING = "literals", "missing"
_KEYS = (
    *_KEPT,
    "classes",
    "attributes",
    "updates",
    "exponents",
    "denominator",
    "max_term_size",
    "log_threshold",
    "n_iter",
    "n_mistakes",
    "scale",
    "validation",
    "chains",
    "sums",
    "seed",
    "conditions",
    "discretizer",
    "own",
    "versions",
    "background",
)
_CHAINS, _SUMS = ("run", "ladder", "simulated"), ("full", "skipped")
# Any term is shorter. Products with a number of values, and scores, are finite.
_LARGEST_SIZE, _LARGEST, _SCALES = 2**31 - 1, 1e300, (1e-100, 1e100)
# Another kind of sums, which earlier versions counted.
_FORMER_SUMS = "increments"


def get_state(classifier):
    """Return the fitted state of a classifier as plain values.

    Raises
    ------
    TypeError
        If a class, or a value of a feature, is not a string, number or boolean.
    """
    model = Model.of(classifier)
    size = model.max_term_size
    return {
        **{
            name: getattr(model.encoding if name in _OF_ENCODING else model, name)
            for name in _KEPT
        },
        "classes": plain_labels(classifier.classes_, "There is a class"),
        "attributes": attributes_to_list(model.encoding),
        "updates": plain_numbers(model.updates),
        "exponents": plain_numbers(model.exponents),
        "denominator": int(model.denominator),
        "max_term_size": size if size is None else int(size),
        "log_threshold": float(model.log_threshold),
        "n_iter": int(model.n_iter),
        "n_mistakes": plain_numbers(model.n_mistakes),
        "scale": float(model.scale),
        "validation": validation_to_dict(model.validation),
        "chains": {name: int(n) for name, n in model.chains.items()},
        "sums": {name: int(n) for name, n in model.sums.items()},
        "seed": int(model.seed),
        "conditions": conditions_to_dict(model.column_conditions),
        "discretizer": discretizer_to_dict(model.encoding.discretizer),
        "own": [plain_numbers(own) for own in model.own],
        "versions": list(map(int, model.versions)),
        "background": _background_to_dict(model.background),
    }


def set_state(classifier, state, budget):
    """Set the fitted state of a classifier from the result of `get_state`.

    Parameters
    ----------
    classifier : DNFWinnowClassifier
        With its parameters set.
    state : dict
    budget : Budget

    Raises
    ------
    ValueError
        If the state does not have that form, or exceeds the budget.
    """
    if type(state) is dict:
        former = former_values(classifier.margin) if "update" not in state else {}
        state = {"conditions": None, "background": None, **former, **state}
    check_keys(state, _KEYS, "a fitted DNFWinnowClassifier")
    classes = labels(state["classes"], "classes", budget)
    n_classes = len(classes)
    check(n_classes > 1, "two classes or more", n_classes)
    kept = {name: _parameter(state[name], name) for name in _KEPT}
    discretizer = discretizer_from_dict(state["discretizer"])
    missing = kept.pop("missing")
    attributes = attributes_from_list(
        state["attributes"], missing, n_classes, discretizer
    )
    n_features = len(attributes)
    conditions = conditions_from_dict(state["conditions"], n_features, n_classes)
    encoding = Encoding(
        attributes=attributes,
        missing=missing,
        discretizer=discretizer,
        literals=kept.pop("literals"),
        ordered=conditions.ordered,
    )
    n_values = encoding.n_values[:n_features]
    updates = _rows(state["updates"], "updates", n_values)
    size = state["max_term_size"]
    if size is not None:
        integer(size, "max_term_size", 1, _LARGEST_SIZE)
    model = Model(
        **kept,
        **_exponents(state, n_classes, len(updates)),
        settings=Settings.of(classifier),
        updates=updates,
        max_term_size=size,
        log_threshold=number(state["log_threshold"], "log_threshold"),
        n_iter=integer(state["n_iter"], "n_iter", 1, LARGEST_SUM),
        n_mistakes=_mistakes(state["n_mistakes"], n_classes),
        scale=_scale(state["scale"]),
        validation=validation_from_dict(state["validation"]),
        chains=_counts(state["chains"], _CHAINS),
        sums=_counts(state["sums"], _SUMS, former=_FORMER_SUMS),
        background=_background(state["background"], n_values),
        seed=integer(state["seed"], "seed", 0, np.iinfo(np.int32).max),
        column_conditions=conditions,
        encoding=encoding,
        versions=integers(
            state["versions"], "versions", 0, LARGEST_SUM, n_classes
        ).tolist(),
    )
    if classifier.scale != "auto":
        _scale(classifier.scale)
    take_costs(budget, model, classifier.sampler)
    classifier.classes_, classifier.n_features_in_ = classes, n_features
    classifier._become(model)


def _background_to_dict(background):
    """Return a Background as plain values, None for None."""
    if background is None:
        return None
    return {
        "codes": plain_numbers(background.codes),
        "weights": plain_numbers(background.weights),
    }


def _background(state, n_values):
    """Check and return the Background that `_background_to_dict` converted."""
    if state is None:
        return None
    check_keys(state, ("codes", "weights"), "a background")
    weights = numbers(state["weights"], "weights of the background")
    check(0 < len(weights) <= MOST_ROWS, f"1 to {MOST_ROWS} rows", len(weights))
    with np.errstate(over="ignore"):
        right = (weights > 0).all() and np.isfinite(weights.sum())
    check(right, "positive weights with a finite sum", weights.min())
    codes = _rows(state["codes"], "codes of the background", n_values)
    check(len(codes) == len(weights), f"{len(weights)} rows of codes", len(codes))
    return Background(codes, weights)


def _rows(state, what, n_values):
    """Check and return distinct rows of codes."""
    n_features = len(n_values)
    codes = integers(state, what, 0, int(n_values.max()))
    check(codes.size % n_features == 0, f"{what} of whole rows", codes.size)
    rows = np.ascontiguousarray(codes.reshape(-1, n_features), dtype=np.int32)
    check((rows <= n_values).all(), "codes of values", rows.max(initial=0))
    distinct = len(distinct_rows(rows)[0]) == len(rows)
    check(distinct, f"{what} that are distinct", len(rows))
    return rows


def _exponents(state, n_classes, m):
    """Check and return net promotion counts of m examples, their unit and places."""
    largest = np.iinfo(np.int64).max
    exponents = integers(
        state["exponents"], "exponents", -largest, largest, n_classes * m
    )
    exponents = exponents.reshape(n_classes, m)
    denominator = integer(state["denominator"], "denominator", 1, largest)
    check_sum(largest_sum(exponents), denominator)
    own = [
        integers(of_class, "places of updates", 0, m - 1)
        for of_class in checked_list(state["own"], "places of updates", n_classes)
    ]
    for of_class, net in zip(own, exponents):
        check(not np.delete(net, of_class).any(), "places of all updates", of_class)
        repeats = len(of_class) - len(np.unique(of_class))
        check(repeats == 0, "places of updates without repeats", repeats)
    return {
        "exponents": exponents,
        "denominator": denominator,
        "own": [of_class.astype(np.intp) for of_class in own],
    }


def _mistakes(state, n_classes):
    """Check and return mistakes by epoch and class."""
    n_mistakes = integers(state, "mistakes", 0, LARGEST_SUM)
    check(n_mistakes.size % n_classes == 0, "mistakes of classes", n_mistakes.size)
    return n_mistakes.reshape(-1, n_classes)


def _parameter(state, name):
    """Check and return a parameter of the model, as a float or a string."""
    right = type(state) is str if name in _NAMED else is_number(state)
    right = right and state != "auto"
    constraints = CONSTRAINTS[name]
    right = right and any(
        make_constraint(allowed).is_satisfied_by(state) for allowed in constraints
    )
    check(right, f"a value of {name}", state)
    return state if type(state) is str else number(state, name, high=_LARGEST)


def _scale(state):
    """Check and return a factor of scores, whose products are finite."""
    return number(state, "scale", *_SCALES)


def _counts(state, names, former=None):
    """Check and return counts by name, without the count of a former name."""
    if type(state) is dict:
        state = {name: count for name, count in state.items() if name != former}
    check_keys(state, names, "counts")
    return {name: integer(state[name], name, 0, LARGEST_SUM) for name in names}
