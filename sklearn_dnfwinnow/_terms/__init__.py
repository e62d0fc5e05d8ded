"""Terms: their numbers, their initial weights, and the top-weighted terms.

A term is a conjunction of literals, each an attribute and a code. The package may
import `_kernels`, `_utils` and `_encoding`. It must not import sums or learners.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
