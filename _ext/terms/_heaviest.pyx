"""The heaviest terms: branch and bound over the literals of updates.

    log weight of S = |S| log(beta) + phi(S) log(alpha)

A term is a set S of literals; phi(S), its net count, is the sum of the net counts of the
updates that satisfy all of them, its extent. No term that contains S has a larger
net count than the positive net counts of S's extent add up to: what the bound is made of.

Literals come in an order; a branch adds those behind its last one. Terms compare by
weight, then by size, smaller first, then by their literals: what is found does not
depend on the order in which it is.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, realloc

from _column_conflicts cimport ColumnConflicts, column_conflicts, conflict


# A node of the path from the root: its extent ends where it does among the extents, and
# its literals to branch on begin, go on and end among the literals.
cdef struct Node:
    Py_ssize_t extent_end, first, next, last


# Of a literal, over an extent: positive net counts, all of them, and how many updates.
cdef struct Sums:
    int64_t up, net, count


cdef struct Search:
    double log_alpha, log_beta
    Py_ssize_t n_columns, m, max_size, longest
    bint promoted, non_redundant
    const int32_t* table         # (m, n_columns)
    const int64_t* net_counts     # (m,)
    const int32_t* column_of     # (n_literals,)
    const int32_t* order         # (n_literals,)
    Py_ssize_t n_literals, n_kept
    const uint8_t* kept          # (n_kept, n_literals)
    const int64_t* kept_sizes    # (n_kept,)
    ColumnConflicts conflicts
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
    int32_t* path                # (longest,) literals of the branch
    int32_t* extents             # of the path, one behind the other
    Py_ssize_t n_extents         # room for so many updates
    int32_t* literals            # to branch on, likewise
    int64_t* ups                 # positive net counts that they leave
    Py_ssize_t n_branches        # room for so many literals
    # Room.
    Sums* sums                   # (n_literals,)
    int32_t* term                # (longest,)
    uint8_t* excludes            # (longest,)


cdef inline double log_weight(
    const Search* s, Py_ssize_t size, int64_t net,
) noexcept nogil:
    """Return the log weight of a term of a size and a net count."""
    return size * s.log_beta + s.log_alpha * net


cdef inline bint may_enter(
    const Search* s, double weight, Py_ssize_t size,
) noexcept nogil:
    """Return whether a term of this weight and size, or more, may be a best one."""
    if s.n_found < s.top:
        return True
    cdef double worst = s.weights[s.top - 1]
    return weight > worst or (weight == worst and size <= s.sizes[s.top - 1])


cdef inline bint may_lead(
    const Search* s, int64_t up, Py_ssize_t size, Py_ssize_t n_more,
) noexcept nogil:
    """Return whether terms may be among the best, of a size or up to so much longer."""
    if size > s.max_size or n_more < 0 or (s.promoted and up <= 0):
        return False
    if s.log_beta > 0:
        # Longer terms are heavier a priori.
        return may_enter(s, log_weight(s, min(size + n_more, s.max_size), up), size)
    return may_enter(s, log_weight(s, size, up), size)


cdef inline bint satisfies(
    const Search* s, Py_ssize_t u, int32_t literal,
) noexcept nogil:
    """Return whether an update satisfies a literal."""
    return s.table[u * s.n_columns + s.column_of[literal]] == literal


cdef bint contains_kept(const Search* s, Py_ssize_t size) noexcept nogil:
    """Return whether the branch contains a term that was kept before."""
    cdef Py_ssize_t k, i, common
    for k in range(s.n_kept):
        common = 0
        for i in range(size):
            common += s.kept[k * s.n_literals + s.path[i]]
        if common == s.kept_sizes[k]:
            return True
    return False


cdef bint is_redundant(Search* s, Py_ssize_t size) noexcept nogil:
    """Return whether the path is in a kept term, contains one, or could be shorter.

    It could be shorter if one of its literals excludes no update.
    """
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
    """Return -1 if `term` is before the k-th best, 0 if it is the same, 1 if behind."""
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
    """Insert the path among the best terms, if it is one of them."""
    cdef double weight = log_weight(s, size, net)
    cdef Py_ssize_t i, k, place
    cdef int32_t literal
    cdef int order
    if size > s.max_size or (s.promoted and net <= 0) or not may_enter(s, weight, size):
        return
    if s.non_redundant and (size == 0 or is_redundant(s, size)):
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
    Search* s, const int32_t* extent, Py_ssize_t n_alive,
    const int32_t* literals, Py_ssize_t n,
) noexcept nogil:
    """Sum each literal up over the updates of an extent that satisfy it."""
    cdef Py_ssize_t a, i, j, u
    cdef int32_t literal
    for i in range(n):
        s.sums[literals[i]] = Sums(0, 0, 0)
    for a in range(n_alive):
        u = extent[a]
        if n < s.n_columns:
            for i in range(n):
                literal = literals[i]
                if satisfies(s, u, literal):
                    count(s.sums + literal, s.net_counts[u])
        else:
            # Sums of literals that are not asked for are of no use, and no harm.
            for j in range(s.n_columns):
                literal = s.table[u * s.n_columns + j]
                if literal >= 0:
                    count(s.sums + literal, s.net_counts[u])


cdef inline void count(Sums* sums, int64_t net_count) noexcept nogil:
    """Add an update to the sums of a literal."""
    sums.up += max(net_count, 0)
    sums.net += net_count
    sums.count += 1


cdef int make_room(
    Search* s, Py_ssize_t n_extents, Py_ssize_t n_branches
) except -1 nogil:
    """Grow the extents, and the literals to branch on, to so many at least."""
    cdef void* extents
    cdef void* literals
    cdef void* ups
    if n_extents > s.n_extents:
        n_extents = max(n_extents, 2 * s.n_extents)
        extents = realloc(s.extents, n_extents * sizeof(int32_t))
        if extents == NULL:
            raise MemoryError
        s.extents, s.n_extents = <int32_t*> extents, n_extents
    if n_branches > s.n_branches:
        n_branches = max(n_branches, 2 * s.n_branches)
        literals = realloc(s.literals, n_branches * sizeof(int32_t))
        if literals != NULL:
            s.literals = <int32_t*> literals
        ups = realloc(s.ups, n_branches * sizeof(int64_t))
        if ups != NULL:
            s.ups = <int64_t*> ups
        if literals == NULL or ups == NULL:
            raise MemoryError
        s.n_branches = n_branches
    return 0


cdef int enter(Search* s, int64_t* work) except -1 nogil:
    """Offer the terms one literal longer than the path, and list those to branch on."""
    cdef Node* node = s.nodes + s.depth
    cdef Node* parent = node - 1 if s.depth > 0 else NULL
    cdef Py_ssize_t begin = 0, n_alive, i, n = 0, last, size = s.depth + 1
    cdef int32_t literal, other
    cdef int64_t up, total = 0
    if parent != NULL:
        begin, n = parent.extent_end, parent.last
    n_alive = node.extent_end - begin
    node.first = node.next = n
    if parent == NULL:
        make_room(s, 0, s.n_literals)
        for i in range(n_alive):
            total += s.net_counts[i]
        offer(s, 0, total)
        for i in range(s.n_literals):
            s.literals[i] = s.order[i]
        n = s.n_literals
    elif not contains_kept(s, s.depth):
        # The literals to come: those behind the last one, if they may lead.
        make_room(s, 0, n + parent.last - parent.next)
        for i in range(parent.next, parent.last):
            other = s.column_of[s.literals[i]]
            if conflict(&s.conflicts, s.column_of[s.path[s.depth - 1]], other):
                continue
            if may_lead(s, s.ups[i], s.depth + 1, parent.last - parent.next - 1):
                s.literals[n] = s.literals[i]
                n += 1
    last = n
    if last > node.first:
        add_up(
            s, s.extents + begin, n_alive, s.literals + node.first, last - node.first
        )
    work[0] -= (n_alive + 1) * min(last - node.first, s.n_columns) + 16
    n = node.first
    for i in range(node.first, last):
        literal = s.literals[i]
        if s.non_redundant and s.sums[literal].count == n_alive:
            continue
        up = s.sums[literal].up
        s.path[s.depth] = literal
        if may_lead(s, up, size, 0):
            offer(s, size, s.sums[literal].net)
        # To branch on, or in branches on literals before.
        if may_lead(s, up, size + 1, last - node.first - 2):
            s.literals[n], s.ups[n] = literal, up
            n += 1
    node.last = n
    return 0


cdef int descend(Search* s, int64_t* work) except -1 nogil:
    """Take the next branch of the node, unless it cannot lead to a best term."""
    cdef Node* node = s.nodes + s.depth
    cdef Py_ssize_t begin = s.nodes[s.depth - 1].extent_end if s.depth > 0 else 0
    cdef Py_ssize_t end = node.extent_end, n = end, i = node.next, a
    node.next += 1
    if not may_lead(s, s.ups[i], s.depth + 2, node.last - i - 2):
        work[0] -= 1
        return 0
    make_room(s, end + end - begin, 0)
    s.path[s.depth] = s.literals[i]
    for a in range(begin, end):
        if satisfies(s, s.extents[a], s.literals[i]):
            s.extents[n] = s.extents[a]
            n += 1
    work[0] -= end - begin + 1
    s.depth += 1
    s.nodes[s.depth].extent_end = n
    s.entering = True
    return 0


cdef int go_on(Search* s, int64_t work) except -1 nogil:
    """Search until all is done, or so much work."""
    while s.depth >= 0 and work > 0:
        if s.entering:
            enter(s, &work)
            s.entering = False
        elif s.nodes[s.depth].next == s.nodes[s.depth].last:
            s.depth -= 1
        else:
            descend(s, &work)
    return 0


cdef class HeaviestTerms:
    """A search for the heaviest terms, which goes on where it paused.

    Parameters
    ----------
    table : (m, n_columns), int32
        Literals of the updates by their numbers, -1 where there is none.
    net_counts : (m,), int64
    column_of : (n_literals,), int32
        Column of each literal.
    order : (n_literals,), int32
        In which literals are taken.
    kept : (n_kept, n_literals), uint8
        Terms to be no part of, and not to contain: 1 for their literals.
    kept_sizes : (n_kept,), int64
    owners, pair_starts, partners : (n_columns,), int32; (n_attributes + 1,), int64; \
            (2 n_pairs,), int32
        Columns whose literals must not meet in a term, see `ColumnConflicts`.
    log_alpha, log_beta : float
    promoted : bool
        Whether only terms of positive net count count.
    non_redundant : bool
        Whether each literal is to exclude an update.
    longest : int
        Most literals of a term, at least 1.
    top : int
        How many terms are asked for, at least 1.
    """

    cdef Search s
    # What the pointers of the search look into.
    cdef object arrays

    def __cinit__(
        self,
        *,
        const int32_t[:, ::1] table,
        const int64_t[::1] net_counts,
        const int32_t[::1] column_of,
        const int32_t[::1] order,
        const uint8_t[:, ::1] kept,
        const int64_t[::1] kept_sizes,
        const int32_t[::1] owners,
        const int64_t[::1] pair_starts,
        const int32_t[::1] partners,
        double log_alpha,
        double log_beta,
        bint promoted,
        bint non_redundant,
        Py_ssize_t longest,
        Py_ssize_t top,
    ):
        cdef Search* s = &self.s
        self.arrays = [table, net_counts, column_of, order, kept, kept_sizes]
        self.arrays += [owners, pair_starts, partners]
        s.log_alpha, s.log_beta = log_alpha, log_beta
        s.promoted, s.non_redundant = promoted, non_redundant
        s.longest, s.top, s.depth = longest, top, -1
        s.m, s.n_columns = table.shape[0], table.shape[1]
        s.n_literals, s.n_kept = order.shape[0], kept.shape[0]
        s.table = &table[0, 0] if s.m and s.n_columns else NULL
        s.net_counts = &net_counts[0] if s.m else NULL
        s.column_of = &column_of[0] if s.n_literals else NULL
        s.order = &order[0] if s.n_literals else NULL
        s.kept = &kept[0, 0] if s.n_kept and s.n_literals else NULL
        s.kept_sizes = &kept_sizes[0] if s.n_kept else NULL
        s.conflicts = column_conflicts(owners, pair_starts, partners)
        s.weights = <double*> calloc(top, sizeof(double))
        s.sizes = <int64_t*> calloc(top, sizeof(int64_t))
        s.nets = <int64_t*> calloc(top, sizeof(int64_t))
        s.terms = <int32_t*> calloc(top, longest * sizeof(int32_t))
        s.nodes = <Node*> calloc(longest + 1, sizeof(Node))
        s.path = <int32_t*> calloc(longest, sizeof(int32_t))
        s.sums = <Sums*> calloc(s.n_literals + 1, sizeof(Sums))
        s.term = <int32_t*> calloc(longest, sizeof(int32_t))
        s.excludes = <uint8_t*> calloc(longest, sizeof(uint8_t))
        if (
            s.weights == NULL or s.sizes == NULL or s.nets == NULL or s.terms == NULL
            or s.nodes == NULL or s.path == NULL or s.sums == NULL or s.term == NULL
            or s.excludes == NULL
        ):
            raise MemoryError
        make_room(s, 4 * s.m + 1, 4 * s.n_literals + 1)

    def __dealloc__(self):
        free(self.s.weights)
        free(self.s.sizes)
        free(self.s.nets)
        free(self.s.terms)
        free(self.s.nodes)
        free(self.s.path)
        free(self.s.extents)
        free(self.s.literals)
        free(self.s.ups)
        free(self.s.sums)
        free(self.s.term)
        free(self.s.excludes)

    def begin(self, Py_ssize_t max_size):
        """Begin a search of terms up to a size; the best so far stay."""
        cdef Py_ssize_t i
        for i in range(self.s.m):
            self.s.extents[i] = <int32_t> i
        self.s.max_size = max_size
        self.s.depth, self.s.entering = 0, True
        self.s.nodes[0].extent_end = self.s.m

    def search(self, int64_t work):
        """Search until all is done, or so much work; return whether all is done."""
        with nogil:
            go_on(&self.s, work)
        return self.s.depth < 0

    def found(self):
        """Return the best so far: tuples of literals, net counts and log weights."""
        cdef Py_ssize_t k, i
        return [
            (
                tuple([
                    self.s.terms[k * self.s.longest + i]
                    for i in range(self.s.sizes[k])
                ]),
                self.s.nets[k],
                self.s.weights[k],
            )
            for k in range(self.s.n_found)
        ]
