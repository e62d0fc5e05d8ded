"""Term table: the weights of all terms of a table of rows, one integer for each.

A term that some row satisfies has a number and, in each class, an exponent. A row's
terms come in segments, one for each size, so that its weighted sum is

    W = sum over segments s of prior_s * sum over the terms t in it of alpha^e_t

Promotion adds to the exponents of one row's terms. Neither costs more when there are
more updates. The terms of a row are listed, or numbered anew each time from its codes.
Groups of terms that are satisfied by the same rows are one term with an initial weight
of its own (Li & Neal 2008), all of them in one segment.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, exp, fabs, log
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from _memory cimport prefetch
from _partitions cimport Partition, partitions, refine

ctypedef fused exponent_t:
    int16_t
    int32_t
    int64_t

# Below this a scaled sum has lost terms to underflow that may matter; above it is near
# overflow.
cdef double TOO_SMALL = 1e-200
cdef double TOO_LARGE = 1e280
# Entries of the state of a table.
cdef enum:
    POSITION, REMAINING, WRONG, ARRIVED, LOW, HIGH, PROMOTED, DEMOTED, FULL, SKIPPED
# Numbers of terms are written in blocks, which vector instructions are for.
cdef enum:
    BLOCK = 16
# Between two looks for Ctrl-C, in rows split by an attribute: well under a second.
cdef int64_t ROWS_BETWEEN_SIGNALS = 1 << 23
# Presentations between asking for memory and reading it.
cdef enum:
    AHEAD = 8
# A bound this close to the threshold, relative to what it is made of, settles nothing;
# and sums this close, relatively, are equal but for rounding.
cdef double SLACK = 1e-9, ROUNDING = 1e-12


# -- lists ---------------------------------------------------------------------------

def list_terms(
    const int32_t[:, ::1] columns,   # IN (n_attributes, n_rows) codes, rows distinct
    int32_t[::1] count,              # SCRATCH (largest code + 1,) zeros
    int32_t[::1] seen,               # SCRATCH (largest code + 1,)
    int64_t[:, ::1] cursors,         # IN (n_rows, max_term_size + 1) starts of segments
    int32_t[::1] terms,              # OUT term numbers of all rows
):
    """Number all terms that a row satisfies, and list each row's; how many there are.

    Attribute subsets are visited depth first; those of one size come in lexicographic
    order. Each splits the rows as its parent did, and then by one attribute more, so
    that rows with equal values are found without any hashing.
    """
    cdef Py_ssize_t n = columns.shape[0], n_rows = columns.shape[1]
    cdef Py_ssize_t cap = cursors.shape[1] - 1, depth = 0, j = 0, g, i
    cdef int32_t row
    cdef int64_t n_terms = 1, work = 0
    cdef Py_ssize_t* attribute = <Py_ssize_t*> malloc((cap + 1) * sizeof(Py_ssize_t))
    cdef Partition* levels = <Partition*> malloc((cap + 1) * sizeof(Partition))
    cdef int32_t* room = NULL
    if levels != NULL:
        room = partitions(levels, cap + 1, n_rows)
    if attribute == NULL or room == NULL:
        free(attribute)
        free(levels)
        free(room)
        raise MemoryError
    try:
        with nogil:
            for i in range(n_rows):
                terms[cursors[i, 0]] = 0
            while True:
                if depth < cap and j < n:
                    work += levels[depth].bounds[levels[depth].n_groups]
                    if work > ROWS_BETWEEN_SIGNALS:
                        work = 0
                        with gil:
                            PyErr_CheckSignals()
                    refine(
                        &levels[depth], &levels[depth + 1], &columns[j, 0], &count[0],
                        &seen[0],
                    )
                    if levels[depth + 1].n_groups:
                        depth += 1
                        attribute[depth] = j
                        for g in range(levels[depth].n_groups):
                            for i in range(
                                levels[depth].bounds[g], levels[depth].bounds[g + 1]
                            ):
                                row = levels[depth].rows[i]
                                terms[cursors[row, depth]] = <int32_t> (n_terms + g)
                                cursors[row, depth] += 1
                        n_terms += levels[depth].n_groups
                    j += 1
                elif depth == 0:
                    break
                else:
                    j = attribute[depth] + 1
                    depth -= 1
    finally:
        free(attribute)
        free(levels)
        free(room)
    return n_terms


cdef inline void _add(double value, double* top, double* total) noexcept nogil:
    """One more term of a running log-sum-exp."""
    if value <= top[0]:
        total[0] += exp(value - top[0])
    else:
        total[0] = total[0] * exp(top[0] - value) + 1.0
        top[0] = value


# -- tables ----------------------------------------------------------------------------

cdef struct Table:
    const int32_t* terms
    const int64_t* starts            # (n_rows, n_segments + 1)
    const int32_t* codes             # (n_rows, n_attributes), for numbering
    const int64_t* n_longer          # (n_segments, n_attributes + 1), for numbering
    Py_ssize_t n_segments, n_attributes
    const double* priors             # (n_segments,)
    const double* log_priors         # (n_segments,)
    const double* weights            # (n_terms,) of groups, else NULL
    const double* log_weights        # (n_terms,) of groups
    const double* powers             # (high - low + 1,) or NULL
    const double* fades              # (last_fade + 1,) alpha^-d, 0 at last, or NULL
    int64_t last_fade
    int64_t low, high                # exponents that there is room for
    double log_alpha
    double log_scale
    # The row in hand: its terms, and where its segments start.
    const int32_t* row_terms
    const int64_t* row_starts
    int32_t* room
    int64_t* room_starts
    int64_t* specified               # (n_attributes,) those of the row in hand
    int64_t* after                   # (n_attributes + 1,) see `_number_terms`
    int32_t* reach                   # (n_attributes + BLOCK,)
    int32_t* latest                  # the last attribute of each term
    Py_ssize_t n_latest              # for rows of so many specified ones


cdef void _take(Table* table, int64_t row) noexcept nogil:
    """Have the terms of a row in hand."""
    if table.n_attributes == 0:
        table.row_terms = table.terms
        table.row_starts = table.starts + row * (table.n_segments + 1)
        return
    _number_terms(table, table.codes + row * table.n_attributes)
    table.row_terms = table.room
    table.row_starts = table.room_starts


cdef inline void _prefetch_row(const Table* table, int64_t row) noexcept nogil:
    """Ask for what `_take` will read first."""
    if table.n_attributes:
        prefetch(table.codes + row * table.n_attributes)
        prefetch(table.codes + (row + 1) * table.n_attributes - 1)
    else:
        prefetch(table.starts + row * (table.n_segments + 1))


cdef void _number_terms(Table* table, const int32_t* codes) noexcept nogil:
    """Number all terms of a row, satisfied elsewhere or not, size by size.

    Terms are numbered depth first: the empty one, then for each attribute and value
    the terms that start with it. With n_longer[c, j] terms of up to c literals over the
    attributes from j on, the term that adds (j' = v) to one that ends on j, with room
    for c literals more, is n_longer[c, j + 1] - n_longer[c, j'] + 1 further on, and
    (v - 1) n_longer[c - 1, j' + 1] for the values before v.
    """
    cdef Py_ssize_t n = table.n_attributes, cap = table.n_segments - 1
    cdef Py_ssize_t size, j, k, t, i, out, n_specified = 0
    cdef const int64_t* longer
    cdef const int64_t* shorter
    cdef const int64_t* starts = table.room_starts
    cdef int32_t* room = table.room
    cdef int32_t* reach = table.reach
    cdef int32_t base
    cdef int32_t block[BLOCK]
    for j in range(n):
        if codes[j]:
            table.specified[n_specified] = j
            n_specified += 1
    if n_specified != table.n_latest:
        _list_latest(table, n_specified)
    room[0] = 0
    for size in range(1, cap + 1):
        longer = table.n_longer + (cap - size + 1) * (n + 1)
        shorter = longer - (n + 1)
        table.after[0] = longer[0] + 1
        for k in range(n_specified):
            j = table.specified[k]
            reach[k] = <int32_t> ((codes[j] - 1) * shorter[j + 1] - longer[j])
            table.after[k + 1] = longer[j + 1] + 1
        out = starts[size]
        for i in range(starts[size - 1], starts[size]):
            k = table.latest[i] + 1
            base = room[i] + <int32_t> table.after[k]
            # What a block writes too much, the next one overwrites.
            while k < n_specified:
                for t in range(BLOCK):
                    block[t] = base + reach[k + t]
                for t in range(BLOCK):
                    room[out + t] = block[t]
                k += BLOCK
                out += BLOCK
            out += min(n_specified - k, 0)


cdef void _list_latest(Table* table, Py_ssize_t n_specified) noexcept nogil:
    """The last attribute of each term of rows with so many specified ones."""
    cdef Py_ssize_t size, i, k, out = 1
    cdef int64_t* starts = table.room_starts
    table.n_latest = n_specified
    table.latest[0] = -1
    starts[0] = 0
    starts[1] = 1
    for size in range(1, table.n_segments):
        for i in range(starts[size - 1], starts[size]):
            for k in range(table.latest[i] + 1, n_specified):
                table.latest[out] = <int32_t> k
                out += 1
        starts[size + 1] = out


cdef inline double _gather(
    const exponent_t* exponents,
    const int32_t* terms,
    Py_ssize_t n_terms,
    const double* powers,
    int64_t low,
) noexcept nogil:
    """Sum of alpha^e over some terms, in eight lanes: the order is part of the result.
    """
    cdef double a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0
    cdef Py_ssize_t i = 0
    while i + 8 <= n_terms:
        a0 += powers[exponents[terms[i]] - low]
        a1 += powers[exponents[terms[i + 1]] - low]
        a2 += powers[exponents[terms[i + 2]] - low]
        a3 += powers[exponents[terms[i + 3]] - low]
        a4 += powers[exponents[terms[i + 4]] - low]
        a5 += powers[exponents[terms[i + 5]] - low]
        a6 += powers[exponents[terms[i + 6]] - low]
        a7 += powers[exponents[terms[i + 7]] - low]
        i += 8
    while i < n_terms:
        a0 += powers[exponents[terms[i]] - low]
        i += 1
    return ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7))


cdef inline double _gather_weighted(
    const exponent_t* exponents,
    const int32_t* terms,
    Py_ssize_t n_terms,
    const double* powers,
    int64_t low,
    const double* weights,
) noexcept nogil:
    """The same of groups, each with its initial weight."""
    cdef double a0 = 0, a1 = 0, a2 = 0, a3 = 0
    cdef Py_ssize_t i = 0
    while i + 4 <= n_terms:
        a0 += weights[terms[i]] * powers[exponents[terms[i]] - low]
        a1 += weights[terms[i + 1]] * powers[exponents[terms[i + 1]] - low]
        a2 += weights[terms[i + 2]] * powers[exponents[terms[i + 2]] - low]
        a3 += weights[terms[i + 3]] * powers[exponents[terms[i + 3]] - low]
        i += 4
    while i < n_terms:
        a0 += weights[terms[i]] * powers[exponents[terms[i]] - low]
        i += 1
    return (a0 + a1) + (a2 + a3)


cdef double _log_faded(
    const exponent_t* exponents,
    const int32_t* terms,
    Py_ssize_t n_terms,
    const Table* table,
) noexcept nogil:
    """Logarithm of the sum of alpha^e, relative to the largest, wherever that is."""
    cdef Py_ssize_t i
    cdef int64_t peak = exponents[terms[0]]
    cdef double a0 = 0, a1 = 0, a2 = 0, a3 = 0
    for i in range(1, n_terms):
        peak = max(peak, exponents[terms[i]])
    i = 0
    while i + 4 <= n_terms:
        a0 += table.fades[min(peak - exponents[terms[i]], table.last_fade)]
        a1 += table.fades[min(peak - exponents[terms[i + 1]], table.last_fade)]
        a2 += table.fades[min(peak - exponents[terms[i + 2]], table.last_fade)]
        a3 += table.fades[min(peak - exponents[terms[i + 3]], table.last_fade)]
        i += 4
    while i < n_terms:
        a0 += table.fades[min(peak - exponents[terms[i]], table.last_fade)]
        i += 1
    return <double> peak * table.log_alpha + log((a0 + a1) + (a2 + a3))


cdef double _log_sum(const exponent_t* exponents, const Table* table) noexcept nogil:
    """log W of the row in hand."""
    cdef const int64_t* starts = table.row_starts
    cdef const int32_t* terms = table.row_terms
    cdef Py_ssize_t s, i
    cdef double value, top = -INFINITY, total = 0.0
    if table.powers != NULL:
        if table.weights != NULL:
            total = _gather_weighted(
                exponents, terms + starts[0], starts[1] - starts[0], table.powers,
                table.low, table.weights,
            )
        else:
            for s in range(table.n_segments):
                total += table.priors[s] * _gather(
                    exponents, terms + starts[s], starts[s + 1] - starts[s],
                    table.powers, table.low,
                )
        if TOO_SMALL < total < TOO_LARGE:
            return log(total) + table.log_scale
        total = 0.0
    # No table of powers, or all of the row's terms are out of its range: once more,
    # relative to the largest of them.
    if table.fades != NULL:
        for s in range(table.n_segments):
            if starts[s + 1] > starts[s]:
                value = _log_faded(
                    exponents, terms + starts[s], starts[s + 1] - starts[s], table
                )
                _add(table.log_priors[s] + value, &top, &total)
        return top + log(total)
    for s in range(table.n_segments):
        for i in range(starts[s], starts[s + 1]):
            value = table.log_priors[s] + <double> exponents[terms[i]] * table.log_alpha
            if table.weights != NULL:
                value += table.log_weights[terms[i]]
            _add(value, &top, &total)
    return top + log(total)


cdef bint _update(
    exponent_t* exponents, const Table* table, int64_t amount, int64_t* state
) noexcept nogil:
    """Add to the exponents of the row in hand, if there is room for them."""
    cdef Py_ssize_t i
    cdef int64_t exponent, low = state[LOW], high = state[HIGH]
    if high + amount > table.high or low + amount < table.low:
        return False
    for i in range(table.row_starts[0], table.row_starts[table.n_segments]):
        exponent = exponents[table.row_terms[i]] + amount
        exponents[table.row_terms[i]] = <exponent_t> exponent
        low = min(low, exponent)
        high = max(high, exponent)
    state[LOW] = low
    state[HIGH] = high
    state[PROMOTED] += max(amount, 0)
    state[DEMOTED] += max(-amount, 0)
    return True


cdef Table* _open(tuple arrays) except NULL:
    """A table as the functions above want it, with room to number a row's terms."""
    cdef const int32_t[::1] terms = arrays[0]
    cdef const int64_t[:, ::1] starts = arrays[1]
    cdef const int32_t[:, ::1] codes = arrays[2]
    cdef const int64_t[:, ::1] n_longer = arrays[3]
    cdef const double[::1] priors = arrays[4]
    cdef const double[::1] log_priors = arrays[5]
    cdef const double[::1] weights = arrays[6]
    cdef const double[::1] log_weights = arrays[7]
    cdef const double[::1] powers = arrays[8]
    cdef const double[::1] fades = arrays[13]
    cdef Py_ssize_t n_terms = 0, size, n_attributes = 0, n_segments = priors.shape[0]
    cdef double combinations = 1.0
    if n_longer.shape[0]:
        n_attributes = codes.shape[1]
        for size in range(n_segments):
            n_terms += <Py_ssize_t> (combinations + 0.5)
            combinations *= <double> (n_attributes - size) / <double> (size + 1)
    cdef Py_ssize_t n_bytes = (
        (2 * n_attributes + n_segments + 2) * sizeof(int64_t)
        + (2 * n_terms + n_attributes + 2 * BLOCK) * sizeof(int32_t)
    )
    cdef Table* table = <Table*> malloc(sizeof(Table) + n_bytes)
    if table == NULL:
        raise MemoryError
    memset(table, 0, sizeof(Table))
    table.n_segments = n_segments
    table.n_attributes = n_attributes
    table.low = arrays[9]
    table.high = arrays[10]
    table.log_alpha = arrays[11]
    table.log_scale = arrays[12]
    table.priors = &priors[0]
    table.log_priors = &log_priors[0]
    if n_longer.shape[0]:
        table.codes = &codes[0, 0]
        table.n_longer = &n_longer[0, 0]
    else:
        table.terms = &terms[0]
        table.starts = &starts[0, 0]
    if weights.shape[0]:
        table.weights = &weights[0]
        table.log_weights = &log_weights[0]
    if powers.shape[0]:
        table.powers = &powers[0]
    if fades.shape[0]:
        table.fades = &fades[0]
        table.last_fade = fades.shape[0] - 1
    table.specified = <int64_t*> (table + 1)
    table.after = table.specified + n_attributes
    table.room_starts = table.after + n_attributes + 1
    table.room = <int32_t*> (table.room_starts + n_segments + 1)
    table.latest = table.room + n_terms + BLOCK
    table.reach = table.latest + n_terms
    memset(table.reach, 0, (n_attributes + BLOCK) * sizeof(int32_t))
    table.n_latest = -1
    return table


def add_exponents(
    exponent_t[::1] exponents,       # IN, OUT (n_terms,)
    const int64_t[::1] rows,         # IN (m,) which rows are updates
    const int64_t[::1] amounts,      # IN (m,) their exponents
    tuple arrays,                    # IN see `_open`
):
    """Add updates to the exponents of their terms; the least and the largest then."""
    cdef Table* table = _open(arrays)
    cdef int64_t low = 0, high = 0
    cdef Py_ssize_t u, i
    with nogil:
        for u in range(rows.shape[0]):
            _take(table, rows[u])
            for i in range(table.row_starts[0], table.row_starts[table.n_segments]):
                exponents[table.row_terms[i]] += <exponent_t> amounts[u]
        for i in range(exponents.shape[0]):
            low = min(low, exponents[i])
            high = max(high, exponents[i])
    free(table)
    return low, high


def log_sums(
    const exponent_t[::1] exponents,  # IN (n_terms,)
    const int64_t[::1] rows,         # IN (n,)
    tuple arrays,                    # IN see `_open`
    double[::1] logs,                # OUT (n,)
):
    """log W of some rows."""
    cdef Table* table = _open(arrays)
    cdef Py_ssize_t i
    with nogil:
        for i in range(rows.shape[0]):
            _take(table, rows[i])
            logs[i] = _log_sum(&exponents[0], table)
    free(table)


def update(
    exponent_t[::1] exponents,       # IN, OUT (n_terms,)
    int64_t row,
    int64_t amount,
    int64_t[::1] state,              # IN, OUT (10,)
    tuple arrays,                    # IN see `_open`
):
    """Add to the exponents of one row's terms; False where there is no room to."""
    cdef Table* table = _open(arrays)
    cdef bint done
    with nogil:
        _take(table, row)
        done = _update(&exponents[0], table, amount, &state[0])
    free(table)
    return done


def epoch(
    exponent_t[::1] exponents,       # IN, OUT (n_terms,)
    const int64_t[::1] order,        # IN (n_presented,) presentations to go through
    const int64_t[::1] rows,         # IN (n,) the row that each presents
    const uint8_t[::1] positive,     # IN (n,) whether it is of the class
    const int64_t[::1] units,        # IN (n,) its weight
    int64_t one,                     # IN so many units make a whole presentation
    double log_threshold,
    double margin,                   # by which it is to be exceeded, or missed
    uint8_t[::1] guesses,            # OUT (n,) whether a row is beyond what it aims at
    int64_t[::1] net,                # IN, OUT (n_rows,) exponents of the updates
    uint8_t[::1] known,              # IN, OUT (n_rows,) which rows are updates
    int64_t[::1] arrivals,           # IN, OUT (n_rows,) the updates as they came
    double[:, ::1] bounds,           # IN, OUT (n_rows, 2) of log W: above, but for all
                                     # promotions ever; below, but for all demotions
    int64_t max_updates,             # that may be kept
    int64_t[::1] state,              # IN, OUT (10,)
    tuple arrays,                    # IN see `_open`
):
    """Go on with an epoch; False where the caller is to make room or forget updates.

    Since a row was last summed for, each promotion multiplied its sum by alpha at most,
    and each demotion divided it by so much: where that settles the side of the
    threshold, it is not summed for again.
    """
    cdef Table* table = _open(arrays)
    cdef Py_ssize_t position = state[POSITION]
    cdef int64_t remaining = state[REMAINING], amount, i, row, taken = -1
    cdef bint done = True, above, summed
    cdef double up, down, slack, value, aim
    with nogil:
        while done and position < order.shape[0]:
            # Rows come in random order, each from memory that was not asked for yet.
            if position + 2 * AHEAD < order.shape[0]:
                i = order[position + 2 * AHEAD]
                prefetch(&rows[i])
                prefetch(&units[i])
                prefetch(&positive[i])
                prefetch(&guesses[i])
                row = rows[order[position + AHEAD]]
                prefetch(&bounds[row, 0])
                _prefetch_row(table, row)
            i = order[position]
            row = rows[i]
            aim = log_threshold + (margin if positive[i] else -margin)
            if remaining == 0:
                remaining = units[i]
            while remaining > 0:
                up = <double> state[PROMOTED] * table.log_alpha
                down = <double> state[DEMOTED] * table.log_alpha
                slack = SLACK * (1.0 + fabs(aim) + up + down)
                summed = False
                if bounds[row, 0] + up < aim - slack:
                    above = False
                elif bounds[row, 1] - down > aim + slack:
                    above = True
                else:
                    if taken != row:
                        _take(table, row)
                        taken = row
                    summed = True
                    value = _log_sum(&exponents[0], table)
                    above = value >= aim
                    bounds[row, 0] = value - up
                    bounds[row, 1] = value + down
                guesses[i] = above
                if above == positive[i]:
                    # Nothing changes: the presentations to come would end the same.
                    remaining = 0
                    state[FULL if summed else SKIPPED] += 1
                    break
                if taken != row:
                    _take(table, row)
                    taken = row
                amount = min(one, remaining)
                if not _update(
                    &exponents[0], table, amount if positive[i] else -amount, &state[0]
                ):
                    done = False
                    break
                # The whole sum of this row went up or down.
                if positive[i]:
                    net[row] += amount
                    bounds[row, 1] += <double> amount * table.log_alpha
                else:
                    net[row] -= amount
                    bounds[row, 0] -= <double> amount * table.log_alpha
                if not known[row]:
                    known[row] = True
                    arrivals[state[ARRIVED]] = row
                    state[ARRIVED] += 1
                state[WRONG] += 1
                state[FULL if summed else SKIPPED] += 1
                remaining -= amount
                if state[ARRIVED] > max_updates:
                    done = False
                    break
            if remaining == 0:
                position += 1
    state[POSITION] = position
    state[REMAINING] = remaining
    free(table)
    return done


# -- all classes together ------------------------------------------------------------

cdef struct Contender:
    Table* table                     # of a class
    void* exponents                  # (n_terms,)
    int64_t* net                     # and so on: as in `epoch`
    uint8_t* known
    int64_t* arrivals
    double* bounds
    int64_t* state
    double least, most               # log W of the row in hand, as far as is known
    bint summed, violates


cdef void _bound(Contender* class_, int64_t row) noexcept nogil:
    """What is known of log W, from when it was last summed."""
    cdef double log_alpha = class_.table.log_alpha
    class_.least = (
        class_.bounds[2 * row + 1] - <double> class_.state[DEMOTED] * log_alpha
    )
    class_.most = class_.bounds[2 * row] + <double> class_.state[PROMOTED] * log_alpha
    class_.summed = False


cdef void _sum(
    Contender* class_, const Table* hand, int64_t row, const exponent_t* exponents
) noexcept nogil:
    """Have log W, for the row that is in hand."""
    cdef Table* table = class_.table
    table.row_terms, table.row_starts = hand.row_terms, hand.row_starts
    class_.least = class_.most = _log_sum(exponents, table)
    class_.bounds[2 * row] = (
        class_.most - <double> class_.state[PROMOTED] * table.log_alpha
    )
    class_.bounds[2 * row + 1] = (
        class_.least + <double> class_.state[DEMOTED] * table.log_alpha
    )
    class_.summed = True


cdef void _act(
    Contender* class_, const Table* hand, int64_t row, int64_t amount,
    exponent_t* exponents,
) noexcept nogil:
    """Promote the row in hand, or demote it; there is room to."""
    cdef double log_alpha = class_.table.log_alpha
    class_.table.row_terms = hand.row_terms
    class_.table.row_starts = hand.row_starts
    _update(exponents, class_.table, amount, class_.state)
    # The whole sum of this row went up or down.
    if amount > 0:
        class_.bounds[2 * row + 1] += <double> amount * log_alpha
    else:
        class_.bounds[2 * row] += <double> amount * log_alpha
    class_.net[row] += amount
    class_.state[WRONG] += 1
    if not class_.known[row]:
        class_.known[row] = True
        class_.arrivals[class_.state[ARRIVED]] = row
        class_.state[ARRIVED] += 1


cdef bint _has_room(const Contender* class_, int64_t amount) noexcept nogil:
    return (
        class_.state[HIGH] + amount <= class_.table.high
        and class_.state[LOW] + amount >= class_.table.low
    )


def joint_epoch(
    exponent_t[::1] exponents,       # of the first class; all have one type
    list all_exponents,              # IN, OUT (n_terms,) of each class
    const int64_t[::1] order,        # IN (n_presented,) presentations to go through
    const int64_t[::1] rows,         # IN (n,) the row that each presents
    const int64_t[::1] labels,       # IN (n,) its class
    const int64_t[::1] units,        # IN (n,) its weight
    int64_t one,                     # IN so many units make a whole presentation
    double margin,                   # by which log W of its class is to be the largest
    list all_states,                 # IN, OUT of each class, see `epoch`: net, known,
                                     # arrivals, bounds, state
    int64_t max_updates,             # that may be kept
    list all_arrays,                 # IN of each class, see `_open`
):
    """Go on with an epoch of all classes; False where the caller is to make room or
    forget updates.

    Where the class of a row does not lead by the margin, it is promoted, and all
    classes that it does not lead are demoted. A tie is no lead. As in `epoch`, what is
    known of a sum may spare it.
    """
    cdef Py_ssize_t n_classes = len(all_arrays), k, y, position, opened = 0
    cdef int64_t remaining, amount, i, row, taken = -1
    cdef bint done = True, wrong
    cdef double slack, aim
    cdef exponent_t[::1] of_class
    cdef int64_t[::1] net, arrivals, state
    cdef uint8_t[::1] known
    cdef double[:, ::1] bounds
    cdef Contender* class_
    cdef Contender* right
    cdef Table* hand
    cdef Contender* classes = <Contender*> malloc(n_classes * sizeof(Contender))
    if classes == NULL:
        raise MemoryError
    try:
        for k in range(n_classes):
            of_class = all_exponents[k]
            net, known, arrivals, bounds, state = all_states[k]
            classes[k].exponents = &of_class[0]
            classes[k].net, classes[k].known = &net[0], &known[0]
            classes[k].arrivals, classes[k].bounds = &arrivals[0], &bounds[0, 0]
            classes[k].state = &state[0]
            classes[k].table = _open(all_arrays[k])
            opened += 1
        hand = classes[0].table
        position = classes[0].state[POSITION]
        remaining = classes[0].state[REMAINING]
        with nogil:
            while done and position < order.shape[0]:
                if position + 2 * AHEAD < order.shape[0]:
                    prefetch(&rows[order[position + 2 * AHEAD]])
                    _prefetch_row(hand, rows[order[position + AHEAD]])
                i = order[position]
                row = rows[i]
                y = labels[i]
                right = &classes[y]
                if remaining == 0:
                    remaining = units[i]
                while remaining > 0:
                    for k in range(n_classes):
                        _bound(&classes[k], row)
                    wrong = False
                    for k in range(n_classes):
                        class_ = &classes[k]
                        class_.violates = False
                        if k == y:
                            continue
                        slack = SLACK * (
                            1.0 + fabs(right.least) + fabs(right.most)
                            + fabs(class_.least) + fabs(class_.most)
                        )
                        if right.least - class_.most > margin + slack:
                            continue
                        if taken != row:
                            _take(hand, row)
                            taken = row
                        if not right.summed:
                            _sum(right, hand, row, <exponent_t*> right.exponents)
                            if right.least - class_.most > margin + slack:
                                continue
                        _sum(class_, hand, row, <exponent_t*> class_.exponents)
                        # Equal sums are in different orders of terms.
                        aim = max(margin, ROUNDING * (1.0 + fabs(right.least)))
                        class_.violates = right.least - class_.least < aim
                        wrong |= class_.violates
                    amount = min(one, remaining)
                    if wrong:
                        right.violates = True
                        for k in range(n_classes):
                            if classes[k].violates and not _has_room(
                                &classes[k], amount if k == y else -amount
                            ):
                                done = False
                        if not done:
                            break
                    for k in range(n_classes):
                        class_ = &classes[k]
                        class_.state[FULL if class_.summed else SKIPPED] += 1
                        if class_.violates:
                            _act(
                                class_, hand, row, amount if k == y else -amount,
                                <exponent_t*> class_.exponents,
                            )
                            done &= class_.state[ARRIVED] <= max_updates
                    remaining = remaining - amount if wrong else 0
                    if not done:
                        break
                if remaining == 0:
                    position += 1
        classes[0].state[POSITION] = position
        classes[0].state[REMAINING] = remaining
    finally:
        for k in range(opened):
            free(classes[k].table)
        free(classes)
    return done
