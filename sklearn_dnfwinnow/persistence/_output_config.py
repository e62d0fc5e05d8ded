"""The output of a transformer, as selected by `set_output`."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._compat import own_output_config
from sklearn_dnfwinnow._utils._json_values import check

_OUTPUTS = None, "default", "pandas", "polars"


def get_state(estimator):
    """Return 'default', 'pandas' or 'polars'; None if `set_output` was not called."""
    return own_output_config(estimator)


def set_state(estimator, state):
    """Set the output of an estimator from the result of `get_state`.

    Raises
    ------
    ValueError
        If it is not an output, or the estimator has no such option.
    """
    allowed = _OUTPUTS if hasattr(estimator, "set_output") else (None,)
    right = state is None or type(state) is str
    check(right and state in allowed, f"an output among {allowed}", state)
    if state is not None:
        estimator.set_output(transform=state)
