"""Entropy cuts: the dynamic program of the discretizer for one column.

Segments of a column are runs of values with the same class distribution. Multisplits
are the optimal cuts between them for each number of intervals. The selection chooses
the number.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
