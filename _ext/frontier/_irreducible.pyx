"""Irreducible terms: none of their attributes can be removed without loss of weight."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memset

import numpy as np

from _frontier_problem cimport Problem, phi_of


cdef int64_t reduce_term(
    const Problem* p, const double* log_odds, const int64_t* order,
    uint8_t* term, uint64_t* after, uint64_t* alive,
) noexcept nogil:
    """Remove attributes from the full term in some order; return phi of the rest."""
    cdef Py_ssize_t n_words = p.n_words, j, k, w
    cdef const uint64_t* column
    cdef uint64_t* revived = after
    memset(after + p.n * n_words, 0xff, n_words * sizeof(uint64_t))
    for k in range(p.n - 1, -1, -1):
        column = p.columns + order[k] * n_words
        for w in range(n_words):
            after[k * n_words + w] = after[(k + 1) * n_words + w] & column[w]
    memset(alive, 0xff, n_words * sizeof(uint64_t))
    for k in range(p.n):
        j = order[k]
        column = p.columns + j * n_words
        # What the other attributes of the term leave alive, and this one kills. The
        # place of after[k] is free.
        revived = after + k * n_words
        for w in range(n_words):
            revived[w] = alive[w] & after[(k + 1) * n_words + w] & ~column[w]
        term[j] = (
            p.log_alpha * <double> phi_of(p, revived, NULL, n_words) < log_odds[j]
        )
        if term[j]:
            for w in range(n_words):
                alive[w] &= column[w]
    return phi_of(p, alive, NULL, n_words)


def reduce_terms(
    *,
    const uint64_t[:, ::1] columns,  # IN (n, n_words) examples that survive attribute j
    const uint64_t[:, ::1] planes,   # IN (n_planes, n_words) bits of the net counts
    double log_alpha,
    const double[::1] log_odds,      # IN (n,) of the attributes
    const int64_t[:, ::1] orders,    # IN (n_terms, n) of removals
    uint8_t[:, ::1] terms,           # OUT (n_terms, n) 1 where constrained
    int64_t[::1] phis,               # OUT (n_terms,)
):
    """Compute terms from the full one, by removals that lose no weight."""
    cdef Problem p
    cdef Py_ssize_t t
    cdef uint64_t[:, ::1] words
    memset(&p, 0, sizeof(Problem))
    p.n = columns.shape[0]
    p.n_words = columns.shape[1]
    p.n_planes = planes.shape[0]
    p.columns = &columns[0, 0]
    p.planes = &planes[0, 0]
    p.log_alpha = log_alpha
    words = np.empty((p.n + 2, p.n_words), dtype=np.uint64)
    with nogil:
        for t in range(orders.shape[0]):
            phis[t] = reduce_term(
                &p, &log_odds[0], &orders[t, 0], &terms[t, 0],
                &words[1, 0], &words[0, 0],
            )
