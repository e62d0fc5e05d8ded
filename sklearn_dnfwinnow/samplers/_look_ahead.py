"""Look-ahead: regions of large weight, estimated by a short pilot run of Markov chains.

A dynamic program that resamples its states requires an estimate of their later weight.
If the remaining attributes followed their initial weights, the probability that each
stored example remains satisfied would have a closed form. With many promotions, terms
that are improbable a priori dominate the sum. A pilot of many short Gibbs chains, which
start where promoted examples agree, finds regions with such terms; each gives an
estimate of the completions of a state. The sum is unbiased whatever the pilot misses:
it determines which states are kept, and not their values.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import inf
from typing import NamedTuple

import numpy as np
from scipy.special import entr, rel_entr

from sklearn_dnfwinnow._kernels import chains, frontier
from sklearn_dnfwinnow.samplers._agreement_problem import log_one_plus, packed

# Chains of the pilot, and sweeps recorded of each. Many short chains find more than few
# long ones (`benchmarks/sums/error_by_time.py`).
N_CHAINS, N_SWEEPS = 48, 24
# Regions whose distribution differs from the initial one by less than the first
# (natural logarithms) are covered by the common estimate. Two regions that differ in
# fewer attributes than the second are merged. Regions whose log weight is below the
# largest by more than the third are left out.
LEAST_DIVERGENCE, LEAST_DISTANCE, WINDOW = 1.4, 0.75, 8.0
# Fraction of the initial distribution that is mixed into every estimate.
SMOOTHING = 0.1
# Maximum bytes of the estimates.
MAX_BYTES = 1 << 24
# Maximum number of values of phi times kinds of attributes that the chains tabulate,
# and the largest factor of the weight by an attribute (natural logarithms) that the
# chains distinguish from larger ones.
MAX_TABLE, SATURATION = 1 << 18, 40.0


class Guesses(NamedTuple):
    """Estimates of the completions of states.

    Attributes
    ----------
    agreeing : ndarray of shape (n + 1, m, n_guesses), float32
        Probability that the attributes that a term constrains from attribute j on lie
        in each set, in each region.
    log_odds : ndarray of shape (n + 1, n_guesses), float32
        Log of the initial probability of the region from attribute j on.
    """

    agreeing: np.ndarray
    log_odds: np.ndarray


def no_guesses():
    """Return no estimates, for an exact dynamic program or initial weights only."""
    return Guesses(
        np.zeros((1, 1, 0), dtype=np.float32),
        np.zeros((1, 0), dtype=np.float32),
    )


def guesses(problem, log_alpha, log_beta, stream, max_term_size=None):
    """Return regions of large weight, to estimate completions of states.

    Parameters
    ----------
    problem : AgreementProblem
        Its attributes are in the order of the dynamic program.
    log_alpha, log_beta : float
    stream : int
    max_term_size : int or None
        Maximum number of literals in a term. With a number there are no estimates.

    Returns
    -------
    guesses : Guesses
    log_seen : float
        Logarithm of the weight of all terms in the pilot, a lower bound of W.
    """
    n, m = problem.n, len(problem.net_counts)
    most = min(frontier.MOST_GUESSES, MAX_BYTES // (4 * (n + 1) * m))
    if most < 1:
        return no_guesses(), -inf
    log_odds = problem.log_odds(log_beta)
    terms, phis = _pilot(problem, log_alpha, log_odds, stream)
    log_weights = terms @ log_odds + log_alpha * phis
    _, seen = np.unique(packed(terms.reshape(-1, n)), axis=0, return_index=True)
    if max_term_size is not None:
        seen = seen[terms.reshape(-1, n)[seen].sum(axis=1) <= max_term_size]
    log_seen = float(np.logaddexp.reduce(log_weights.ravel()[seen]))
    if max_term_size is not None:
        return no_guesses(), log_seen
    prior = 1 / (1 + np.exp(-log_odds))
    laws = (terms.sum(axis=1) + 0.02) / (N_SWEEPS + 0.04)
    kept = _regions(laws, log_weights, prior, most)
    divergence = rel_entr(laws[kept], prior) + rel_entr(1 - laws[kept], 1 - prior)
    rest = np.zeros((n + 1, len(kept)), dtype=np.float32)
    rest[:n] = -np.minimum(divergence.T[::-1].cumsum(axis=0)[::-1], 690)
    sets = problem.agreements
    agreeing = _agreeing(terms[kept], sets) * (1 - SMOOTHING)
    agreeing += SMOOTHING * _inside(problem, sets, log_beta)[:, :, None]
    return Guesses(agreeing.astype(np.float32), rest), log_seen


def _pilot(problem, log_alpha, log_odds, stream):
    """Return the terms that short Gibbs chains visit, and their phis."""
    multiplicities, first, kinds = np.unique(
        problem.multiplicities, return_index=True, return_inverse=True
    )
    # A change of phi that decides an attribute is as good as any larger one.
    decisive = (SATURATION + np.abs(log_odds).max()) / log_alpha
    width = int(min(decisive, MAX_TABLE // (2 * len(multiplicities)))) + 1
    terms = np.empty((N_CHAINS, N_SWEEPS, problem.n), dtype=np.uint8)
    phis = np.empty((N_CHAINS, N_SWEEPS), dtype=np.int64)
    chains.gibbs_terms(
        problem=problem,
        most=width,
        log_alpha=log_alpha,
        log_odds=log_odds[first],
        kinds=kinds,
        stream=stream,
        starts=_starts(problem, stream),
        terms=terms,
        phis=phis,
    )
    return terms, phis


def _starts(problem, stream):
    """Return the terms that chains start from: (N_CHAINS, n), uint8.

    They are the empty term, and what two or three promoted examples agree on.
    """
    sets, net_counts = problem.agreements, problem.net_counts
    starts = np.zeros((N_CHAINS, problem.n), dtype=np.uint8)
    promoted = np.flatnonzero(net_counts > 0)
    if len(promoted):
        random = np.random.Generator(np.random.PCG64(stream))
        draws = random.random((N_CHAINS, 3))
        draws[:, 0] = (np.arange(N_CHAINS) + draws[:, 0]) / N_CHAINS  # strata
        shares = net_counts[promoted].cumsum()
        picks = sets[promoted[np.searchsorted(shares, draws * shares[-1], "right")]]
        picks[np.arange(N_CHAINS) % 3 != 0, 2] = True
        starts[:] = picks.all(axis=1)
        starts[::4] = 0
    return starts


def _regions(laws, log_weights, prior, most):
    """Return the chains that represent regions: each has the largest weight there."""
    divergence = (rel_entr(laws, prior) + rel_entr(1 - laws, 1 - prior)).sum(axis=1)
    # Approximate logarithm of the weight of a region: the mean, and the entropy.
    masses = log_weights.mean(axis=1) + (entr(laws) + entr(1 - laws)).sum(axis=1)
    kept = []
    for chain in np.argsort(-masses, kind="stable"):
        if masses[chain] < masses.max() - WINDOW or len(kept) == most:
            break
        distances = np.abs(laws[kept] - laws[chain]).sum(axis=1)
        is_apart = (distances >= LEAST_DISTANCE).all()
        if is_apart and divergence[chain] >= LEAST_DIVERGENCE:
            kept.append(chain)
    return kept


def _agreeing(terms, sets):
    """Return fractions of the terms of regions in each set, from attribute j on."""
    n_regions, n_sweeps, n = terms.shape
    # The last attribute first, so that the last one outside the set is the lowest bit.
    last_first = packed(terms[:, :, ::-1])[:, :, None] & ~packed(sets[:, ::-1])
    begin = np.zeros(last_first.shape[:-1], dtype=np.int64)
    for w in reversed(range(last_first.shape[-1])):
        lowest = last_first[..., w] & (~last_first[..., w] + np.uint64(1))
        place = n - 64 * w - np.bitwise_count(lowest - np.uint64(1)).astype(np.int64)
        begin = np.where(lowest != 0, place, begin)
    places = (begin * len(sets) + np.arange(len(sets))) * n_regions
    places += np.arange(n_regions)[:, None, None]
    counts = np.bincount(places.ravel(), minlength=(n + 1) * len(sets) * n_regions)
    return counts.reshape(n + 1, len(sets), n_regions).cumsum(axis=0) / n_sweeps


def _inside(problem, sets, log_beta):
    """Return the same fractions by the initial weights, in closed form: (n + 1, m)."""
    # Log probability that an attribute is unconstrained.
    log_none = -problem.multiplicities * log_one_plus(log_beta)
    inside = np.zeros((problem.n + 1, len(sets)))
    inside[:-1] = np.where(sets, 0.0, log_none).T[::-1].cumsum(axis=0)[::-1]
    return np.exp(inside)
