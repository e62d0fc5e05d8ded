"""Rollback: a training call that does not come to its end changes nothing."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import contextmanager
from copy import copy


@contextmanager
def all_or_nothing(estimator):
    """Give an estimator back its attributes if the block raises, Ctrl-C included.

    The block must replace attributes, not change them in place.
    """
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        # A single assignment: a second Ctrl-C comes before it or after.
        estimator.__dict__ = before
        raise


def unshared(state):
    """A copy of an object that shares none of the lists, nor the parts of these."""
    twin = copy(state)
    for name, value in vars(state).items():
        if isinstance(value, list):
            setattr(twin, name, [copy(part) for part in value])
    return twin
