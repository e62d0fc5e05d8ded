"""Private names of `export` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.export._onnx_sums import _matrices
from sklearn_dnfwinnow.export._term_weights import term_weights
