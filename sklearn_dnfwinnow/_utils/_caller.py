"""The stack level of the user's code, for warnings."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys

# Pipelines and searches are between the user and an estimator on the stack.
_LIBRARIES = {"contextlib", "joblib", "sklearn", "sklearn_dnfwinnow"}


def stacklevel_of_caller():
    """Return the `stacklevel` at which `warnings.warn` reports the caller of the
    library.

    Frames of this package, of scikit-learn and of joblib do not count. The level refers
    to the function that calls this one and `warnings.warn`.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _library_of(frame) in _LIBRARIES:
        level, frame = level + 1, frame.f_back
    return level


def _library_of(frame):
    """Return the name of the top-level package of a frame."""
    return frame.f_globals.get("__name__", "").partition(".")[0]
