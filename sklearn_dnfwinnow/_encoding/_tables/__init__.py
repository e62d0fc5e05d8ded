"""Tables: the columns of X, dense or sparse, and those that take part in training."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
