"""Background of a model as plain values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._terms._background import MOST_ROWS, Background
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    integers,
    numbers,
    plain_numbers,
)


def background_to_dict(background):
    """Return a Background as plain values, None for None."""
    if background is None:
        return None
    return {
        "codes": plain_numbers(background.codes),
        "weights": plain_numbers(background.weights),
    }


def background_from_dict(state, n_values):
    """Return the Background that `background_to_dict` converted.

    Parameters
    ----------
    state : dict or None
    n_values : ndarray of shape (n_features,), int
        Largest code of each feature.

    Raises
    ------
    ValueError
        If the state does not have that form.
    """
    if state is None:
        return None
    check_keys(state, ("codes", "weights"), "a background")
    n_features = len(n_values)
    weights = numbers(state["weights"], "weights of the background")
    check(0 < len(weights) <= MOST_ROWS, f"1 to {MOST_ROWS} rows", len(weights))
    check((weights > 0).all(), "positive weights of the background", weights.min())
    codes = integers(
        state["codes"],
        "codes of the background",
        length=len(weights) * n_features,
        low=0,
        high=int(n_values.max()),
    )
    codes = np.ascontiguousarray(codes.reshape(-1, n_features), dtype=np.int32)
    check((codes <= n_values).all(), "codes of values", codes.max())
    rows, _, _ = distinct_rows(codes)
    check(np.array_equal(rows, codes), "distinct rows of the background, sorted", codes)
    return Background(codes, weights)
