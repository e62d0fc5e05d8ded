"""Selection of a candidate by folds: what `fit` takes for parameters that are 'auto'.

Candidates are trained in lockstep, without each fold in turn; the worse are dropped on
the way. The room may import all of `_winnow` but `_weights`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
