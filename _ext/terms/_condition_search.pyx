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

from _bits cimport floats_t, int32s_t
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
    for x in range(1, n_codes):
        _add(&table[0], &table[x])
        if is_ordered and x > 1:
            _add(&table[x], &table[x - 1])
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


cdef inline void _add_all(floats_t into, floats_t more, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t y
    for y in range(n):
        into[y] += more[y]


cdef void _accumulate(
    float* residuals,
    float* curvatures,
    float* weights,
    Py_ssize_t n_f,
    Py_ssize_t n_g,
    Py_ssize_t width,
    bint f_is_ordered,
    bint g_is_ordered,
) noexcept nogil:
    """Make tables of pairs of codes those of conditions, with all rows in place 0.

    Missing values do not count. Numbers have cumulative sums.
    """
    cdef Py_ssize_t m, x, y, row
    cdef float residual, curvature, weight
    cdef float* table
    # The sums of a row wait for each other, those of three tables do not.
    for x in range(1, n_f):
        row = x * width
        residual = curvature = weight = 0.0
        for y in range(row + 1, row + n_g):
            residual += residuals[y]
            curvature += curvatures[y]
            weight += weights[y]
            if g_is_ordered:
                residuals[y] = residual
                curvatures[y] = curvature
                weights[y] = weight
        residuals[row] = residual
        curvatures[row] = curvature
        weights[row] = weight
    for m in range(3):
        table = residuals if m == 0 else curvatures if m == 1 else weights
        memset(table, 0, n_g * sizeof(float))
        for x in range(1, n_f):
            row = x * width
            _add_all(table, &table[row], n_g)
            if f_is_ordered and x > 1:
                _add_all(&table[row], &table[row - width], n_g)


cdef inline void _subtract(
    floats_t rest, floats_t whole, floats_t part, Py_ssize_t n
) noexcept nogil:
    cdef Py_ssize_t y
    for y in range(n):
        rest[y] = whole[y] - part[y]


cdef inline void _keep_best(
    floats_t best,
    int32s_t places,
    floats_t residuals,
    floats_t curvatures,
    floats_t weights,
    Py_ssize_t n,
    bint b,
    float least,
    float most,
    int32_t place,
) noexcept nogil:
    """Replace the best gains of codes 1, 2, ... of a feature where those given are.

    The gains are those of `_gain`, side by side.
    """
    cdef Py_ssize_t y
    cdef float residual, curvature, weight, gain
    for y in range(1, n):
        residual = residuals[0] - residuals[y] if b else residuals[y]
        curvature = curvatures[0] - curvatures[y] if b else curvatures[y]
        weight = weights[0] - weights[y] if b else weights[y]
        gain = residual * residual / (curvature + <float> 1.0)
        gain = <float> 0.0 if (weight < least) | (weight > most) else gain
        places[y] = <int32_t> (place + 4 * y) if gain > best[y] else places[y]
        best[y] = gain if gain > best[y] else best[y]


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
    cdef Py_ssize_t width = max(n_codes), f, g, i, m, x, y, n_f, n_g, cell
    cdef const Moment* of_rows = <const Moment*> &moments[0, 0]
    cdef const uint8_t* of_f
    cdef const uint8_t* of_g
    cdef float* residuals
    cdef float* curvatures
    cdef float* weights
    cdef float* rows[3]
    cdef int a, b
    cdef int32_t order, first
    cdef int64_t work = 0
    # Tables of residuals, curvatures and weights, whose gains are computed side by
    # side; the rows without condition a = 0; and the best gain of each code of g.
    cdef float[:, :, ::1] tables = np.empty((3, width, width), dtype=np.float32)
    cdef float[:, ::1] others = np.empty((3, width), dtype=np.float32)
    cdef float[::1] best = np.empty(width, dtype=np.float32)
    cdef int32_t[::1] of_best = np.empty(width, dtype=np.int32)
    residuals, curvatures, weights = (
        &tables[0, 0, 0], &tables[1, 0, 0], &tables[2, 0, 0]
    )
    with nogil:
        for f in range(n_features):
            n_f, of_f = n_codes[f], &codes[f, 0]
            for g in range(f + 1, n_features):
                n_g, of_g = n_codes[g], &codes[g, 0]
                listen(&work, 2 * n_rows + n_f * n_g)
                for m in range(3):
                    memset(&tables[m, 0, 0], 0, n_f * width * sizeof(float))
                for i in range(n_rows):
                    cell = of_f[i] * width + of_g[i]
                    residuals[cell] += of_rows[i].residual
                    curvatures[cell] += of_rows[i].curvature
                    weights[cell] += of_rows[i].weight
                _accumulate(
                    residuals=residuals,
                    curvatures=curvatures,
                    weights=weights,
                    n_f=n_f,
                    n_g=n_g,
                    width=width,
                    f_is_ordered=ordered[f],
                    g_is_ordered=ordered[g],
                )
                memset(&best[0], 0, width * sizeof(float))
                for x in range(1, n_f - ordered[f]):
                    for a in range(2):
                        for m in range(3):
                            rows[m] = &tables[m, x, 0]
                            if a:
                                rows[m] = &others[m, 0]
                                _subtract(
                                    rest=rows[m],
                                    whole=&tables[m, 0, 0],
                                    part=&tables[m, x, 0],
                                    n=n_g,
                                )
                        for b in range(2):
                            _keep_best(
                                best=&best[0],
                                places=&of_best[0],
                                residuals=rows[0],
                                curvatures=rows[1],
                                weights=rows[2],
                                n=n_g - ordered[g],
                                b=b,
                                least=least,
                                most=weights[0] - least,
                                place=<int32_t> (x * width * 4 + a * 2 + b),
                            )
                gains[f, g] = 0.0
                first = 0
                for y in range(1, n_g - ordered[g]):
                    # Of equal gains, the first one by x, a, y and b.
                    order = of_best[y] // (4 * <int32_t> width) * 2
                    order += of_best[y] // 2 % 2
                    if best[y] > gains[f, g] or (
                        best[y] == gains[f, g] > 0.0 and order < first
                    ):
                        gains[f, g], places[f, g] = best[y], of_best[y]
                        first = order


cdef float _most_gain(
    const Moment* moments, const int32_t[::1] rows, int64_t start, int64_t end
) noexcept nogil:
    """Return a bound of the gain of any part of some rows, by Cauchy and Schwarz."""
    cdef double above = 0.0, below = 0.0
    cdef const Moment* of_row
    cdef int64_t i
    for i in range(start, end):
        of_row = &moments[rows[i]]
        if of_row.residual > 0.0:
            above += of_row.residual * of_row.residual / of_row.curvature
        else:
            below += of_row.residual * of_row.residual / of_row.curvature
    # Sums of float32 are not exact.
    return <float> (1.001 * max(above, below))


def best_conditions(
    *,
    const uint8_t[:, ::1] codes,     # IN (n_features, n_rows) 0 for missing values
    const uint8_t[::1] ordered,      # IN (n_features,) whether codes are ranks
    const int32_t[::1] n_codes,      # IN (n_features,) largest codes plus 1
    const int32_t[::1] rows,         # IN rows of terms, one term after another
    const int64_t[::1] starts,       # IN (n_terms + 1,) where those of each begin
    const float[:, ::1] moments,     # IN (n_rows, 3) see `Moment`
    float least,                     # weight of a condition, and of the rows without it
    float least_gain,                # terms that do not reach it may have the gain 0
    float[::1] gains,                # OUT (n_terms,)
    int32_t[:, ::1] places,          # OUT (n_terms, 2) feature; x * 2 + a
):
    """Find the best further condition of each term, among its rows."""
    cdef Py_ssize_t n_features = codes.shape[0], width = max(n_codes)
    cdef Py_ssize_t i, f, t, block, first, end
    cdef const Moment* of_rows = <const Moment*> &moments[0, 0]
    cdef const Moment* of_row
    cdef const uint8_t* own
    cdef float gain
    cdef int32_t place
    cdef int64_t work = 0
    # Row by row, sums of different features are independent of each other.
    cdef const uint8_t[:, ::1] by_row = np.ascontiguousarray(np.asarray(codes).T)
    cdef float[:, :, ::1] room = np.zeros((_TABLES, width, 3), dtype=np.float32)
    cdef Moment* tables = <Moment*> &room[0, 0, 0]
    with nogil:
        for t in range(starts.shape[0] - 1):
            gains[t] = 0.0
            if _most_gain(of_rows, rows, starts[t], starts[t + 1]) < least_gain:
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
