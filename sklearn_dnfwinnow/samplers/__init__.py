"""Samplers: the engines that compute weighted sums, as objects with parameters.

The parameter `sampler` of a classifier accepts such an object, or its name, which
stands for an object with default parameters.

The modules of this package sum over one problem: the agreement sets of a sample and the
stored examples, with net promotion counts. They import terms, utilities and kernels,
and no classifier and no batch of samples.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.samplers._auto import Auto, Table
from sklearn_dnfwinnow.samplers._brute_force import BruteForce
from sklearn_dnfwinnow.samplers._chain_samplers import (
    Gibbs,
    MarkovChain,
    Metropolis,
    MetropolizedGibbs,
)
from sklearn_dnfwinnow.samplers._engine import Engine
from sklearn_dnfwinnow.samplers._exact import Exact
from sklearn_dnfwinnow.samplers._frontier import Frontier
from sklearn_dnfwinnow.samplers._registry import SAMPLERS
from sklearn_dnfwinnow.samplers._sampler import Sampler

__all__ = [
    "SAMPLERS",
    "Auto",
    "BruteForce",
    "Engine",
    "Exact",
    "Frontier",
    "Gibbs",
    "MarkovChain",
    "Metropolis",
    "MetropolizedGibbs",
    "Sampler",
    "Table",
]
