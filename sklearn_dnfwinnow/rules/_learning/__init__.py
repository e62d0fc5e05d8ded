"""Learning of rule sets: candidates, their selection, and a bound on what is possible.

- `_problem`: rows, literals, gains, prices and limits: `RuleProblem`.
- `_literal_cells`: sums over the rows that satisfy each literal.
- `_grown_rules`: rules that grow around rows, the first candidates.
- `_rule_pool`: candidates and the rows that they cover.
- `_selection`: linear and integer programmes over the pool, solved by HiGHS.
- `_pricing`: search for rules that improve the linear programme, over all rules.
- `_rule_search`: all of it: `best_rule_set`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
