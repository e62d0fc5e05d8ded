"""Private names of `encoding` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow._encoding._columns import columns_of
from sklearn_dnfwinnow._encoding._cuts import multisplits, n_log_n
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._encoding._table import FactorizedTable, in_samples
