"""Data to codes: columns of any container, values to integers, numbers to intervals.

A row of codes has one integer for each attribute, 0 if it is unspecified. `Encoding` is
the whole way from cells to codes with literals: cuts of the discretizer, values of
attributes, and derived columns for literals such as != and <=. The package may import
`_kernels` and `_utils`. It must not import terms, sums, models or classifiers.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
