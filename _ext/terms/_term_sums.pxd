"""The weights of one class: sums over the terms of the row in hand, and updates by it.

    W = sum over segments s of prior_s * sum over the terms t in it of alpha^e_t

Exponents are integers of 16, 32 or 64 bits. Where conditions forbid terms of a class,
or give them initial weights of their own, a mark of each term says by what factor its
weight differs.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, log
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t

from _log_sum_exp cimport add_log
from _row_terms cimport RowTerms

ctypedef fused exponent_t:
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


cdef struct Weights:
    void* exponents                  # (n_terms,)
    int64_t lowest, highest          # bounds of these
    Py_ssize_t n_bytes               # of an exponent
    const double* priors             # (n_segments,)
    const double* log_priors         # (n_segments,)
    const double* weights            # (n_terms,) of groups, else NULL
    const double* log_weights        # (n_terms,) of groups
    const uint16_t* marks            # (n_terms,) of conditions, else NULL
    const double* factors            # of each mark
    const double* log_factors
    const double* powers             # (high - low + 1,) or NULL
    int64_t low                      # the exponent of the first power
    const double* fades              # (last_fade + 1,) alpha^-d, 0 at last, or NULL
    int64_t last_fade
    double log_alpha
    double log_scale


cdef inline double _gather(
    const exponent_t* exponents,
    const int32_t* terms,
    Py_ssize_t n_terms,
    const double* powers,
    int64_t low,
) noexcept nogil:
    """Return the sum of alpha^e, in eight lanes: their order is part of the result."""
    cdef double a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0
    cdef Py_ssize_t i = 0
    while i + 8 <= n_terms:
        a0 += powers[exponents[terms[i]] - low]
        a1 += powers[exponents[terms[i + 1]] - low]
        a2 += powers[exponents[terms[i + 2]] - low]
        a3 += powers[exponents[terms[i + 3]] - low]
        a4 += powers[exponents[terms[i + 4]] - low]
        a5 += powers[exponents[terms[i + 5]] - low]
        a6 += powers[exponents[terms[i + 6]] - low]
        a7 += powers[exponents[terms[i + 7]] - low]
        i += 8
    while i < n_terms:
        a0 += powers[exponents[terms[i]] - low]
        i += 1
    return ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7))


cdef inline double _gather_weighted(
    const exponent_t* exponents,
    const int32_t* terms,
    Py_ssize_t n_terms,
    const double* powers,
    int64_t low,
    const double* weights,
) noexcept nogil:
    """Return that of groups, each with its initial weight."""
    cdef double a0 = 0, a1 = 0, a2 = 0, a3 = 0
    cdef Py_ssize_t i = 0
    while i + 4 <= n_terms:
        a0 += weights[terms[i]] * powers[exponents[terms[i]] - low]
        a1 += weights[terms[i + 1]] * powers[exponents[terms[i + 1]] - low]
        a2 += weights[terms[i + 2]] * powers[exponents[terms[i + 2]] - low]
        a3 += weights[terms[i + 3]] * powers[exponents[terms[i + 3]] - low]
        i += 4
    while i < n_terms:
        a0 += weights[terms[i]] * powers[exponents[terms[i]] - low]
        i += 1
    return (a0 + a1) + (a2 + a3)


cdef inline double _gather_marked(
    const exponent_t* exponents,
    const int32_t* terms,
    Py_ssize_t n_terms,
    const double* powers,
    int64_t low,
    const uint16_t* marks,
    const double* factors,
) noexcept nogil:
    """Return that of terms with marks, each with the factor of its mark."""
    cdef double a0 = 0, a1 = 0, a2 = 0, a3 = 0
    cdef Py_ssize_t i = 0
    while i + 4 <= n_terms:
        a0 += factors[marks[terms[i]]] * powers[exponents[terms[i]] - low]
        a1 += factors[marks[terms[i + 1]]] * powers[exponents[terms[i + 1]] - low]
        a2 += factors[marks[terms[i + 2]]] * powers[exponents[terms[i + 2]] - low]
        a3 += factors[marks[terms[i + 3]]] * powers[exponents[terms[i + 3]] - low]
        i += 4
    while i < n_terms:
        a0 += factors[marks[terms[i]]] * powers[exponents[terms[i]] - low]
        i += 1
    return (a0 + a1) + (a2 + a3)


cdef inline double _log_faded(
    const exponent_t* exponents,
    const int32_t* terms,
    Py_ssize_t n_terms,
    const Weights* of_class,
) noexcept nogil:
    """Return the logarithm of the sum of alpha^e, relative to the largest of them."""
    cdef const double* fades = of_class.fades
    cdef int64_t peak = exponents[terms[0]], last = of_class.last_fade
    cdef double a0 = 0, a1 = 0, a2 = 0, a3 = 0
    cdef Py_ssize_t i
    for i in range(1, n_terms):
        peak = max(peak, exponents[terms[i]])
    i = 0
    while i + 4 <= n_terms:
        a0 += fades[min(peak - exponents[terms[i]], last)]
        a1 += fades[min(peak - exponents[terms[i + 1]], last)]
        a2 += fades[min(peak - exponents[terms[i + 2]], last)]
        a3 += fades[min(peak - exponents[terms[i + 3]], last)]
        i += 4
    while i < n_terms:
        a0 += fades[min(peak - exponents[terms[i]], last)]
        i += 1
    return <double> peak * of_class.log_alpha + log((a0 + a1) + (a2 + a3))


cdef inline double _log_sum(
    const exponent_t* exponents, const Weights* of_class, const RowTerms* hand
) noexcept nogil:
    cdef const int64_t* starts = hand.starts
    cdef const int32_t* terms = hand.terms
    cdef Py_ssize_t s, i
    cdef double value, top = -INFINITY, total = 0.0
    if of_class.powers != NULL:
        if of_class.weights != NULL:
            total = _gather_weighted(
                exponents, terms + starts[0], starts[1] - starts[0], of_class.powers,
                of_class.low, of_class.weights,
            )
        elif of_class.marks != NULL:
            for s in range(hand.n_segments):
                total += of_class.priors[s] * _gather_marked(
                    exponents, terms + starts[s], starts[s + 1] - starts[s],
                    of_class.powers, of_class.low, of_class.marks, of_class.factors,
                )
        else:
            for s in range(hand.n_segments):
                total += of_class.priors[s] * _gather(
                    exponents, terms + starts[s], starts[s + 1] - starts[s],
                    of_class.powers, of_class.low,
                )
        if TOO_SMALL < total < TOO_LARGE:
            return log(total) + of_class.log_scale
        total = 0.0
    # No table of powers, or all of the row's terms are out of its range: once more,
    # relative to the largest of them.
    if of_class.fades != NULL:
        for s in range(hand.n_segments):
            if starts[s + 1] > starts[s]:
                value = of_class.log_priors[s] + _log_faded(
                    exponents, terms + starts[s], starts[s + 1] - starts[s], of_class
                )
                add_log(value, 0.0, &top, &total)
        return top + log(total)
    for s in range(hand.n_segments):
        for i in range(starts[s], starts[s + 1]):
            value = (
                of_class.log_priors[s]
                + <double> exponents[terms[i]] * of_class.log_alpha
            )
            if of_class.weights != NULL:
                value += of_class.log_weights[terms[i]]
            if of_class.marks != NULL:
                if of_class.log_factors[of_class.marks[terms[i]]] == -INFINITY:
                    continue
                value += of_class.log_factors[of_class.marks[terms[i]]]
            add_log(value, 0.0, &top, &total)
    return top + log(total)


cdef inline double log_sum(
    const Weights* of_class, const RowTerms* hand
) noexcept nogil:
    """Return log W of the row in hand."""
    if of_class.n_bytes == 2:
        return _log_sum(<const int16_t*> of_class.exponents, of_class, hand)
    if of_class.n_bytes == 4:
        return _log_sum(<const int32_t*> of_class.exponents, of_class, hand)
    return _log_sum(<const int64_t*> of_class.exponents, of_class, hand)


cdef inline void _add(
    exponent_t* exponents,
    Weights* of_class,
    bint widens,
    const RowTerms* hand,
    int64_t amount,
) noexcept nogil:
    cdef const int32_t* terms = hand.terms
    cdef Py_ssize_t i, start = hand.starts[0], end = hand.starts[hand.n_segments]
    cdef exponent_t exponent, low, high
    if not widens:
        for i in range(start, end):
            exponents[terms[i]] += <exponent_t> amount
    # One end of their range moves. (For both at once, in int64, GCC can make code that
    # waits for each value to go through memory: a factor of three.)
    elif amount > 0:
        high = <exponent_t> of_class.highest
        for i in range(start, end):
            exponent = exponents[terms[i]] + <exponent_t> amount
            exponents[terms[i]] = exponent
            high = max(high, exponent)
        of_class.highest = high
    else:
        low = <exponent_t> of_class.lowest
        for i in range(start, end):
            exponent = exponents[terms[i]] + <exponent_t> amount
            exponents[terms[i]] = exponent
            low = min(low, exponent)
        of_class.lowest = low


cdef inline void add(
    Weights* of_class,
    bint widens,                     # whether to widen the range of exponents
    const RowTerms* hand,
    int64_t amount,
) noexcept nogil:
    """Add to the exponents of the terms of the row in hand."""
    if of_class.n_bytes == 2:
        _add(<int16_t*> of_class.exponents, of_class, widens, hand, amount)
    elif of_class.n_bytes == 4:
        _add(<int32_t*> of_class.exponents, of_class, widens, hand, amount)
    else:
        _add(<int64_t*> of_class.exponents, of_class, widens, hand, amount)
