"""Reading a model: its heaviest terms, the reasons of a prediction, a short formula.

Terms are found by an exact search, and their shares are those of the weighted sums that
decide predictions. Each function takes a classifier, a pipeline that ends with one, a
search, or a wrapper with a single classifier inside. Columns have the names, and values
the words, of the table that this estimator takes, wherever the transformers in front of
the classifier can be inverted.

`interactions` and `explain_interactions`, and displays of these names, are for a
BayesianInteractionClassifier; all others for a DNFWinnowClassifier.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This room reads fitted models: it decodes terms, measures them as rules, makes short
# DNFs and explanations, and draws displays (`_plot`). It imports `_utils`,
# `_preprocessing`, `_terms`, `_pipelines` and `rules`. Of an estimator it knows the
# TermModel, or the InteractionModel (`_interactions`): it imports nothing of `_winnow`,
# `_bayes`, `samplers`, `sums` or the classifiers.
# Each function stands in the file of its noun; here are names only.

from sklearn_dnfwinnow._utils._lazy_names import lazy_names

_MODULES = {
    "Counterfactual": "_counterfactuals._counterfactuals",
    "Counterfactuals": "_counterfactuals._counterfactuals",
    "Explanation": "_explanation",
    "ExplanationDisplay": "_plot._explanation_display",
    "InteractionExplanation": "_interactions._explanation",
    "InteractionExplanationDisplay": "_plot._interaction_explanation_display",
    "InteractionsDisplay": "_plot._interactions_display",
    "ShapleyValues": "_shapley._shapley_values",
    "TermsDisplay": "_plot._terms_display",
    "ValidationDisplay": "_plot._validation_display",
    "attribute_shares": "_attribute_shares",
    "counterfactuals": "_counterfactuals._counterfactuals",
    "explain": "_explanation",
    "explain_interactions": "_interactions._explanation",
    "export_text": "_heavy_terms",
    "interactions": "_interactions._interactions",
    "shapley_interactions": "_shapley._shapley_values",
    "shapley_values": "_shapley._shapley_values",
    "terms": "_heavy_terms",
    "to_dnf": "_short_dnf",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
