"""Private names of `sums` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.sums import _subset_sums
from sklearn_dnfwinnow.sums._subset_sums import by_terms
