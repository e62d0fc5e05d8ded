"""Data to codes: columns of any container, values to integers, numbers to intervals.

A row of codes has one integer for each attribute, 0 if it is unspecified. The package
contains the discretizer, the encoder of values, and the columns for literals such as !=
and <=. It may import `_kernels` and `_utils`. It must not import terms, sums, models or
classifiers.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
