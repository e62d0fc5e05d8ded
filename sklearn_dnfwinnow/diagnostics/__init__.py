"""Diagnostics of the Markov chains behind estimated sums, and how long they should be.

For those who chose the samplers 'metropolis', 'gibbs' or 'metropolized_gibbs': whether
the chains of the ladder moved, mixed, and forgot where they started.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This room looks at Markov chains: diagnoses of sums and of models, their display, and
# sample sizes by theory. It imports the rooms up to `_winnow`, whose Model has the
# chains, and `_pipelines`. It imports nothing of `inspection`, and no classifier: the
# classifier imports it. Here are names only.

from sklearn_dnfwinnow._utils._lazy_names import lazy_names

_MODULES = {
    "ChainDiagnostics": "_chain_diagnostics",
    "ChainDiagnosticsDisplay": "_chain_diagnostics_display",
    "SampleSize": "_sample_size",
    "diagnose_chains": "_diagnose",
    "diagnose_weighted_sum": "_diagnose",
    "sample_size": "_sample_size",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
