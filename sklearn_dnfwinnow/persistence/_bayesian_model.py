"""The schema of a fitted BayesianInteractionClassifier: rows, prior and draws.

Groups of interactions are not saved, because they can be recomputed from the rows.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._convergence import Convergence
from sklearn_dnfwinnow._bayes._draws import Draws
from sklearn_dnfwinnow._bayes._grouping import regrouped
from sklearn_dnfwinnow._bayes._model import BayesianModel
from sklearn_dnfwinnow._bayes._prior import LIMIT, Prior
from sklearn_dnfwinnow._bayes._problem import n_sets_of
from sklearn_dnfwinnow._bayes._settings import CONSTRAINTS
from sklearn_dnfwinnow._terms._interactions._interaction_groups import TooManyGroups
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow.persistence._array import Array
from sklearn_dnfwinnow.persistence._encoding import encoding
from sklearn_dnfwinnow.persistence._schema import (
    SEED,
    Labels,
    Record,
    fitted,
    integer,
    onto,
)

# Convergence is measured on halves of chains, each with a variance.
_FEWEST_DRAWS = 4
# All scales from valid parameters are within these limits.
_SMALLEST_SCALE, _LARGEST_SCALE = 1e-40, 1e20
_LARGEST_WEIGHT = 1e300
_MOST_SWEEPS = 1 << 40
# Bytes for the search of groups: arrays that grow threefold for each group, count of
# terms and member, and copies of the rows.
_BYTES_A_GROUP, _BYTES_A_COUNT, _BYTES_AN_ENTRY, _BYTES_A_CODE = 300, 100, 40, 60
_FEWEST_GROUPS, _MOST_ENTRIES = 1 << 10, 1 << 40
# Logarithms are recomputed.
_ROUNDING = 1e-6


def bayesian_classifier(classifier):
    """Return the schema of the fitted state of a BayesianInteractionClassifier."""
    fields = {
        "classes_": Labels(least=2),
        "_model": lambda found: _model(len(found.classes_)),
    }
    return onto(classifier, fields, _set_n_features)


def _set_n_features(found, _):
    found.n_features_in_ = found._model.groups.rows.shape[1]


def _model(n_classes):
    """Return the schema of a BayesianModel."""
    fields = {
        "encoding": encoding(n_classes),
        "prior": _PRIOR,
        "draws": lambda found: _draws(found.prior, n_sets_of(n_classes)),
        "groups": _groups,
        "class_weights": lambda found: Array(
            "<f8", (len(found.groups.rows), n_classes)
        ),
        "seed": SEED,
        "convergence": _CONVERGENCE,
    }
    return Record(fields, BayesianModel, check=_check_model)


def _check_model(found, _):
    literals = found.encoding.literals
    check(literals == "equal", "literals that are equalities", literals)
    weights = found.class_weights
    small = weights.max() <= _LARGEST_WEIGHT / weights.size
    check(small, "weights of classes with a sum", weights.max())
    right = (weights >= 0).all() and weights.any(axis=1).all()
    check(right, "weights of classes from 0, one above 0 in each row", weights.min())


def _check_scales(found, _):
    check(found.scales.size, "the scale of an order or more", found.scales)
    right = (_SMALLEST_SCALE < found.scales) & (found.scales < _LARGEST_SCALE)
    expected = f"scales from {_SMALLEST_SCALE} to {_LARGEST_SCALE}"
    check(right.all(), expected, found.scales.min())


_PRIOR = Record(
    {
        "family": fitted(CONSTRAINTS["prior"], str),
        "hyperprior": fitted(CONSTRAINTS["hyperprior"], str),
        "shape": fitted(CONSTRAINTS["hyperprior_shape"], float),
        "first": integer(0, 1),
        "scales": Array("<f8", (None,)),
    },
    Prior,
    check=_check_scales,
)


_CONVERGENCE = Record(
    {
        "n_sweeps": integer(0, _MOST_SWEEPS),
        "n_widths": integer(0, _MOST_SWEEPS),
        "r_hat": Array("<f8", (None,)),
        "ess": lambda found: Array("<f8", found.r_hat.shape),
    },
    Convergence,
)


def _draws(prior, n_sets):
    """Return the schema of the draws of all chains."""

    def check_draws(found, _):
        n_chains, n_draws, n_groups, _ = found.sums.shape
        check(n_chains, "a chain or more", n_chains)
        check(n_draws >= _FEWEST_DRAWS, f"{_FEWEST_DRAWS} draws or more", n_draws)
        check(n_groups, "a group or more", n_groups)
        far = np.abs(found.log_sigma - np.log(prior.scales))
        far[..., prior.first :] -= LIMIT
        right = far.max() <= _ROUNDING
        check(right, "log widths near the scales of their prior", far.max())

    fields = {
        "sums": Array("<f4", (None, None, None, n_sets)),
        "log_sigma": lambda found: Array(
            "<f8", (*found.sums.shape[:2], len(prior.scales))
        ),
        "log_likelihood": lambda found: Array("<f8", found.sums.shape[:2]),
    }
    return Record(fields, Draws, check=check_draws)


def _groups(model):
    """Return the schema of the groups of a model, of which the other parts are known.

    The rows determine the groups, which are searched within the budget.
    """
    n_groups, order = model.draws.sums.shape[2], len(model.prior.scales) - 1
    n_values = model.encoding.n_known

    def parts(groups):
        interactions = "all" if groups.parents is None else "nested"
        return {"interactions": interactions, "rows": groups.rows}

    def check_rows(found, budget):
        rows = found.rows
        check(order <= len(n_values), f"orders up to {len(n_values)}", order)
        check(len(rows), "a row or more", len(rows))
        right = (rows >= 0) & (rows <= n_values)
        check(right.all(), "codes of values", rows[~right][:3].tolist())
        right = np.array_equal(distinct_rows(rows)[0], rows)
        check(right, "rows that are distinct and sorted", len(rows))
        found.groups = _search(found.interactions, rows, order, n_groups, budget)

    fields = {
        "interactions": fitted(CONSTRAINTS["interactions"], str),
        "rows": Array("<i4", (None, len(n_values))),
    }
    return Record(fields, lambda groups, **_: groups, parts=parts, check=check_rows)


def _search(interactions, rows, order, n_groups, budget):
    """Return the groups of some rows, of which there are `n_groups`."""
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
    check(groups.n_groups == n_groups, f"draws of {groups.n_groups} groups", n_groups)
    return groups
