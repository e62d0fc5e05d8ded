"""Private names of `rules` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.rules._fitting import Samples
from sklearn_dnfwinnow.rules._rule_list import (
    ListSearch,
    Option,
    chosen,
    precisions,
    predicted,
    rows_that_satisfy,
    table_literals,
)
from sklearn_dnfwinnow.rules._rule_problem import RuleProblem
from sklearn_dnfwinnow.rules._rule_search import best_rule_set, grown_rules
from sklearn_dnfwinnow.rules._rule_selection import price_rules
from sklearn_dnfwinnow.rules._shape import Extent, merged, rounded, simplified
