"""Cost model: the exact engines that can compute a sum, and the faster of them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import ceil

import numpy as np

from sklearn_dnfwinnow._terms._term_index import n_subsets

# The largest n of a superset sum: 2^24 entries, 32 or 64 megabytes.
MAX_SUPERSET = 24
# Factors that differ by more than this many natural logarithms, of the 1,400 that
# float64 spans, are kept as logarithms.
MAX_LOG_SPAN = 600.0
# Maximum number of powers of alpha that are tabulated. With more, the dynamic program
# also uses logarithms.
MAX_POWERS = 2**20

# The cost model, in microseconds: least squares on random problems and sums of trained
# models, by `benchmarks/sums/exact.py`. The choice is right in 94 % of cases, and the
# time is 2 % above that of the best choices; with a maximum term size 94 % and 8 %. A
# state costs as much as this number of table entries.
CELLS_A_STATE = 256
# Cost of the dynamic program with few states.
_COST_OF_FRONTIER = 13.1


def superset_fits(problem, log_beta):
    """Return whether the superset sum is possible in float64, with a table that fits.

    Powers of alpha are relative to the largest. Powers that underflow would also have
    no effect on the sum, if initial weights do not differ by as much.
    """
    log_odds = problem.log_odds(log_beta)
    return (
        problem.n <= MAX_SUPERSET
        and log_odds[log_odds > 0].sum() <= MAX_LOG_SPAN
        and -log_odds[log_odds < 0].sum() <= MAX_LOG_SPAN
        and problem.phi_high - problem.phi_low <= MAX_POWERS
    )


def superset_cost(n):
    """Return the microseconds of a superset sum over n attributes."""
    return 5.48 + 1.64e-5 * n * 2.0**n


def frontier_cost(problem, max_term_size):
    """Return the predicted microseconds of the state-merging dynamic program."""
    m = len(problem.net_counts)
    mean_size = int(np.bitwise_count(problem.columns).sum()) / m
    growing = 2.05e-7 * 2.0 ** (0.330 * problem.n + 0.693 * mean_size) * m**2.32
    if max_term_size is None or max_term_size >= problem.n:
        return _COST_OF_FRONTIER + growing
    # Every size of a state is processed, but there are no more states than terms.
    n_terms = n_subsets(problem.n, max_term_size)
    return 20.0 + 3.5 * problem.n + min(8.0 * growing, 0.041 * n_terms)


def frontier_cost_bounds(n, m, max_states, max_term_size, n_runs=1):
    """Return bounds of the memory and the time of some runs of the dynamic program.

    Parameters
    ----------
    n, m, max_term_size
        See :meth:`Engine.cost_bounds` and :class:`Engine`.
    max_states : int
    n_runs : int

    Returns
    -------
    n_bytes, n_steps : float
    """
    n_states = float(min(max_states, 2 ** min(n, m, 64)))
    state = 2 * (8 * ceil(m / 64) + 24)
    if max_term_size is not None:
        state += 16 * (min(max_term_size, n) + 1)
    return n_states * state, n_states * n * n_runs
