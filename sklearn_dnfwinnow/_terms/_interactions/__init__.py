"""Interactions: terms, grouped by the rows that satisfy them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
