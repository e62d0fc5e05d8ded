"""Store: the weights of all terms of one class, with two verbs, sum and move.

A store is a struct that starts with `Store`. Its kernel hands it out as a capsule, so
that the presentation of rows is compiled once, and a new store is one file.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport int64_t, uint8_t


cdef struct Examples:                # the stored examples of one class
    int64_t* net                     # (n_rows,) net promotion counts of all rows
    uint8_t* known                   # (n_rows,) which rows are stored examples
    int64_t* arrivals                # (n_rows,) the rows of these, oldest first
    int64_t n_stored
    int64_t n_merged                 # times that stored examples were discarded
    int64_t version                  # presentations that moved the class, ever


cdef struct Store:
    # Set log W of a row; return whether it is exact. Only the side of `aim` is needed
    # then, which is likely to be `guess`: infinite if nothing else is known. NaN asks
    # for the sum.
    int (*sum)(
        Store* store, int64_t row, double aim, bint guess, double* log_value
    ) except -1 nogil
    # Multiply the weights of the terms of a row by alpha^amount.
    int (*move)(Store* store, int64_t row, int64_t amount) except -1 nogil
    # Amounts up and down for which there is room.
    int64_t room_up, room_down
    double log_alpha                 # of one unit
    const Examples* examples         # set by the class in training


cdef inline object capsule_of(Store* store):
    return PyCapsule_New(store, "store", NULL)


cdef inline Store* store_of(capsule) except NULL:
    return <Store*> PyCapsule_GetPointer(capsule, "store")
