"""WeightedSum: what every engine returns, and sums that need no engine."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from sklearn_dnfwinnow._problems._agreement_problem import log_one_plus
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight


@dataclass(frozen=True)
class WeightedSum:
    """A weighted sum W, or an estimate of it.

    Attributes
    ----------
    log_value : float
        Natural logarithm of W.
    std_error : float
        Relative standard error of W, that is, the standard error of `log_value`; 0 when
        exact, infinite when the chains were too short to tell or there
        was a single replicate. Of the frontier it is at least what one more random draw
        may change. It does not see regions that all replicates and the pilot miss.
    exact : bool
        Whether `log_value` is exact, but for rounding.
    sampler : str
        The engine that ran: 'closed_form' where none had to, 'brute_force', 'superset',
        'frontier', or the kind of Markov chain.
    n_states : int
        Terms (brute force, superset sum) or states of the frontier that were kept at
        the same time, at most.
    n_replicates : int
        Independent runs of the capped frontier, the mean of which is W; 0 elsewhere.
    n_chains : int
        Markov chains that the answer took; 0 for other engines.
    n_simulated : int
        Markov chains run. Chains run in groups, so a sum that stops early (only its
        side of a threshold was asked for) can have run more than it took.
    n_ladder : int
        Markov chains of the full ladder.
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
        """The density of states, of an exact sum: dict of int to float.

        Maps each phi to the logarithm of the total initial weight of the terms whose
        net promotions are phi, so that ``W = sum(exp(v) * alpha**k for k, v in
        density.items())`` at *every* alpha. It is computed when first asked for; None
        for estimates, and where sizes of terms are limited. A ValueError where that
        takes more than 16 million states.
        """
        if self._count is None:
            return None
        phi, log_weights = self._count()
        return dict(zip(phi.tolist(), log_weights.tolist()))


def closed_form(problem, log_alpha, log_beta, max_term_size=None):
    """Return the weighted sum where it needs no engine, else None.

    With no update alive W = (1 + beta)^n; with one, alive inside A, the terms inside A
    are multiplied by alpha^c. Without attributes that tell updates apart, all terms are
    multiplied alike.
    """
    if problem.n and len(problem.exponents) > 1:
        return None
    if max_term_size is not None and problem.n:
        if len(problem.exponents):
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
    if len(problem.exponents) == 0:
        return np.zeros(1, dtype=np.int64), np.array([log_total])
    if problem.n == 0:
        return np.array([problem.exponents.sum()]), np.array([log_total])
    # One update, and one attribute: all that it disagrees on are twins.
    n_outside = int(problem.multiplicities[0])
    log_outside = n_outside * log_one_plus(log_beta)
    phi = np.array([problem.exponents[0], 0])
    log_weights = np.array(
        [log_total - log_outside, log_total + np.log(-np.expm1(-log_outside))]
    )
    order = np.argsort(phi)
    return phi[order], log_weights[order]
