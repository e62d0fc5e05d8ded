"""What the frontier sums, and what an attribute of it does."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int64_t, uint64_t

from _bits cimport popcount


cdef enum:
    # Attributes left when updates that can die no more are first looked for. Before,
    # there are few such updates. (Where values are logarithms, at the end: exponents
    # may be large and opposite, and cancel as integers only.)
    FOLDED = 10


cdef struct Problem:
    Py_ssize_t n, m, n_words, n_planes
    const uint64_t* columns       # (n, n_words): updates that survive attribute j
    const uint64_t* planes        # (n_planes, n_words): bit planes of the exponents
    const int64_t* exponents      # (m,)
    const int64_t* multiplicities  # (n,)
    double log_either             # log(1 + beta)
    double log_alpha
    bint logs                     # whether values are logarithms: slower, any range
    # Of terms up to the largest size, from none on; 0 where sizes do not count.
    Py_ssize_t n_sizes
    # (n + 1, n_sizes): by number of attributes left, log of the initial weight of all
    # that a term of so many literals may become.
    const double* log_completions
    int64_t phi_low
    # Powers of alpha, from phi_low on; of no use to logarithms.
    Py_ssize_t n_powers
    double* powers


# What an attribute does, and what is known about those after it.
cdef struct Level:
    const uint64_t* column
    double p, q                   # logarithms where values are
    Py_ssize_t n_left             # attributes after this
    int64_t* outside              # (m,) of them, those that update i disagrees on
    double* inside                # (m,) probability of agreeing on what is constrained
    double* not_inside            # (m,) 1 - inside
    uint64_t* immortal            # (n_words,) updates that agree on all of them
    bint folds                    # whether those are multiplied into the values
    # By number of attributes: probability that none is constrained, and that one is.
    double* none
    double* some


cdef inline int64_t phi_of(
    const Problem* p, const uint64_t* alive, const uint64_t* among, Py_ssize_t n_words
) noexcept nogil:
    """Sum of the exponents of the updates alive, or of those among some."""
    cdef Py_ssize_t w, b
    cdef int64_t count, phi = 0
    cdef uint64_t bits
    for b in range(p.n_planes):
        count = 0
        for w in range(n_words):
            bits = alive[w] & p.planes[b * n_words + w]
            count += popcount(bits if among == NULL else bits & among[w])
        phi += -(count << b) if b == p.n_planes - 1 else count << b
    return phi
