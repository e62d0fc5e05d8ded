"""Doors for tests into the chains: each piece without its randomness."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int64_t, uint8_t, uint64_t

from _chain_block cimport (
    Block, Problem, Transition, allocate_block, open_problem, set_state,
)
from _early_stop cimport EarlyStop, is_settled, open_stop, tighten
from _memory cimport Arena, free_arena
from _random cimport LANES, draw_lanes, seed_lane
from _tempering cimport accepts_swap
from _transitions cimport set_thresholds, step_of


def take_step(
    *,
    object problem,
    double log_alpha,
    const double[::1] log_odds,
    const int64_t[::1] kinds,
    Transition transition,
    uint8_t[:, ::1] states,          # IN/OUT (LANES, n) 1 where constrained
    const uint64_t[:, ::1] draws,    # IN (LANES, n) or (LANES, 2)
    int64_t[::1] phis,               # OUT (LANES,) phi of the new states
):
    """Take one step in every lane, from given states and with given draws."""
    cdef Problem p = open_problem(problem, log_odds, kinds, transition)
    cdef Arena arena = Arena(NULL)
    cdef Block b
    cdef Py_ssize_t j, lane
    cdef double[LANES] log_alphas
    try:
        allocate_block(&p, &b, &arena)
        for lane in range(LANES):
            log_alphas[lane] = log_alpha
            for j in range(p.n):
                b.state[j * LANES + lane] = -<uint64_t> states[lane, j]
            for j in range(draws.shape[1]):
                b.draws[j * LANES + lane] = draws[lane, j]
        set_thresholds(&p, &b, log_alphas)
        set_state(&p, &b)
        step_of(&p)(&p, &b)
        for lane in range(LANES):
            phis[lane] = b.phi[lane]
            for j in range(p.n):
                states[lane, j] = b.state[j * LANES + lane] & 1
    finally:
        free_arena(&arena)


def decide_swap(
    int64_t phi_below, int64_t phi_above, double log_step, double uniform
):
    """Return whether a swap of neighbouring chains is accepted."""
    return accepts_swap(phi_below, phi_above, log_step, uniform)


def stop_early(
    *,
    const double[::1] log_ratios,
    double log_first,
    double log_alpha,
    double phi_min,
    double phi_max,
    double log_threshold,
    bint guess,
):
    """Return the answer of Table I on given ratios, and how many of them it took."""
    cdef Py_ssize_t n_rungs = log_ratios.shape[0], used = 0
    cdef EarlyStop stop = open_stop(
        log_first, log_alpha, log_alpha / <double> n_rungs,
        phi_min, phi_max, log_threshold, guess,
    )
    while used < n_rungs and not is_settled(&stop):
        used += 1
        tighten(&stop, log_ratios[n_rungs - used if guess else used - 1])
    return stop.bound >= log_threshold, used


def draw_stream(uint64_t stream, uint64_t[::1] draws):
    """Fill `draws` with the first draws of a stream."""
    cdef uint64_t[4 * LANES] generators
    cdef uint64_t[LANES] row
    cdef Py_ssize_t i
    for i in range(LANES):
        seed_lane(generators, i, stream)
    for i in range(draws.shape[0]):
        draw_lanes(generators, row)
        draws[i] = row[LANES - 1]
