"""Shape: formulas with the same meaning, in fewer and shorter rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Functions of literals and terms. None of them imports DNF, which imports them.
