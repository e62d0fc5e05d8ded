"""Look-ahead: where the frontier finds the weight of a sum, guessed by a short pilot.

A frontier that has to be thinned must know which of its states will turn out heavy. If
terms went on as they are weighted initially, each update alive would survive with a
probability in closed form; but where promotions are many, the sum lives on terms that
are improbable a priori. A pilot of many short Gibbs chains, most started where promoted
updates agree, finds regions where such terms are; each gives a guess at how a state
goes on. Whatever the pilot misses, the estimate is unbiased: it steers which states are
kept, never what they are worth.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import entr, rel_entr

from sklearn_dnfwinnow._simd import chains, frontier

# Chains of the pilot, and sweeps recorded of each. Many short chains find more than few
# long ones (`benchmarks/guess_error.py`).
N_CHAINS, N_SWEEPS = 48, 24
# Random terms that each start among demoted updates is chosen from.
N_DRAWS = 8
# Regions that differ from the initial law by less than this (natural logarithms) are
# left to the guess that all have in common; two that differ in the law of less than so
# many attributes are one; and those lighter than the heaviest by more are of no use.
LEAST_DIVERGENCE, LEAST_DISTANCE, WINDOW = 1.4, 0.75, 8.0
# Share of the initial law mixed into every guess.
SMOOTHING = 0.1
# Bytes that the guesses may take.
MAX_BYTES = 1 << 24
# Values of phi times kinds of attributes that the chains may tabulate, and what an
# attribute may multiply the weight by (natural logarithms) before the chains see no
# difference to more.
MAX_TABLE, SATURATION = 1 << 18, 40.0


def no_guesses():
    """For a frontier that is not thinned, or has no guess but the initial law."""
    return np.zeros((1, 1, 0), dtype=np.float32), np.zeros((1, 0), dtype=np.float32)


def guesses(problem, log_alpha, log_beta, stream):
    """Regions of much weight, as guesses at how partial terms go on.

    Parameters
    ----------
    problem : AgreementProblem
        Its attributes in the order of the frontier.
    log_alpha, log_beta : float
    stream : int

    Returns
    -------
    agreeing : ndarray of shape (n + 1, m, n_guesses), float32
        Probability that what a term constrains from attribute j on lies in each set.
    log_odds : ndarray of shape (n + 1, n_guesses), float32
        How improbable a priori the region is from attribute j on.
    """
    n, m = problem.n, len(problem.exponents)
    most = min(frontier.MOST_GUESSES - 1, MAX_BYTES // (4 * (n + 1) * m))
    multiplicities, kinds = np.unique(problem.multiplicities, return_inverse=True)
    if most < 1:
        return no_guesses()
    log_odds = problem.log_odds(log_beta)
    # A change of phi that decides an attribute is as good as any larger one.
    decisive = (SATURATION + np.abs(log_odds).max()) / log_alpha
    width = int(min(decisive, MAX_TABLE // (2 * len(multiplicities)))) + 1
    prior = 1 / (1 + np.exp(-log_odds))
    sets = problem.agreements
    terms = np.empty((N_CHAINS, N_SWEEPS, n), dtype=np.uint8)
    phis = np.empty((N_CHAINS, N_SWEEPS), dtype=np.int64)
    chains.gibbs_terms(
        *(problem.columns, problem.planes),
        *(max(problem.phi_low, -width), min(problem.phi_high, width)),
        *(log_alpha, log_odds[np.unique(kinds, return_index=True)[1]], kinds),
        *(stream, _starts(problem, log_alpha, log_odds, stream), terms, phis),
    )
    laws = (terms.sum(axis=1) + 0.02) / (N_SWEEPS + 0.04)
    kept = _regions(laws, terms @ log_odds + phis * log_alpha, prior, most)
    divergence = rel_entr(laws[kept], prior) + rel_entr(1 - laws[kept], 1 - prior)
    log_odds = np.zeros((n + 1, len(kept)), dtype=np.float32)
    log_odds[:n] = -np.minimum(divergence.T[::-1].cumsum(axis=0)[::-1], 690)
    agreeing = _agreeing(terms[kept], sets) * (1 - SMOOTHING)
    agreeing += SMOOTHING * _inside(problem, sets, log_beta)[:, :, None]
    return agreeing.astype(np.float32), log_odds


def _starts(problem, log_alpha, log_odds, stream):
    """Terms that chains start from: (N_CHAINS, n).

    They are what two or three promoted updates agree on, terms that no attribute leaves
    without loss, and the empty term.
    """
    sets, exponents = problem.agreements, problem.exponents
    starts = np.zeros((N_CHAINS, problem.n), dtype=np.uint8)
    random = np.random.Generator(np.random.PCG64(stream))
    promoted = np.flatnonzero(exponents > 0)
    if len(promoted):
        draws = random.random((N_CHAINS, 3))
        draws[:, 0] = (np.arange(N_CHAINS) + draws[:, 0]) / N_CHAINS  # strata
        shares = exponents[promoted].cumsum()
        picks = sets[promoted[np.searchsorted(shares, draws * shares[-1], "right")]]
        picks[np.arange(N_CHAINS) % 3 != 0, 2] = True
        starts[:] = picks.all(axis=1)
        starts[::4] = 0
    if len(promoted) < len(exponents):
        places = np.arange(N_CHAINS)
        places = places[places % 8 == 0 if len(promoted) else places % 4 != 0]
        terms, log_weights = _irreducible(
            problem, log_alpha, log_odds, random, N_DRAWS * len(places)
        )
        starts[places] = terms[_heaviest_and_others(terms, log_weights, len(places))]
    return starts


def _irreducible(problem, log_alpha, log_odds, random, n_terms):
    """Random terms that no attribute can leave without loss, and their log weights.

    Attributes leave the full term in random order. It kills all updates that it can; of
    what is left each attribute kills demoted updates that no other does. So where
    demoted updates conflict, the weight of a sum lies around such terms.
    """
    columns, planes = problem.columns, problem.planes
    places = 2 ** np.arange(len(planes))
    places[-1] *= -1  # two's complement

    def phis(sets):
        counts = np.bitwise_count(sets[:, None] & planes).sum(axis=2, dtype=np.int64)
        return counts @ places

    orders = random.permuted(np.tile(np.arange(problem.n), (n_terms, 1)), axis=1).T
    survivors = columns[orders]
    # Updates that survive this attribute and all that come after it.
    after = np.bitwise_and.accumulate(survivors[::-1], axis=0)[::-1]
    alive = np.full(after.shape[1:], ~np.uint64(0))
    terms = np.empty((n_terms, problem.n), dtype=np.uint8)
    for k, attributes in enumerate(orders):
        without = alive & after[k + 1] if k + 1 < problem.n else alive
        leaves = log_alpha * phis(without & ~survivors[k]) >= log_odds[attributes]
        alive = np.where(leaves[:, None], alive, alive & survivors[k])
        terms[np.arange(n_terms), attributes] = ~leaves
    return terms, terms @ log_odds + log_alpha * phis(alive)


def _heaviest_and_others(terms, log_weights, n_chosen):
    """Which of some random terms to start from: the heaviest, and a third of others."""
    _, distinct = np.unique(terms, axis=0, return_index=True)
    distinct = distinct[np.argsort(-log_weights[distinct], kind="stable")]
    n_heaviest = 2 * n_chosen // 3
    others = np.setdiff1d(distinct[n_heaviest:], [])
    return np.resize(np.append(distinct[:n_heaviest], others), n_chosen)


def _regions(laws, log_weights, prior, most):
    """Which chains stand for a region: the heaviest of those that are alike."""
    divergence = (rel_entr(laws, prior) + rel_entr(1 - laws, 1 - prior)).sum(axis=1)
    # About the logarithm of the weight around here: its mean, and the entropy.
    masses = log_weights.mean(axis=1) + (entr(laws) + entr(1 - laws)).sum(axis=1)
    kept = []
    for chain in np.argsort(-masses, kind="stable"):
        if masses[chain] < masses.max() - WINDOW or len(kept) == most:
            break
        distances = np.abs(laws[kept] - laws[chain]).sum(axis=1)
        if (
            divergence[chain] >= LEAST_DIVERGENCE
            and (distances >= LEAST_DISTANCE).all()
        ):
            kept.append(chain)
    return kept


def _agreeing(terms, sets):
    """Share of each region's terms that lie in each set from attribute j on."""
    n_regions, n_sweeps, n = terms.shape
    # The last attribute first, so that the last one outside the set is the lowest bit.
    last_first = _packed(terms[:, :, ::-1])[:, :, None] & ~_packed(sets[:, ::-1])
    begin = np.zeros(last_first.shape[:-1], dtype=np.int64)
    for w in reversed(range(last_first.shape[-1])):
        lowest = last_first[..., w] & (~last_first[..., w] + np.uint64(1))
        place = n - 64 * w - np.bitwise_count(lowest - np.uint64(1)).astype(np.int64)
        begin = np.where(lowest != 0, place, begin)
    places = (begin * len(sets) + np.arange(len(sets))) * n_regions
    places += np.arange(n_regions)[:, None, None]
    counts = np.bincount(places.ravel(), minlength=(n + 1) * len(sets) * n_regions)
    return counts.reshape(n + 1, len(sets), n_regions).cumsum(axis=0) / n_sweeps


def _packed(bits):
    """Bits of the last axis as words."""
    padding = [(0, 0)] * (bits.ndim - 1) + [(0, -bits.shape[-1] % 64)]
    return np.packbits(np.pad(bits, padding), axis=-1, bitorder="little").view(
        np.uint64
    )


def _inside(problem, sets, log_beta):
    """The same by the initial law, in closed form: (n + 1, m)."""
    log_none = problem.log_none(log_beta)
    inside = np.zeros((problem.n + 1, len(sets)))
    inside[:-1] = np.where(sets, 0.0, log_none).T[::-1].cumsum(axis=0)[::-1]
    return np.exp(inside)
