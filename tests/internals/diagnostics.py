"""Private names of `diagnostics` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.diagnostics._chain_diagnostics import diagnose_model, heavy_term
