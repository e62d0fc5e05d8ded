"""Screening of a table: the cut points and terms that matter, and an additive start."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# `_fine_cells` has all values that conditions may compare with. `_cell_conditions`
# restricts the search for terms to what the conditions of a user allow.
# `_screened_table` has the chosen terms, and the weights from which training starts.
