"""Interpretable classification by weighted rules (DNF) over all feature combinations.

- :class:`DNFWinnowClassifier` learns weighted rules in disjunctive normal form from
  categorical and numeric data, and :func:`merge` combines several classifiers.
- :class:`BayesianInteractionClassifier` predicts probabilities with credible intervals.
- :class:`DNFClassifier` predicts by rules that are given, or derived from a classifier.
- :class:`ClassEntropyDiscretizer` cuts numeric features into intervals, and
  :class:`DiscretizationDisplay` plots them.
- :mod:`sklearn_dnfwinnow.inspection` explains models and predictions.
- :mod:`sklearn_dnfwinnow.rules` represents rules and formulas.
- :mod:`sklearn_dnfwinnow.sums` computes single weighted sums.
- :mod:`sklearn_dnfwinnow.diagnostics` diagnoses the Markov chains that estimate sums.
- :mod:`sklearn_dnfwinnow.datasets` provides data sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._bayes._classifier import BayesianInteractionClassifier
from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._estimators import __version__ as __version__
from sklearn_dnfwinnow._winnow._classifier import DNFWinnowClassifier
from sklearn_dnfwinnow._winnow._merging import merge
from sklearn_dnfwinnow.inspection._plot._discretization_display import (
    DiscretizationDisplay,
)
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier

__all__ = [
    "BayesianInteractionClassifier",
    "ClassEntropyDiscretizer",
    "DNFClassifier",
    "DNFWinnowClassifier",
    "DiscretizationDisplay",
    "merge",
]
