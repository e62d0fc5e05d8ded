"""Winnow: weights of terms, the learner that changes them, and the model it makes.

It may import what lies below: `_kernels`, `_utils`, `_preprocessing`, `_terms`,
`_problems`, `samplers` and `sums`. It must not import the estimators, nor what reads
models: `inspection`, `diagnostics` and `persistence`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
