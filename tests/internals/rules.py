"""Private names of `rules` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.rules._editing import meaning
from sklearn_dnfwinnow.rules._rule_statistics import wilson_interval
