"""Conditions on terms: their parameters, and conditions on codes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# `_condition_reader` validates the parameters. `_column_conditions` contains their
# conditions on columns and classes, and `_code_conditions` converts these to codes for
# sums. `_literal_codes` finds the codes of a column that satisfy a literal.
