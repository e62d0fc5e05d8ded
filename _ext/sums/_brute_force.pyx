"""Brute force: the weighted sum over all 2^n terms, one by one.

    W = sum over all subsets S, up to a size, of odds(S) alpha^phi(S)

The subsets are counted through in binary, and those that are too large are skipped.
chosen[1], chosen[2], ... are the constrained attributes, the largest first, level[c] is
the set of examples alive under the first c of them, and log_weights[c] their odds. The
next subset sets one bit and clears those below it.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, log
from libc.stdint cimport int64_t, uint64_t

import numpy as np

from _log_sum_exp cimport add_log
from _phi cimport phi_of_set
from _signals cimport listen


def log_sum(
    *,
    object problem,                  # see `AgreementProblem`
    double log_alpha,
    const double[::1] log_odds,      # IN (n,) of constraining each attribute
    Py_ssize_t max_term_size,        # larger terms are left out
):
    """Return log W, by a running log-sum-exp."""
    cdef const uint64_t[:, ::1] columns = problem.columns
    cdef const uint64_t[:, ::1] planes = problem.planes
    cdef Py_ssize_t n = columns.shape[0], n_words = columns.shape[1]
    cdef Py_ssize_t n_planes = planes.shape[0], j, w, size = 0
    cdef int64_t phi, work = 0
    cdef double value, top = -INFINITY, total = 0.0
    cdef uint64_t[:, ::1] level = np.full((max_term_size + 1, n_words), ~np.uint64(0))
    cdef double[::1] log_weights = np.zeros(max_term_size + 1)
    cdef int64_t[::1] chosen = np.zeros(max_term_size + 1, dtype=np.int64)
    with nogil:
        while True:
            phi = phi_of_set(&level[size, 0], NULL, &planes[0, 0], n_planes, n_words)
            value = <double> phi * log_alpha + log_weights[size]
            add_log(value, 0.0, &top, &total)
            listen(&work, n_planes * n_words)
            # The lowest bit that is not set, above those that may not be.
            j = chosen[size] if size == max_term_size else 0
            while size and chosen[size] == j:
                size -= 1
                j += 1
            if j >= n:
                break
            size += 1
            chosen[size] = j
            log_weights[size] = log_weights[size - 1] + log_odds[j]
            for w in range(n_words):
                level[size, w] = level[size - 1, w] & columns[j, w]
        value = top + log(total)
    return value
