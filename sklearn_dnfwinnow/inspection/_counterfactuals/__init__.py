# Counterfactuals: alternative values of the features, and the search over them.

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
