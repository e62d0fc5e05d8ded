"""Problems: what a weighted sum depends on, and what comes of it.

Here are the agreement sets of one query and one class, the updates of all classes,
packed to be compared with queries, and the sum itself with its error. The room may
import `_kernels`, `_utils` and `_terms`. It must not know which engine sums, nor how
exponents are learned.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
