"""The weights of one class: sums over the terms of the row in hand, and updates by it.

    W = sum over segments s of prior_s * sum over the terms t in it of alpha^e_t

Net counts are integers of 16, 32 or 64 bits. A class that may not have all terms has a
mask of those that it may.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, log
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t

from _log_sum_exp cimport add_log
from _row_terms cimport RowTerms

ctypedef fused net_count_t:
    int16_t
    int32_t
    int64_t

cdef extern from *:
    """
    /* Below this a scaled sum has lost terms to underflow that may matter; above it is
       near overflow. */
    #define DNFWINNOW_TOO_SMALL 1e-200
    #define DNFWINNOW_TOO_LARGE 1e280
    """
    const double TOO_SMALL "DNFWINNOW_TOO_SMALL"
    const double TOO_LARGE "DNFWINNOW_TOO_LARGE"


cdef enum Kind:
    # Terms of which only the size matters, groups of terms, terms that may be masked.
    PLAIN, GROUPED, MASKED


cdef struct Weights:
    void* net_counts                  # (n_terms,)
    int64_t lowest, highest          # bounds of these
    Py_ssize_t n_bytes               # of a net count
    const double* priors             # (n_segments,)
    const double* log_priors         # (n_segments,)
    const double* weights            # (n_terms,) of groups, else NULL
    const double* log_weights        # (n_terms,) of groups
    const uint8_t* allowed           # (n_terms,) terms that the class may have, or NULL
    const double* powers             # (high - low + 1,) or NULL
    int64_t low                      # the net count of the first power
    double log_alpha
    double log_scale


cdef inline double _weight(
    double power, const Weights* of_class, int32_t term, Kind kind
) noexcept nogil:
    """Return the weight of a term, relative to the prior of its segment."""
    if kind == GROUPED:
        return of_class.weights[term] * power
    if kind == MASKED:
        return power if of_class.allowed[term] else 0.0
    return power


cdef inline double _gather(
    const net_count_t* net_counts,
    const Weights* of_class,
    const int32_t* terms,
    Py_ssize_t n_terms,
    Kind kind,
    int n_sums,                      # constants: 8 of these for plain terms, else 4
) noexcept nogil:
    """Return the sum of alpha^e, each with its initial weight, if that differs.

    Several sums at once, as additions wait for each other: their order is part of the
    result.
    """
    cdef const double* powers = of_class.powers
    cdef int64_t low = of_class.low
    cdef double a[8]
    cdef Py_ssize_t i = 0
    cdef int32_t term
    cdef int q
    for q in range(8):
        a[q] = 0.0
    while i + n_sums <= n_terms:
        for q in range(n_sums):
            term = terms[i + q]
            a[q] += _weight(powers[net_counts[term] - low], of_class, term, kind)
        i += n_sums
    for i in range(i, n_terms):
        a[0] += _weight(powers[net_counts[terms[i]] - low], of_class, terms[i], kind)
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))


cdef inline double _log_sum(
    const net_count_t* net_counts, const Weights* of_class, const RowTerms* hand
) noexcept nogil:
    cdef const int64_t* starts = hand.starts
    cdef const int32_t* terms = hand.terms
    cdef const int32_t* part
    cdef Py_ssize_t s, i, n
    cdef double value, top = -INFINITY, total = 0.0
    if of_class.powers != NULL:
        for s in range(hand.n_segments):
            part, n = terms + starts[s], starts[s + 1] - starts[s]
            if of_class.weights != NULL:
                total += _gather(net_counts, of_class, part, n, GROUPED, 4)
            elif of_class.allowed != NULL:
                total += of_class.priors[s] * _gather(
                    net_counts, of_class, part, n, MASKED, 4
                )
            else:
                total += of_class.priors[s] * _gather(
                    net_counts, of_class, part, n, PLAIN, 8
                )
        if TOO_SMALL < total < TOO_LARGE:
            return log(total) + of_class.log_scale
        total = 0.0
    # No table of powers, or all of the row's terms are out of its range: once more, in
    # logarithms.
    for s in range(hand.n_segments):
        for i in range(starts[s], starts[s + 1]):
            value = (
                of_class.log_priors[s]
                + <double> net_counts[terms[i]] * of_class.log_alpha
            )
            if of_class.weights != NULL:
                value += of_class.log_weights[terms[i]]
            if of_class.allowed != NULL and not of_class.allowed[terms[i]]:
                continue
            add_log(value, 0.0, &top, &total)
    return top + log(total)


cdef inline double log_sum(
    const Weights* of_class, const RowTerms* hand
) noexcept nogil:
    """Return log W of the row in hand."""
    if of_class.n_bytes == 2:
        return _log_sum(<const int16_t*> of_class.net_counts, of_class, hand)
    if of_class.n_bytes == 4:
        return _log_sum(<const int32_t*> of_class.net_counts, of_class, hand)
    return _log_sum(<const int64_t*> of_class.net_counts, of_class, hand)


cdef inline void _add(
    net_count_t* net_counts,
    Weights* of_class,
    bint widens,
    const RowTerms* hand,
    int64_t amount,
) noexcept nogil:
    cdef const int32_t* terms = hand.terms
    cdef Py_ssize_t i, start = hand.starts[0], end = hand.starts[hand.n_segments]
    cdef net_count_t net_count, low, high
    if not widens:
        for i in range(start, end):
            net_counts[terms[i]] += <net_count_t> amount
    # One end of their range moves. (For both at once, in int64, GCC can make code that
    # waits for each value to go through memory: a factor of three.)
    elif amount > 0:
        high = <net_count_t> of_class.highest
        for i in range(start, end):
            net_count = net_counts[terms[i]] + <net_count_t> amount
            net_counts[terms[i]] = net_count
            high = max(high, net_count)
        of_class.highest = high
    else:
        low = <net_count_t> of_class.lowest
        for i in range(start, end):
            net_count = net_counts[terms[i]] + <net_count_t> amount
            net_counts[terms[i]] = net_count
            low = min(low, net_count)
        of_class.lowest = low


cdef inline void add(
    Weights* of_class,
    bint widens,                     # whether to widen the range of net counts
    const RowTerms* hand,
    int64_t amount,
) noexcept nogil:
    """Add to the net counts of the terms of the row in hand."""
    if of_class.n_bytes == 2:
        _add(<int16_t*> of_class.net_counts, of_class, widens, hand, amount)
    elif of_class.n_bytes == 4:
        _add(<int32_t*> of_class.net_counts, of_class, widens, hand, amount)
    else:
        _add(<int64_t*> of_class.net_counts, of_class, widens, hand, amount)
