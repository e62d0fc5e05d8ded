"""Effects of features: Shapley values of the log-odds, from contributions of terms.

Given the effects of groups, the mean of the score is a sum over terms. If some of the
features are unspecified, it is the sum over the terms without these features. The
Shapley values of this game divide the contribution of each term equally among its
features. Terms that no training sample satisfies have mean 0.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.inspection._interactions._draw_summary import parts_of


def feature_effects(model, row):
    """Return draws of the Shapley values of the features of a row.

    Parameters
    ----------
    model : InteractionModel
    row : ndarray of shape (n_features,), int32
        Codes.

    Returns
    -------
    effects : ndarray of shape (n_draws, n_features, n_classes), float64
        Contributions to the scores of classes; 0 where a feature is unspecified.
    """
    known = np.flatnonzero(row)
    without = np.tile(row, (len(known), 1))
    without[np.arange(len(known)), known] = 0
    whole = model.groups.look_up(row[None])
    matches = model.groups.look_up(without)
    orders = np.maximum(np.arange(whole.counts.shape[1]), 1)
    effects = np.zeros((model.n_draws, len(row), model.n_classes))
    for i, j in enumerate(known):
        kept = slice(*matches.starts[i : i + 2])
        mention = whole.counts.copy()
        places = np.searchsorted(whole.groups, matches.groups[kept])
        mention[places] -= matches.counts[kept]
        found = mention.any(axis=1)
        effects[:, j] = sum_of_shares(
            model, whole.groups[found], mention[found] / orders
        )
    return effects


def sum_of_shares(model, groups, counts):
    """Return draws of the total contribution of some terms: (n_draws, n_classes)."""
    total = np.zeros((model.n_draws, model.n_classes))
    for part in parts_of(model, len(groups)):
        total += model.shares(groups[part], counts[part]).sum(axis=1)
    return total
