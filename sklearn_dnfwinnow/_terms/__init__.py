"""Terms: their numbers, their initial weights, and the top-weighted terms.

A term is a conjunction of literals, each an attribute and a code. The package also
contains the interfaces of models over terms for inspection, so that inspection supports
models other than Winnow. The package may import `_kernels`, `_utils` and
`_encoding`. It must not import sums or learners.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
