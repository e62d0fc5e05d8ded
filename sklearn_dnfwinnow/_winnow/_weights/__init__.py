"""Weights: the weights of all terms in one class, in several kinds with one protocol.

The protocol is `_weights.Weights`. A kind is created from the state of a class, which
is its stored examples with their exponents. It imports neither the model nor the
learner.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
