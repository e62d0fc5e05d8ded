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
# Regions that differ from the initial law by less than this (natural logarithms) are
# left to the guess that all have in common; two that differ in the law of less than so
# many attributes are one; and those lighter than the heaviest by more are of no use.
LEAST_DIVERGENCE, LEAST_DISTANCE, WINDOW = 1.4, 0.75, 8.0
# Share of the initial law mixed into every guess.
SMOOTHING = 0.1
# Bytes that the guesses may take.
MAX_BYTES = 1 << 24
# Values of phi times kinds of attributes that the chains may tabulate.
MAX_TABLE = 1 << 18


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
    width = (problem.phi_high - problem.phi_low + 1) * len(multiplicities)
    if most < 1 or width > MAX_TABLE:
        return no_guesses()
    log_odds = problem.log_odds(log_beta)
    prior = 1 / (1 + np.exp(-log_odds))
    sets = problem.agreements
    terms = np.empty((N_CHAINS, N_SWEEPS, n), dtype=np.uint8)
    phis = np.empty((N_CHAINS, N_SWEEPS), dtype=np.int64)
    chains.gibbs_terms(
        *(problem.columns, problem.planes, problem.phi_low, problem.phi_high),
        *(log_alpha, log_odds[np.unique(kinds, return_index=True)[1]], kinds),
        *(stream, _starts(sets, problem.exponents, stream), terms, phis),
    )
    laws = (terms.sum(axis=1) + 0.02) / (N_SWEEPS + 0.04)
    kept = _regions(laws, terms @ log_odds + phis * log_alpha, prior, most)
    divergence = rel_entr(laws[kept], prior) + rel_entr(1 - laws[kept], 1 - prior)
    log_odds = np.zeros((n + 1, len(kept)), dtype=np.float32)
    log_odds[:n] = -np.minimum(divergence.T[::-1].cumsum(axis=0)[::-1], 690)
    agreeing = _agreeing(terms[kept], sets) * (1 - SMOOTHING)
    agreeing += SMOOTHING * _inside(problem, sets, log_beta)[:, :, None]
    return agreeing.astype(np.float32), log_odds


def _starts(sets, exponents, stream):
    """The empty term, or what two or three promoted updates agree on."""
    starts = np.zeros((N_CHAINS, sets.shape[1]), dtype=np.uint8)
    promoted = np.flatnonzero(exponents > 0)
    if len(promoted):
        random = np.random.Generator(np.random.PCG64(stream))
        draws = random.random((N_CHAINS, 3))
        draws[:, 0] = (np.arange(N_CHAINS) + draws[:, 0]) / N_CHAINS  # strata
        shares = exponents[promoted].cumsum()
        picks = sets[promoted[np.searchsorted(shares, draws * shares[-1], "right")]]
        picks[np.arange(N_CHAINS) % 3 != 0, 2] = True
        starts[:] = picks.all(axis=1)
        starts[::4] = 0
    return starts


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
