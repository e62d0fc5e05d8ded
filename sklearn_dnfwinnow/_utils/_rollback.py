"""Rollback: a training call that raises an error does not change the estimator."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import contextmanager
from copy import copy


@contextmanager
def all_or_nothing(estimator):
    """Restore the attributes of an estimator if the block raises, also for Ctrl-C.

    The block must replace attributes, and must not change them in place.
    """
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        # A single assignment, so that a second Ctrl-C cannot interrupt it.
        estimator.__dict__ = before
        raise


def unshared(state):
    """Return a copy of an object, with copies of its lists and of their elements."""
    twin = copy(state)
    for name, value in vars(state).items():
        if isinstance(value, list):
            setattr(twin, name, [copy(part) for part in value])
    return twin
