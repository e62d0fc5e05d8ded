"""Entropy cuts: where the discretizer cuts a column, by its programme.

Segments of a column hold rows of one class, or of equal values; multisplits are the
optimal cuts between them for each number of intervals; the selection chooses how many.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
