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
cost, C(h, j) >= C(h, i) + C(i, j), and that prunes exactly: as i goes down, once
P_{k-1}(i) + C(i, j) is known,

* an h < i can only win if P_{k-1}(h) <= best - C(i, j), since C(h, j) >= C(i, j); as
  P_{k-1} ascends, the highest such h is found by a search, and the rest is leapt over;
* no h < i can win if P_k(i) > best - C(i, j), since P_{k-1}(h) + C(h, i) >= P_k(i).

The worst case stays O(k B^2 m) time for m classes; memory is O(k B).

References
----------
T. Elomaa and J. Rousu, General and efficient multisplitting of numerical attributes,
Machine Learning 36(3), 201-244, 1999.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport fmax, log2

# Between two looks for Ctrl-C, in cells of the table: well under a second.
cdef Py_ssize_t CELLS_BETWEEN_SIGNALS = 64


cdef inline double n_log_n(double n) noexcept nogil:
    return n * log2(n) if n > 0.0 else 0.0


cdef inline double interval_cost(
    const double[:, ::1] prefix, Py_ssize_t i, Py_ssize_t j
) noexcept nogil:
    """C(i, j); the rows are summed from the classes, so that purity costs exactly 0."""
    cdef Py_ssize_t c
    cdef double count, rows = 0.0, by_class = 0.0
    for c in range(prefix.shape[1]):
        count = prefix[j, c] - prefix[i, c]
        rows += count
        by_class += n_log_n(count)
    return fmax(n_log_n(rows) - by_class, 0.0)


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
    double tie,
    double[:, ::1] cost,
    Py_ssize_t[:, ::1] start,
):
    """Fill the table of optimal partitions, one row for each arity.

    Parameters
    ----------
    prefix : IN, (n_segments + 1, n_classes)
        Weight of each class in the first j segments; row 0 is zero.

    tie : IN
        Costs at most this far apart are equal (prefix counts of fractional weights are
        rounded). Of equal partitions the one that starts its last interval leftmost is
        kept, and so on down to the first: a rule without rounding noise.

    cost : OUT, (n_arities, n_segments + 1)
        P_{k+1}(j) at [k, j]; n_arities <= n_segments. Cells that no optimal partition
        of the whole column needs are left alone: those with fewer segments than
        intervals, and of the last row all but the last.

    start : OUT, (n_arities, n_segments + 1)
        Where the last interval of that partition starts.
    """
    cdef Py_ssize_t n_arities = cost.shape[0], n_segments = prefix.shape[0] - 1
    cdef Py_ssize_t i, j, k, leftmost, first
    cdef bint is_last_row
    cdef double best, last_cost, total
    with nogil:
        for j in range(1, n_segments + 1):
            cost[0, j] = interval_cost(prefix, 0, j)
            start[0, j] = 0
        for k in range(1, n_arities):
            is_last_row = k == n_arities - 1
            first = n_segments if is_last_row else k + 1
            leftmost = k
            for j in range(first, n_segments + 1):
                if j % CELLS_BETWEEN_SIGNALS == 0:
                    with gil:
                        PyErr_CheckSignals()
                # The best start one segment ago gives a tight bound to begin with.
                best = cost[k - 1, leftmost] + interval_cost(prefix, leftmost, j)
                i = j - 1
                while i >= k:
                    last_cost = interval_cost(prefix, i, j)
                    total = cost[k - 1, i] + last_cost
                    if total <= best + tie:
                        best = min(best, total)
                        leftmost = i
                    if not is_last_row and i > k:
                        if cost[k, i] + last_cost > best + tie:
                            break
                    i = last_at_most(cost[k - 1], best + tie - last_cost, k, i - 1)
                cost[k, j] = best
                start[k, j] = leftmost
