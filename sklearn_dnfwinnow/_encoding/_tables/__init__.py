"""Tables: the distinct values of the columns of X, and their places."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
