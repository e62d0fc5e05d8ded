"""Moves: updates of sums and widths, and the samplers that apply them in turn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
