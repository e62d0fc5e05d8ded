"""The problem that the frontier sums over, and the powers of alpha in it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp
from libc.stdint cimport int64_t, uint64_t

from _memory cimport Arena, room
from _phi cimport phi_of_set


cdef struct Problem:
    Py_ssize_t n, m, n_words, n_planes
    const uint64_t* columns       # (n, n_words): examples that survive attribute j
    const uint64_t* planes        # (n_planes, n_words): bit planes of the net counts
    const int64_t* net_counts      # (m,)
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


cdef inline int open_problem(
    Problem* p, object problem, double log_either, double log_alpha, bint logs
) except -1:
    """Set up an `AgreementProblem` where sizes do not count."""
    cdef const uint64_t[:, ::1] columns = problem.columns
    cdef const uint64_t[:, ::1] planes = problem.planes
    cdef const int64_t[::1] net_counts = problem.net_counts
    cdef const int64_t[::1] multiplicities = problem.multiplicities
    cdef Py_ssize_t i
    cdef int64_t phi_high = 0
    p.n = columns.shape[0]
    p.m = net_counts.shape[0]
    p.n_words = columns.shape[1]
    p.n_planes = planes.shape[0]
    p.columns = &columns[0, 0]
    p.planes = &planes[0, 0]
    p.net_counts = &net_counts[0]
    p.multiplicities = &multiplicities[0]
    p.log_either = log_either
    p.log_alpha = log_alpha
    p.logs = logs
    p.n_sizes = 0
    p.log_completions = NULL
    p.phi_low = 0
    for i in range(p.m):
        p.phi_low += min(p.net_counts[i], 0)
        phi_high += max(p.net_counts[i], 0)
    p.n_powers = 1 if logs else <Py_ssize_t> (phi_high - p.phi_low) + 1
    return 0


cdef inline int open_powers(Problem* p, Arena* arena) except -1 nogil:
    """Tabulate the powers of alpha."""
    cdef Py_ssize_t k
    p.powers = <double*> room(arena, p.n_powers * sizeof(double))
    for k in range(p.n_powers):
        p.powers[k] = exp(p.log_alpha * <double> (k + p.phi_low))
    return 0


cdef inline double power_of(const Problem* p, int64_t phi) noexcept nogil:
    """Return alpha^phi, as a value of the frontier."""
    return p.log_alpha * <double> phi if p.logs else p.powers[phi - p.phi_low]


cdef inline int64_t phi_of(
    const Problem* p, const uint64_t* alive, const uint64_t* among, Py_ssize_t n_words
) noexcept nogil:
    """Return the sum of net counts of the examples alive, or of those among some."""
    return phi_of_set(alive, among, p.planes, p.n_planes, n_words)
