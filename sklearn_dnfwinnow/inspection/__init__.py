"""Interpretation of fitted models: top-weighted terms, explanations, short formulas.

Terms are found by an exact search. Their relative contributions refer to the weighted
sums that determine the predictions. Each function takes a classifier, a pipeline that
ends with one, a search, or a wrapper that contains a single classifier. Names of
features and their values are those of the data that this estimator takes, wherever the
transformers in front of the classifier can be inverted.

`terms`, `explain` and `feature_effect` take a BayesianInteractionClassifier, too, and
so do their displays. `report` takes any classifier of this package.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This package interprets fitted models: it decodes terms, measures them as rules, makes
# short DNFs and explanations, and draws displays (`_plot`). It imports `_utils`,
# `_encoding`, `_terms` and `rules`. It accesses an estimator only through its
# TermModel or InteractionModel, which `TermModelMixin` and `InteractionModelMixin`
# describe, and imports nothing of `_winnow`, `_bayes`, `samplers`, `sums` or the
# classifiers. Each function is defined in the module of its topic; this module lists
# names, and makes methods of functions.

from importlib import import_module
from types import MethodType

from sklearn_dnfwinnow._utils import lazy_names

_MODULES = {
    "Counterfactual": "_counterfactuals",
    "Counterfactuals": "_counterfactuals",
    "Explanation": "_explanation",
    "ExplanationDisplay": "_plot._explanation_display",
    "FeatureEffect": "_feature_effect",
    "FeatureEffectDisplay": "_plot._feature_effect_display",
    "ShapleyValues": "_shapley_values",
    "TermsDisplay": "_plot._terms_display",
    "counterfactuals": "_counterfactuals",
    "explain": "_explanation",
    "feature_effect": "_feature_effect",
    "report": "_report",
    "shapley_values": "_shapley_values",
    "terms": "_terms",
    "to_dnf": "_to_dnf",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)


class LazyMethod:
    """A function of this package as a method, imported on first use.

    The instance is the first argument of the function.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name):
        self._name = name

    def __get__(self, instance, owner=None):
        function = getattr(import_module(__name__), self._name)
        return function if instance is None else MethodType(function, instance)
