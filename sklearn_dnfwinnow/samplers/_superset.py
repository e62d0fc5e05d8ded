"""Superset sum: W from the agreement sets that contain each set of attributes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._kernels import superset
from sklearn_dnfwinnow.samplers._density import exact_sum, is_narrow
from sklearn_dnfwinnow.samplers._engine import longest_term


def superset_sum(problem, log_alpha, log_beta, max_term_size):
    """Return W by the superset sum, where `superset_fits`."""
    log_value = superset.log_sum(
        sets=problem.sets,
        net_counts=problem.net_counts,
        log_odds=problem.log_odds(log_beta),
        narrow=is_narrow(problem),
        log_alpha=log_alpha,
        max_term_size=longest_term(problem, max_term_size),
    )
    return exact_sum(
        problem=problem,
        log_beta=log_beta,
        log_value=log_value,
        sampler="superset",
        n_states=1 << problem.n,
        max_term_size=max_term_size,
    )
