"""Diagnostics of the Markov chains behind estimated sums, and how long they should be.

For those who chose the samplers 'metropolis', 'gibbs' or 'metropolized_gibbs': whether
the chains of the ladder moved, mixed, and forgot where they started.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.diagnostics._functions import (
    ChainDiagnostics,
    ChainDiagnosticsDisplay,
    SampleSize,
    diagnose_chains,
    diagnose_weighted_sum,
    sample_size,
)

__all__ = [
    "ChainDiagnostics",
    "ChainDiagnosticsDisplay",
    "SampleSize",
    "diagnose_chains",
    "diagnose_weighted_sum",
    "sample_size",
]
