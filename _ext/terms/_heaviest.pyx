"""The heaviest terms: branch and bound over the literals of updates.

    log weight of S = |S| log(beta) + phi(S) log(alpha)

A term is a set S of literals; phi(S), its exponent, is the sum of the exponents of the
updates that satisfy all of them, its extent. No term that contains S has a larger
exponent than the positive exponents of S's extent add up to: what the bound is made of.

Literals come in an order; a branch adds those behind its last one. Terms compare by
weight, then by size, smaller first, then by their literals: what is found does not
depend on the order in which it is.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint8_t

cdef enum:
    # Entries of the state.
    DEPTH, ENTERING, N_FOUND
    # Entries of a level: where its extent ends, and its literals begin, go on and end.
    EXTENT_END = 0, FIRST, NEXT, LAST
    # Entries of the sums of a literal: positive exponents, all, and how many.
    UP = 0, NET, COUNT
    # How a search comes back.
    DONE = 0, PAUSE, ROOM


cdef struct Search:
    double log_alpha, log_beta
    Py_ssize_t n_columns, m, max_size, longest
    bint promoted, irredundant
    const int32_t* table         # (m, n_columns)
    const int64_t* exponents     # (m,)
    const int32_t* column_of     # (n_literals,)
    Py_ssize_t n_literals, n_kept
    const uint8_t* kept          # (n_kept, n_literals)
    const int64_t* kept_sizes    # (n_kept,)
    # The best so far, best first.
    Py_ssize_t top, n_found
    double* weights              # (top,)
    int64_t* sizes               # (top,)
    int64_t* nets                # (top,)
    int32_t* terms               # (top, longest), literals ascending
    # Room.
    int32_t* path                # (longest,) literals of the branch
    int32_t* term                # (longest,)
    uint8_t* excludes            # (longest,)


cdef inline double log_weight(
    const Search* s, Py_ssize_t size, int64_t net,
) noexcept nogil:
    return size * s.log_beta + s.log_alpha * net


cdef inline bint may_enter(
    const Search* s, double weight, Py_ssize_t size,
) noexcept nogil:
    """Whether a term of this weight and size, or more, may be one of the best."""
    if s.n_found < s.top:
        return True
    cdef double worst = s.weights[s.top - 1]
    return weight > worst or (weight == worst and size <= s.sizes[s.top - 1])


cdef inline bint may_lead(
    const Search* s, int64_t up, Py_ssize_t size, Py_ssize_t n_more,
) noexcept nogil:
    """Whether terms may be among the best, of some size or up to so much longer."""
    if size > s.max_size or n_more < 0 or (s.promoted and up <= 0):
        return False
    if s.log_beta > 0:
        # Longer terms are heavier a priori.
        return may_enter(s, log_weight(s, min(size + n_more, s.max_size), up), size)
    return may_enter(s, log_weight(s, size, up), size)


cdef inline bint satisfies(
    const Search* s, Py_ssize_t u, int32_t literal,
) noexcept nogil:
    return s.table[u * s.n_columns + s.column_of[literal]] == literal


cdef bint contains_kept(const Search* s, Py_ssize_t size) noexcept nogil:
    """Whether the branch contains a term that was kept before."""
    cdef Py_ssize_t k, i, common
    for k in range(s.n_kept):
        common = 0
        for i in range(size):
            common += s.kept[k * s.n_literals + s.path[i]]
        if common == s.kept_sizes[k]:
            return True
    return False


cdef bint is_redundant(Search* s, Py_ssize_t size) noexcept nogil:
    """Whether a kept term is part of the path or contains it, or a literal excludes
    no update."""
    cdef Py_ssize_t k, i, u, common, last = 0, n_missed
    for k in range(s.n_kept):
        common = 0
        for i in range(size):
            common += s.kept[k * s.n_literals + s.path[i]]
        if common == size or common == s.kept_sizes[k]:
            return True
    for i in range(size):
        s.excludes[i] = False
    for u in range(s.m):
        n_missed = 0
        for i in range(size):
            if not satisfies(s, u, s.path[i]):
                n_missed += 1
                if n_missed == 2:
                    break
                last = i
        if n_missed == 1:
            s.excludes[last] = True
    for i in range(size):
        if not s.excludes[i]:
            return True
    return False


cdef int compare(
    const Search* s, double weight, Py_ssize_t size, Py_ssize_t k,
) noexcept nogil:
    """Whether `term` is before (-1), the same as (0), or behind (1) the k-th best."""
    cdef Py_ssize_t i
    cdef const int32_t* other = s.terms + k * s.longest
    if weight != s.weights[k]:
        return -1 if weight > s.weights[k] else 1
    if size != s.sizes[k]:
        return -1 if size < s.sizes[k] else 1
    for i in range(size):
        if s.term[i] != other[i]:
            return -1 if s.term[i] < other[i] else 1
    return 0


cdef void offer(Search* s, Py_ssize_t size, int64_t net) noexcept nogil:
    """Take the path as a term, if it is one of the best so far."""
    cdef double weight = log_weight(s, size, net)
    cdef Py_ssize_t i, k, place
    cdef int32_t literal
    cdef int order
    if size > s.max_size or (s.promoted and net <= 0) or not may_enter(s, weight, size):
        return
    if s.irredundant and (size == 0 or is_redundant(s, size)):
        return
    for i in range(size):
        literal = s.path[i]
        k = i
        while k > 0 and s.term[k - 1] > literal:
            s.term[k] = s.term[k - 1]
            k -= 1
        s.term[k] = literal
    place = s.n_found
    while place > 0:
        order = compare(s, weight, size, place - 1)
        if order == 0:
            return
        if order > 0:
            break
        place -= 1
    if place == s.top:
        return
    if s.n_found < s.top:
        s.n_found += 1
    for k in range(s.n_found - 1, place, -1):
        s.weights[k] = s.weights[k - 1]
        s.sizes[k] = s.sizes[k - 1]
        s.nets[k] = s.nets[k - 1]
        for i in range(s.sizes[k]):
            s.terms[k * s.longest + i] = s.terms[(k - 1) * s.longest + i]
    s.weights[place] = weight
    s.sizes[place] = size
    s.nets[place] = net
    for i in range(size):
        s.terms[place * s.longest + i] = s.term[i]


cdef void add_up(
    const Search* s, const int32_t* extent, Py_ssize_t n_alive,
    const int32_t* literals, Py_ssize_t n, int64_t* sums,
) noexcept nogil:
    """The sums of each literal over the updates of an extent that satisfy it."""
    cdef Py_ssize_t a, i, j, u
    cdef int32_t literal
    cdef int64_t c
    for i in range(n):
        for j in range(3):
            sums[3 * literals[i] + j] = 0
    for a in range(n_alive):
        u = extent[a]
        c = s.exponents[u]
        if n < s.n_columns:
            for i in range(n):
                literal = literals[i]
                if satisfies(s, u, literal):
                    sums[3 * literal + UP] += max(c, 0)
                    sums[3 * literal + NET] += c
                    sums[3 * literal + COUNT] += 1
        else:
            # Sums of literals that are not asked for are of no use, and no harm.
            for j in range(s.n_columns):
                literal = s.table[u * s.n_columns + j]
                if literal >= 0:
                    sums[3 * literal + UP] += max(c, 0)
                    sums[3 * literal + NET] += c
                    sums[3 * literal + COUNT] += 1


def search(
    const int32_t[:, ::1] table,     # IN (m, n_columns) literals of updates, -1: none
    const int64_t[::1] exponents,    # IN (m,)
    const int32_t[::1] column_of,    # IN (n_literals,)
    const int32_t[::1] order,        # IN (n_literals,) in which literals are taken
    const uint8_t[:, ::1] kept,      # IN (n_kept, n_literals) terms to be no part of,
    const int64_t[::1] kept_sizes,   # IN (n_kept,) and not to contain
    double log_alpha,
    double log_beta,
    Py_ssize_t max_size,
    bint promoted,                   # whether only terms of positive exponent count
    bint irredundant,                # whether each literal is to exclude an update
    int64_t work,                    # after which to pause
    int32_t[::1] extents,            # INOUT extents of the path, one behind the other
    int32_t[::1] literals,           # INOUT literals to branch on, likewise
    int64_t[::1] ups,                # INOUT positive exponents that they leave
    int64_t[:, ::1] levels,          # INOUT (longest + 1, 4)
    int64_t[:, ::1] sums,            # INOUT (n_literals, 3) room
    int32_t[:, ::1] room,            # INOUT (2, longest) the path, and room
    uint8_t[::1] excludes,           # INOUT (longest,) room
    double[::1] weights,             # INOUT (top,) of the best, best first
    int64_t[::1] sizes,              # INOUT (top,)
    int64_t[::1] nets,               # INOUT (top,)
    int32_t[:, ::1] terms,           # INOUT (top, longest) literals ascending
    int64_t[::1] state,              # INOUT (3,)
):
    """Go on with a search: 0 when it is done, 1 after some work, 2 for want of room.

    To begin, the state is 0, 1 and the number of terms found before; the first extent
    is all updates, and its end the first entry of `levels`.
    """
    cdef Search s
    cdef Py_ssize_t depth, a, i, begin, first, last, n, end, size
    cdef int32_t literal
    cdef int64_t total, up
    cdef int outcome = DONE
    s.log_alpha, s.log_beta = log_alpha, log_beta
    s.m, s.n_columns, s.n_literals = table.shape[0], table.shape[1], order.shape[0]
    s.max_size, s.longest = max_size, terms.shape[1]
    s.promoted, s.irredundant = promoted, irredundant
    s.n_kept, s.top, s.n_found = kept.shape[0], weights.shape[0], state[N_FOUND]
    s.table = &table[0, 0] if s.m and s.n_columns else NULL
    s.exponents = &exponents[0] if s.m else NULL
    s.column_of = &column_of[0] if s.n_literals else NULL
    s.kept = &kept[0, 0] if s.n_kept and s.n_literals else NULL
    s.kept_sizes = &kept_sizes[0] if s.n_kept else NULL
    s.weights, s.sizes, s.nets = &weights[0], &sizes[0], &nets[0]
    s.terms, s.path, s.term = &terms[0, 0], &room[0, 0], &room[1, 0]
    s.excludes = &excludes[0]
    with nogil:
        depth = state[DEPTH]
        while depth >= 0:
            if work <= 0:
                outcome = PAUSE
                break
            begin = levels[depth - 1, EXTENT_END] if depth > 0 else 0
            end = levels[depth, EXTENT_END]
            if state[ENTERING]:
                # The literals to come: those behind the last one, if they may lead.
                first = levels[depth - 1, NEXT] if depth > 0 else 0
                last = levels[depth - 1, LAST] if depth > 0 else s.n_literals
                n = last if depth > 0 else 0
                if n + last - first > literals.shape[0]:
                    outcome = ROOM
                    break
                levels[depth, FIRST] = levels[depth, NEXT] = n
                if depth == 0:
                    total = 0
                    for a in range(end):
                        total += s.exponents[a]
                    offer(&s, 0, total)
                    for i in range(s.n_literals):
                        literals[i] = order[i]
                    n = s.n_literals
                elif not contains_kept(&s, depth):
                    for i in range(first, last):
                        if may_lead(&s, ups[i], depth + 1, last - first - 1):
                            literals[n] = literals[i]
                            n += 1
                first, last = levels[depth, FIRST], n
                if last > first:
                    add_up(
                        &s, &extents[0] + begin, end - begin,
                        &literals[first], last - first, &sums[0, 0],
                    )
                work -= (end - begin + 1) * min(last - first, s.n_columns) + 16
                size = depth + 1
                n = first
                for i in range(first, last):
                    literal = literals[i]
                    if irredundant and sums[literal, COUNT] == end - begin:
                        continue
                    up = sums[literal, UP]
                    s.path[depth] = literal
                    if may_lead(&s, up, size, 0):
                        offer(&s, size, sums[literal, NET])
                    # To branch on, or in branches on literals before.
                    if may_lead(&s, up, size + 1, last - first - 2):
                        literals[n], ups[n] = literal, up
                        n += 1
                levels[depth, LAST] = n
                state[ENTERING] = False
            elif levels[depth, NEXT] == levels[depth, LAST]:
                depth -= 1
            else:
                i = levels[depth, NEXT]
                if not may_lead(&s, ups[i], depth + 2, levels[depth, LAST] - i - 2):
                    levels[depth, NEXT] += 1
                    work -= 1
                    continue
                if end + end - begin > extents.shape[0]:
                    outcome = ROOM
                    break
                levels[depth, NEXT] += 1
                s.path[depth] = literals[i]
                n = end
                for a in range(begin, end):
                    if satisfies(&s, extents[a], literals[i]):
                        extents[n] = extents[a]
                        n += 1
                work -= end - begin + 1
                depth += 1
                levels[depth, EXTENT_END] = n
                state[ENTERING] = True
    state[DEPTH], state[N_FOUND] = depth, s.n_found
    return outcome
