"""Brute force: the weighted sum over all 2^n terms, one by one.

    W = sum over all subsets S, up to a size, of odds(S) alpha^phi(S)

The subsets are counted through in binary. level[j] is the set of examples alive under
the constrained attributes j, j + 1, ..., log_weights[j] their odds; the next subset
sets one bit and clears those below it, so that two words change on average.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, log
from libc.stdint cimport int64_t, uint64_t

import numpy as np

from _bits cimport popcount
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
    cdef Py_ssize_t n_planes = planes.shape[0], j, w, lowest
    cdef uint64_t subset, n_subsets = <uint64_t> 1 << n
    cdef int64_t phi, work = 0
    cdef double value, top = -INFINITY, total = 0.0
    cdef uint64_t[:, ::1] level = np.full((n + 1, n_words), ~np.uint64(0))
    cdef double[::1] log_weights = np.zeros(n + 1)
    with nogil:
        subset = 0
        while True:
            if popcount(subset) <= max_term_size:
                phi = phi_of_set(&level[0, 0], NULL, &planes[0, 0], n_planes, n_words)
                value = <double> phi * log_alpha + log_weights[0]
                add_log(value, 0.0, &top, &total)
            subset += 1
            if subset == n_subsets:
                break
            listen(&work, n_planes * n_words)
            lowest = 0
            while not (subset >> lowest) & 1:
                lowest += 1
            log_weights[lowest] = log_weights[lowest + 1] + log_odds[lowest]
            for j in range(lowest):
                log_weights[j] = log_weights[lowest]
            for w in range(n_words):
                level[lowest, w] = level[lowest + 1, w] & columns[lowest, w]
                for j in range(lowest):
                    level[j, w] = level[lowest, w]
        value = top + log(total)
    return value
