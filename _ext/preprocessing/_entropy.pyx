"""Entropy: the partitions of least average class entropy, of every arity in one pass.

A column is given as B segments in ascending order (runs of values that no optimal
partition separates) by the class counts of its prefixes. An interval that joins
segments i .. j-1, with n_c of its N rows in class c, costs its entropy times its rows,

    C(i, j) = N log2 N - sum_c n_c log2 n_c        (bits),

and a partition costs the sum of its intervals: the average class entropy times the
rows. The best partition of the first j segments into k intervals is therefore

    P_k(j) = min_i P_{k-1}(i) + C(i, j),           P_1(j) = C(0, j),

where i is where the last interval starts (Elomaa & Rousu 1999). C is not Monge, so
neither SMAWK nor divide and conquer applies. But splitting an interval never raises its
cost, C(h, j) >= C(h, i) + C(i, j), and that prunes exactly, as i goes down from j - 1:

* an h < i can only win if P_{k-1}(h) <= best - C(i, j), since C(h, j) >= C(i, j);
* no h < i can win if P_k(i) > best - C(i, j), since P_{k-1}(h) + C(h, i) >= P_k(i).

P_{k-1} ascends, so that the highest h of the first kind is found by a search, and the
rest is leapt over.

Where every interval must have a weight of at least m, P_k(j) is the least cost over the
partitions that do, infinite if there is none. It neither ascends nor bounds
P_{k-1}(h) + C(h, i), as the interval h .. i-1 may be too light where h .. j-1 is not.
The costs without a minimum do both, are not larger, and take its place in the two
rules.

C(i, j) is the same for every k; the programme goes segment by segment, with all arities
at each, and computes it once. The worst case is O(B^2 (m + k)) time for m classes, and
memory is O(B (m + k)): 8 (m + 2 k + 2) bytes a segment, besides the table of n log n.

References
----------
T. Elomaa and J. Rousu, General and efficient multisplitting of numerical attributes,
Machine Learning 36(3), 201-244, 1999.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, fmax, fmin, log2

# Between two looks for Ctrl-C and `halted`, in sums and logarithms at most: well under
# a second.
cdef Py_ssize_t STEPS_BETWEEN_SIGNALS = 1 << 24


cdef inline double n_log_n(double n, const double[::1] table) noexcept nogil:
    if n < table.shape[0]:
        return table[<Py_ssize_t>n]
    return n * log2(n) if n > 0.0 else 0.0


cdef inline double interval_cost(
    const double[:, ::1] prefix, const double[::1] table, Py_ssize_t i, Py_ssize_t j
) noexcept nogil:
    """C(i, j); the rows are summed from the classes, so that purity costs exactly 0."""
    cdef Py_ssize_t c
    cdef double count, rows = 0.0, by_class = 0.0
    for c in range(prefix.shape[1]):
        count = prefix[j, c] - prefix[i, c]
        rows += count
        by_class += n_log_n(count, table)
    return fmax(n_log_n(rows, table) - by_class, 0.0)


cdef inline double known_cost(
    const double[:, ::1] prefix,
    const double[::1] table,
    double[::1] known,
    Py_ssize_t i,
    Py_ssize_t j,
) noexcept nogil:
    """C(i, j), computed at the first call for this j: until then it is negative."""
    if known[i] < 0.0:
        known[i] = interval_cost(prefix, table, i, j)
    return known[i]


cdef inline Py_ssize_t last_at_most(
    const double[:] row, double bound, Py_ssize_t low, Py_ssize_t high
) noexcept nogil:
    """The last index in low .. high of an ascending row that is at most the bound.

    low - 1 if there is none. Doubling steps from the high end, then halving: the
    answer is mostly near.
    """
    cdef Py_ssize_t below, middle, step = 1
    if high < low or row[high] <= bound:
        return high
    while high - step >= low and row[high - step] > bound:
        high -= step
        step *= 2
    below = max(high - step, low - 1)
    while high - below > 1:
        middle = (below + high) // 2
        if row[middle] <= bound:
            below = middle
        else:
            high = middle
    return below


def multisplit(
    const double[:, ::1] prefix,
    const double[::1] weight,
    double min_weight,
    double tie,
    const double[::1] table,
    const unsigned char[::1] halted,
    double[::1] known,
    double[:, ::1] cost,
    Py_ssize_t[:, ::1] start,
    const double[:, ::1] bounds,
):
    """Fill the table of optimal partitions, one row for each arity.

    Parameters
    ----------
    prefix : IN, (n_segments + 1, n_classes)
        Weight of each class in the first j segments; row 0 is zero.

    weight : IN, (n_segments + 1,)
        Weight of the first j segments.

    min_weight : IN
        The least weight of an interval; 0 for no minimum.

    tie : IN
        Costs, and weights, at most this far apart are equal (prefix counts of
        fractional weights are rounded). Of equal partitions the one that starts its
        last interval leftmost is kept, and so on down to the first: a rule without
        rounding noise.

    table : IN
        n log2 n for n = 0, 1, ..., if all weights are integers, else empty; what is
        beyond its end is computed.

    halted : IN, (1,)
        Once it is not 0, the call returns early, its table unfinished.

    known : SCRATCH, (n_segments,)
        All negative before and after.

    cost : OUT, (n_arities, n_segments + 1)
        P_{k+1}(j) at [k, j]; n_arities <= n_segments. Cells that no optimal partition
        of the whole column needs are left alone: those with fewer segments than
        intervals, and of the last row all but the last.

    start : OUT, (n_arities, n_segments + 1)
        Where the last interval of that partition starts; of no meaning where there is
        none.

    bounds : IN, (n_arities, n_segments + 1)
        `cost` itself without a minimum, and otherwise what it would be without one.
    """
    cdef Py_ssize_t n_arities = cost.shape[0], n_segments = prefix.shape[0] - 1
    cdef Py_ssize_t i, j, k, leftmost, heavy = -1, lowest, steps = 0
    cdef bint is_last_row
    cdef double best, last_cost, light, total
    with nogil:
        for j in range(1, n_segments + 1):
            steps += j * (n_arities + prefix.shape[1])
            if steps >= STEPS_BETWEEN_SIGNALS:
                steps = 0
                with gil:
                    PyErr_CheckSignals()
                if halted[0]:
                    break
            # The last start that leaves the last interval heavy enough.
            light = weight[j] - min_weight + tie
            while heavy + 1 < j and weight[heavy + 1] <= light:
                heavy += 1
            last_cost = known_cost(prefix, table, known, 0, j)
            cost[0, j] = last_cost if heavy >= 0 else INFINITY
            start[0, j] = 0
            lowest = j - 1
            for k in range(1, min(n_arities, j)):
                is_last_row = k == n_arities - 1
                if is_last_row and j < n_segments:
                    break

                # The best start one segment ago gives a tight bound to begin with.
                leftmost = start[k, j - 1] if j > k + 1 and not is_last_row else k
                best = INFINITY
                if leftmost <= heavy and leftmost >= k:
                    last_cost = known_cost(prefix, table, known, leftmost, j)
                    lowest = min(lowest, leftmost)
                    best = cost[k - 1, leftmost] + last_cost
                i = heavy
                while i >= k:
                    last_cost = known_cost(prefix, table, known, i, j)
                    lowest = min(lowest, i)
                    total = cost[k - 1, i] + last_cost
                    if total <= best + tie:
                        best = fmin(best, total)
                        leftmost = i
                    if not is_last_row and i > k:
                        if bounds[k, i] + last_cost > best + tie:
                            break
                    i = last_at_most(bounds[k - 1], best + tie - last_cost, k, i - 1)
                cost[k, j] = best
                start[k, j] = leftmost
            known[0] = -1.0
            for i in range(lowest, j):
                known[i] = -1.0
