"""Sums straight from the kernels, in any form."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from types import SimpleNamespace

import numpy as np
from internals.kernels import _kernels
from internals.samplers import _frontier_run, no_guesses


def frontier_sums(
    problem,
    alpha,
    beta,
    *,
    logs=False,
    max_term_size=None,
    max_states=10**7,
    stream=None,
    guesses=None,
    n_replicates=1,
):
    """Run the frontier's kernel, in the order of the attributes.

    Parameters
    ----------
    stream : int or None
        Random stream of estimates; None where the sum has to be exact.
    guesses : Guesses or None

    Returns
    -------
    found : LogSum
    log_values : ndarray of shape (n_replicates,), float64
    """
    log_values = np.empty(n_replicates)
    found = _kernels.frontier.log_sum(
        problem=problem,
        log_either=np.logaddexp(0.0, np.log(beta)),
        log_alpha=np.log(alpha),
        logs=logs,
        log_completions=_frontier_run.log_completions(
            problem.n, np.log(beta), max_term_size
        ),
        max_states=max_states,
        exact=stream is None,
        stream=stream or 0,
        ahead=guesses or no_guesses(),
        log_values=log_values,
        steps=np.empty(n_replicates),
    )
    log_total = problem.log_total(np.log(beta)) if max_term_size is None else 0.0
    return found, log_values + log_total


def nothing_observed(n_rungs, n_samples):
    """What chains fill in: ratios with their variances, moves, swaps, and traces."""
    moves, attempted, accepted = np.zeros((3, n_rungs), dtype=np.int64)
    return SimpleNamespace(
        log_ratios=np.zeros(n_rungs),
        variances=np.zeros(n_rungs),
        moves=moves,
        attempted=attempted,
        accepted=accepted,
        traces=np.full((n_rungs, n_samples), -1, dtype=np.int32),
        every=1,
    )


def superset_sum(problem, alpha, beta, *, max_term_size=None):
    """log W by the kernel of the superset sum."""
    value = _kernels.superset.log_sum(
        sets=problem.sets,
        net_counts=problem.net_counts,
        log_odds=problem.log_odds(np.log(beta)),
        log_alpha=np.log(alpha),
        max_term_size=problem.n if max_term_size is None else max_term_size,
    )
    return value + problem.log_free(np.log(beta))
