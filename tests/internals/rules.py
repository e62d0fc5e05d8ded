"""Private names of `rules` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.rules._fitting import _held_out_rules as held_out_rules
from sklearn_dnfwinnow.rules._fitting._list_search import ListSearch
from sklearn_dnfwinnow.rules._fitting._rule_choice import (
    Option,
    chosen,
    precisions,
    predicted,
)
from sklearn_dnfwinnow.rules._fitting._samples import Samples
from sklearn_dnfwinnow.rules._fitting._table_literals import (
    rows_that_satisfy,
    table_literals,
)
from sklearn_dnfwinnow.rules._learning._grown_rules import grown_rules
from sklearn_dnfwinnow.rules._learning._pricing import price_rules
from sklearn_dnfwinnow.rules._learning._problem import RuleProblem
from sklearn_dnfwinnow.rules._learning._rule_search import best_rule_set
from sklearn_dnfwinnow.rules._shape._extent import Extent
