"""Conditions on terms: what users say of columns and classes, and what sums obey."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# `_condition_reader` checks the parameters; `_column_conditions` holds what they say,
# about columns and classes, and `_code_conditions` what that is in codes, as sums take
# it. `_literal_codes` finds which codes of a column satisfy a literal.
