"""WeightedSum: the result of all engines, and sums in closed form."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight
from sklearn_dnfwinnow.samplers._agreement_problem import log_one_plus


@dataclass(frozen=True)
class WeightedSum:
    """A weighted sum W, or an estimate of it.

    Attributes
    ----------
    log_value : float
        Natural logarithm of W.
    std_error : float
        Relative standard error of W, which is the standard error of `log_value`. It is
        0 if the sum is exact. It is infinite if the chains were too short for an
        estimate, or if there was a single replicate. For the :term:`state-merging
        dynamic program`, it is at least the change that one more random draw can cause.
        It does not include regions that all replicates and the pilot miss.
    exact : bool
        Whether `log_value` is exact, except for rounding.
    sampler : str
        Engine that computed the sum: 'closed_form' if none was needed, 'brute_force',
        'superset', 'table', 'frontier' (the state-merging dynamic program), or the kind
        of Markov chain.
    n_states : int
        Number of terms (brute force, superset sum), or largest number of states that
        were kept at the same time (dynamic program).
    n_replicates : int
        Number of independent runs of the resampled dynamic program, whose mean is W; 0
        for other engines.
    n_chains : int
        Number of Markov chains whose results were used; 0 for other engines.
    n_simulated : int
        Number of Markov chains that were run. Chains run in groups. A sum that stops
        early, because only its side of a threshold is required, can run more chains
        than it uses.
    n_ladder : int
        Number of Markov chains of the full temperature ladder.
    """

    log_value: float
    std_error: float
    exact: bool
    sampler: str
    n_states: int = 0
    n_replicates: int = 0
    n_chains: int = 0
    n_simulated: int = 0
    n_ladder: int = 0
    _count: Callable | None = field(default=None, repr=False, compare=False)

    @cached_property
    def density(self):
        """Density of states of an exact sum: dict of int to float, or None.

        It maps each phi to the logarithm of the total initial weight of the terms whose
        net promotion count is phi. The sum is then
        ``W = sum(exp(v) * alpha**k for k, v in density.items())`` for every alpha. It
        is computed on first access. It is None for estimates, and if the size of terms
        is limited. A ValueError is raised if it requires more than 16 million states.
        """
        if self._count is None:
            return None
        phi, log_weights = self._count()
        return dict(zip(phi.tolist(), log_weights.tolist()))


def closed_form(problem, log_alpha, log_beta, max_term_size=None):
    """Return the weighted sum if it needs no engine, else None.

    If no stored example has an effect, W = (1 + beta)^n. If one has an effect, with
    agreement set A, the terms inside A are multiplied by alpha^c. If no attribute
    distinguishes between stored examples, all terms are multiplied by the same factor.
    """
    if problem.n and len(problem.net_counts) > 1:
        return None
    if max_term_size is not None and problem.n:
        if len(problem.net_counts):
            return None
        value = log_initial_weight(np.ones(problem.n), log_beta, max_term_size)
        return WeightedSum(value, 0.0, True, "closed_form")
    phi, log_weights = _parts(problem, log_beta)
    value = float(np.logaddexp.reduce(log_alpha * phi + log_weights))
    count = partial(_parts, problem, log_beta)
    return WeightedSum(value, 0.0, True, "closed_form", _count=count)


def _parts(problem, log_beta):
    """Return phi, ascending, and the log weight of its terms, of a closed form."""
    log_total = problem.log_total(log_beta)
    if problem.n == 0 or not len(problem.net_counts):
        return np.array([problem.net_counts.sum()]), np.array([log_total])
    # One stored example and one attribute: the attributes of disagreement are twins.
    n_outside = int(problem.multiplicities[0])
    log_outside = n_outside * log_one_plus(log_beta)
    phi = np.array([problem.net_counts[0], 0])
    log_weights = np.array(
        [log_total - log_outside, log_total + np.log(-np.expm1(-log_outside))]
    )
    order = np.argsort(phi)
    return phi[order], log_weights[order]
