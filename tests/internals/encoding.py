"""Private names of `encoding` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow._encoding._columns import (
    check_table,
    columns_of,
    frame_library,
    is_missing,
)
from sklearn_dnfwinnow._encoding._derived_columns import MANY_VALUES, derived_columns
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._encoding._entropy_cuts._multisplits import multisplits, n_log_n
from sklearn_dnfwinnow._encoding._entropy_cuts._segments import (
    segments,
    tally,
)
from sklearn_dnfwinnow._encoding._quantiles import quantile_starts
from sklearn_dnfwinnow._encoding._sample_weights import in_samples
from sklearn_dnfwinnow._encoding._tables._factorized_table import FactorizedTable
