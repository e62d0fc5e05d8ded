"""The asv suite: what a change of the package does to time, memory and error."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
