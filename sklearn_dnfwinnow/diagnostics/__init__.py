"""Diagnostics of the Markov chains behind estimated sums, and their required length.

The functions are for the samplers 'metropolis', 'gibbs' and 'metropolized_gibbs'. They
show whether the chains of the temperature ladder moved, mixed, and became independent
of their starts.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This package diagnoses Markov chains: diagnostics of sums and of models, and
# theoretical sample sizes. Of `inspection` it imports the steps of a pipeline only, and
# no classifier, because the classifier imports it. This module contains names only.

from sklearn_dnfwinnow._utils import lazy_names

_MODULES = {
    "ChainDiagnostics": "_chain_diagnostics",
    "SampleSize": "_sample_size",
    "diagnose_chains": "_chain_diagnostics",
    "diagnose_weighted_sum": "_chain_diagnostics",
    "sample_size": "_sample_size",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
