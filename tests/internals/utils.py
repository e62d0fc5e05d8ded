"""Private names of `utils` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow._utils._convergence import (
    autocorrelation_times,
    effective_sample_size,
    r_hat,
)
from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow._utils._distinct_rows import (
    distinct_in_order,
    distinct_rows,
)
from sklearn_dnfwinnow._utils._random_streams import stream
