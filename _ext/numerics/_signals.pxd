"""Signals: loops that run for long look for Ctrl-C now and then."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

cdef enum:
    # Between two looks, in terms: a fraction of a second.
    TERMS_BETWEEN_SIGNALS = 1 << 26


cdef inline int listen(int64_t* work, int64_t more) except -1 nogil:
    """Look for Ctrl-C now and then, having worked on so many terms more."""
    work[0] += more
    if work[0] > TERMS_BETWEEN_SIGNALS:
        work[0] = 0
        with gil:
            PyErr_CheckSignals()
    return 0
