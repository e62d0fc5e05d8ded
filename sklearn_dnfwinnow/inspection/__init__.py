"""Reading a model: its heaviest terms, the reasons of a prediction, a short formula.

Terms are found by an exact search, and their shares are those of the weighted sums that
decide predictions. Each function takes a classifier, a pipeline that ends with one, a
search, or a wrapper with a single classifier inside. Columns have the names, and values
the words, of the table that this estimator takes, wherever the transformers in front of
the classifier can be inverted.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.inspection._functions import (
    DNF,
    Explanation,
    ExplanationDisplay,
    Literal,
    Term,
    TermsDisplay,
    attribute_shares,
    explain,
    export_text,
    terms,
    to_dnf,
)

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
