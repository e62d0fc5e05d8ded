"""Statistics: rules as classifiers, on labelled samples."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
