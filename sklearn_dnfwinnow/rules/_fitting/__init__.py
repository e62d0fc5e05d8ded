"""Fitting: the rules of all classes, from a labelled table.

- `_table_literals`: the conditions of which rules are made.
- `_list_search`: the rules of all classes, as a list of formulas.
- `_held_out_rules`: the rules of all classes on rows that did not choose them.
- `_rule_choice`: the price of a literal and the default class, by held-out error.
- `_samples`: labelled rows, in an order of their own.
- `_rule_list`: all of it: `learn_rule_list`.
- `_formulas`, `_given_formulas`: formulas for the columns and classes of a classifier,
  learnt or given.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
