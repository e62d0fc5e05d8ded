"""Rules: formulas in disjunctive normal form, independent of any model.

A :class:`DNF` is a disjunction of :class:`Term` objects. A term is a conjunction of
:class:`Literal` objects. A literal is a condition on one feature.
:class:`DNFClassifier` makes a classifier from given formulas.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This package contains formulas: it evaluates, edits, parses and writes them. It
# imports `_utils` and `_encoding`, and does not depend on models.

from sklearn_dnfwinnow._utils import lazy_names

_MODULES = {
    "DNF": "_dnf",
    "DNFClassifier": "_dnf_classifier",
    "DNFSyntaxError": "_text",
    "Literal": "_literal",
    "RuleSummary": "_statistics",
    "Term": "_term",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
