"""Selection of a candidate by internal cross-validation: the values of 'auto' in `fit`.

Candidates are trained in lockstep, without each fold in turn, and the worse candidates
are dropped at checkpoints. The package may import all of `_winnow` except `_weights`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
