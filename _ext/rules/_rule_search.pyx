"""The rules of the largest value: branch and bound over conjunctions of literals.

    value of S = sum of the values of the rows that satisfy S - price of |S| literals

A rule S is a set of literals. No rule that contains S has a larger value than the
positive ones of the rows that satisfy S add up to: the bound is made of this. Two
literals of one feature are in one rule only as the two ends of an interval.

Literals come in an order; a branch adds those behind its last one. A rule with a
literal that excludes no row is passed over: it has the same rows without it, for a
smaller price. What is found, the order included, is a function of the input.

Rows are bits. Those of positive value come first, in words of their own.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from _bits cimport lowest_bit, popcount
from _signals cimport listen


# A literal to branch on, and the positive values that it leaves.
cdef struct Branch:
    int32_t literal
    double up


cdef struct Search:
    Py_ssize_t n_literals, n_words, n_up_words, longest, size
    const uint64_t* holds        # (n_literals, n_words)
    const double* values         # (64 n_words,)
    const double* weights        # (64 n_words,) or NULL: no limits
    const double* own            # (64 n_words,)
    const int32_t* features      # (n_literals,)
    const int32_t* ends          # (n_literals,)
    const double* prices         # (longest + 1,)
    double min_support, min_precision
    double threshold             # rules have a larger value
    double open_bound            # no rule that was not searched has a larger value
    int64_t work, heard
    # The best so far: a heap, the worst on top.
    Py_ssize_t room, n_found
    double* found_values         # (room,)
    int64_t* found_ranks         # (room,) when a rule was found
    int32_t* found_sizes         # (room,)
    int32_t* rules               # (room, longest)
    int64_t n_offered
    # The path.
    int32_t* path                # (longest,)
    uint64_t* extents            # (longest + 1, n_words)
    uint64_t* common             # (n_words,)
    Branch* branches             # (longest, n_literals)


cdef inline double add_up(
    const double* values, const uint64_t* rows, Py_ssize_t first, Py_ssize_t last,
) noexcept nogil:
    """Return the sum of the values of the rows in some words."""
    cdef double total = 0.0
    cdef uint64_t word
    cdef Py_ssize_t i
    for i in range(first, last):
        word = rows[i]
        while word:
            total += values[64 * i + lowest_bit(word)]
            word &= word - 1
    return total


cdef inline bint is_worse(const Search* s, Py_ssize_t i, Py_ssize_t k) noexcept nogil:
    """Return whether a rule that was found is worse than another one."""
    if s.found_values[i] != s.found_values[k]:
        return s.found_values[i] < s.found_values[k]
    return s.found_ranks[i] > s.found_ranks[k]


cdef void swap(Search* s, Py_ssize_t i, Py_ssize_t k) noexcept nogil:
    cdef Py_ssize_t j
    s.found_values[i], s.found_values[k] = s.found_values[k], s.found_values[i]
    s.found_ranks[i], s.found_ranks[k] = s.found_ranks[k], s.found_ranks[i]
    s.found_sizes[i], s.found_sizes[k] = s.found_sizes[k], s.found_sizes[i]
    cdef int32_t* first = s.rules + i * s.longest
    cdef int32_t* second = s.rules + k * s.longest
    for j in range(s.longest):
        first[j], second[j] = second[j], first[j]


cdef void put(Search* s, double value, int32_t last) noexcept nogil:
    """Insert the path and one more literal among the rules that were found."""
    cdef Py_ssize_t i, parent, child
    if s.n_found < s.room:
        i = s.n_found
        s.n_found += 1
    else:
        i = 0
    s.found_values[i] = value
    s.found_ranks[i] = s.n_offered
    s.found_sizes[i] = <int32_t> (s.size + 1)
    s.n_offered += 1
    for child in range(s.size):
        s.rules[i * s.longest + child] = s.path[child]
    s.rules[i * s.longest + s.size] = last
    if i:
        while i and is_worse(s, i, (i - 1) // 2):
            parent = (i - 1) // 2
            swap(s, i, parent)
            i = parent
    else:
        while 2 * i + 1 < s.n_found:
            child = 2 * i + 1
            if child + 1 < s.n_found and is_worse(s, child + 1, child):
                child += 1
            if not is_worse(s, child, i):
                break
            swap(s, i, child)
            i = child
    if s.n_found == s.room:
        # Rules of equal value that come later are not kept.
        s.threshold = max(s.threshold, s.found_values[0])


cdef inline bint may_meet(const Search* s, int32_t literal) noexcept nogil:
    """Return whether a rule may contain a literal beside those of the path."""
    cdef Py_ssize_t i
    cdef int32_t other
    for i in range(s.size):
        other = s.path[i]
        if s.features[other] == s.features[literal] and not (
            s.ends[other] * s.ends[literal] == -1
        ):
            return False
    return True


cdef bint is_allowed(const Search* s, double* support) noexcept nogil:
    """Return whether the common rows are enough, and pure enough."""
    cdef double own
    if s.weights == NULL:
        return True
    own = add_up(s.own, s.common, 0, s.n_words)
    return support[0] >= s.min_support and own >= s.min_precision * support[0]


cdef int extend(
    Search* s, const Branch* candidates, Py_ssize_t n_candidates, Py_ssize_t max_size,
) except -1 nogil:
    """Search the rules that contain the path and some of the candidates."""
    cdef const uint64_t* extent = s.extents + s.size * s.n_words
    cdef const uint64_t* rows
    cdef uint64_t* smaller = s.extents + (s.size + 1) * s.n_words
    cdef Branch* branches = s.branches + s.size * s.n_literals
    cdef Py_ssize_t i, j, n = 0
    cdef int32_t literal
    cdef int64_t before = s.work
    cdef uint64_t excluded
    cdef double up, value, support = 0.0
    cdef bint is_last = s.size + 1 == max_size
    for i in range(n_candidates):
        literal = candidates[i].literal
        # The bound of the parent includes the rows of this branch.
        if candidates[i].up - s.prices[s.size + 1] <= s.threshold:
            continue
        if not may_meet(s, literal):
            continue
        rows = s.holds + literal * s.n_words
        s.work -= s.n_words
        for j in range(s.n_up_words):
            s.common[j] = extent[j] & rows[j]
            s.work -= popcount(s.common[j])
        up = add_up(s.values, s.common, 0, s.n_up_words)
        if up - s.prices[s.size + 1] <= s.threshold:
            continue
        excluded = 0
        for j in range(s.n_up_words):
            excluded |= extent[j] ^ s.common[j]
        for j in range(s.n_up_words, s.n_words):
            s.common[j] = extent[j] & rows[j]
            excluded |= extent[j] ^ s.common[j]
        if not excluded:
            continue
        if s.weights != NULL:
            support = add_up(s.weights, s.common, 0, s.n_words)
            if support < s.min_support:
                continue
        if is_last:
            value = up + add_up(s.values, s.common, s.n_up_words, s.n_words)
            value -= s.prices[s.size + 1]
            if value > s.threshold and is_allowed(s, &support):
                put(s, value, literal)
        elif up - s.prices[s.size + 2] > s.threshold:
            branches[n] = Branch(literal, up)
            n += 1
    listen(&s.heard, before - s.work)
    for i in range(n):
        # The literals behind make the rules: at least one of them.
        up = branches[i].up - s.prices[s.size + 2]
        if up <= s.threshold or i + 1 == n:
            continue
        if s.work <= 0:
            s.open_bound = max(s.open_bound, up)
            continue
        literal = branches[i].literal
        rows = s.holds + literal * s.n_words
        for j in range(s.n_words):
            smaller[j] = extent[j] & rows[j]
        s.path[s.size] = literal
        s.size += 1
        extend(s, branches + i + 1, n - i - 1, max_size)
        s.size -= 1
    return 0


def search(
    *,
    const uint64_t[:, ::1] holds,    # IN (n_literals, n_words) rows of each literal
    const uint64_t[::1] rows,        # IN (n_words,) all rows
    Py_ssize_t n_up_words,           # words of the rows of positive value
    const double[::1] values,        # IN (64 n_words,)
    const double[::1] weights,       # IN (64 n_words,) or none: no limits
    const double[::1] own,           # IN (64 n_words,) weights that are of the class
    const int32_t[::1] features,     # IN (n_literals,)
    const int32_t[::1] ends,         # IN (n_literals,) 1 for a lower end, -1 for an
                                     #    upper end of an interval, else 0
    const double[::1] prices,        # IN (longest + 1,) of each size, ascending
    double min_support,
    double min_precision,
    double threshold,                # rules have a larger value
    int64_t work,                    # to be done at most
    int32_t[:, ::1] rules,           # OUT (room, longest) literals of rules
    int32_t[::1] sizes,              # OUT (room,)
    double[::1] found_values,        # OUT (room,)
):
    """Find the rules of the largest value, one literal at least.

    Returns
    -------
    n_found : int
        In no order. If the room is full, there may be more above the threshold.
    bound : float
        No rule that was not searched has a larger value; minus infinity if all were.
    work : int
        What is left of it.
    """
    cdef Search s
    cdef Py_ssize_t i, max_size = 0
    cdef Branch* roots = NULL
    cdef double total, minus_infinity = float("-inf")
    memset(&s, 0, sizeof(Search))
    s.n_literals, s.n_words, s.n_up_words = holds.shape[0], holds.shape[1], n_up_words
    s.longest, s.room = rules.shape[1], rules.shape[0]
    if s.n_literals == 0 or s.n_words == 0 or s.longest == 0 or s.room == 0:
        return 0, minus_infinity, work
    s.holds, s.values, s.prices = &holds[0, 0], &values[0], &prices[0]
    if weights.shape[0]:
        s.weights, s.own = &weights[0], &own[0]
    s.features, s.ends = &features[0], &ends[0]
    s.min_support, s.min_precision = min_support, min_precision
    s.threshold, s.work, s.open_bound = threshold, work, minus_infinity
    s.found_values, s.found_sizes = &found_values[0], &sizes[0]
    s.rules = &rules[0, 0]
    try:
        s.found_ranks = <int64_t*> calloc(s.room, sizeof(int64_t))
        s.path = <int32_t*> calloc(s.longest, sizeof(int32_t))
        s.extents = <uint64_t*> calloc((s.longest + 1) * s.n_words, sizeof(uint64_t))
        s.common = <uint64_t*> calloc(s.n_words, sizeof(uint64_t))
        s.branches = <Branch*> calloc(s.longest * s.n_literals, sizeof(Branch))
        roots = <Branch*> calloc(s.n_literals, sizeof(Branch))
        if (
            s.found_ranks == NULL or s.path == NULL or s.extents == NULL
            or s.common == NULL or s.branches == NULL or roots == NULL
        ):
            raise MemoryError
        for i in range(s.n_words):
            s.extents[i] = rows[i]
        total = add_up(s.values, s.extents, 0, s.n_up_words)
        for i in range(s.n_literals):
            roots[i] = Branch(<int32_t> i, total)
        with nogil:
            # Short rules first: the values of the best ones bound the longer ones.
            while max_size < s.longest:
                max_size += 1
                if s.work <= 0:
                    total -= s.prices[max_size]
                    s.open_bound = max(s.open_bound, total)
                    break
                extend(&s, roots, s.n_literals, max_size)
    finally:
        free(s.found_ranks)
        free(s.path)
        free(s.extents)
        free(s.common)
        free(s.branches)
        free(roots)
    return s.n_found, s.open_bound, s.work


def undominated(
    *,
    const uint64_t[:, ::1] covers,   # IN (n_rules, n_words) rows of each rule
    const int32_t[::1] sizes,        # IN (n_rules,)
    uint8_t[::1] is_kept,            # OUT (n_rules,)
):
    """Find the rules whose rows are not all rows of a kept rule before them.

    A rule is dropped only for another one that is not longer.
    """
    cdef Py_ssize_t n_rules = covers.shape[0], n_words = covers.shape[1], i, j, k
    cdef Py_ssize_t n_kept = 0
    cdef int64_t heard = 0
    cdef int32_t* kept = <int32_t*> calloc(n_rules + 1, sizeof(int32_t))
    if kept == NULL:
        raise MemoryError
    try:
        with nogil:
            for i in range(n_rules):
                is_kept[i] = True
                for k in range(n_kept):
                    if sizes[kept[k]] > sizes[i]:
                        continue
                    for j in range(n_words):
                        if covers[i, j] & ~covers[kept[k], j]:
                            break
                    else:
                        is_kept[i] = False
                        break
                if is_kept[i]:
                    kept[n_kept] = <int32_t> i
                    n_kept += 1
                listen(&heard, n_kept)
    finally:
        free(kept)
