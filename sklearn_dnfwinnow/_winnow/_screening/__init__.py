"""Screening of a table: the cut points and terms that matter, and an additive start."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# `_fine_cells` has all values that conditions may compare with, and `_screened_table`
# the chosen terms, and the weights from which training starts.
