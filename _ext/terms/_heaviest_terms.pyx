"""The heaviest terms: branch and bound over the literals of updates.

    log weight of S = |S| log(beta) + log(copies of S) + phi(S) log(alpha)

A term is a set S of literals; phi(S), its net count, is the sum of the net counts of
the examples that satisfy all of them, its extent. No term that contains S has a larger
net count than the positive ones of S's extent add up to: the bound is made of this.

Copies of S are terms with literals that S implies, see `Implications`: their weights
are counted with that of S, by polynomials in beta that have a factor for each literal.
Rivals of a literal are in no path with it, so that no copy is one of the terms.

Literals come in an order; a branch adds those behind its last one. Terms compare by
weight, then by size, smaller first, then by their literals: what is found does not
depend on the order in which it is.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t
from libc.math cimport log, rint
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

import numpy as np

from _signals cimport listen


# Logarithms of copies are rounded to its inverse.
cdef double ROUND = 2.0**36


# A node of the path from the root: its extent ends where it does among the extents, and
# its branches begin, go on and end among the branches.
cdef struct Node:
    Py_ssize_t extent_end, first, next, last
    int32_t literal              # of the branch that is taken
    int32_t sorted               # room: the i-th literal of the path, ascending
    double log_copies            # of the path up to here, the largest size included
    double log_scale             # of its scaled copies


# A literal to branch on, and the positive net counts that it leaves.
cdef struct Branch:
    int32_t literal
    int64_t up


# Of a literal, over an extent: positive net counts, and all of them.
cdef struct Sums:
    int64_t up, net


cdef struct Search:
    double log_alpha, log_beta
    Py_ssize_t n_columns, m, max_size, longest
    bint promoted
    const int32_t* table         # (m, n_columns)
    const int64_t* net_counts     # (m,)
    const int32_t* column_of     # (n_literals,)
    const int32_t* order         # (n_order,) literals to branch on
    Py_ssize_t n_literals, n_order
    # Copies of terms.
    const int32_t* owners        # (n_columns,) attributes
    const int64_t* rival_starts  # (n_literals + 1,)
    const int32_t* rivals        # ascending for a literal
    const int64_t* set_firsts    # (n_attributes + 1,)
    const int64_t* set_starts    # (n_sets + 1,)
    const int32_t* members       # ascending for a set
    const int32_t* kinds         # (n_literals,)
    const double* factors        # (n_kinds, n_excess)
    Py_ssize_t n_excess          # 0: there are no copies
    Py_ssize_t cap               # largest size of a copy, -1: none
    double log_most              # of the copies of a literal, at most
    double* copies               # (longest + 1, n_excess) of the path, scaled
    # The best so far, best first.
    Py_ssize_t top, n_found
    double* weights              # (top,)
    int64_t* sizes               # (top,)
    int64_t* nets                # (top,)
    int32_t* terms               # (top, longest), literals ascending
    # Where the search is.
    Py_ssize_t depth             # -1: done
    bint entering                # whether the node at that depth is new
    Node* nodes                  # (longest + 1,)
    int32_t* extents             # of the path, one behind the other
    Branch* branches             # likewise
    Py_ssize_t extent_room, branch_room
    Sums* sums                   # (n_literals,)


cdef inline double log_weight(
    const Search* s, Py_ssize_t size, double log_copies, int64_t net,
) noexcept nogil:
    """Return the log weight of a term of a size and a net count, with its copies."""
    return size * s.log_beta + log_copies + s.log_alpha * net


cdef double log_copies(
    const Search* s, Py_ssize_t depth, int32_t literal,
) noexcept nogil:
    """Return the log weight of the path with one more literal, relative to no copies.

    It is rounded, so that it does not depend on the order of the literals.
    """
    cdef Py_ssize_t i, j, n = s.n_excess
    cdef const double* path = s.copies + depth * n
    cdef const double* factor
    cdef double total = 0.0
    if n == 0:
        return 0.0
    factor = s.factors + s.kinds[literal] * n
    if s.cap >= 0:
        n = min(n, s.cap - depth)
    for i in range(n):
        for j in range(n - i):
            total += path[i] * factor[j]
    return rint((log(total) + s.nodes[depth].log_scale) * ROUND) / ROUND


cdef inline int64_t work_of_copies(const Search* s) noexcept nogil:
    """Return the number of products in the copies of a path."""
    return s.n_excess * (s.n_excess + 1) // 2


cdef void lengthen(Search* s, Py_ssize_t depth, int32_t literal) noexcept nogil:
    """Set the copies of the path with one more literal, at the next depth."""
    cdef Py_ssize_t i, j, n = s.n_excess
    cdef const double* path = s.copies + depth * n
    cdef double* longer = s.copies + (depth + 1) * n
    cdef const double* factor
    cdef double largest = 0.0
    if n == 0:
        return
    factor = s.factors + s.kinds[literal] * n
    for i in range(n):
        longer[i] = 0.0
    for i in range(n):
        for j in range(n - i):
            longer[i + j] += path[i] * factor[j]
    for i in range(n):
        largest = max(largest, longer[i])
    for i in range(n):
        longer[i] /= largest
    s.nodes[depth + 1].log_scale = s.nodes[depth].log_scale + log(largest)


cdef inline bint is_listed(
    const int32_t* items, int64_t first, int64_t last, int32_t item,
) noexcept nogil:
    """Return whether an item is among ascending ones from first to before last."""
    cdef int64_t middle, end = last
    while first < last:
        middle = (first + last) >> 1
        if items[middle] < item:
            first = middle + 1
        else:
            last = middle
    return first < end and items[first] == item


cdef bint may_meet(
    const Search* s, Py_ssize_t depth, int32_t literal,
) noexcept nogil:
    """Return whether a name may contain a literal beside those of the path."""
    cdef int32_t last = s.nodes[depth - 1].literal, owner
    cdef int64_t i, k, first, end, n_common
    if s.n_excess == 0:
        return True
    if is_listed(
        s.rivals, s.rival_starts[last], s.rival_starts[last + 1], literal
    ):
        return False
    owner = s.owners[s.column_of[literal]]
    for k in range(s.set_firsts[owner], s.set_firsts[owner + 1]):
        first, end = s.set_starts[k], s.set_starts[k + 1]
        n_common = is_listed(s.members, first, end, literal)
        for i in range(depth):
            n_common += is_listed(s.members, first, end, s.nodes[i].literal)
        if n_common == end - first:
            return False
    return True


cdef inline int64_t work_of_meeting(
    const Search* s, Py_ssize_t depth, int32_t literal,
) noexcept nogil:
    """Return the number of literals that `may_meet` looks up in sets."""
    cdef int32_t owner
    if s.n_excess == 0:
        return 0
    owner = s.owners[s.column_of[literal]]
    # About four in the search of each set.
    return 4 * (depth + 1) * (s.set_firsts[owner + 1] - s.set_firsts[owner])


cdef inline bint may_enter(
    const Search* s, double weight, Py_ssize_t size,
) noexcept nogil:
    """Return whether a term of this weight and size, or more, may be a best one."""
    if s.n_found < s.top:
        return True
    cdef double worst = s.weights[s.top - 1]
    return weight > worst or (weight == worst and size <= s.sizes[s.top - 1])


cdef inline bint may_lead(
    const Search* s, int64_t up, Py_ssize_t size, double log_copies, Py_ssize_t n_more,
) noexcept nogil:
    """Return whether terms may be among the best that add 1 to so many literals.

    They add them to a term of a size and with copies.
    """
    cdef double step = s.log_beta + s.log_most
    cdef Py_ssize_t n = 1
    if size + 1 > s.max_size or n_more < 1 or (s.promoted and up <= 0):
        return False
    if step > 0:
        # Longer terms are heavier a priori.
        n = min(n_more, s.max_size - size)
    log_copies += n * s.log_most
    return may_enter(s, log_weight(s, size + n, log_copies, up), size + 1)


cdef inline bint satisfies(
    const Search* s, Py_ssize_t u, int32_t literal,
) noexcept nogil:
    """Return whether an update satisfies a literal."""
    return s.table[u * s.n_columns + s.column_of[literal]] == literal


cdef int compare(
    const Search* s, double weight, Py_ssize_t size, Py_ssize_t k,
) noexcept nogil:
    """Return -1 if the sorted path is before the k-th best, 0 if the same, else 1."""
    cdef Py_ssize_t i
    cdef const int32_t* other = s.terms + k * s.longest
    if weight != s.weights[k]:
        return -1 if weight > s.weights[k] else 1
    if size != s.sizes[k]:
        return -1 if size < s.sizes[k] else 1
    for i in range(size):
        if s.nodes[i].sorted != other[i]:
            return -1 if s.nodes[i].sorted < other[i] else 1
    return 0


cdef void offer(
    Search* s, Py_ssize_t size, double log_copies, int64_t net,
) noexcept nogil:
    """Insert the path among the best terms, if it is one of them."""
    cdef double weight = log_weight(s, size, log_copies, net)
    cdef Py_ssize_t i, k, place
    cdef int32_t literal
    cdef int order
    if size > s.max_size or (s.promoted and net <= 0) or not may_enter(s, weight, size):
        return
    for i in range(size):
        literal = s.nodes[i].literal
        k = i
        while k > 0 and s.nodes[k - 1].sorted > literal:
            s.nodes[k].sorted = s.nodes[k - 1].sorted
            k -= 1
        s.nodes[k].sorted = literal
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
        s.terms[place * s.longest + i] = s.nodes[i].sorted


cdef void add_up(
    Search* s, const int32_t* extent, Py_ssize_t n_alive,
    const Branch* branches, Py_ssize_t n,
) noexcept nogil:
    """Sum each literal up over the updates of an extent that satisfy it."""
    cdef Py_ssize_t a, i, j, u
    for i in range(n):
        s.sums[branches[i].literal] = Sums(0, 0)
    for a in range(n_alive):
        u = extent[a]
        if n < s.n_columns:
            for i in range(n):
                if satisfies(s, u, branches[i].literal):
                    count(s.sums + branches[i].literal, s.net_counts[u])
        else:
            # Sums of literals that are not asked for are of no use, and no harm.
            for j in range(s.n_columns):
                count(s.sums + s.table[u * s.n_columns + j], s.net_counts[u])


cdef inline void count(Sums* sums, int64_t net_count) noexcept nogil:
    """Add an update to the sums of a literal."""
    sums.up += max(net_count, 0)
    sums.net += net_count


cdef int make_room(
    void** room, Py_ssize_t* have, Py_ssize_t wanted, size_t size
) except -1 nogil:
    """Grow room to so many entries at least, each of a size."""
    cdef void* grown
    if wanted > have[0]:
        wanted = max(wanted, 2 * have[0])
        grown = realloc(room[0], wanted * size)
        if grown == NULL:
            raise MemoryError
        room[0], have[0] = grown, wanted
    return 0


cdef int room_for_branches(Search* s, Py_ssize_t n) except -1 nogil:
    return make_room(<void**> &s.branches, &s.branch_room, n, sizeof(Branch))


cdef int room_for_extents(Search* s, Py_ssize_t n) except -1 nogil:
    return make_room(<void**> &s.extents, &s.extent_room, n, sizeof(int32_t))


cdef int enter(Search* s, int64_t* work) except -1 nogil:
    """Offer the terms one literal longer than the path, and list those to branch on."""
    cdef Node* node = s.nodes + s.depth
    cdef Node* parent = node - 1 if s.depth > 0 else NULL
    cdef Py_ssize_t begin = 0, n_alive, i, n = 0, n_more, last, size = s.depth + 1
    cdef int32_t literal
    cdef int64_t up, total = 0
    cdef double logs = 0.0
    cdef Branch branch
    if parent != NULL:
        begin, n = parent.extent_end, parent.last
    n_alive = node.extent_end - begin
    node.first = node.next = n
    if parent == NULL:
        room_for_branches(s, s.n_order)
        for i in range(n_alive):
            total += s.net_counts[i]
        offer(s, 0, 0.0, total)
        for i in range(s.n_order):
            s.branches[i].literal = s.order[i]
        n = s.n_order
    else:
        # The literals to come: those behind the last one, if they may lead.
        room_for_branches(s, n + parent.last - parent.next)
        for i in range(parent.next, parent.last):
            branch = s.branches[i]
            work[0] -= work_of_meeting(s, s.depth, branch.literal)
            if not may_meet(s, s.depth, branch.literal):
                continue
            n_more = parent.last - parent.next
            if may_lead(s, branch.up, s.depth, node.log_copies, n_more):
                s.branches[n] = branch
                n += 1
    last = n
    if last > node.first:
        add_up(
            s, s.extents + begin, n_alive, s.branches + node.first, last - node.first
        )
    work[0] -= (n_alive + 1) * min(last - node.first, s.n_columns) + 16
    work[0] -= (last - node.first) * work_of_copies(s)
    n = node.first
    for i in range(node.first, last):
        literal = s.branches[i].literal
        up = s.sums[literal].up
        node.literal = literal
        logs = log_copies(s, s.depth, literal)
        offer(s, size, logs, s.sums[literal].net)
        # To branch on, or in branches on literals before.
        if may_lead(s, up, size, logs, last - node.first - 1):
            s.branches[n] = Branch(literal, up)
            n += 1
    node.last = n
    return 0


cdef int descend(Search* s, int64_t* work) except -1 nogil:
    """Take the next branch of the node, unless it cannot lead to a best term."""
    cdef Node* node = s.nodes + s.depth
    cdef Py_ssize_t begin = s.nodes[s.depth - 1].extent_end if s.depth > 0 else 0
    cdef Py_ssize_t end = node.extent_end, n = end, i = node.next, a
    cdef double logs
    node.next += 1
    node.literal = s.branches[i].literal
    logs = log_copies(s, s.depth, node.literal)
    if not may_lead(s, s.branches[i].up, s.depth + 1, logs, node.last - i - 1):
        work[0] -= 1
        return 0
    room_for_extents(s, end + end - begin)
    for a in range(begin, end):
        if satisfies(s, s.extents[a], node.literal):
            s.extents[n] = s.extents[a]
            n += 1
    work[0] -= end - begin + 1 + 2 * work_of_copies(s)
    lengthen(s, s.depth, node.literal)
    s.depth += 1
    s.nodes[s.depth].extent_end = n
    s.nodes[s.depth].log_copies = logs
    s.entering = True
    return 0


cdef int search_terms(Search* s, Py_ssize_t max_size, int64_t* work) except -1 nogil:
    """Search terms up to a size until all is done, or so much work."""
    cdef Py_ssize_t i
    cdef int64_t left, heard = 0
    s.max_size = max_size
    s.depth, s.entering = 0, True
    room_for_extents(s, s.m + 1)
    for i in range(s.m):
        s.extents[i] = <int32_t> i
    s.nodes[0].extent_end = s.m
    while s.depth >= 0 and work[0] > 0:
        left = work[0]
        if s.entering:
            enter(s, work)
            s.entering = False
        elif s.nodes[s.depth].next == s.nodes[s.depth].last:
            s.depth -= 1
        else:
            descend(s, work)
        listen(&heard, left - work[0])
    return 0


cdef open_copies(Search* s, object implications, const double[:, ::1] factors):
    """Set what counts copies, from an `Implications`, whose arrays must live as long.
    """
    cdef const int64_t[::1] rival_starts = implications.rivals[0]
    cdef const int32_t[::1] rivals = implications.rivals[1]
    cdef const int64_t[::1] set_firsts = implications.large_sets[0]
    cdef const int64_t[::1] set_starts = implications.large_sets[1]
    cdef const int32_t[::1] members = implications.large_sets[2]
    cdef const int32_t[::1] kinds = implications.kinds
    cdef const int32_t[::1] owners = implications.owners
    s.rival_starts = &rival_starts[0]
    s.rivals = &rivals[0] if rivals.shape[0] else NULL
    s.set_firsts, s.set_starts = &set_firsts[0], &set_starts[0]
    s.members = &members[0] if members.shape[0] else NULL
    s.kinds, s.factors = &kinds[0], &factors[0, 0]
    s.owners = &owners[0]
    s.n_excess = factors.shape[1]
    # Not below any sum, after rounding.
    s.log_most = log(np.sum(factors, axis=1).max()) + 1e-9


def search(
    *,
    const int32_t[:, ::1] table,     # IN (m, n_columns) literals of the updates
    const int64_t[::1] net_counts,    # IN (m,)
    const int32_t[::1] column_of,    # IN (n_literals,) column of each literal
    const int32_t[::1] order,        # IN in which literals are taken
    object implications,             # see `Implications`; None: there are no copies
    const double[:, ::1] factors,    # IN (n_kinds, n_excess) of copies, or None
    Py_ssize_t cap,                  # largest size of a copy, -1 for none
    double log_alpha,
    double log_beta,
    bint promoted,                   # whether only terms of positive net count count
    int64_t work,                    # to be done at most
    int32_t[:, ::1] terms,           # OUT (top, longest) the best first, literals
                                     #     ascending
    int64_t[::1] sizes,              # OUT (top,)
    int64_t[::1] nets,               # OUT (top,) net counts
    double[::1] weights,             # OUT (top,) logarithms
):
    """Find the heaviest terms: at least one, of at least one literal at most.

    Returns
    -------
    n_found : int
    is_done : bool
        Whether the work sufficed. If not, these are the best so far.
    work : int
        What is left of it.
    """
    cdef Search s
    cdef Py_ssize_t max_size = 0
    memset(&s, 0, sizeof(Search))
    s.log_alpha, s.log_beta = log_alpha, log_beta
    s.promoted = promoted
    s.top, s.longest, s.depth = terms.shape[0], terms.shape[1], -1
    s.m, s.n_columns = table.shape[0], table.shape[1]
    s.n_literals, s.n_order = column_of.shape[0], order.shape[0]
    s.table = &table[0, 0] if s.m and s.n_columns else NULL
    s.net_counts = &net_counts[0] if s.m else NULL
    s.column_of = &column_of[0] if s.n_literals else NULL
    s.order = &order[0] if s.n_order else NULL
    s.cap = cap
    if implications is not None:
        open_copies(&s, implications, factors)
    s.terms, s.sizes = &terms[0, 0], &sizes[0]
    s.nets, s.weights = &nets[0], &weights[0]
    try:
        s.nodes = <Node*> calloc(s.longest + 1, sizeof(Node))
        s.sums = <Sums*> calloc(s.n_literals + 1, sizeof(Sums))
        s.copies = <double*> calloc((s.longest + 1) * s.n_excess + 1, sizeof(double))
        if s.nodes == NULL or s.sums == NULL or s.copies == NULL:
            raise MemoryError
        s.copies[0] = 1.0
        with nogil:
            # Short terms first: their largest weights bound the branches to long ones.
            while s.depth < 0 and max_size < s.longest:
                max_size = max_size + 1 if max_size < 3 else s.longest
                search_terms(&s, max_size, &work)
    finally:
        free(s.nodes)
        free(s.sums)
        free(s.copies)
        free(s.extents)
        free(s.branches)
    return s.n_found, s.depth < 0, work
