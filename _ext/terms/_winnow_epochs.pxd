"""Epochs of Winnow: rows presented one after another to the weights of their classes.

Of one class, rows are to be beyond a threshold, or below it. Of several, the row's own
is to lead all others by a margin. Where that is not so, the row's own class is
promoted, and the others that violate it are demoted. Or classes move by residuals:
p is the softmax of multiples of log W, a threshold being like the sum of one more
class, and each class k moves by [k = y] - p_k, in parts of a promotion.

Since a row was last summed for, each promotion multiplied its sum by alpha at most, and
each demotion divided it by so much: where these bounds settle the outcome, it is not
summed for again.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, exp, fabs, rint
from libc.stdint cimport int64_t, uint8_t

from _memory cimport prefetch
from _row_terms cimport RowTerms, n_terms, prefetch_row, take
from _signals cimport listen
from _term_sums cimport Weights, has_room, log_sum, update
from _tolerances cimport ROUNDING, SLACK

cdef enum:
    # Presentations between asking for memory and reading it.
    AHEAD = 8
    # Whole presentations of a row of which those that end alike are made at once.
    LONG = 256

cdef extern from *:
    """
    /* The last of so many presentations that end alike are not made at once; and bounds
       of residuals so close to half a part settle nothing. */
    #define DNFWINNOW_CAUTION 1e-6
    """
    const double CAUTION "DNFWINNOW_CAUTION"


cdef struct Contender:
    Weights* weights                 # of a class
    # Of all rows.
    int64_t* net                     # exponents of the updates
    uint8_t* known                   # which rows are updates
    int64_t* arrivals                # the updates as they came
    double* bounds                   # (n_rows, 2) of log W, see `Table`
    double up, down                  # all promotions and all demotions, as logarithms
    # Of the row presented.
    double least, most               # log W, as far as is known
    bint summed
    int64_t step                     # parts of a promotion that it is to move by
    double gap                       # so far log W moves before the outcome is another
    double share                     # of its probability, not yet normalized


cdef struct Epoch:
    Py_ssize_t n_classes
    Contender* classes
    RowTerms* hand
    Py_ssize_t n_presented
    const int64_t* order             # (n_presented,) presentations to go through
    const int64_t* rows              # (n,) the row that each presents
    const int64_t* labels            # (n,) its class
    const int64_t* units             # (n,) its weight
    int64_t one                      # so many units make a whole presentation
    int64_t parts                    # of a promotion that steps are made of
    double margin                    # in logarithms
    double scale                     # of log W in residuals; 0: by the margin
    bint joint                       # whether classes are compared with each other
    double log_threshold             # or one class is with this; else -INFINITY
    int64_t max_stored_examples              # that may be kept
    Py_ssize_t position              # in the order
    int64_t remaining                # units of the presentation in hand
    int64_t work                     # since the last look for Ctrl-C


# -- what is known of log W ------------------------------------------------------------

cdef inline void _know_moves(Contender* class_) noexcept nogil:
    class_.up = <double> class_.weights.state.promoted * class_.weights.log_alpha
    class_.down = <double> class_.weights.state.demoted * class_.weights.log_alpha


cdef inline void _bound(Contender* class_, int64_t row) noexcept nogil:
    class_.most = class_.bounds[2 * row] + class_.up
    class_.least = class_.bounds[2 * row + 1] - class_.down
    class_.summed = False
    class_.step = 0


cdef inline void _sum(Epoch* epoch, Contender* class_, int64_t row) noexcept nogil:
    take(epoch.hand, row)
    class_.least = class_.most = log_sum(class_.weights, epoch.hand)
    class_.bounds[2 * row] = class_.most - class_.up
    class_.bounds[2 * row + 1] = class_.least + class_.down
    class_.summed = True
    epoch.work += n_terms(epoch.hand)


cdef inline void _count(Contender* class_, int64_t n_alike) noexcept nogil:
    """Count presentations that end alike: only the first may have taken a sum."""
    class_.weights.state.n_full += class_.summed
    class_.weights.state.n_skipped += n_alike - class_.summed


# -- violations ------------------------------------------------------------------------

cdef inline bint _misses(Epoch* epoch, int64_t row, bint positive) noexcept nogil:
    """Whether a row is on the wrong side of the threshold of the one class."""
    cdef Contender* class_ = epoch.classes
    cdef double aim = epoch.log_threshold + (
        epoch.margin if positive else -epoch.margin
    )
    cdef double slack = SLACK * (1.0 + fabs(aim) + class_.up + class_.down)
    cdef bint above
    _bound(class_, row)
    if class_.most < aim - slack:
        above = False
    elif class_.least > aim + slack:
        above = True
    else:
        _sum(epoch, class_, row)
        above = class_.most >= aim
    if above == positive:
        return False
    class_.step = 1 if positive else -1
    class_.gap = aim - class_.most if positive else class_.least - aim
    return True


cdef inline bint _does_not_lead(
    Epoch* epoch, int64_t row, int64_t label
) noexcept nogil:
    """Whether the own class of a row does not lead all others; a tie is no lead."""
    cdef Contender* right = &epoch.classes[label]
    cdef Contender* class_
    cdef Py_ssize_t k
    cdef double slack, aim
    for k in range(epoch.n_classes):
        _bound(&epoch.classes[k], row)
    right.gap = INFINITY
    for k in range(epoch.n_classes):
        class_ = &epoch.classes[k]
        if k == label:
            continue
        slack = SLACK * (
            1.0 + fabs(right.least) + fabs(right.most)
            + fabs(class_.least) + fabs(class_.most)
        )
        if right.least - class_.most > epoch.margin + slack:
            continue
        if not right.summed:
            _sum(epoch, right, row)
            if right.least - class_.most > epoch.margin + slack:
                continue
        _sum(epoch, class_, row)
        # Equal sums are in different orders of terms.
        aim = max(epoch.margin, ROUNDING * (1.0 + fabs(right.least)))
        if right.least - class_.least < aim:
            class_.step, right.step = -1, 1
        # Both sums move, each one half of it.
        class_.gap = 0.5 * (aim - (right.least - class_.least))
    return right.step != 0


# -- residuals -------------------------------------------------------------------------

cdef inline double _odds_at_most(Epoch* epoch, int64_t label) noexcept nogil:
    """Return a bound of (1 - p) / p of the row's own class, or of the threshold."""
    cdef double own = epoch.log_threshold, rival, odds = 0.0
    cdef Py_ssize_t k
    if label < epoch.n_classes:
        own = epoch.classes[label].least
    # The threshold is the last.
    for k in range(epoch.n_classes + (not epoch.joint)):
        if k == label:
            continue
        rival = epoch.log_threshold
        if k < epoch.n_classes:
            rival = epoch.classes[k].most
        rival += SLACK * (1.0 + fabs(own) + fabs(rival))
        odds += exp(epoch.scale * (rival - own))
    return odds


cdef inline bint _has_residuals(
    Epoch* epoch, int64_t row, int64_t label
) noexcept nogil:
    """Whether any residual is not rounded to 0; these are the steps of classes then."""
    cdef Contender* class_
    cdef Py_ssize_t k
    cdef double top = epoch.log_threshold, total = 0.0, residual, gap = INFINITY
    cdef double largest = 0.0
    for k in range(epoch.n_classes):
        _bound(&epoch.classes[k], row)
    # No residual is larger than that of the row's own class.
    if <double> epoch.parts * _odds_at_most(epoch, label) < 0.5 * (1.0 - CAUTION):
        return False
    for k in range(epoch.n_classes):
        _sum(epoch, &epoch.classes[k], row)
        top = max(top, epoch.classes[k].most)
    for k in range(epoch.n_classes):
        class_ = &epoch.classes[k]
        class_.share = exp(epoch.scale * (class_.most - top))
        total += class_.share
    total += exp(epoch.scale * (epoch.log_threshold - top))
    for k in range(epoch.n_classes):
        class_ = &epoch.classes[k]
        residual = <double> epoch.parts * ((k == label) - class_.share / total)
        class_.step = <int64_t> rint(residual)
        largest = max(largest, fabs(<double> class_.step))
        gap = min(gap, 0.5 - fabs(residual - <double> class_.step))
    for k in range(epoch.n_classes):
        # Where each log W moves by d at most, p does by scale * d / 2.
        epoch.classes[k].gap = 2.0 * gap / (epoch.scale * largest)
    return largest > 0.0


# -- updates ---------------------------------------------------------------------------

cdef inline int64_t _amount(
    const Epoch* epoch, const Contender* class_, int64_t amount
) noexcept nogil:
    """Return how far a class moves in presentations of so many units."""
    return class_.step * (amount // epoch.parts)


cdef inline bint _have_room(const Epoch* epoch, int64_t amount) noexcept nogil:
    cdef const Contender* class_
    cdef Py_ssize_t k
    for k in range(epoch.n_classes):
        class_ = &epoch.classes[k]
        if class_.step and not has_room(
            class_.weights, _amount(epoch, class_, amount)
        ):
            return False
    return True


cdef inline int64_t _n_alike(Epoch* epoch, int64_t row) noexcept nogil:
    """Return how many whole presentations of a row are sure to end as this one does."""
    cdef double n_alike = <double> (epoch.remaining // epoch.one)
    cdef const Contender* class_
    cdef const Weights* weights
    cdef int64_t room
    cdef Py_ssize_t k
    for k in range(epoch.n_classes):
        class_ = &epoch.classes[k]
        weights = class_.weights
        if not class_.step:
            continue
        # One update more may be one too many.
        if not class_.known[row]:
            return 1
        if class_.step > 0:
            room = weights.high - weights.state.high
        else:
            room = weights.state.low - weights.low
        n_alike = min(n_alike, <double> (room // epoch.one))
        n_alike = min(
            n_alike,
            (1.0 - CAUTION) * class_.gap / (<double> epoch.one * weights.log_alpha),
        )
    return max(1, <int64_t> n_alike)


cdef inline void _act(
    Epoch* epoch, Contender* class_, int64_t row, int64_t amount
) noexcept nogil:
    """Promote a class by the row in hand, or demote it."""
    cdef Weights* weights = class_.weights
    cdef double moved = <double> amount * weights.log_alpha
    update(weights, epoch.hand, amount)
    _know_moves(class_)
    # The whole sum of this row went up or down.
    class_.bounds[2 * row + (1 if amount > 0 else 0)] += moved
    class_.net[row] += amount
    if not class_.known[row]:
        class_.known[row] = True
        class_.arrivals[weights.state.n_updates] = row
        weights.state.n_updates += 1
    epoch.work += n_terms(epoch.hand)


# -- presentations ---------------------------------------------------------------------

cdef inline bint _present_row(Epoch* epoch, int64_t row, int64_t label) noexcept nogil:
    """Present a row until nothing is violated, or its weight is used up.

    False where there is no room, or there are too many updates.
    """
    cdef Contender* class_
    cdef int64_t amount, n_alike
    cdef bint wrong, too_many = False
    cdef Py_ssize_t k
    while epoch.remaining > 0 and not too_many:
        if epoch.scale > 0.0:
            wrong = _has_residuals(epoch, row, label)
        elif epoch.joint:
            wrong = _does_not_lead(epoch, row, label)
        else:
            wrong = _misses(epoch, row, label == 0)
        if not wrong:
            for k in range(epoch.n_classes):
                _count(&epoch.classes[k], 1)
            # Nothing changes: the presentations to come would end the same.
            epoch.remaining = 0
            break
        amount = min(epoch.one, epoch.remaining)
        if not _have_room(epoch, amount):
            return False
        take(epoch.hand, row)
        n_alike = 1
        if epoch.remaining > LONG * epoch.one:
            n_alike = _n_alike(epoch, row)
            amount *= n_alike
        for k in range(epoch.n_classes):
            class_ = &epoch.classes[k]
            _count(class_, n_alike)
            if class_.step:
                _act(epoch, class_, row, _amount(epoch, class_, amount))
                class_.weights.state.n_mistakes += n_alike
                too_many |= class_.weights.state.n_updates > epoch.max_stored_examples
        epoch.remaining -= amount
    return not too_many


cdef inline bint present(Epoch* epoch) except -1 nogil:
    """Go on with an epoch; False where room is to be made, or updates forgotten."""
    cdef const int64_t* order = epoch.order
    cdef const int64_t* rows = epoch.rows
    cdef const int64_t* labels = epoch.labels
    cdef const int64_t* units = epoch.units
    cdef int64_t i, row
    cdef Py_ssize_t k, position = epoch.position, n_presented = epoch.n_presented
    cdef bint done = True
    for k in range(epoch.n_classes):
        _know_moves(&epoch.classes[k])
    while done and position < n_presented:
        # Rows come in random order, each from memory that was not asked for yet.
        if position + 2 * AHEAD < n_presented:
            i = order[position + 2 * AHEAD]
            prefetch(&rows[i])
            prefetch(&units[i])
            prefetch(&labels[i])
            row = rows[order[position + AHEAD]]
            for k in range(epoch.n_classes):
                prefetch(&epoch.classes[k].bounds[2 * row])
            prefetch_row(epoch.hand, row)
        listen(&epoch.work, 0)
        i = order[position]
        if epoch.remaining == 0:
            epoch.remaining = units[i]
        done = _present_row(epoch, rows[i], labels[i])
        if epoch.remaining == 0:
            position += 1
    epoch.position = position
    return done
