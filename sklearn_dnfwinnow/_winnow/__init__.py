"""Winnow: the classifier, its model, and the training of the model.

`_classifier` checks the table, `_selection` chooses a candidate, and `_training` trains
it: blocks of trainings present rows to stores of weights. `_model` is the result. The
package may import all others.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
