"""Summaries of draws from a posterior: a few models that represent all of them.

The message from Monte Carlo of Fitzgibbon, Dowe and Allison (2002), for draws of any
model, and for the draws of a BayesianInteractionClassifier.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This package groups draws by their likelihoods and divergences. Two searches find the
# regions, and the message contains them. Draws of a classifier are read through its
# InteractionModel. The package imports no sampler and no classifier. This module
# contains names only.

from sklearn_dnfwinnow._utils import lazy_names

_MODULES = {
    "MonteCarloMessage": "_message",
    "message_from_monte_carlo": "_message",
    "representative_draws": "_representative_draws",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
