"""Stores: the weights of all terms in one class, with two verbs, sum and move.

One store is a table of terms. The other one is implicit: stored examples with net
counts, and an evaluation that sums the weights that follow from them. The kernels of
both are in ``_ext/winnow/``. A store does not know the rule by which it is moved.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
