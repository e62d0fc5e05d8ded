"""Private names of `utils` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow._utils._computing import stream
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._draws import (
    autocorrelation_times,
    effective_sample_size,
    r_hat,
)
