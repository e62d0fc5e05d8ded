"""Transitions of the chains: which attributes a step renews, and by which rule.

A `Transition` answers two questions; the paper's three samplers are

    Metropolis (Table II)             a random site     a change, accepted or not
    Gibbs (Table III)                 all in turn       a new state, drawn
    Metropolized Gibbs (section 4.3)  all in turn       a change, accepted or not

A rule of another kind is a branch in `set_thresholds`; another choice of attributes is
a function beside `sweep` and `random_site`, and a branch in the three functions behind
them. `SAMPLERS` in `_chains.pyx` gives a transition its name.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport exp, fmin
from libc.stdint cimport int64_t, uint64_t

from _bits cimport const_integers_t, const_words_t, integers_t, words_t
from _chain_block cimport Block, Problem, draw
from _phi cimport add_net_counts
from _random cimport LANES, falls_below, threshold_of


# -- the rule by which a state is renewed ----------------------------------------------

cdef inline void set_thresholds(
    const Problem* p, Block* b, const double* log_alphas
) noexcept nogil:
    """Tabulate P(new state = constrained | old state, K) as integers out of 2^53.

    With x = o alpha_i^-K, o being beta or, for twins, (1 + beta)^k - 1, the odds of
    constraining the attribute: a heat bath (Gibbs; Table III, with the current Q where
    it prints P) constrains it with x / (1 + x) whatever the old state. Metropolis and
    Metropolized Gibbs change it with probability (1 - 1/n) min(1, x) from free,
    (1 - 1/n) min(1, 1/x) from constrained.

    The 1/n is Table II's rest, without which the chain could be periodic. Metropolized
    Gibbs needs it too: as the paper has it, a sweep where every ratio is 1 turns each S
    into its complement and back, for ever, and never sees another term. At n = 1 a
    chain that always rests would not move, and rests half of the time instead.
    """
    cdef Py_ssize_t kind, k, lane, i
    cdef Py_ssize_t zero = -p.phi_low
    cdef Py_ssize_t second = p.width * LANES
    cdef int64_t* thresholds
    cdef double x, on, stay
    cdef bint heat_bath = p.transition.heat_bath
    cdef double move = 1.0 - 1.0 / <double> (p.n if p.n > 1 else 2)
    cdef double[LANES] odds
    cdef double[LANES] factor
    cdef int direction

    for i in range(2 * p.n_kinds):
        kind, direction = i >> 1, i & 1
        thresholds = b.thresholds + 2 * kind * second
        # Running products from K = 0 outwards, so that no entry needs an exponential.
        for lane in range(LANES):
            odds[lane] = exp(fmin(p.log_odds[kind], 690.0))
            factor[lane] = exp(log_alphas[lane] if direction else -log_alphas[lane])
        k = zero
        while 0 <= k < p.width:
            for lane in range(LANES):
                x = odds[lane]
                if heat_bath:
                    on = x / (1.0 + x)
                    stay = on
                else:
                    on = move * (1.0 if x > 1.0 else x)
                    stay = 1.0 - move * (1.0 / x if x > 1.0 else 1.0)
                thresholds[k * LANES + lane] = threshold_of(on)
                thresholds[second + k * LANES + lane] = threshold_of(stay)
                x *= factor[lane]
                odds[lane] = x if x < 1e300 else 1e300
            k += -1 if direction else 1


cdef inline void renew(
    const_integers_t thresholds,
    Py_ssize_t width,
    int64_t phi_low,
    const_words_t draws,
    const_integers_t kinds,
    const_words_t old,
    const_integers_t K,
    words_t new,           # OUT (LANES,)
    integers_t phi,        # IN/OUT (LANES,)
) noexcept nogil:
    """Draw the new state of one attribute in every lane, given K and its old state."""
    cdef Py_ssize_t lane, table
    cdef int64_t threshold, place
    for lane in range(LANES):
        table = <Py_ssize_t> (2 * kinds[lane] + <int64_t> (old[lane] & 1))
        place = min(max(K[lane] - phi_low, 0), <int64_t> width - 1)
        threshold = thresholds[(table * width + place) * LANES + lane]
        new[lane] = -<uint64_t> falls_below(draws[lane], threshold)
        phi[lane] += (K[lane] & <int64_t> old[lane]) - (K[lane] & <int64_t> new[lane])


# -- the attributes that a step renews -------------------------------------------------

cdef inline void sweep(const Problem* p, Block* b, Py_ssize_t n_words) noexcept nogil:
    """Renew all attributes in turn, in every lane."""
    cdef Py_ssize_t n = p.n, j, w, lane, here, after
    cdef words_t state = b.state
    cdef words_t alive = b.alive
    cdef const uint64_t* columns = p.columns
    cdef uint64_t survivors
    cdef uint64_t[LANES] killed
    cdef uint64_t[LANES] new
    cdef int64_t[LANES] K
    cdef int64_t[LANES] kinds

    # alive[j] = examples that survive the constrained attributes j, j + 1, ..., n - 1.
    for w in range(n_words):
        for lane in range(LANES):
            alive[(n * n_words + w) * LANES + lane] = ~(<uint64_t> 0)
            alive[w * LANES + lane] = ~(<uint64_t> 0)
    for j in range(n - 1, 0, -1):
        for w in range(n_words):
            survivors = columns[j * n_words + w]
            here = (j * n_words + w) * LANES
            after = here + n_words * LANES
            for lane in range(LANES):
                alive[here + lane] = (
                    alive[after + lane] & (survivors | ~state[j * LANES + lane])
                )
    # alive[0] is free for the running prefix: examples that survive 0, ..., j - 1.
    for j in range(n):
        for lane in range(LANES):
            K[lane] = 0
            kinds[lane] = p.kinds[j]
        for w in range(n_words):
            survivors = columns[j * n_words + w]
            after = ((j + 1) * n_words + w) * LANES
            for lane in range(LANES):
                killed[lane] = (
                    alive[w * LANES + lane] & alive[after + lane] & ~survivors
                )
            add_net_counts(killed, p.planes + w, p.n_planes, n_words, K)
        renew(
            b.thresholds, p.width, p.phi_low, b.draws + j * LANES, kinds,
            b.state + j * LANES, K, new, b.phi,
        )
        for lane in range(LANES):
            state[j * LANES + lane] = new[lane]
        for w in range(n_words):
            survivors = columns[j * n_words + w]
            for lane in range(LANES):
                alive[w * LANES + lane] &= survivors | ~new[lane]


cdef inline void random_site(
    const Problem* p, Block* b, Py_ssize_t n_words
) noexcept nogil:
    """Renew one attribute in every lane, each lane drawing its own."""
    cdef Py_ssize_t n = p.n, k, w, lane, i
    cdef words_t counts = b.counts
    cdef const_integers_t all_kinds = p.kinds
    cdef uint64_t passed
    cdef uint64_t[LANES] old
    cdef uint64_t[LANES] high
    cdef uint64_t[LANES] carry
    cdef uint64_t[LANES] new
    cdef uint64_t[LANES] killed
    cdef int64_t[LANES] K
    cdef int64_t[LANES] kinds
    cdef Py_ssize_t[LANES] site

    for lane in range(LANES):
        site[lane] = <Py_ssize_t> (((b.draws[lane] >> 32) * <uint64_t> n) >> 32)
        old[lane] = b.state[site[lane] * LANES + lane]
        K[lane] = 0
    for lane in range(LANES):
        kinds[lane] = all_kinds[site[lane]]
    for w in range(n_words):
        for lane in range(LANES):
            high[lane] = 0
        for k in range(1, p.n_counts):
            i = (k * n_words + w) * LANES
            for lane in range(LANES):
                high[lane] |= counts[i + lane]
        for lane in range(LANES):
            # Killed by j alone: no killer yet if j is free, one killer if j is it.
            killed[lane] = (
                (counts[w * LANES + lane] ^ ~old[lane])
                & ~high[lane] & ~p.columns[site[lane] * n_words + w]
            )
        add_net_counts(killed, p.planes + w, p.n_planes, n_words, K)
    renew(
        b.thresholds, p.width, p.phi_low, b.draws + LANES, kinds, old, K, new, b.phi,
    )
    for lane in range(LANES):
        b.state[site[lane] * LANES + lane] = new[lane]
    for w in range(n_words):
        for lane in range(LANES):
            carry[lane] = (
                ~p.columns[site[lane] * n_words + w] & (new[lane] ^ old[lane])
            )
        for k in range(p.n_counts):
            i = (k * n_words + w) * LANES
            for lane in range(LANES):
                # A carry when a killer is added, a borrow when one is taken away.
                passed = (counts[i + lane] ^ old[lane]) & carry[lane]
                counts[i + lane] ^= carry[lane]
                carry[lane] = passed


cdef inline Py_ssize_t sites_a_step(const Problem* p) noexcept nogil:
    """Return how many attributes a step renews."""
    return 1 if p.transition.random_site else p.n


cdef inline void draw_step(const Problem* p, Block* b) noexcept nogil:
    """Draw the randomness of a step: the sites too, where they are random."""
    draw(b, 2 if p.transition.random_site else p.n)


# The common case of one word gets code of its own, without loops over words. Steps are
# called by pointer: next to each other in one function, they are up to 40 % slower.
cdef inline void sweep_narrow(const Problem* p, Block* b) noexcept nogil:
    sweep(p, b, 1)


cdef inline void sweep_wide(const Problem* p, Block* b) noexcept nogil:
    sweep(p, b, p.n_words)


cdef inline void random_site_narrow(const Problem* p, Block* b) noexcept nogil:
    random_site(p, b, 1)


cdef inline void random_site_wide(const Problem* p, Block* b) noexcept nogil:
    random_site(p, b, p.n_words)


ctypedef void (*step_t)(const Problem*, Block*) noexcept nogil


cdef inline step_t step_of(const Problem* p) noexcept nogil:
    """Return the function that lets every chain take a step by the block's draws."""
    if p.transition.random_site:
        return random_site_narrow if p.n_words == 1 else random_site_wide
    return sweep_narrow if p.n_words == 1 else sweep_wide
