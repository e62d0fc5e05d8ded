"""Codes to terms: their numbers, their prior weights, and the heaviest of them.

A term is a conjunction of literals, each an attribute and a code. What inspection asks
of any model over terms is here as well, so that it can read models other than Winnow.
The room may import `_kernels`, `_utils` and `_preprocessing`. It must know neither how
sums are computed nor how exponents are learned.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
