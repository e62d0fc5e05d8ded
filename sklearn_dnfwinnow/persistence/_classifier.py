"""The form of a classifier: what it has learned as plain values, and back, checked."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._preprocessing._value_encoder import ValueEncoder
from sklearn_dnfwinnow._utils._compat import make_constraint
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    integers,
    is_number,
    labels,
    numbers,
    plain,
    plain_labels,
    plain_numbers,
)
from sklearn_dnfwinnow._winnow._exponents import LARGEST_SUM, check_sum, largest_sum
from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS, Settings

# Parameters that the model keeps; that of `max_term_size` has other values.
_KEPT = "alpha", "term_prior", "literals", "missing"
_KEYS = (
    *_KEPT,
    *("classes", "attributes", "updates", "exponents", "denominator"),
    *("max_term_size", "log_threshold", "n_iter", "n_mistakes", "scale"),
    *("validation", "chains", "sums", "seed", "own", "versions"),
)
_ATTRIBUTE_KEYS = "numeric", "values", "frequencies"
_CHAINS, _SUMS = ("run", "ladder", "simulated"), ("full", "increments", "skipped")
_VALIDATION = "n_epochs", "log_loss"
# Seeds are drawn from integers of 32 bits.
_LARGEST_SEED = (1 << 31) - 1
# Weights of values are added up as float64, and written as finite numbers.
_LARGEST_FREQUENCY = 1e300


def form_of(classifier):
    """What a fitted classifier has learned, as plain values.

    Raises
    ------
    TypeError
        If a class, or a value of a column, is no string, number or boolean.
    """
    model = Model.of(classifier)
    encoder, size = model.encoder, model.max_term_size
    attributes = []
    for j, (values, array, frequencies) in enumerate(
        zip(encoder._codes, encoder.categories_, encoder._frequencies)
    ):
        where = f"Column {j} has the value"
        attributes.append(
            {
                "numeric": array.dtype.kind in "iuf",
                "values": [None if v is None else plain(v, where) for v in values],
                "frequencies": plain_numbers(frequencies),
            }
        )
    validation = model.validation
    if validation is not None:
        validation = {name: plain_numbers(validation[name]) for name in _VALIDATION}
    return {
        "alpha": model.alpha,
        "term_prior": model.term_prior,
        "literals": model.literals,
        "missing": model.missing,
        "classes": plain_labels(classifier.classes_, "There is a class"),
        "attributes": attributes,
        "updates": plain_numbers(model.updates),
        "exponents": plain_numbers(model.exponents),
        "denominator": int(model.denominator),
        "max_term_size": size if size is None else int(size),
        "log_threshold": float(model.log_threshold),
        "n_iter": int(model.n_iter),
        "n_mistakes": plain_numbers(model.n_mistakes),
        "scale": float(model.scale),
        "validation": validation,
        "chains": {name: int(n) for name, n in model.chains.items()},
        "sums": {name: int(n) for name, n in model.sums.items()},
        "seed": int(model.seed),
        "own": [plain_numbers(own) for own in model.own],
        "versions": list(map(int, model.versions)),
    }


def fill(classifier, said):
    """Have a classifier be as one of which `form_of` said this.

    Parameters
    ----------
    classifier : DNFWinnowClassifier
        With its parameters.
    said : dict

    Raises
    ------
    ValueError
        If it is not of that form.
    """
    check_keys(said, _KEYS, "a fitted DNFWinnowClassifier")
    classifier.classes_ = labels(said["classes"], "classes")
    n_classes = len(classifier.classes_)
    check(n_classes > 1, "two classes or more", n_classes)
    kept = {name: _parameter(said[name], name) for name in _KEPT}
    encoder = _encoder(said["attributes"], kept.pop("missing"), n_classes)
    n_values = encoder.n_values
    n_features = classifier.n_features_in_ = len(n_values)
    updates = integers(said["updates"], "updates", low=0)
    check(updates.size % n_features == 0, "updates of whole rows", updates.size)
    updates = updates.reshape(-1, n_features)
    check((updates <= n_values).all(), "codes of values", updates.max(initial=0))
    distinct = len(np.unique(updates, axis=0)) == len(updates)
    check(distinct, "updates that are distinct", len(updates))
    m = len(updates)
    exponents = integers(said["exponents"], "exponents", n_classes * m)
    own = _lists(said["own"], "places of updates", n_classes)
    own = [integers(of_class, "places of updates", None, 0, m - 1) for of_class in own]
    exponents = exponents.reshape(n_classes, m)
    denominator = _count(said["denominator"], "denominator", 1)
    check_sum(largest_sum(exponents), denominator)
    for of_class, net in zip(own, exponents):
        check(not np.delete(net, of_class).any(), "places of all updates", of_class)
        repeats = len(of_class) - len(np.unique(of_class))
        check(repeats == 0, "places of updates without repeats", repeats)
    n_mistakes = integers(said["n_mistakes"], "mistakes", low=0)
    check(n_mistakes.size % n_classes == 0, "mistakes of classes", n_mistakes.size)
    size = said["max_term_size"]
    model = Model(
        **kept,
        settings=Settings.of(classifier),
        updates=np.ascontiguousarray(updates, dtype=np.int32),
        exponents=exponents,
        denominator=denominator,
        max_term_size=None if size is None else _count(size, "max_term_size", 1),
        log_threshold=_number(said["log_threshold"], "log_threshold"),
        n_iter=_count(said["n_iter"], "n_iter", 1),
        n_mistakes=n_mistakes.reshape(-1, n_classes),
        scale=_number(said["scale"], "scale"),
        validation=_validation(said["validation"]),
        chains=_counts(said["chains"], _CHAINS),
        sums=_counts(said["sums"], _SUMS),
        seed=_count(said["seed"], "seed", 0, _LARGEST_SEED),
        encoder=encoder,
        own=[of_class.astype(np.intp) for of_class in own],
        versions=_versions(said["versions"], n_classes),
    )
    check(model.scale > 0, "a positive scale", model.scale)
    classifier._become(model)


def _encoder(said, missing, n_classes):
    attributes = _lists(said, "attributes")
    check(attributes, "an attribute or more", attributes)
    encoder = ValueEncoder(missing, len(attributes), n_classes)
    for j, attribute in enumerate(attributes):
        check_keys(attribute, _ATTRIBUTE_KEYS, "an attribute")
        values = _lists(attribute["values"], "values")
        for value in values:
            right = value is None or type(value) in (str, int, bool) or is_number(value)
            check(right, "values to be strings, numbers, booleans or null", value)
        codes = {value: code for code, value in enumerate(values, start=1)}
        check(len(codes) == len(values), "values that are distinct", values)
        check(missing == "category" or None not in codes, "no missing value", values)
        numeric = attribute["numeric"]
        check(type(numeric) is bool, "numeric to be a boolean", numeric)
        frequencies = numbers(attribute["frequencies"], "frequencies")
        check(frequencies.min(initial=0) >= 0, "frequencies from 0", frequencies)
        small = frequencies.max(initial=0) <= _LARGEST_FREQUENCY
        check(small, f"frequencies up to {_LARGEST_FREQUENCY}", frequencies)
        # They are kept only where a missing value becomes the most frequent one.
        n_known = len(values) if missing == "most_frequent" else 0
        fits = len(frequencies) == n_classes * (n_known + 1)
        check(fits, "frequencies of values in classes", len(frequencies))
        encoder.recall(j, codes, numeric, frequencies.reshape(n_classes, -1))
    return encoder


def _lists(said, what, length=None):
    check(type(said) is list, f"a list of {what}", said)
    check(length in (None, len(said)), f"{length} {what}", len(said))
    return said


def _count(said, what, low, high=None):
    check(type(said) is int and low <= said, f"{what} from {low}", said)
    check(high is None or said <= high, f"{what} up to {high}", said)
    return said


def _versions(said, n_classes):
    """Numbers of updates, with room for as many more as there can ever be."""
    return integers(said, "versions", n_classes, 0, LARGEST_SUM).tolist()


def _parameter(said, name):
    """The value of a parameter that the model keeps, as a float or a string."""
    right = is_number(said) if name in ("alpha", "term_prior") else type(said) is str
    right = right and said != "auto"
    right = right and any(
        make_constraint(allowed).is_satisfied_by(said) for allowed in CONSTRAINTS[name]
    )
    check(right, f"a value of {name}", said)
    return said if type(said) is str else float(said)


def _counts(said, names):
    check_keys(said, names, "counts")
    return {name: _count(said[name], name, 0) for name in names}


def _number(said, what):
    check(is_number(said), f"{what} to be a number", said)
    return float(said)


def _validation(said):
    if said is None:
        return None
    check_keys(said, _VALIDATION, "validation")
    n_epochs = integers(said["n_epochs"], "n_epochs", low=1)
    return {
        "n_epochs": n_epochs,
        "log_loss": numbers(said["log_loss"], "log losses", len(n_epochs)),
    }
