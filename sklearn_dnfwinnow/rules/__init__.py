"""Rules: formulas in disjunctive normal form, apart from the model that they come from.

A :class:`DNF` is a disjunction of :class:`Term` objects, and these are conjunctions of
:class:`Literal` objects: conditions on one column of a table each.
:class:`DNFClassifier` makes a classifier of formulas that are given.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This room holds formulas and what is done with them: it evaluates, edits, reads and
# writes them. It imports `_utils` and `_preprocessing`, and knows no model.

from sklearn_dnfwinnow._utils._lazy_names import lazy_names

_MODULES = {
    "DNF": "_dnf",
    "DNFClassifier": "_dnf_classifier",
    "DNFSyntaxError": "_syntax_error",
    "Literal": "_literal",
    "Term": "_term",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
