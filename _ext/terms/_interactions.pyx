"""Interactions: terms by the rows that satisfy them, counted by order.

The extent of a term is the set of rows that satisfy it. Columns are taken one by one; a
state is the extent of some terms over the columns so far, with their number by order.
It stays (column unconstrained), and for each code goes on to the rows with that code,
one order higher. Equal states merge (Li & Neal 2008). As a state stays for ever, states
are only ever added, and it is clear early when there are too many.

Where a state goes is kept as links. A new row follows them by its own codes: rows are
looked at no more.

An extent is a list: most are short, and one pass splits it by all codes of a column.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcmp, memcpy, memmove

from _random cimport mix64

cdef enum:
    # Entries that are looked at before the caller can look for Ctrl-C.
    MOST_WORK = 1 << 26


def group_interactions(
    const int32_t[:, ::1] columns,  # IN (n_columns, n_rows)
    int max_order,
    int64_t[::1] progress,          # IN, OUT columns done, states done of this one,
                                    # states it has; numbers of states, visits, links
    int64_t[::1] starts,            # IN, OUT (room + 1,) where members of a state start
    int32_t[::1] members,           # IN, OUT
    double[:, ::1] counts,          # IN, OUT (room, max_order + 1)
    double[:, ::1] before,          # IN, OUT same, without the column in hand
    int32_t[::1] least,             # IN, OUT (room,) least order
    int32_t[:, ::1] shortest,       # IN, OUT (room, 3) a term of least order: that of
                                    # another state, and a literal: column and code
    uint64_t[::1] hashes,           # IN, OUT (room,) sums of the rows' own
    int32_t[::1] slots,             # IN, OUT (at least 2 room, a power of two,) state
                                    # of each hash + 1; 0 for none
    int64_t[::1] visits,            # OUT (n_columns,) visits before each column
    int64_t[::1] link_starts,       # OUT (visits,) where links of a visit start
    int32_t[::1] link_codes,        # OUT (links,)
    int32_t[::1] linked,            # OUT (links,) the state that a code leads to
    int64_t[::1] ends,              # IN 0, OUT 0 (n_codes,)
    uint64_t[::1] keys,             # IN 0, OUT 0 (n_codes,)
    int32_t[::1] seen,              # OUT (n_codes,)
):
    """Find states until some room is short, or for a while; whether all are found."""
    cdef Py_ssize_t n_columns = columns.shape[0], n_codes = ends.shape[0]
    cdef Py_ssize_t width = max_order + 1
    cdef Py_ssize_t j = progress[0], s = progress[1], n_old = progress[2]
    cdef Py_ssize_t n_states = progress[3], n_visits = progress[4]
    cdef Py_ssize_t n_links = progress[5], i, k, o, t, n_seen, most
    cdef int64_t size, begin, end, work = 0
    cdef uint64_t slot, key, last_slot = slots.shape[0] - 1
    cdef int32_t code, row
    cdef const int32_t* column
    cdef bint room = True
    with nogil:
        while j < n_columns and room:
            column = &columns[j, 0]
            if s == 0:
                n_old = n_states
                visits[j] = n_visits
                memcpy(&before[0, 0], &counts[0, 0], n_old * width * sizeof(double))
            while s < n_old:
                size = starts[s + 1] - starts[s]
                most = min(size, <int64_t> n_codes)
                room = (
                    work < MOST_WORK
                    and n_visits < link_starts.shape[0]
                    and n_states + most <= counts.shape[0]
                    and starts[n_states] + size <= members.shape[0]
                    and n_links + most <= linked.shape[0]
                )
                if not room:
                    break
                link_starts[n_visits] = n_links
                n_visits += 1
                if least[s] == max_order:
                    s += 1
                    continue
                work += size
                # The rows of each code, one code behind the other.
                n_seen = 0
                for i in range(starts[s], starts[s + 1]):
                    row = members[i]
                    code = column[row]
                    if code == 0:
                        continue
                    if ends[code] == 0:
                        seen[n_seen] = code
                        n_seen += 1
                    ends[code] += 1
                    keys[code] += mix64(<uint64_t> row)
                begin = starts[n_states]
                for k in range(n_seen):
                    size = ends[seen[k]]
                    ends[seen[k]] = begin
                    begin += size
                for i in range(starts[s], starts[s + 1]):
                    row = members[i]
                    code = column[row]
                    if code:
                        members[ends[code]] = row
                        ends[code] += 1
                begin = starts[n_states]
                for k in range(n_seen):
                    code = seen[k]
                    end, key = ends[code], keys[code]
                    ends[code] = keys[code] = 0
                    size = end - begin
                    slot = key & last_slot
                    while slots[slot]:
                        t = slots[slot] - 1
                        if (
                            hashes[t] == key
                            and starts[t + 1] - starts[t] == size
                            and memcmp(
                                &members[starts[t]], &members[begin],
                                size * sizeof(int32_t),
                            ) == 0
                        ):
                            break
                        slot = (slot + 1) & last_slot
                    if slots[slot] == 0:
                        t = n_states
                        n_states += 1
                        slots[slot] = <int32_t> n_states
                        hashes[t] = key
                        memmove(
                            &members[starts[t]], &members[begin], size * sizeof(int32_t)
                        )
                        starts[n_states] = starts[t] + size
                        least[t] = max_order + 1
                        for o in range(width):
                            counts[t, o] = 0.0
                    begin = end
                    for o in range(1, min(width, j + 2)):
                        counts[t, o] += before[s, o - 1]
                    # What the least order of s may have become in this column does not
                    # matter: then all rows of s have this code, and t is s.
                    if least[s] + 1 < least[t]:
                        least[t] = least[s] + 1
                        shortest[t, 0] = <int32_t> s
                        shortest[t, 1] = <int32_t> j
                        shortest[t, 2] = code
                    link_codes[n_links] = code
                    linked[n_links] = <int32_t> t
                    n_links += 1
                s += 1
            if room:
                j += 1
                s = 0
    progress[0], progress[1], progress[2] = j, s, n_old
    progress[3], progress[4], progress[5] = n_states, n_visits, n_links
    return room


def hash_of_all(Py_ssize_t n_rows):
    """The hash of the extent of the empty term."""
    cdef uint64_t key = 0
    cdef Py_ssize_t row
    for row in range(n_rows):
        key += mix64(<uint64_t> row)
    return key


def fill_slots(
    const uint64_t[::1] hashes,  # IN
    Py_ssize_t n_states,
    int32_t[::1] slots,          # IN 0, OUT
):
    """Enter all states into a hash table with more room."""
    cdef Py_ssize_t t
    cdef uint64_t slot, last_slot = slots.shape[0] - 1
    with nogil:
        for t in range(n_states):
            slot = hashes[t] & last_slot
            while slots[slot]:
                slot = (slot + 1) & last_slot
            slots[slot] = <int32_t> t + 1


cdef int _ascending(const void* a, const void* b) noexcept nogil:
    return (<const int32_t*> a)[0] - (<const int32_t*> b)[0]


def look_up(
    const int32_t[:, ::1] rows,       # IN (n_rows, n_columns)
    Py_ssize_t first,                 # the row to begin with
    const int64_t[::1] visits,        # IN (n_columns,) visits before each column
    const int64_t[::1] link_starts,   # IN (n_visits + 1,)
    const int32_t[::1] link_codes,    # IN (n_links,)
    const int32_t[::1] linked,        # IN (n_links,)
    int32_t[::1] places,              # IN 0, OUT 0 (n_states,)
    int32_t[::1] reached,             # OUT (n_states,)
    int32_t[::1] least,               # OUT (n_states,)
    double[:, ::1] sums,              # OUT (n_states, max_order + 1)
    double[:, ::1] before,            # OUT same
    int64_t[::1] starts,              # IN, OUT (n_rows + 1,)
    int32_t[::1] groups,              # OUT (room,) at least n_states
    double[:, ::1] counts,            # OUT (room, max_order + 1)
    double[:, ::1] unmatched,         # IN all terms of each order that rows satisfy,
                                      # OUT without those of groups
):
    """Follow the links of some rows, while there is room; the first row left over."""
    cdef Py_ssize_t n_columns = rows.shape[1], width = counts.shape[1]
    cdef Py_ssize_t max_order = width - 1, r = first, j, a, t, o, n_old, n, place
    cdef Py_ssize_t begin = 0, link, stop
    cdef int64_t work = 0
    cdef int32_t code
    with nogil:
        while r < rows.shape[0] and work < MOST_WORK:
            if begin + places.shape[0] > groups.shape[0]:
                break
            for o in range(width):
                sums[0, o] = 0.0
            sums[0, 0] = 1.0
            reached[0] = least[0] = 0
            places[0] = n = 1
            for j in range(n_columns):
                code = rows[r, j]
                if code == 0:
                    continue
                n_old = n
                memcpy(&before[0, 0], &sums[0, 0], n_old * width * sizeof(double))
                work += n_old * width
                for a in range(n_old):
                    if least[a] == max_order:
                        continue
                    link = link_starts[visits[j] + reached[a]]
                    stop = link_starts[visits[j] + reached[a] + 1]
                    while link < stop and link_codes[link] != code:
                        link += 1
                    if link == stop:
                        continue
                    t = linked[link]
                    if places[t] == 0:
                        reached[n] = <int32_t> t
                        least[n] = <int32_t> max_order + 1
                        for o in range(width):
                            sums[n, o] = 0.0
                        n += 1
                        places[t] = <int32_t> n
                    place = places[t] - 1
                    least[place] = min(least[place], least[a] + 1)
                    for o in range(1, min(width, j + 2)):
                        sums[place, o] += before[a, o - 1]
            qsort(&reached[0], n, sizeof(int32_t), _ascending)
            for a in range(n):
                t = reached[a]
                groups[begin + a] = <int32_t> t
                place = places[t] - 1
                for o in range(width):
                    counts[begin + a, o] = sums[place, o]
                    unmatched[r, o] -= sums[place, o]
                places[t] = 0
            begin += n
            starts[r + 1] = starts[r] + n
            r += 1
    return r
