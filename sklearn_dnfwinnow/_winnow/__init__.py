"""Winnow: weights of terms, the learner that updates them, and the resulting model.

The package may import the packages below it: `_kernels`, `_utils`, `_preprocessing`,
`_terms`, `_problems`, `samplers` and `sums`. It must not import the estimators, nor the
packages that read models: `inspection`, `diagnostics` and `persistence`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
