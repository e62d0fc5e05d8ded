"""Reports: one HTML page about a fitted model, with a module for each part."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
