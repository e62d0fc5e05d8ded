"""Private names of `terms` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow._terms import _heaviest_terms, _index_choice
from sklearn_dnfwinnow._terms._allowed import Allowed
from sklearn_dnfwinnow._terms._background import MOST_ROWS, Background
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms, terms_of
from sklearn_dnfwinnow._terms._heaviest_terms import GaveUp, HeavyTerm, TermSearch
from sklearn_dnfwinnow._terms._implications import Implications
from sklearn_dnfwinnow._terms._index_builders import (
    MEMORY_BUDGET,
    group_terms,
    list_terms,
    number_terms,
)
from sklearn_dnfwinnow._terms._index_choice import (
    TooManyTerms,
    choose_max_term_size,
    term_index,
)
from sklearn_dnfwinnow._terms._interactions._all_interactions import all_interactions
from sklearn_dnfwinnow._terms._interactions._interaction_groups import (
    InteractionGroups,
    Matches,
    TooManyGroups,
    of_largest_order,
)
from sklearn_dnfwinnow._terms._interactions._nested_interactions import (
    nested_interactions,
)
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight
from sklearn_dnfwinnow._terms._screening import Cells, Condition, screen
from sklearn_dnfwinnow._terms._term_model import SingleModelMixin
from sklearn_dnfwinnow._utils._estimator_mixins import (
    InteractionModelMixin,
    TermModelMixin,
)
