"""Reading a model: its heaviest terms, the reasons of a prediction, a short formula.

Terms are found by an exact search, and their shares are those of the weighted sums that
decide predictions. Each function takes a classifier, a pipeline that ends with one, a
search, or a wrapper with a single classifier inside. Columns have the names, and values
the words, of the table that this estimator takes, wherever the transformers in front of
the classifier can be inverted.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This room reads fitted models: it decodes terms, measures them as rules, makes short
# DNFs and explanations, and draws displays (`_plot`). It imports `_utils`,
# `_preprocessing`, `_terms` and `_pipelines`. Of an estimator it knows the TermModel
# only: it imports nothing of `_winnow`, `samplers`, `sums` or the classifier. Each
# function stands in the file of its noun; here are names only.

from sklearn_dnfwinnow.inspection._attribute_shares import attribute_shares
from sklearn_dnfwinnow.inspection._dnf import DNF
from sklearn_dnfwinnow.inspection._explanation import Explanation, explain
from sklearn_dnfwinnow.inspection._heavy_terms import export_text, terms
from sklearn_dnfwinnow.inspection._literal import Literal
from sklearn_dnfwinnow.inspection._plot._explanation_display import ExplanationDisplay
from sklearn_dnfwinnow.inspection._plot._terms_display import TermsDisplay
from sklearn_dnfwinnow.inspection._short_dnf import to_dnf
from sklearn_dnfwinnow.inspection._term import Term

__all__ = [
    "DNF",
    "Explanation",
    "ExplanationDisplay",
    "Literal",
    "Term",
    "TermsDisplay",
    "attribute_shares",
    "explain",
    "export_text",
    "terms",
    "to_dnf",
]
