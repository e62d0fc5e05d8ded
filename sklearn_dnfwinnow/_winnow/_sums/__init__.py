"""Sums: the weighted sums of a Winnow model, over all its terms or the chosen ones."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
