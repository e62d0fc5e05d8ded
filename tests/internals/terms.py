"""Private names of `terms` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
import numpy as np

from sklearn_dnfwinnow._encoding._encoding import derived_columns
from sklearn_dnfwinnow._terms import _additive_model, _heaviest_terms
from sklearn_dnfwinnow._terms import _term_index as _index_choice
from sklearn_dnfwinnow._terms._additive_model import AdditiveModel, SmoothEffects
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms, terms_of
from sklearn_dnfwinnow._terms._heaviest_terms import HeavyTerm, TermSearch
from sklearn_dnfwinnow._terms._implications import Implications
from sklearn_dnfwinnow._terms._interactions import (
    InteractionGroups,
    all_interactions,
    nested_interactions,
)
from sklearn_dnfwinnow._terms._screening import Cells, Condition, Screening
from sklearn_dnfwinnow._terms._term_index import group_terms, list_terms, number_terms


def equalities(n_values):
    """The implications between equalities, none, for some numbers of values."""
    columns = [
        derived_columns(j, np.arange(n), literals="equal")[0]
        for j, n in enumerate(n_values)
    ]
    return Implications(columns)
