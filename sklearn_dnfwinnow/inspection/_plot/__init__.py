"""Displays of models, explanations and discretizations, drawn with Matplotlib.

Each display module imports the function whose result it draws. Matplotlib is imported
only when a display is plotted.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
