"""The stack level of the user's own code, for warnings."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys

# A pipeline or a search stands between the user and an estimator.
_LIBRARIES = {"contextlib", "joblib", "sklearn", "sklearn_dnfwinnow"}


def stacklevel_of_caller():
    """Return the `stacklevel` with which `warnings.warn` names the library's caller.

    Frames of this package, of scikit-learn and of joblib do not count. The level is
    that of the function which calls this one, and which is to call `warnings.warn`.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _library_of(frame) in _LIBRARIES:
        level, frame = level + 1, frame.f_back
    return level


def _library_of(frame):
    """Return the name of the top-level package whose code a frame runs."""
    return frame.f_globals.get("__name__", "").partition(".")[0]
