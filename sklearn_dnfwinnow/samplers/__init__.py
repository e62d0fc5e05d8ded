"""Samplers: how weighted sums are computed, as objects with parameters of their own.

A classifier takes one of these as its `sampler`, or its name, which stands for its
defaults. This room has the engines that sum over one problem; it imports problems,
terms, utilities and kernels, and knows no classifier and no batch of rows.
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
