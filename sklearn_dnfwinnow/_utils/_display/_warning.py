"""Warnings: shown with the line of the user's code."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller


def warn(text, category=UserWarning):
    """Warn the caller of the library."""
    warnings.warn(text, category, stacklevel=stacklevel_of_caller())
