# Interactions: groups of terms with draws of their effects, as a table and row by row.

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
