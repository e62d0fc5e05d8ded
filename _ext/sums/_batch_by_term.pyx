"""Sums of a batch of rows, term by term: for all rows and classes at once.

Attribute subsets are visited depth first; each splits the rows, updates and queries
alike, as its parent did, and then by one attribute more. A group of rows with equal
values is a term, which the updates in it have promoted or demoted. A class that none of
them acts in takes the initial weights of all longer terms at once, and drops out.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, log
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc

import numpy as np

from _log_sum_exp cimport add_log
from _partitions cimport Partition, partitions, refine

# A weight so many natural logarithms above a total is not added to it as it is.
cdef double LARGEST_LOG = 300.0


# -- totals ----------------------------------------------------------------------------

cdef struct Totals:
    # Of each query and class, relative to e^top. Tops start where the weight of the
    # empty term is, which is in every sum: nothing that matters ever underflows.
    Py_ssize_t n_classes
    double* tops                     # (n_queries, n_classes)
    double* totals                   # (n_queries, n_classes)
    const double* bases              # (n_classes,) log weights of the empty term
    const double* inverses           # (n_classes,) e^-base, 0 where that is too far


cdef inline void _add(Totals* sums, Py_ssize_t at, double log_weight) noexcept nogil:
    """Add a weight to one total."""
    add_log(log_weight, LARGEST_LOG, sums.tops + at, sums.totals + at)


cdef inline double _power(Totals* sums, Py_ssize_t k, double log_weight) noexcept nogil:
    """Return a weight relative to the base of a class; -1 where it is too large."""
    cdef double above = log_weight - sums.bases[k]
    return exp(above) if above <= LARGEST_LOG else -1.0


cdef inline void _add_term(
    Totals* sums, const int32_t* queries, Py_ssize_t n, int32_t m, Py_ssize_t k,
    double log_weight,
) noexcept nogil:
    """Add the weight of one term to the totals of the queries that satisfy it."""
    cdef Py_ssize_t i, at
    cdef double base = sums.bases[k], power = _power(sums, k, log_weight)
    for i in range(n):
        at = (queries[i] - m) * sums.n_classes + k
        # Tops rarely move.
        if power >= 0.0 and sums.tops[at] == base:
            sums.totals[at] += power
        else:
            _add(sums, at, log_weight)


cdef inline void _add_initial(
    Totals* sums, Py_ssize_t q, Py_ssize_t k, double log_weight, double weight
) noexcept nogil:
    """Add the initial weight of terms that no update of a class has changed."""
    cdef Py_ssize_t at = q * sums.n_classes + k
    cdef double relative = weight * sums.inverses[k]
    if relative != 0.0 and sums.tops[at] == sums.bases[k]:
        sums.totals[at] += relative
    else:
        _add(sums, at, log_weight)


# -- the walk --------------------------------------------------------------------------

cdef struct Model:
    # The updates, and what their terms weigh.
    int32_t m
    Py_ssize_t max_term_size
    const int64_t* starts            # (m + 1,) where an update's entries start in
    const int32_t* classes           # (n_acting,) the classes that updates act in
    const int64_t* exponents         # (n_acting,) and their exponents there
    const double* log_initial        # (n_attributes + 1, max_term_size + 1)
    const double* initial            # the same, 0 where that is too far from 1
    double log_alpha
    double log_beta


cdef struct Acting:
    # For each group of a partition, the classes that its updates act in.
    int32_t* classes
    int32_t* bounds


cdef void _visit(
    const Model* model,
    Py_ssize_t depth,
    const int64_t* rest,             # (n_queries,) specified attributes yet to come
    Partition* level,
    const Acting* above,             # of the groups that these are parts of
    Acting* acting,
    int64_t* phi,                    # (n_classes,) zeros, on entry and on return
    uint8_t* acts,                   # (n_classes,) zeros, on entry and on return
    Totals* sums,
) noexcept nogil:
    """Add up the terms over one subset; keep the groups with updates and queries."""
    cdef Py_ssize_t g, i, e, k, t, first, last = 0
    cdef Py_ssize_t n_rows = 0, n_groups = 0, n_acting = 0
    cdef Py_ssize_t c = model.max_term_size - depth, entry
    cdef int32_t row, m = model.m
    cdef double log_prior = <double> depth * model.log_beta
    cdef const int32_t* rows = level.rows
    acting.bounds[0] = 0
    for g in range(level.n_groups):
        first = last
        last = level.bounds[g + 1]
        if rows[last - 1] < m:
            continue
        i = first
        while rows[i] < m:
            for e in range(model.starts[rows[i]], model.starts[rows[i] + 1]):
                acts[model.classes[e]] = True
                phi[model.classes[e]] += model.exponents[e]
            i += 1
        for t in range(
            above.bounds[level.parents[g]], above.bounds[level.parents[g] + 1]
        ):
            k = above.classes[t]
            if acts[k]:
                _add_term(
                    sums, rows + i, last - i, m, k,
                    <double> phi[k] * model.log_alpha + log_prior,
                )
                acting.classes[n_acting] = <int32_t> k
                n_acting += 1
                acts[k] = False
                phi[k] = 0
                continue
            for e in range(i, last):
                entry = rest[rows[e] - m] * (model.max_term_size + 1) + c
                _add_initial(
                    sums, rows[e] - m, k, model.log_initial[entry],
                    model.initial[entry],
                )
        if c == 0:
            n_acting = 0  # no term is larger
        elif n_acting > acting.bounds[n_groups]:
            for i in range(first, last):
                row = rows[i]
                level.rows[n_rows] = row
                n_rows += 1
            n_groups += 1
            level.bounds[n_groups] = <int32_t> n_rows
            acting.bounds[n_groups] = <int32_t> n_acting
    level.n_groups = n_groups


cdef struct Leaves:
    # For each value of one attribute and each class, what the updates of a group with
    # that value come to.
    int64_t* phi                     # (largest code + 1, n_classes) zeros, on entry and
    uint8_t* acts                    # the same, on return
    double* powers                   # their weights, relative to the class's base
    const double* initial            # (n_classes,) the same without updates
    int32_t* seen                    # (largest code + 1,)
    int32_t* is_seen                 # (largest code + 1,) zeros, likewise


cdef void _visit_leaves(
    const Model* model,
    const int32_t* column,
    const Partition* level,
    const Acting* acting,
    Leaves* leaves,
    Totals* sums,
) noexcept nogil:
    """Add up the longest terms: those of some groups with one attribute more.

    As `_visit` does, but nothing has to be kept, and so rows need no sorting.
    """
    cdef Py_ssize_t g, i, q, e, t, s, k, at, first, last = 0, n_seen
    cdef Py_ssize_t n_classes = sums.n_classes, total
    cdef int32_t code, m = model.m
    cdef double log_prior = <double> model.max_term_size * model.log_beta
    cdef const int32_t* rows = level.rows
    for g in range(level.n_groups):
        first = last
        last = level.bounds[g + 1]
        i = first
        n_seen = 0
        while rows[i] < m:
            code = column[rows[i]]
            if code:
                at = code * n_classes
                if not leaves.is_seen[code]:
                    leaves.is_seen[code] = True
                    leaves.seen[n_seen] = code
                    n_seen += 1
                for e in range(model.starts[rows[i]], model.starts[rows[i] + 1]):
                    leaves.acts[at + model.classes[e]] = True
                    leaves.phi[at + model.classes[e]] += model.exponents[e]
            i += 1
        for t in range(n_seen):
            for s in range(acting.bounds[g], acting.bounds[g + 1]):
                k = acting.classes[s]
                at = leaves.seen[t] * n_classes + k
                if leaves.acts[at]:
                    leaves.powers[at] = _power(
                        sums, k,
                        <double> leaves.phi[at] * model.log_alpha + log_prior,
                    )
        for q in range(i, last):
            code = column[rows[q]]
            for s in range(acting.bounds[g], acting.bounds[g + 1]):
                k = acting.classes[s]
                at = code * n_classes + k
                total = (rows[q] - m) * n_classes + k
                # Tops rarely move; and no branch depends on the code.
                if leaves.powers[at] >= 0.0 and sums.tops[total] == sums.bases[k]:
                    sums.totals[total] += leaves.powers[at]
                elif code:
                    _add(
                        sums, total,
                        <double> leaves.phi[at] * model.log_alpha + log_prior,
                    )
        for t in range(n_seen):
            leaves.is_seen[leaves.seen[t]] = False
            for s in range(acting.bounds[g], acting.bounds[g + 1]):
                k = acting.classes[s]
                at = leaves.seen[t] * n_classes + k
                leaves.powers[at] = leaves.initial[k]
                leaves.acts[at] = 0
                leaves.phi[at] = 0


def log_sums(
    *,
    const int32_t[:, ::1] columns,   # IN (n_attributes, m + n_queries) codes
    const int64_t[::1] starts,       # IN (m + 1,) where an update's entries start in
    const int32_t[::1] classes,      # IN (n_acting,) the classes that updates act in
    const int64_t[::1] exponents,    # IN (n_acting,) and their exponents there
    const int64_t[:, ::1] rest,      # IN (n_attributes + 1, n_queries) specified in j:
    const double[:, ::1] log_initial,  # IN (n_attributes + 1, max_term_size + 1)
    const double[:, ::1] initial,    # IN the same, 0 where that is too far from 1
    double log_alpha,
    double log_beta,
    const double[::1] bases,         # IN (n_classes,) log weights of the empty term
    const double[::1] inverses,      # IN (n_classes,) e^-base, 0 where it is too far
    const double[::1] leaf_initial,  # IN (n_classes,) weights of the longest terms
                                     # without updates, -1 where that is too far
    Py_ssize_t n_codes,              # largest code + 1
    bint with_leaves,                # whether the longest terms have a way of their own
    double[:, ::1] sums,             # OUT (n_queries, n_classes)
):
    """Compute log W of all queries in all classes.

    `log_initial[k, c]` is the initial weight of all that adds up to c of k attributes
    to a term of max_term_size - c literals.
    """
    cdef Py_ssize_t n = columns.shape[0], n_queries = sums.shape[0]
    cdef Py_ssize_t n_classes = sums.shape[1], cap = log_initial.shape[1] - 1
    cdef Py_ssize_t depth = 0, j = 0, q, k
    cdef bint visit = True
    cdef Model model
    cdef Totals totals
    cdef Leaves leaves
    cdef Py_ssize_t n_leaves = n_codes if with_leaves else 1
    cdef Py_ssize_t longest = max(classes.shape[0], n_classes)
    # All but `seen`, `lists`, `ends` and `tops` are as on entry on return.
    cdef int32_t[::1] count = np.zeros(n_codes, dtype=np.int32)
    cdef int32_t[::1] seen = np.empty(n_codes, dtype=np.int32)
    cdef int64_t[::1] phi = np.zeros(n_classes, dtype=np.int64)
    cdef uint8_t[::1] acts = np.zeros(n_classes, dtype=np.uint8)
    cdef int32_t[:, ::1] lists = np.empty((cap + 2, longest), dtype=np.int32)
    cdef int32_t[:, ::1] ends = np.empty((cap + 2, n_queries + 1), dtype=np.int32)
    cdef int64_t[:, ::1] leaf_phi = np.zeros((n_leaves, n_classes), dtype=np.int64)
    cdef uint8_t[:, ::1] leaf_acts = np.zeros((n_leaves, n_classes), dtype=np.uint8)
    cdef double[:, ::1] leaf_powers = np.tile(leaf_initial, (n_leaves, 1))
    cdef double[:, ::1] tops = np.empty((n_queries, n_classes))
    cdef Py_ssize_t* attribute = <Py_ssize_t*> malloc((cap + 1) * sizeof(Py_ssize_t))
    cdef Partition* levels = <Partition*> malloc((cap + 1) * sizeof(Partition))
    # The first is of all classes, in the one group that all rows are a part of.
    cdef Acting* acting = <Acting*> malloc((cap + 2) * sizeof(Acting))
    cdef int32_t* room = NULL
    model.m = <int32_t> (starts.shape[0] - 1)
    if levels != NULL:
        room = partitions(levels, cap + 1, model.m + n_queries)
    if attribute == NULL or acting == NULL or room == NULL:
        free(attribute)
        free(levels)
        free(acting)
        free(room)
        raise MemoryError
    model.max_term_size = cap
    model.starts = &starts[0]
    model.classes = &classes[0] if classes.shape[0] else NULL
    model.exponents = &exponents[0] if classes.shape[0] else NULL
    model.log_initial = &log_initial[0, 0]
    model.initial = &initial[0, 0]
    model.log_alpha = log_alpha
    model.log_beta = log_beta
    totals.n_classes = n_classes
    totals.tops = &tops[0, 0]
    totals.totals = &sums[0, 0]
    totals.bases = &bases[0]
    totals.inverses = &inverses[0]
    leaves.phi = &leaf_phi[0, 0]
    leaves.acts = &leaf_acts[0, 0]
    leaves.powers = &leaf_powers[0, 0]
    leaves.initial = &leaf_initial[0]
    leaves.seen = &seen[0]
    leaves.is_seen = &count[0]
    leaf_powers[0] = 0.0  # unspecified
    with nogil:
        for q in range(n_queries):
            for k in range(n_classes):
                tops[q, k] = bases[k]
                sums[q, k] = 0.0
        for depth in range(cap + 2):
            acting[depth].classes = &lists[depth, 0]
            acting[depth].bounds = &ends[depth, 0]
        for k in range(n_classes):
            lists[0, k] = <int32_t> k
        ends[0, 0] = 0
        ends[0, 1] = <int32_t> n_classes
        depth = 0
        attribute[0] = -1
        while True:
            if visit:
                _visit(
                    &model, depth, &rest[attribute[depth] + 1, 0], &levels[depth],
                    &acting[depth], &acting[depth + 1], &phi[0], &acts[0], &totals,
                )
                visit = False
                if depth == cap - 1 and with_leaves:
                    while j < n:
                        _visit_leaves(
                            &model, &columns[j, 0], &levels[depth], &acting[depth + 1],
                            &leaves, &totals,
                        )
                        j += 1
            if depth < cap and j < n and levels[depth].n_groups:
                refine(
                    &levels[depth], &levels[depth + 1], &columns[j, 0], &count[0],
                    &seen[0],
                )
                depth += 1
                attribute[depth] = j
                j += 1
                visit = True
            elif depth == 0:
                break
            else:
                j = attribute[depth] + 1
                depth -= 1
        for q in range(n_queries):
            for k in range(n_classes):
                sums[q, k] = tops[q, k] + log(sums[q, k])
    free(attribute)
    free(levels)
    free(acting)
    free(room)
