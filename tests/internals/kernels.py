"""Private names of `kernels` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow import _kernels
from sklearn_dnfwinnow._kernels import (
    _chains_testing,
    _numerics_testing,
    condition_search,
    polya_gamma,
)
