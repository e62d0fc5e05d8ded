"""Samplers: the engines that compute weighted sums, as objects with parameters.

The parameter `sampler` of a classifier accepts such an object, or its name, which
stands for an object with default parameters.

The modules of this package sum over one problem: the agreement sets of a sample and the
stored examples, with net promotion counts. They import terms, utilities and kernels,
and no classifier and no batch of samples.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._public_names import lazy_names

_MODULES = {
    "SAMPLERS": "_registry",
    "Auto": "_frontier_samplers",
    "BruteForce": "_brute_force",
    "Engine": "_engine",
    "Exact": "_frontier_samplers",
    "Frontier": "_frontier_samplers",
    "Gibbs": "_chain_samplers",
    "MarkovChain": "_chain_samplers",
    "Metropolis": "_chain_samplers",
    "MetropolizedGibbs": "_chain_samplers",
    "Sampler": "_sampler",
    "Table": "_frontier_samplers",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
