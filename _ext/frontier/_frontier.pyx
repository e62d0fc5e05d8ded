"""The frontier: a weighted sum attribute by attribute, over the sets of examples alive.

A term is decided on one attribute after the other. Of what was decided so far, only the
examples still alive matter, those that agree on every attribute constrained; so partial
terms with the same examples alive are one *state*, a bit mask, whose value is their
total weight. At each attribute a state stays (unconstrained) and sends a share to the
state of the examples that survive it (constrained). Weights are relative to the total,

    p = odds / (1 + odds) constrained,  q = 1 - p unconstrained,

so that all values add up to 1, and a state that an attribute does not split keeps its
value as it is. Hence one table of states serves from beginning to end: a share
always goes to a set inside the column, and such a state is never split at that
attribute itself.

Towards the end, examples that agree on all that is left can die no more: what they
multiply is multiplied into the values, and states that differ in them alone are merged.
The last attributes are summed over directly, state by state.

Beyond a budget the states are resampled (Fearnhead & Clifford 2003): those of priority
above a threshold stay, the others stay with probability in proportion to it, and their
value is divided by that, so that the sum remains right on average.

Where terms have a largest size, a state has a value for each size so far: how many
partial terms there are, times the powers of alpha folded in. (Initial weights come in
at the end, size by size.) An attribute that does not split a state makes some of its
terms longer where they are; the longest take no more literals, so that their share of
another state is worth what it is worth at once.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import namedtuple

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

import numpy as np

from _frontier_problem cimport Problem, open_powers, open_problem, phi_of
from _frontier_total cimport TAIL, TAIL_TERMS, log_sum_of
from _guesses cimport DOUBT, Guesses
from _level cimport Level, open_level, set_attribute, set_survival
from _memory cimport Arena, free_arena, room
from _random cimport mix64
from _resampling cimport Resampling, resample, start_resampling
from _signals cimport listen
from _split cimport BLOCK, DONE, TOO_MANY_STATES, Waiting, expand_level, fold_level
from _states cimport (
    MOST_STATES, States, alive_of, copy_states, free_states, open_states, value_of,
)

# For Python: guesses besides the one that all problems have in common, and states that
# fit the places of the table.
MOST_GUESSES = DOUBT - 1
MAX_STATES = MOST_STATES

LogSum = namedtuple("LogSum", ["fits", "n_left", "n_states", "n_splits"])


# -- a run -----------------------------------------------------------------------------

cdef struct Run:
    Problem problem
    Level level
    States states
    States first                  # what the replicates have in common
    int64_t* first_outside
    Waiting waiting
    Resampling resampling
    Arena arena                   # of all but the states and their priorities
    uint64_t* survivors           # (n_words, TAIL_TERMS)
    Py_ssize_t most_states
    int64_t n_splits              # states looked at, over all attributes
    int64_t unheard               # work since the last look for Ctrl-C


cdef int open_run(Run* run) except -1 nogil:
    cdef Problem* p = &run.problem
    cdef Arena* arena = &run.arena
    run.survivors = <uint64_t*> room(arena, TAIL_TERMS * p.n_words * sizeof(uint64_t))
    run.waiting.alive = <uint64_t*> room(
        arena, (BLOCK + 1) * p.n_words * sizeof(uint64_t)
    )
    open_powers(p, arena)
    open_level(p, &run.level, arena)
    open_states(p, &run.states, arena)
    return 0


cdef void free_run(Run* run) noexcept nogil:
    free_states(&run.states)
    free_states(&run.first)
    free(run.resampling.priorities.values)
    free_arena(&run.arena)


cdef inline int resample_states(Run* run, Py_ssize_t max_states) except -1 nogil:
    """Keep about half as many states as the budget allows."""
    return resample(
        &run.problem, &run.level, &run.states, max(1, max_states // 2),
        &run.resampling, &run.arena,
    )


cdef int advance(
    Run* run, Py_ssize_t* j, Py_ssize_t n_tail, Py_ssize_t max_states, bint exact,
    bint resampling,
) except -1 nogil:
    """Decide on one attribute after another, but for those of the tail.

    Stops where the states exceed the budget, at once if the sum has to be exact and
    after the attribute if it need not be; but not where they are resampled.
    """
    cdef const Problem* p = &run.problem
    cdef int outcome = DONE
    # An attribute can at most double the states.
    cdef Py_ssize_t limit = max_states if exact else 2 * max_states
    cdef bint folds = n_tail > 0 or p.n_sizes > 0
    while j[0] < p.n - n_tail and outcome == DONE:
        run.n_splits += run.states.n
        listen(&run.unheard, 16 * run.states.n)
        set_attribute(p, &run.level, j[0])
        outcome = expand_level(p, &run.states, &run.level, limit, &run.waiting)
        j[0] += 1
        run.most_states = max(run.most_states, run.states.n)
        if outcome == DONE and folds and run.level.folds:
            fold_level(p, &run.states, &run.level, &run.waiting)
        if outcome == DONE and run.states.n > max_states:
            if resampling:
                resample_states(run, max_states)
            else:
                outcome = TOO_MANY_STATES
    return outcome


cdef double sum_up(Run* run) noexcept nogil:
    return log_sum_of(&run.problem, &run.level, &run.states, run.survivors)


# -- exact sums and estimates ----------------------------------------------------------

cdef int save_first(Run* run) except -1 nogil:
    """Keep the states that all replicates start from."""
    cdef size_t size = run.problem.m * sizeof(int64_t)
    run.first_outside = <int64_t*> room(&run.arena, size)
    memcpy(run.first_outside, run.level.outside, size)
    return copy_states(&run.problem, &run.states, &run.first, &run.arena)


cdef int start_replicate(
    Run* run, Py_ssize_t j, Py_ssize_t max_states, uint64_t stream
) except -1 nogil:
    """Go back to the first states, and resample them."""
    start_resampling(&run.resampling, stream)
    memcpy(run.level.outside, run.first_outside, run.problem.m * sizeof(int64_t))
    run.level.n_left = run.problem.n - j
    set_survival(&run.problem, &run.level)
    copy_states(&run.problem, &run.first, &run.states, &run.arena)
    return resample_states(run, max_states)


cdef int estimate(
    Run* run, Py_ssize_t max_states, bint exact, uint64_t stream,
    double* log_values, double* steps, Py_ssize_t n_replicates,
) except -1 nogil:
    """Set the first value if it is exact, else each to one estimate."""
    cdef bint all_one_by_one = run.problem.logs or run.problem.n_sizes
    cdef Py_ssize_t n_tail = 0 if all_one_by_one else min(run.problem.n, TAIL)
    cdef Py_ssize_t j = 0, from_here, r
    cdef int outcome = advance(run, &j, n_tail, max_states, exact, False)
    if outcome == DONE:
        log_values[0] = sum_up(run)
    if exact or outcome == DONE:
        return outcome
    save_first(run)
    for r in range(n_replicates):
        from_here = j
        start_replicate(run, j, max_states, mix64(stream + <uint64_t> r))
        advance(run, &from_here, n_tail, max_states, False, True)
        log_values[r] = sum_up(run)
        steps[r] = run.resampling.step
    return TOO_MANY_STATES


# -- doors -----------------------------------------------------------------------------

def log_sum(
    *,
    object problem,                  # see `AgreementProblem`
    double log_either,               # log(1 + beta)
    double log_alpha,
    bint logs,                       # keep values as logarithms: slower, any range
    const double[:, ::1] log_completions,  # IN (n + 1, n_sizes) where sizes count
    Py_ssize_t max_states,
    bint exact,                      # give up beyond max_states: no estimates
    uint64_t stream,
    object ahead,                    # guesses at completions, see `Guesses`
    double[::1] log_values,          # OUT (n_replicates,)
    double[::1] steps,               # OUT (n_replicates,) what a draw may change of W
):
    """Compute log W, relative to the total initial weight but where sizes count.

    `log_completions` has as many columns as there are sizes up to the largest, from 0
    on, or none. Where it has, attributes are of multiplicity 1, and there are no
    guesses.

    `steps` are relative to W, and set where log_values are estimates.

    Returns
    -------
    fits : bool
        Whether the states stayed within max_states: log_values[0] is exact. Else they
        are independent estimates or, if it has to be exact, not set.
    n_left : int
        Attributes left where they did not.
    n_states : int
        Largest number of states at any time.
    n_splits : int
        States looked at, over all attributes.
    """
    cdef Run run
    cdef Guesses* guesses = &run.resampling.priorities.guesses
    cdef const float[:, :, ::1] agreeing = ahead.agreeing
    cdef const float[:, ::1] log_odds = ahead.log_odds
    cdef int outcome
    memset(&run, 0, sizeof(Run))
    open_problem(&run.problem, problem, log_either, log_alpha, logs)
    if log_completions.shape[1] > 0:
        run.problem.n_sizes = log_completions.shape[1]
        run.problem.log_completions = &log_completions[0, 0]
    guesses.n_guesses = log_odds.shape[1]
    if guesses.n_guesses > 0:
        guesses.agreeing = &agreeing[0, 0, 0]
        guesses.log_odds = &log_odds[0, 0]
    try:
        with nogil:
            open_run(&run)
            outcome = estimate(
                &run, max_states, exact, stream,
                &log_values[0], &steps[0], log_values.shape[0],
            )
        return LogSum(
            fits=outcome == DONE,
            n_left=run.level.n_left,
            n_states=run.most_states,
            n_splits=run.n_splits,
        )
    finally:
        free_run(&run)


def density(
    *, object problem, double log_either, bint logs, Py_ssize_t max_states
):
    """Compute parts of the initial weight, and their phi; None beyond max_states.

    Returns
    -------
    phi : ndarray of shape (n_parts,), int64
        Not distinct.
    weights : ndarray of shape (n_parts,), float64
        Relative to the total, as logarithms if `logs`.
    """
    cdef Run run
    cdef Py_ssize_t i, m, j = 0
    cdef int outcome
    cdef int64_t[::1] phi
    cdef double[::1] weights
    memset(&run, 0, sizeof(Run))
    open_problem(&run.problem, problem, log_either, 0.0, logs)
    run.problem.n_powers = 1
    m = run.problem.m
    try:
        with nogil:
            open_run(&run)
            outcome = advance(&run, &j, 0, max_states, True, False)
        if outcome == TOO_MANY_STATES:
            return None
        phi = np.zeros(1 + m + run.states.n, dtype=np.int64)
        weights = np.empty(phi.shape[0])
        weights[0] = run.states.settled[0]
        for i in range(m):
            phi[1 + i] = run.problem.net_counts[i]
            weights[1 + i] = run.states.settled_alive[i]
        for i in range(run.states.n):
            phi[1 + m + i] = phi_of(
                &run.problem, alive_of(&run.states, i, run.problem.n_words), NULL,
                run.problem.n_words,
            )
            weights[1 + m + i] = value_of(&run.states, i, run.problem.n_words)
        return np.asarray(phi), np.asarray(weights)
    finally:
        free_run(&run)
