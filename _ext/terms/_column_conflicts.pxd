"""Conflicts of columns: pairs that no term may contain together.

The columns of two attributes conflict, or none of them do; the attributes that conflict
are the rows of a compressed sparse matrix.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t


cdef struct ColumnConflicts:
    const int32_t* owners        # (n_columns,) attributes
    const int64_t* starts        # (n_attributes + 1,) in `partners`
    const int32_t* partners      # (starts[n_attributes],) ascending for an attribute


cdef inline ColumnConflicts column_conflicts(object given):
    """Return the conflicts of a `Conflicts`, whose arrays must live as long."""
    cdef const int32_t[::1] owners = given.owners
    cdef const int64_t[::1] starts = given.starts
    cdef const int32_t[::1] partners = given.partners
    cdef ColumnConflicts conflicts
    conflicts.owners = &owners[0] if owners.shape[0] else NULL
    conflicts.starts = &starts[0]
    conflicts.partners = &partners[0] if partners.shape[0] else NULL
    return conflicts


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


cdef inline bint conflict(
    const ColumnConflicts* conflicts, Py_ssize_t column, Py_ssize_t other,
) noexcept nogil:
    """Return whether two columns must not meet in a term."""
    cdef int32_t one = conflicts.owners[column], two = conflicts.owners[other]
    cdef const int64_t* starts = conflicts.starts
    return is_listed(conflicts.partners, starts[one], starts[one + 1], two)
