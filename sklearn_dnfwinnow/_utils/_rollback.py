"""Rollback: a training call that raises leaves the estimator as it was."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import contextmanager
from copy import copy


@contextmanager
def all_or_nothing(estimator):
    """Restore the attributes of an estimator if the block raises, Ctrl-C included.

    The block must replace attributes, not change them in place.
    """
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        # A single assignment, so that a second Ctrl-C cannot come in the middle.
        estimator.__dict__ = before
        raise


def unshared(state):
    """Return a copy of an object, with copies of its lists and of their elements."""
    twin = copy(state)
    for name, value in vars(state).items():
        if isinstance(value, list):
            setattr(twin, name, [copy(part) for part in value])
    return twin
