"""Shapley values: contributions of features that add up to the scores.

A row and its features form a game, which is solved exactly or by sampling. Explanations
use the values of one row; the public functions return those of all samples.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
