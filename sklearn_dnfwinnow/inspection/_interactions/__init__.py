# Interactions: groups of terms with draws of their effects, for models and samples.

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
