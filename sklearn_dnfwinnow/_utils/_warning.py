"""Warning: shown with the line of the user's code."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import warnings

# Pipelines and searches are between the user and an estimator on the stack.
_LIBRARIES = {"contextlib", "joblib", "sklearn", "sklearn_dnfwinnow"}


def warn(text, category=UserWarning):
    """Warn the caller of the library.

    Frames of this package, of scikit-learn and of joblib are not those of the caller.
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _library_of(frame) in _LIBRARIES:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


def _library_of(frame):
    """Return the name of the top-level package of a frame."""
    return frame.f_globals.get("__name__", "").partition(".")[0]
