"""A scikit-learn classifier that is a formula: Winnow over all conjunctions.

:class:`DNFWinnowClassifier` learns formulas in disjunctive normal form from tables of
categories, and :func:`merge` makes one classifier of several;
:class:`BayesianInteractionClassifier` has probabilities with intervals;
:class:`ClassEntropyDiscretizer` makes categories of measurements, and
:class:`DiscretizationDisplay` shows them;
:mod:`sklearn_dnfwinnow.inspection` reads what was learned,
:mod:`sklearn_dnfwinnow.rules` has the formulas that are made of it,
:mod:`sklearn_dnfwinnow.sums` has the weighted sums on their own,
:mod:`sklearn_dnfwinnow.diagnostics` looks at Markov chains that estimate them, and
:mod:`sklearn_dnfwinnow.datasets` has tables to try them on.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._bayesian_interaction_classifier import (
    BayesianInteractionClassifier,
)
from sklearn_dnfwinnow._classifier import DNFWinnowClassifier
from sklearn_dnfwinnow._merging import merge
from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._estimator_mixins import __version__ as __version__
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
