"""Samplers: the engines that compute weighted sums, as objects with parameters.

The parameter `sampler` of a classifier accepts such an object, or its name, which
stands for an object with default parameters.

The modules of this package sum over one problem: the agreement sets of a sample and the
stored examples, with net promotion counts. They import terms, utilities and kernels,
and no classifier and no batch of samples.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils import lazy_names

_MODULES = {
    "SAMPLERS": "_registry",
    "Auto": "_frontier",
    "BruteForce": "_brute_force",
    "Engine": "_engine",
    "Exact": "_frontier",
    "Frontier": "_frontier",
    "Gibbs": "_markov_chains",
    "MarkovChain": "_markov_chains",
    "Metropolis": "_markov_chains",
    "MetropolizedGibbs": "_markov_chains",
    "Sampler": "_engine",
    "Table": "_frontier",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
