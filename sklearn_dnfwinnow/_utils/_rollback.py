"""Rollback: a training call that raises an error does not change the estimator."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import contextmanager


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
