"""Private names of `rules` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.rules._conditions import Cells, roundest
from sklearn_dnfwinnow.rules._fitting import Samples
from sklearn_dnfwinnow.rules._rule_pool import RulePool
from sklearn_dnfwinnow.rules._shape import simplified
