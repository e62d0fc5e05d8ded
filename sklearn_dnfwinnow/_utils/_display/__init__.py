"""Display: plots, HTML tables, readable texts and warnings."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
