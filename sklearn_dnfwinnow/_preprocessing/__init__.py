"""Tables to codes: columns of any container, values to integers, numbers to intervals.

A row of codes has one integer for each attribute, 0 where it is unspecified. Here are
the discretizer, the encoder of values and the columns for literals such as != and <=.
The room may import `_kernels` and `_utils`. It must know no term, no sum, no model and
no classifier.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
