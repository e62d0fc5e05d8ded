"""Caller: the line of the user's own code that a warning is about."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys

# A pipeline or a search stands between the user and an estimator.
_LIBRARIES = {"contextlib", "joblib", "sklearn", "sklearn_dnfwinnow"}


def stacklevel_of_caller():
    """The `stacklevel` with which `warnings.warn` names the caller of this library.

    Frames of this package, of scikit-learn and of joblib do not count. For a function
    that calls `warnings.warn` itself.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _library_of(frame) in _LIBRARIES:
        level, frame = level + 1, frame.f_back
    return level


def _library_of(frame):
    return frame.f_globals.get("__name__", "").partition(".")[0]
