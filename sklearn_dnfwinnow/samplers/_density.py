"""Density: the initial weight of all terms by their net promotion counts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from math import inf

import numpy as np

from sklearn_dnfwinnow._kernels import frontier
from sklearn_dnfwinnow.samplers._agreement_problem import log_one_plus
from sklearn_dnfwinnow.samplers._limits import MAX_LOG_SPAN
from sklearn_dnfwinnow.samplers._weighted_sum import WeightedSum

# Maximum number of states of a density. It cannot fold stored examples, and so requires
# more states than the sum.
MAX_DENSITY_STATES = 2**24


def exact_sum(problem, log_beta, log_value, sampler, n_states, max_term_size=None):
    """Return an exact sum, from the sum over the attributes that are not free."""
    count = partial(density, problem, log_beta) if max_term_size is None else None
    value = float(log_value) + problem.log_free(log_beta)
    return WeightedSum(value, 0.0, True, sampler, n_states, _count=count)


def density(problem, log_beta):
    """Return phi, ascending, and the log initial weight of all terms with that phi."""
    log_total = problem.log_total(log_beta)
    problem = problem.fewest_first()
    logs = log_total > MAX_LOG_SPAN
    parts = frontier.density(
        problem=problem,
        log_either=log_one_plus(log_beta),
        logs=logs,
        max_states=MAX_DENSITY_STATES,
    )
    if parts is None:
        raise ValueError(
            f"The density of this sum requires more than {MAX_DENSITY_STATES} states."
        )
    phi, weights = parts
    distinct, places = np.unique(phi, return_inverse=True)
    if logs:
        totals = np.full(len(distinct), -inf)
        np.logaddexp.at(totals, places, weights)
        kept = totals > -inf
        return distinct[kept], totals[kept] + log_total
    totals = np.bincount(places, weights)
    kept = totals > 0
    return distinct[kept], np.log(totals[kept]) + log_total
