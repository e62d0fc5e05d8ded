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
from libc.string cimport memcmp, memcpy, memmove

import numpy as np

from _random cimport mix64
from _signals cimport listen


cdef object grown(array, Py_ssize_t n_used, Py_ssize_t needed):
    """Return an array with room for more, and the same beginning."""
    array = np.asarray(array)
    found = np.empty((2 * len(array) + needed, *array.shape[1:]), dtype=array.dtype)
    found[:n_used] = array[:n_used]
    return found


cdef int32_t[::1] slots_of(const uint64_t[::1] hashes, Py_ssize_t n_states):
    """Return a hash table of some states: for each slot state + 1, or 0 for none.

    The number of slots is a power of two, at least twice the room for hashes.
    """
    cdef int32_t[::1] slots = np.zeros(
        1 << (2 * hashes.shape[0] - 1).bit_length(), dtype=np.int32
    )
    cdef Py_ssize_t t
    cdef uint64_t slot, last_slot = slots.shape[0] - 1
    for t in range(n_states):
        slot = hashes[t] & last_slot
        while slots[slot]:
            slot = (slot + 1) & last_slot
        slots[slot] = <int32_t> t + 1
    return slots


def group_interactions(
    *,
    const int32_t[:, ::1] columns,  # IN (n_columns, n_rows) at least one row
    int max_order,
    Py_ssize_t n_codes,             # codes are below
    int64_t max_groups,
    int64_t max_entries,            # of members, and of links
    Py_ssize_t room,                # for groups and entries, at first
):
    """Find all states; return their arrays by name, or None if there are too many."""
    cdef Py_ssize_t n_columns = columns.shape[0], n_rows = columns.shape[1]
    cdef Py_ssize_t width = max_order + 1
    cdef Py_ssize_t n_states = 1, n_visitors = min(max_order, 1)
    cdef Py_ssize_t n_visits = 0, n_links = 0
    cdef Py_ssize_t i, j, k, o, s, t, v, n_old, n_seen, most
    cdef int64_t size, begin, end, work = 0
    cdef uint64_t slot, key, last_slot
    cdef int32_t code, row
    cdef const int32_t* column
    most = min(n_rows, n_codes)
    room = max(room, 1)
    # Where members of a state start; their number by order, and before this column for
    # the states that may go on, which are those of least orders below the largest.
    cdef int64_t[::1] starts = np.empty(room + 1, dtype=np.int64)
    cdef int32_t[::1] members = np.empty(n_rows + room, dtype=np.int32)
    cdef double[:, ::1] counts = np.zeros((room, width)), before
    cdef int32_t[::1] least = np.zeros(room, dtype=np.int32)
    cdef int32_t[::1] visitors = np.zeros(room, dtype=np.int32)
    # A term of least order: that of another state, and a literal: column and code.
    cdef int32_t[:, ::1] shortest = np.full((room, 3), -1, dtype=np.int32)
    # Sums of hashes of the rows, and the states by them.
    cdef uint64_t[::1] hashes = np.zeros(room, dtype=np.uint64)
    cdef int32_t[::1] slots
    # The first visit of each column, the first link of each visit, and to where a code
    # leads.
    cdef int64_t[::1] visits = np.zeros(n_columns, dtype=np.int64)
    cdef int64_t[::1] link_starts = np.empty(room, dtype=np.int64)
    cdef int32_t[::1] link_codes = np.empty(room, dtype=np.int32)
    cdef int32_t[::1] linked = np.empty(room, dtype=np.int32)
    # By code: where its rows end, their hash, and codes in the order of their rows.
    cdef int64_t[::1] ends = np.zeros(n_codes, dtype=np.int64)
    cdef uint64_t[::1] keys = np.zeros(n_codes, dtype=np.uint64)
    cdef int32_t[::1] seen = np.empty(n_codes, dtype=np.int32)
    counts[0, 0] = 1.0
    starts[0], starts[1] = 0, n_rows
    for row in range(n_rows):
        members[row] = row
        hashes[0] += mix64(<uint64_t> row)
    slots = slots_of(hashes, n_states)
    last_slot = slots.shape[0] - 1
    for j in range(n_columns):
        column = &columns[j, 0]
        n_old = n_visitors
        visits[j] = n_visits
        before = np.asarray(counts)[np.asarray(visitors)[:n_old]]
        if link_starts.shape[0] < n_visits + n_old:
            link_starts = grown(link_starts, n_visits, n_old)
        with nogil:
            for v in range(n_old):
                s = visitors[v]
                size = starts[s + 1] - starts[s]
                if n_states > max_groups:
                    break
                if max(starts[n_states], n_links) > max_entries:
                    break
                if n_states + most > counts.shape[0]:
                    with gil:
                        starts = grown(starts, n_states + 1, most)
                        counts = grown(counts, n_states, most)
                        least = grown(least, n_states, most)
                        visitors = grown(visitors, n_visitors, most)
                        shortest = grown(shortest, n_states, most)
                        hashes = grown(hashes, n_states, most)
                        slots = slots_of(hashes, n_states)
                    last_slot = slots.shape[0] - 1
                if starts[n_states] + size > members.shape[0]:
                    with gil:
                        members = grown(members, starts[n_states], n_rows)
                if n_links + most > linked.shape[0]:
                    with gil:
                        linked = grown(linked, n_links, most)
                        link_codes = grown(link_codes, n_links, most)
                link_starts[n_visits] = n_links
                n_visits += 1
                listen(&work, 4 * size)
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
                        counts[t, o] += before[v, o - 1]
                    # What the least order of s may have become in this column does not
                    # matter: then all rows of s have this code, and t is s.
                    if least[s] + 1 < least[t]:
                        if least[t] >= max_order and least[s] + 1 < max_order:
                            visitors[n_visitors] = <int32_t> t
                            n_visitors += 1
                        least[t] = least[s] + 1
                        shortest[t, 0] = <int32_t> s
                        shortest[t, 1] = <int32_t> j
                        shortest[t, 2] = code
                    link_codes[n_links] = code
                    linked[n_links] = <int32_t> t
                    n_links += 1
    if n_states > max_groups or max(starts[n_states], n_links) > max_entries:
        return None
    # Of each state, its place among those that may go on.
    turns = np.full(n_states, -1, dtype=np.int32)
    turns[np.asarray(visitors)[:n_visitors]] = np.arange(n_visitors)
    return {
        "counts": np.asarray(counts)[:n_states].copy(),
        "starts": np.asarray(starts)[:n_states + 1].copy(),
        "members": np.asarray(members)[:starts[n_states]].copy(),
        "shortest": np.asarray(shortest)[:n_states].copy(),
        "links": {
            "turns": turns,
            "visits": np.asarray(visits),
            "link_starts": np.append(np.asarray(link_starts)[:n_visits], n_links),
            "link_codes": np.asarray(link_codes)[:n_links].copy(),
            "linked": np.asarray(linked)[:n_links].copy(),
        },
    }


def look_up(
    *,
    const int32_t[:, ::1] rows,       # IN (n_rows, n_columns)
    const int32_t[::1] turns,         # IN (n_states,) where a state is among visitors
    const int64_t[::1] visits,        # IN (n_columns,) visits before each column
    const int64_t[::1] link_starts,   # IN (n_visits + 1,)
    const int32_t[::1] link_codes,    # IN (n_links,)
    const int32_t[::1] linked,        # IN (n_links,)
    double[:, ::1] unmatched,         # IN all terms of each order that rows satisfy,
                                      # OUT without those of groups
):
    """Follow the links of some rows; return where their groups start, these, counts."""
    cdef Py_ssize_t n_columns = rows.shape[1], width = unmatched.shape[1]
    cdef Py_ssize_t n_states = turns.shape[0], max_order = width - 1
    cdef Py_ssize_t r, j, v, a, t, o, n, place, n_old, n_visitors
    cdef Py_ssize_t begin = 0, visit, link, stop
    cdef int64_t work = 0
    cdef int32_t code
    # Of each state, its place + 1 among the states reached, 0 for none.
    cdef int32_t[::1] places = np.zeros(n_states, dtype=np.int32)
    # Of the states reached: which, least order, those that may go on, and counts.
    cdef int32_t[::1] reached = np.empty(n_states, dtype=np.int32)
    cdef int32_t[::1] least = np.empty(n_states, dtype=np.int32)
    cdef int32_t[::1] visitors = np.empty(n_states, dtype=np.int32)
    cdef double[:, ::1] sums = np.empty((n_states, width))
    cdef double[:, ::1] before = np.empty((n_states, width))
    cdef int64_t[::1] starts = np.zeros(rows.shape[0] + 1, dtype=np.int64)
    cdef int32_t[::1] groups = np.empty(n_states, dtype=np.int32)
    cdef double[:, ::1] counts = np.empty((n_states, width))
    with nogil:
        for r in range(rows.shape[0]):
            for o in range(width):
                sums[0, o] = 0.0
            sums[0, 0] = 1.0
            reached[0] = least[0] = visitors[0] = 0
            places[0] = n = 1
            n_visitors = min(max_order, 1)
            for j in range(n_columns):
                code = rows[r, j]
                if code == 0:
                    continue
                n_old = n_visitors
                listen(&work, n_old * width)
                for v in range(n_old):
                    memcpy(
                        &before[v, 0], &sums[visitors[v], 0], width * sizeof(double)
                    )
                for v in range(n_old):
                    a = visitors[v]
                    visit = visits[j] + turns[reached[a]]
                    link, stop = link_starts[visit], link_starts[visit + 1]
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
                    if least[a] + 1 < least[place]:
                        if least[place] >= max_order and least[a] + 1 < max_order:
                            visitors[n_visitors] = <int32_t> place
                            n_visitors += 1
                        least[place] = least[a] + 1
                    for o in range(1, min(width, j + 2)):
                        sums[place, o] += before[v, o - 1]
            if begin + n > groups.shape[0]:
                with gil:
                    groups = grown(groups, begin, n)
                    counts = grown(counts, begin, n)
            listen(&work, n_states)
            for t in range(n_states):
                if places[t] == 0:
                    continue
                place = places[t] - 1
                places[t] = 0
                groups[begin] = <int32_t> t
                for o in range(width):
                    counts[begin, o] = sums[place, o]
                    unmatched[r, o] -= sums[place, o]
                begin += 1
            starts[r + 1] = begin
    return (
        np.asarray(starts),
        np.asarray(groups)[:begin].copy(),
        np.asarray(counts)[:begin].copy(),
    )
