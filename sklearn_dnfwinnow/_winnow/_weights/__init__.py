"""Weights: those of all terms in one class, of several kinds with one protocol.

The protocol is `_weights.Weights`. A kind is made of the state of a class: its updates
with their exponents. It knows neither the model nor how epochs follow each other.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
