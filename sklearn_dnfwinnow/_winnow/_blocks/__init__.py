"""Blocks: trainings of some classes on some rows, epoch by epoch.

A block presents rows to stores of weights, and moves the classes that miss them. The
package may import `_stores` and what these import, but not the model.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
