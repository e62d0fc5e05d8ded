"""Presentation: rows, one after another, to the weights of their classes.

Since a row was last summed for, each promotion multiplied its sum by alpha at most, and
each demotion divided it by so much: where these bounds settle what the rule does, it is
not summed for again.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, NAN, exp, fabs
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc

from _rule cimport Rule, residual, steps_by_margin, steps_by_residual
from _signals cimport listen
from _store cimport Examples, Store, store_of
from _tolerances cimport ROUNDING, SLACK

cdef enum:
    # Whole presentations of a row of which those that end alike are made at once.
    LONG = 256
    # Work of a presentation without sums, in terms.
    GLANCE = 64

cdef extern from *:
    """
    /* The last of so many presentations that end alike are not made at once; and bounds
       of residuals so close to half a part settle nothing. */
    #define DNFWINNOW_CAUTION 1e-6
    """
    const double CAUTION "DNFWINNOW_CAUTION"


cdef struct Contender:
    Store* store
    Examples examples
    # (n_rows, 2) of log W: above, but for all promotions; below, but for all demotions.
    double* bounds
    int64_t promoted, demoted        # units, ever
    int64_t n_full, n_skipped        # presentations with a sum, or settled by bounds
    # Of the row presented.
    double up, down                  # all promotions and all demotions, as logarithms
    double least, most               # log W, as far as is known
    bint summed, exact
    double gap                       # so far log W moves before the outcome is another


cdef class ClassInTraining:
    """The stored examples of one class, and the store of its weights."""

    cdef Contender contender
    cdef readonly object store
    cdef int64_t[::1] net, arrivals
    cdef uint8_t[::1] known
    cdef double[:, ::1] bounds

    def __init__(
        self,
        *,
        store,                           # with a `capsule`
        int64_t[::1] net,                # IN, OUT (n_rows,) net promotion counts
        uint8_t[::1] known,              # IN, OUT (n_rows,) which are stored examples
        int64_t[::1] arrivals,           # IN, OUT (n_rows,) these, oldest first
        int64_t n_stored,
        int64_t version,
        double[:, ::1] bounds,           # IN, OUT (n_rows, 2) see `Contender`, of log W
                                         # at the start
    ):
        cdef Contender* contender = &self.contender
        cdef Py_ssize_t row
        self.store, self.net, self.known = store, net, known
        self.arrivals, self.bounds = arrivals, bounds
        contender.store = store_of(store.capsule)
        contender.store.examples = &contender.examples
        contender.examples.net, contender.examples.known = &net[0], &known[0]
        contender.examples.arrivals = &arrivals[0]
        contender.examples.n_stored = n_stored
        contender.examples.version = version
        contender.bounds = &bounds[0, 0]
        for row in range(net.shape[0]):
            contender.promoted += max(net[row], 0)
            contender.demoted += max(-net[row], 0)

    @property
    def n_stored(self):
        """Number of stored examples."""
        return self.contender.examples.n_stored

    @property
    def version(self):
        """Number of presentations that moved the class."""
        return self.contender.examples.version

    @property
    def sums(self):
        """Number of sums, by how they were computed."""
        return {"full": self.contender.n_full, "skipped": self.contender.n_skipped}

    def move(self, int64_t row, int64_t amount):
        """Add to the net promotion count of a row; False where there is no room to."""
        if amount > self.contender.store.room_up:
            return False
        if -amount > self.contender.store.room_down:
            return False
        _move(&self.contender, row, amount)
        return True

    def keep(self, const int64_t[::1] rows):
        """Keep only some stored examples, of which the others were taken back."""
        cdef Examples* examples = &self.contender.examples
        cdef Py_ssize_t i
        for i in range(examples.n_stored):
            self.known[self.arrivals[i]] = False
        for i in range(rows.shape[0]):
            self.known[rows[i]] = True
            self.arrivals[i] = rows[i]
        examples.n_stored = rows.shape[0]
        examples.n_merged += 1


cdef struct Block:
    Rule rule
    Py_ssize_t n_classes
    Contender** classes
    # Of the row presented.
    double* values                   # (n_classes,) log W, or a bound that settles it
    int64_t* steps                   # (n_classes,) parts of a promotion to move by
    int64_t one                      # so many units make a whole presentation
    int64_t remaining                # units of the presentation in hand


# -- what is known of log W ------------------------------------------------------------

cdef inline void _know_moves(Contender* class_) noexcept nogil:
    class_.up = <double> class_.promoted * class_.store.log_alpha
    class_.down = <double> class_.demoted * class_.store.log_alpha


cdef inline void _bound(Contender* class_, int64_t row) noexcept nogil:
    class_.most = class_.bounds[2 * row] + class_.up
    class_.least = class_.bounds[2 * row + 1] - class_.down
    class_.summed, class_.exact = False, True


cdef inline int _sum(
    Contender* class_, int64_t row, double aim, bint guess
) except -1 nogil:
    cdef double log_value
    class_.exact = class_.store.sum(class_.store, row, aim, guess, &log_value)
    class_.least = class_.most = log_value
    if class_.exact:
        class_.bounds[2 * row] = log_value - class_.up
        class_.bounds[2 * row + 1] = log_value + class_.down
    class_.summed = True
    return 0


# -- what the rule does ----------------------------------------------------------------

cdef inline int _find_side(
    Block* block, int64_t row, bint positive, bint guess
) except -1 nogil:
    """Find the side of the threshold that the one class is on, for steps."""
    cdef Contender* class_ = block.classes[0]
    cdef double aim = block.rule.log_threshold + (
        block.rule.margin if positive else -block.rule.margin
    )
    cdef double slack = SLACK * (1.0 + fabs(aim) + class_.up + class_.down)
    if class_.least <= aim + slack and class_.most >= aim - slack:
        _sum(class_, row, aim, guess)
    block.values[0] = class_.least if positive else class_.most
    class_.gap = aim - class_.most if positive else class_.least - aim
    return steps_by_margin(
        &block.rule, block.values, block.steps, 1, 0 if positive else 1
    )


cdef inline int _find_lead(Block* block, int64_t row, int64_t label) except -1 nogil:
    """Find the classes that the class of a row does not lead, for steps."""
    cdef Contender* own = block.classes[label]
    cdef Contender* class_
    cdef Py_ssize_t k
    cdef double slack, margin = block.rule.margin
    for k in range(block.n_classes):
        class_ = block.classes[k]
        if k == label:
            continue
        slack = SLACK * (
            1.0 + fabs(own.least) + fabs(own.most)
            + fabs(class_.least) + fabs(class_.most)
        )
        if own.least - class_.most > margin + slack:
            continue
        if not own.summed:
            _sum(own, row, NAN, False)
            if own.least - class_.most > margin + slack:
                continue
        _sum(class_, row, NAN, False)
    own.gap = INFINITY
    for k in range(block.n_classes):
        class_ = block.classes[k]
        block.values[k] = own.least if k == label else class_.most
        if k != label:
            # Both sums move, each one half of it.
            class_.gap = 0.5 * (
                max(margin, ROUNDING * (1.0 + fabs(own.least)))
                - (own.least - class_.most)
            )
    return steps_by_margin(
        &block.rule, block.values, block.steps, block.n_classes, label
    )


cdef inline double _odds_at_most(Block* block, int64_t label) noexcept nogil:
    """Return a bound of (1 - p) / p of the class of a row, or of the threshold."""
    cdef double own = block.rule.log_threshold, rival, odds = 0.0
    cdef Py_ssize_t k
    if label < block.n_classes:
        own = block.classes[label].least
    # The threshold is the last.
    for k in range(block.n_classes + (not block.rule.joint)):
        if k == label:
            continue
        rival = block.rule.log_threshold
        if k < block.n_classes:
            rival = block.classes[k].most
        rival += SLACK * (1.0 + fabs(own) + fabs(rival))
        odds += exp(block.rule.scale * (rival - own))
    return odds


cdef inline int _find_residuals(
    Block* block, int64_t row, int64_t label
) except -1 nogil:
    """Find the residuals of all classes, for steps."""
    cdef Rule* rule = &block.rule
    cdef double* odds = block.values
    cdef Py_ssize_t k
    cdef double top = rule.log_threshold, rest, total = 0.0, gap = INFINITY
    cdef double largest = 0.0
    # No residual is larger than that of the row's own class.
    if <double> rule.parts * _odds_at_most(block, label) < 0.5 * (1.0 - CAUTION):
        return False
    for k in range(block.n_classes):
        _sum(block.classes[k], row, NAN, False)
        top = max(top, block.classes[k].most)
    for k in range(block.n_classes):
        odds[k] = exp(rule.scale * (block.classes[k].most - top))
        total += odds[k]
    rest = exp(rule.scale * (rule.log_threshold - top))
    total += rest
    if not steps_by_residual(rule, odds, rest, block.steps, block.n_classes, label):
        return False
    for k in range(block.n_classes):
        largest = max(largest, fabs(<double> block.steps[k]))
        gap = min(gap, 0.5 - fabs(
            residual(rule, odds[k], total, k == label) - <double> block.steps[k]
        ))
    for k in range(block.n_classes):
        # Where each log W moves by d at most, p does by scale * d / 2.
        block.classes[k].gap = 2.0 * gap / (rule.scale * largest)
    return True


# -- presentations ---------------------------------------------------------------------

cdef inline bint _have_room(const Block* block, int64_t amount) noexcept nogil:
    cdef int64_t moved
    cdef Py_ssize_t k
    for k in range(block.n_classes):
        moved = block.steps[k] * amount
        if moved > block.classes[k].store.room_up:
            return False
        if -moved > block.classes[k].store.room_down:
            return False
    return True


cdef inline int64_t _n_alike(const Block* block, int64_t row) noexcept nogil:
    """Return how many whole presentations of a row are sure to end as this one does."""
    cdef double n_alike = <double> (block.remaining // block.one)
    cdef double one = <double> block.one
    cdef const Contender* class_
    cdef Py_ssize_t k
    for k in range(block.n_classes):
        class_ = block.classes[k]
        if not class_.exact:
            return 1
        if not block.steps[k]:
            continue
        # One stored example more may be one too many.
        if not class_.examples.known[row]:
            return 1
        n_alike = min(n_alike, (
            class_.store.room_up if block.steps[k] > 0 else class_.store.room_down
        ) // one)
        n_alike = min(
            n_alike, (1.0 - CAUTION) * class_.gap / (one * class_.store.log_alpha)
        )
    return max(1, <int64_t> n_alike)


cdef inline int _move(Contender* class_, int64_t row, int64_t amount) except -1 nogil:
    """Promote a class by a row, or demote it; there is room to."""
    class_.store.move(class_.store, row, amount)
    class_.promoted += max(amount, 0)
    class_.demoted += max(-amount, 0)
    _know_moves(class_)
    # The whole sum of this row went up or down.
    class_.bounds[2 * row + (1 if amount > 0 else 0)] += (
        <double> amount * class_.store.log_alpha
    )
    class_.examples.net[row] += amount
    return 0


cdef inline int _learn(
    Block* block, int64_t row, int64_t label, uint8_t* guess, int64_t most_stored
) except -1 nogil:
    """Present a row until nothing moves, or its weight is used up.

    False where there is no room, or there are too many stored examples.
    """
    cdef Examples* examples
    cdef int64_t amount, n_alike
    cdef bint moves, too_many = False
    cdef Py_ssize_t k
    while block.remaining > 0 and not too_many:
        for k in range(block.n_classes):
            _bound(block.classes[k], row)
        if block.rule.residual:
            moves = _find_residuals(block, row, label)
        elif block.rule.joint:
            moves = _find_lead(block, row, label)
        else:
            moves = _find_side(block, row, label == 0, guess[0])
            guess[0] = (label == 0) != moves
        amount, n_alike = 0, 1
        if moves:
            amount = min(block.one, block.remaining)
            if not _have_room(block, amount // block.rule.parts):
                return False
            if block.remaining > LONG * block.one:
                n_alike = _n_alike(block, row)
                amount *= n_alike
        # Of presentations that end alike, only the first may have taken a sum.
        for k in range(block.n_classes):
            block.classes[k].n_full += block.classes[k].summed
            block.classes[k].n_skipped += n_alike - block.classes[k].summed
        if not moves:
            # Repetitions to come would end the same.
            block.remaining = 0
            break
        for k in range(block.n_classes):
            if not block.steps[k]:
                continue
            _move(
                block.classes[k], row, block.steps[k] * (amount // block.rule.parts)
            )
            examples = &block.classes[k].examples
            if not examples.known[row]:
                examples.known[row] = True
                examples.arrivals[examples.n_stored] = row
                examples.n_stored += 1
            examples.version += n_alike
            too_many |= examples.n_stored > most_stored
        block.remaining -= amount
    return not too_many


def present(
    *,
    list classes,                    # `ClassInTraining`, one if against a threshold
    const int64_t[::1] order,        # IN (n_presented,) presentations to go through
    const int64_t[::1] rows,         # IN (n,) the row that each presents
    const int64_t[::1] labels,       # IN (n,) its class, 0 for the one and 1 for others
    const int64_t[::1] units,        # IN (n,) its weight
    uint8_t[::1] guesses,            # IN, OUT (n,) sides of the threshold
    int64_t one,                     # so many units make a whole presentation
    rule,                            # see `UpdateRule`
    log_threshold,                   # of the one class, or None: classes compete
    int64_t most_stored,             # examples of a class
    Py_ssize_t position,             # in the order,
    int64_t remaining,               # and units that are left there, or 0
):
    """Go on with an epoch until there is no room, or too many stored examples.

    Returns
    -------
    position, remaining : int
    """
    cdef Block block
    cdef Py_ssize_t k, n = len(classes)
    cdef ClassInTraining class_
    cdef int64_t i, work = 0
    cdef bint done = True
    cdef void* room = malloc(n * (
        sizeof(Contender*) + sizeof(double) + sizeof(int64_t)
    ))
    if room == NULL:
        raise MemoryError
    block.classes = <Contender**> room
    block.values = <double*> (block.classes + n)
    block.steps = <int64_t*> (block.values + n)
    block.n_classes, block.one, block.remaining = n, one, remaining
    block.rule.joint, block.rule.residual = log_threshold is None, rule.by_residuals
    block.rule.parts, block.rule.margin = rule.parts, rule.margin
    block.rule.scale = rule.scale
    block.rule.log_threshold = -INFINITY if log_threshold is None else log_threshold
    for k in range(n):
        class_ = classes[k]
        block.classes[k] = &class_.contender
        _know_moves(block.classes[k])
    try:
        with nogil:
            while done and position < order.shape[0]:
                listen(&work, GLANCE)
                i = order[position]
                if block.remaining == 0:
                    block.remaining = units[i]
                done = _learn(&block, rows[i], labels[i], &guesses[i], most_stored)
                position += block.remaining == 0
    finally:
        free(room)
    return position, block.remaining
