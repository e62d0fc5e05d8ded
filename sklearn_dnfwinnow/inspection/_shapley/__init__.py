"""Shapley values: parts of scores that add up to them.

A row and its attributes are a game, which is solved exactly or sampled; explanations
take the values of one row, and users those of a table.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
