"""Problems: the input of a weighted sum, and its result.

The modules contain the agreement sets of one query and one class, the stored examples
of all classes, packed for comparison with queries, and the sum with its error. The
package may import `_kernels`, `_utils` and `_terms`. It must not import an engine or a
learner.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
