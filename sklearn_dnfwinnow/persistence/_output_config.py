"""The output of a transformer, as `set_output` chose it, as a plain value and back."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._compat import own_output_config
from sklearn_dnfwinnow._utils._json_values import check

_OUTPUTS = None, "default", "pandas", "polars"


def form_of(estimator):
    """'default', 'pandas' or 'polars'; None if `set_output` was not called."""
    return own_output_config(estimator)


def fill(estimator, said):
    """Have an estimator return what one did of which `form_of` said this.

    Raises
    ------
    ValueError
        If it is no output, or the estimator has no such choice.
    """
    allowed = _OUTPUTS if hasattr(estimator, "set_output") else (None,)
    right = said is None or type(said) is str
    check(right and said in allowed, f"an output among {allowed}", said)
    if said is not None:
        estimator.set_output(transform=said)
