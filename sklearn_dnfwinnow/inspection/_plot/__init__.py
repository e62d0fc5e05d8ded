"""Displays of models, explanations and discretizations, drawn with Matplotlib.

A display imports the function whose result it draws, from the file of that function.
It imports Matplotlib only to plot.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
