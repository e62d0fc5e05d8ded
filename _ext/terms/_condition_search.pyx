"""Search for conditions: those whose rows have the largest mean residual.

The gain of some rows is the squared sum of their residuals over the sum of their
curvatures, the reduction of the loss by Newton's method but for a factor. Histograms of
residuals over the values of a feature, or of two features, give the sums of all single
conditions, and of all pairs, at once (Lou et al. 2013, algorithm FAST).
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

import numpy as np

from _signals cimport listen

# Sums of residuals, of curvatures, and of the weights of rows.
cdef struct Moment:
    float residual, curvature, weight


# Number of tables that are filled together: those of 32 codes fit into the first cache.
cdef enum:
    _TABLES = 48


cdef inline void _add(Moment* into, const Moment* more) noexcept nogil:
    into.residual += more.residual
    into.curvature += more.curvature
    into.weight += more.weight


cdef inline Moment _less(const Moment* whole, const Moment* part) noexcept nogil:
    return Moment(
        whole.residual - part.residual,
        whole.curvature - part.curvature,
        whole.weight - part.weight,
    )


cdef inline float _gain(const Moment* of_rows, float least, float most) noexcept nogil:
    """Return the gain of some rows; 0 for too few, and for nearly all of them."""
    if of_rows.weight < least or of_rows.weight > most:
        return 0.0
    return of_rows.residual * of_rows.residual / (of_rows.curvature + 1.0)


cdef inline void _accumulate(
    Moment* cells, Py_ssize_t n_codes, Py_ssize_t stride, bint is_ordered
) noexcept nogil:
    """Add the cells of values 1, 2, ... to cell 0; make those of numbers cumulative."""
    cdef Py_ssize_t x
    for x in range(1, n_codes):
        _add(&cells[0], &cells[x * stride])
        if is_ordered and x > 1:
            _add(&cells[x * stride], &cells[(x - 1) * stride])


cdef inline float _best(
    Moment* table,
    int32_t n_codes,
    bint is_ordered,
    float least,
    int32_t* place,
) noexcept nogil:
    """Return the largest gain of a condition on the feature of a table, and find it.

    Cell 0 holds the rows without a value; 0 for no condition.
    """
    cdef float most = -least, gain, best = 0.0
    cdef Moment found
    cdef int32_t x, a
    for x in range(n_codes):
        most += table[x].weight
    memset(table, 0, sizeof(Moment))
    _accumulate(table, n_codes, 1, is_ordered)
    for x in range(1, n_codes - is_ordered):
        found = table[x]
        for a in range(2):
            if a:
                found = _less(&table[0], &found)
            gain = _gain(&found, least, most)
            if gain > best:
                best = gain
                place[0] = 2 * x + a
    return best


def best_pairs(
    *,
    const uint8_t[:, ::1] codes,     # IN (n_features, n_rows) 0 for missing values
    const uint8_t[::1] ordered,      # IN (n_features,) whether codes are ranks
    const int32_t[::1] n_codes,      # IN (n_features,) largest codes plus 1
    const float[:, ::1] moments,     # IN (n_rows, 3) see `Moment`
    float least,                     # weight of a pair
    float[:, ::1] gains,             # OUT (n_features, n_features) where f < g
    int32_t[:, ::1] places,          # OUT ((x * width + y) * 2 + a) * 2 + b
):
    """Find the best pair of conditions on each pair of features.

    Condition a = 0 holds for values up to x, or equal to it; a = 1 for all others.
    """
    cdef Py_ssize_t n_features = codes.shape[0], n_rows = codes.shape[1]
    cdef Py_ssize_t width = max(n_codes), f, g, i, x, y, n_f, n_g
    cdef Moment first, both
    cdef const Moment* of_rows = <const Moment*> &moments[0, 0]
    cdef float gain, best
    cdef int a, b
    cdef int64_t work = 0
    held = np.zeros((width, width, 3), dtype=np.float32)
    cdef float[:, :, ::1] room = held
    cdef Moment* table = <Moment*> &room[0, 0, 0]
    with nogil:
        for f in range(n_features):
            n_f = n_codes[f]
            for g in range(f + 1, n_features):
                n_g = n_codes[g]
                listen(&work, 2 * n_rows + 4 * n_f * n_g)
                memset(table, 0, n_f * width * sizeof(Moment))
                for i in range(n_rows):
                    if codes[f, i] and codes[g, i]:
                        _add(&table[codes[f, i] * width + codes[g, i]], &of_rows[i])
                for x in range(1, n_f):
                    _accumulate(&table[x * width], n_g, 1, ordered[g])
                for y in range(n_g):
                    _accumulate(&table[y], n_f, width, ordered[f])
                best = 0.0
                for x in range(1, n_f - ordered[f]):
                    for a in range(2):
                        for y in range(1, n_g - ordered[g]):
                            both = table[x * width + y]
                            first = table[x * width]
                            if a:
                                both = _less(&table[y], &both)
                                first = _less(&table[0], &first)
                            for b in range(2):
                                if b:
                                    both = _less(&first, &both)
                                gain = _gain(&both, least, table[0].weight - least)
                                if gain > best:
                                    best = gain
                                    places[f, g] = <int32_t> (
                                        ((x * width + y) * 2 + a) * 2 + b
                                    )
                gains[f, g] = best


def best_conditions(
    *,
    const uint8_t[:, ::1] codes,     # IN (n_features, n_rows) 0 for missing values
    const uint8_t[::1] ordered,      # IN (n_features,) whether codes are ranks
    const int32_t[::1] n_codes,      # IN (n_features,) largest codes plus 1
    const int32_t[::1] rows,         # IN rows of terms, one term after another
    const int64_t[::1] starts,       # IN (n_terms + 1,) where those of each begin
    const float[:, ::1] moments,     # IN (n_rows, 3) see `Moment`
    float least,                     # weight of a condition, and of the rows without it
    float threshold,                 # smaller gains do not count
    float[::1] gains,                # OUT (n_terms,) 0 if they are surely smaller
    int32_t[:, ::1] places,          # OUT (n_terms, 2) feature; x * 2 + a
):
    """Find the best further condition of each term, among its rows.

    The squared sum of some residuals over the sum of their curvatures is at most the
    sum of squared residuals over curvatures (Cauchy & Schwarz), of the rows with
    residuals of one sign. Where this is below the threshold, there is no search.
    """
    cdef Py_ssize_t n_features = codes.shape[0], width = max(n_codes)
    cdef Py_ssize_t i, f, t, block, first, end
    cdef const Moment* of_rows = <const Moment*> &moments[0, 0]
    cdef const Moment* of_row
    cdef const uint8_t* own
    cdef float most[2]
    cdef float[::1] bounds = np.empty(moments.shape[0], dtype=np.float32)
    cdef float gain
    cdef int32_t place
    cdef int64_t work = 0
    # Row by row, sums of different features are independent of each other.
    cdef const uint8_t[:, ::1] by_row = np.ascontiguousarray(np.asarray(codes).T)
    cdef float[:, :, ::1] room = np.zeros((_TABLES, width, 3), dtype=np.float32)
    cdef Moment* tables = <Moment*> &room[0, 0, 0]
    with nogil:
        for i in range(moments.shape[0]):
            bounds[i] = of_rows[i].residual * of_rows[i].residual
            # In excess of what sums in float32 are rounded by.
            bounds[i] *= <float> 1.01 / of_rows[i].curvature
        for t in range(starts.shape[0] - 1):
            gains[t] = most[0] = most[1] = 0.0
            for i in range(starts[t], starts[t + 1]):
                most[of_rows[rows[i]].residual > 0.0] += bounds[rows[i]]
            if max(most[0], most[1]) < threshold:
                continue
            for block in range((n_features + _TABLES - 1) // _TABLES):
                first = block * _TABLES
                end = min(first + _TABLES, n_features)
                listen(&work, (end - first) * (starts[t + 1] - starts[t] + 2 * width))
                memset(tables, 0, (end - first) * width * sizeof(Moment))
                for i in range(starts[t], starts[t + 1]):
                    of_row, own = &of_rows[rows[i]], &by_row[rows[i], 0]
                    for f in range(first, end):
                        _add(&tables[(f - first) * width + own[f]], of_row)
                for f in range(first, end):
                    gain = _best(
                        table=&tables[(f - first) * width],
                        n_codes=n_codes[f],
                        is_ordered=ordered[f],
                        least=least,
                        place=&place,
                    )
                    if gain > gains[t]:
                        gains[t] = gain
                        places[t, 0] = <int32_t> f
                        places[t, 1] = place


cdef inline void _restrict(
    uint8_t* others,
    const uint8_t* codes,
    Py_ssize_t n_rows,
    int32_t place,
    bint is_ordered,
) noexcept nogil:
    """Leave out the rows that do not satisfy the condition x * 2 + a."""
    cdef Py_ssize_t i
    cdef uint8_t is_above = place & 1, x = <uint8_t> (place // 2)
    if is_ordered:
        for i in range(n_rows):
            others[i] &= (codes[i] != 0) & ((codes[i] > x) == is_above)
    else:
        for i in range(n_rows):
            others[i] &= (codes[i] != 0) & ((codes[i] != x) == is_above)


def improve_terms(
    *,
    const uint8_t[:, ::1] codes,     # IN (n_features, n_rows) 0 for missing values
    const uint8_t[::1] ordered,      # IN (n_features,) whether codes are ranks
    const int32_t[::1] n_codes,      # IN (n_features,) largest codes plus 1
    const int32_t[::1] features,     # IN of conditions, one term after another
    int32_t[::1] places,             # INOUT x * 2 + a, of conditions
    const int64_t[::1] starts,       # IN (n_terms + 1,) where those of each begin
    const int32_t[::1] targets,      # IN (n_terms,) positions in `moments`
    const float[:, :, ::1] moments,  # IN (n_targets, n_rows, 3) see `Moment`
    float least,                     # weight of a condition, and of the rows without it
    int n_sweeps,
):
    """Replace each condition by the best one on its feature, given the others."""
    cdef Py_ssize_t n_rows = codes.shape[1], i, j, t, other, f
    cdef const Moment* of_rows
    cdef float gain
    cdef int32_t place
    cdef int _
    cdef int64_t work = 0
    cdef float[:, ::1] room = np.zeros((max(n_codes), 3), dtype=np.float32)
    cdef uint8_t[::1] others = np.empty(n_rows, dtype=np.uint8)
    cdef Moment* table = <Moment*> &room[0, 0]
    with nogil:
        for t in range(starts.shape[0] - 1):
            of_rows = <const Moment*> &moments[targets[t], 0, 0]
            for _ in range(n_sweeps):
                for j in range(starts[t], starts[t + 1]):
                    f = features[j]
                    listen(&work, 2 * n_rows * (starts[t + 1] - starts[t]))
                    memset(&others[0], 1, n_rows)
                    for other in range(starts[t], starts[t + 1]):
                        if other != j:
                            _restrict(
                                others=&others[0],
                                codes=&codes[features[other], 0],
                                n_rows=n_rows,
                                place=places[other],
                                is_ordered=ordered[features[other]],
                            )
                    memset(table, 0, n_codes[f] * sizeof(Moment))
                    for i in range(n_rows):
                        if others[i]:
                            _add(&table[codes[f, i]], &of_rows[i])
                    # No condition is better than the present one where none is.
                    gain = _best(
                        table=table,
                        n_codes=n_codes[f],
                        is_ordered=ordered[f],
                        least=least,
                        place=&place,
                    )
                    if gain > 0.0:
                        places[j] = place
