"""Hamiltonian Monte Carlo for normal priors."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
