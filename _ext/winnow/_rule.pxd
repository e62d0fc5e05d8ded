"""The rule of Winnow: the amounts by which a row moves its class and the others.

By margins, a row is to be beyond a threshold or below it, or its class is to lead all
others; the classes of which this is not so move by one promotion. By residuals, class k
moves by [k = y] - p_k, in parts of a promotion: p is the softmax of multiples of log W,
and a threshold is like the sum of one more class.

Sums come as logarithms in float64, or as they are in float32, in which all trainings of
a block are compared at once.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport fabs, rint
from libc.stdint cimport int64_t

from _tolerances cimport ROUNDING

ctypedef fused value_t:
    float                            # W
    double                           # log W

cdef extern from *:
    """
    /* Sums in float32 that differ by less, relatively, are tied; a tie is no lead. */
    #define DNFWINNOW_TIE 1.000001f
    #define DNFWINNOW_NEAREST(x) (((x) + 12582912.0f) - 12582912.0f)
    """
    const float TIE "DNFWINNOW_TIE"
    float nearest "DNFWINNOW_NEAREST"(float x) noexcept nogil


cdef struct Rule:
    bint joint                       # classes compete; else each is against a threshold
    bint residual                    # moves by residuals, or by whole promotions
    int64_t parts                    # of a promotion that steps are made of
    double margin                    # in logarithms
    double scale                     # of log W in residuals
    double log_threshold             # -INFINITY if joint
    float lead, threshold            # e^margin and e^log_threshold


cdef inline bint leads(const Rule* rule, value_t own, value_t other) noexcept nogil:
    """Whether one sum exceeds another by the margin."""
    if value_t is float:
        return own >= rule.lead * TIE * other
    else:
        # Equal sums are in different orders of terms.
        return own - other >= max(rule.margin, ROUNDING * (1.0 + fabs(own)))


cdef inline bint reaches(const Rule* rule, value_t value, bint positive) noexcept nogil:
    """Whether a sum reaches the threshold, and the margin above or below it."""
    if value_t is float:
        if positive:
            return value * TIE >= rule.threshold * rule.lead
        return value * (rule.lead * TIE) >= rule.threshold
    else:
        return value >= rule.log_threshold + (rule.margin if positive else -rule.margin)


cdef inline bint steps_by_margin(
    const Rule* rule, const value_t* values, int64_t* steps, Py_ssize_t n, int64_t label
) noexcept nogil:
    """Set the steps of n classes, for a row of class `label`; whether there are any."""
    cdef Py_ssize_t k
    cdef bint moved = False
    for k in range(n):
        if not rule.joint:
            steps[k] = (k == label) - <int64_t> reaches(rule, values[k], k == label)
        else:
            steps[k] = -<int64_t> (
                k != label and not leads(rule, values[label], values[k])
            )
        moved |= steps[k] != 0
    if rule.joint:
        steps[label] = moved
    return moved


cdef inline value_t residual(
    const Rule* rule, value_t odds, value_t total, bint is_own
) noexcept nogil:
    """Return the residual of a class in parts, not rounded."""
    return (is_own - odds / total) * <value_t> rule.parts


cdef inline bint steps_by_residual(
    const Rule* rule,
    const value_t* odds,             # (n,) W^scale, relative to the same number
    value_t rest,                    # of the threshold
    int64_t* steps,
    Py_ssize_t n,
    int64_t label,
) noexcept nogil:
    """Set the steps of n classes, for a row of class `label`; whether there are any."""
    cdef Py_ssize_t k
    cdef value_t total = 0
    cdef bint moved = False
    for k in range(n):
        total += odds[k]
    total += rest
    for k in range(n):
        if value_t is float:
            steps[k] = <int64_t> nearest(residual(rule, odds[k], total, k == label))
        else:
            steps[k] = <int64_t> rint(residual(rule, odds[k], total, k == label))
        moved |= steps[k] != 0
    return moved
