"""Limits: the sums that float64 and memory allow."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import ceil

# The largest n of a superset sum: 2^24 entries, 32 or 64 megabytes.
MAX_SUPERSET = 24
# Factors that differ by more than this many natural logarithms, of the 1,400 that
# float64 spans, are kept as logarithms.
MAX_LOG_SPAN = 600.0
# Maximum number of powers of alpha that are tabulated. With more, the dynamic program
# also uses logarithms.
MAX_POWERS = 2**20


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


def state_bytes(m, max_term_size):
    """Return the bytes of a state: mask, value, and two or more places of a table.

    If there is a maximum size, it has a value for each size.
    """
    n_sizes = 0 if max_term_size is None else max_term_size + 1
    return 24 + 8 * max(1, ceil(m / 64)) + 8 * n_sizes
