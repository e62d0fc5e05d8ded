"""The fitted state of a DNFWinnowClassifier as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

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
from sklearn_dnfwinnow.persistence._discretizer import (
    discretizer_from_dict,
    discretizer_to_dict,
)
from sklearn_dnfwinnow.persistence._validation import (
    validation_from_dict,
    validation_to_dict,
)
from sklearn_dnfwinnow.persistence._value_encoder import (
    checked_list,
    encoder_from_list,
    encoder_to_list,
)

# Parameters that the model contains; `max_term_size` has other values there.
_KEPT = "alpha", "term_prior", "literals", "missing", "update", "margin"
_NAMED = "literals", "missing", "update"
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
        **{name: getattr(model, name) for name in _KEPT},
        "classes": plain_labels(classifier.classes_, "There is a class"),
        "attributes": encoder_to_list(model.encoder),
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
        "discretizer": discretizer_to_dict(model.discretizer),
        "own": [plain_numbers(own) for own in model.own],
        "versions": list(map(int, model.versions)),
        "background": _background_to_dict(model.background),
    }


def set_state(classifier, state):
    """Set the fitted state of a classifier from the result of `get_state`.

    Parameters
    ----------
    classifier : DNFWinnowClassifier
        With its parameters set.
    state : dict

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    if type(state) is dict:
        former = former_values(classifier.margin) if "update" not in state else {}
        state = {"conditions": None, "background": None, **former, **state}
    check_keys(state, _KEYS, "a fitted DNFWinnowClassifier")
    classifier.classes_ = labels(state["classes"], "classes")
    n_classes = len(classifier.classes_)
    check(n_classes > 1, "two classes or more", n_classes)
    kept = {name: _parameter(state[name], name) for name in _KEPT}
    encoder = encoder_from_list(state["attributes"], kept.pop("missing"), n_classes)
    n_values = encoder.n_values
    n_features = classifier.n_features_in_ = len(n_values)
    updates = integers(state["updates"], "updates", low=0)
    check(updates.size % n_features == 0, "updates of whole rows", updates.size)
    updates = updates.reshape(-1, n_features)
    check((updates <= n_values).all(), "codes of values", updates.max(initial=0))
    distinct = len(np.unique(updates, axis=0)) == len(updates)
    check(distinct, "updates that are distinct", len(updates))
    m = len(updates)
    exponents = integers(state["exponents"], "exponents", n_classes * m)
    own = checked_list(state["own"], "places of updates", n_classes)
    own = [
        integers(of_class, "places of updates", low=0, high=m - 1) for of_class in own
    ]
    exponents = exponents.reshape(n_classes, m)
    denominator = integer(state["denominator"], "denominator", 1)
    check_sum(largest_sum(exponents), denominator)
    for of_class, net in zip(own, exponents):
        check(not np.delete(net, of_class).any(), "places of all updates", of_class)
        repeats = len(of_class) - len(np.unique(of_class))
        check(repeats == 0, "places of updates without repeats", repeats)
    n_mistakes = integers(state["n_mistakes"], "mistakes", low=0)
    check(n_mistakes.size % n_classes == 0, "mistakes of classes", n_mistakes.size)
    size = state["max_term_size"]
    model = Model(
        **kept,
        settings=Settings.of(classifier),
        updates=np.ascontiguousarray(updates, dtype=np.int32),
        exponents=exponents,
        denominator=denominator,
        max_term_size=None if size is None else integer(size, "max_term_size", 1),
        log_threshold=_number(state["log_threshold"], "log_threshold"),
        n_iter=integer(state["n_iter"], "n_iter", 1),
        n_mistakes=n_mistakes.reshape(-1, n_classes),
        scale=_number(state["scale"], "scale"),
        validation=validation_from_dict(state["validation"]),
        chains=_counts(state["chains"], _CHAINS),
        sums=_counts(state["sums"], _SUMS, former=_FORMER_SUMS),
        background=_background(state["background"], encoder.n_values),
        seed=integer(state["seed"], "seed", 0, np.iinfo(np.int32).max),
        column_conditions=conditions_from_dict(
            state["conditions"], n_features, n_classes
        ),
        discretizer=discretizer_from_dict(state["discretizer"], n_features),
        encoder=encoder,
        own=[of_class.astype(np.intp) for of_class in own],
        versions=_versions(state["versions"], n_classes),
    )
    check(model.scale > 0, "a positive scale", model.scale)
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
    codes = integers(
        state["codes"],
        "codes of the background",
        length=len(weights) * len(n_values),
        low=0,
        high=int(n_values.max()),
    )
    codes = np.ascontiguousarray(codes.reshape(-1, len(n_values)), dtype=np.int32)
    check((codes <= n_values).all(), "codes of values", codes.max())
    is_sorted = np.array_equal(distinct_rows(codes)[0], codes)
    check(is_sorted, "sorted, distinct rows of the background", len(codes))
    return Background(codes, weights)


def _versions(state, n_classes):
    """Check and return numbers of updates, with a margin for further training."""
    versions = integers(state, "versions", n_classes, low=0, high=LARGEST_SUM)
    return versions.tolist()


def _parameter(state, name):
    """Check and return a parameter of the model, as a float or a string."""
    right = type(state) is str if name in _NAMED else is_number(state)
    right = right and state != "auto"
    constraints = CONSTRAINTS[name]
    right = right and any(
        make_constraint(allowed).is_satisfied_by(state) for allowed in constraints
    )
    check(right, f"a value of {name}", state)
    return state if type(state) is str else float(state)


def _counts(state, names, former=None):
    """Check and return counts by name, without the count of a former name."""
    if type(state) is dict:
        state = {name: count for name, count in state.items() if name != former}
    check_keys(state, names, "counts")
    return {name: integer(state[name], name, 0) for name in names}


def _number(state, what):
    """Check and return a number as a float."""
    check(is_number(state), f"{what} to be a number", state)
    return float(state)
