"""The state of a BayesianInteractionClassifier: rows, prior and draws as plain values.

Groups of interactions are not saved, because they can be recomputed from the rows.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._draws import Draws
from sklearn_dnfwinnow._bayes._grouping import regrouped
from sklearn_dnfwinnow._bayes._model import BayesianModel
from sklearn_dnfwinnow._bayes._prior import LIMIT, Prior
from sklearn_dnfwinnow._bayes._problem import n_sets_of
from sklearn_dnfwinnow._bayes._settings import CONSTRAINTS
from sklearn_dnfwinnow._preprocessing._encoding import Encoding
from sklearn_dnfwinnow._terms._interaction_groups import TooManyGroups
from sklearn_dnfwinnow._utils._compat import make_constraint
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._json_values import (
    array_from,
    check,
    check_keys,
    integer,
    labels,
    plain_array,
    plain_labels,
)
from sklearn_dnfwinnow.persistence._discretizer import (
    discretizer_from_dict,
    discretizer_to_dict,
)
from sklearn_dnfwinnow.persistence._value_encoder import (
    attributes_from_list,
    attributes_to_list,
)

# Parameters that the model contains, and their types.
_KEPT = {
    "interactions": str,
    "prior": str,
    "hyperprior": str,
    "hyperprior_shape": float,
    "fit_intercept_scale": bool,
    "missing": str,
}
_KEYS = (
    *_KEPT,
    "classes",
    "attributes",
    "discretizer",
    "rows",
    "class_weights",
    "max_order",
    "scales",
    "draws",
    "seed",
)
_DRAWS = "sums", "log_sigma", "log_likelihood"
# Convergence is measured on halves of chains, each with a variance.
_FEWEST_DRAWS = 4
# All scales from valid parameters are within these limits.
_SMALLEST_SCALE, _LARGEST_SCALE = 1e-40, 1e20
_LARGEST_WEIGHT = 1e300
# Bytes for the search of groups: arrays that grow threefold for each group, count of
# terms and member, and copies of the rows.
_BYTES_A_GROUP, _BYTES_A_COUNT, _BYTES_AN_ENTRY, _BYTES_A_CODE = 300, 100, 40, 60
_FEWEST_GROUPS, _MOST_ENTRIES = 1 << 10, 1 << 40
# Logarithms are recomputed.
_ROUNDING = 1e-6


def get_state(classifier):
    """Return the fitted state of a classifier as plain values.

    Raises
    ------
    TypeError
        If a class, or a value of a feature, is not a string, number or boolean.
    """
    model = classifier._model
    groups, draws = model.groups, model.draws
    return {
        "interactions": "all" if groups.parents is None else "nested",
        "prior": model.prior.family,
        "hyperprior": model.prior.hyperprior,
        "hyperprior_shape": model.prior.shape,
        "fit_intercept_scale": model.prior.first == 0,
        "missing": model.encoding.missing,
        "classes": plain_labels(classifier.classes_, "There is a class"),
        "attributes": attributes_to_list(model.encoding),
        "discretizer": discretizer_to_dict(model.encoding.discretizer),
        "rows": plain_array(groups.rows),
        "class_weights": plain_array(model.class_weights),
        "max_order": int(groups.max_order),
        "scales": plain_array(model.prior.scales),
        "draws": {name: plain_array(getattr(draws, name)) for name in _DRAWS},
        "seed": int(model.seed),
    }


def set_state(classifier, state, budget):
    """Set the fitted state of a classifier from the result of `get_state`.

    Parameters
    ----------
    classifier : BayesianInteractionClassifier
        With its parameters set.
    state : dict
    budget : Budget

    Raises
    ------
    ValueError
        If the state does not have that form, or exceeds the budget.
    """
    check_keys(state, _KEYS, "a fitted BayesianInteractionClassifier")
    kept = {name: _parameter(state[name], name) for name in _KEPT}
    classes = labels(state["classes"], "classes", budget)
    n_classes = len(classes)
    check(n_classes > 1, "two classes or more", n_classes)
    discretizer = discretizer_from_dict(state["discretizer"])
    missing = kept["missing"]
    attributes = attributes_from_list(
        state["attributes"], missing, n_classes, discretizer
    )
    encoding = Encoding(attributes, missing, discretizer)
    rows = _rows(state["rows"], encoding.n_values)
    n_features = rows.shape[1]
    order = integer(state["max_order"], "max_order", 0, n_features)
    scales = array_from(state["scales"], "scales", "<f8", (order + 1,))
    right = (_SMALLEST_SCALE < scales) & (scales < _LARGEST_SCALE)
    check(
        right.all(), f"scales from {_SMALLEST_SCALE} to {_LARGEST_SCALE}", scales.min()
    )
    prior = Prior(
        family=kept["prior"],
        hyperprior=kept["hyperprior"],
        scales=scales,
        shape=kept["hyperprior_shape"],
        first=0 if kept["fit_intercept_scale"] else 1,
    )
    draws = _draws(state["draws"], prior, n_sets_of(n_classes))
    n_groups = draws.sums.shape[2]
    groups = _groups(kept["interactions"], rows, order, n_groups, budget)
    check(groups.n_groups == n_groups, f"draws of {groups.n_groups} groups", n_groups)
    model = BayesianModel(
        encoding=encoding,
        groups=groups,
        prior=prior,
        draws=draws,
        class_weights=_class_weights(state["class_weights"], (len(rows), n_classes)),
        seed=integer(state["seed"], "seed", 0, np.iinfo(np.int32).max),
    )
    classifier.classes_ = classes
    classifier.n_features_in_ = n_features
    classifier._become(model)


def _parameter(state, name):
    """Check and return a parameter of the model."""
    allowed = map(make_constraint, CONSTRAINTS[name])
    right = type(state) is _KEPT[name]
    right = right and any(one.is_satisfied_by(state) for one in allowed)
    check(right, f"a value of {name}", state)
    return state


def _rows(state, n_values):
    """Check and return the rows of codes."""
    rows = array_from(state, "codes of rows", "<i4", (None, len(n_values)))
    check(len(rows), "a row or more", len(rows))
    right = (rows >= 0) & (rows <= n_values)
    check(right.all(), "codes of values", rows[~right][:3].tolist())
    right = np.array_equal(distinct_rows(rows)[0], rows)
    check(right, "rows that are distinct and sorted", len(rows))
    return rows


def _groups(interactions, rows, order, n_groups, budget):
    """Return the groups of the rows, of which there are `n_groups`, within a budget."""
    room = max(n_groups, _FEWEST_GROUPS) + len(rows)
    n_bytes = _BYTES_A_GROUP * room + _BYTES_A_COUNT * room * (order + 1)
    n_bytes += _BYTES_A_CODE * rows.size
    budget.take("the groups of interactions", n_bytes)
    max_entries = int(min(budget.bytes_left / _BYTES_AN_ENTRY, _MOST_ENTRIES))
    try:
        groups = regrouped(interactions, rows, order, n_groups, max_entries)
    except TooManyGroups as error:
        raise ValueError(
            f"Expected draws of all groups, and groups within max_bytes="
            f"{budget.max_bytes:.3g}; got {n_groups} groups. Increase max_bytes if you "
            "trust the author of the model."
        ) from error
    budget.take("the samples of groups", _BYTES_AN_ENTRY * len(groups.members))
    return groups


def _class_weights(state, shape):
    """Check and return the weights of the classes of each row."""
    weights = array_from(state, "weights of classes", "<f8", shape)
    small = weights.max() <= _LARGEST_WEIGHT / weights.size
    check(small, "weights of classes with a sum", weights.max())
    right = (weights >= 0).all() and weights.any(axis=1).all()
    check(right, "weights of classes from 0, one above 0 in each row", weights.min())
    return weights


def _draws(state, prior, n_sets):
    """Check and return the draws of some groups."""
    check_keys(state, _DRAWS, "draws")
    sums = array_from(state["sums"], "sums", "<f4", (None, None, None, n_sets))
    n_chains, n_draws, n_groups, _ = sums.shape
    check(n_chains, "a chain or more", n_chains)
    check(n_draws >= _FEWEST_DRAWS, f"{_FEWEST_DRAWS} draws or more", n_draws)
    check(n_groups, "a group or more", n_groups)
    shape = n_chains, n_draws
    log_sigma = array_from(
        state["log_sigma"], "log widths", "<f8", (*shape, len(prior.scales))
    )
    far = np.abs(log_sigma - np.log(prior.scales))
    far[..., prior.first :] -= LIMIT
    right = far.max() <= _ROUNDING
    check(right, "log widths near the scales of their prior", far.max())
    return Draws(
        sums=sums,
        log_sigma=log_sigma,
        log_likelihood=array_from(
            state["log_likelihood"], "log likelihoods", "<f8", shape
        ),
    )
