"""Frontier: the state-merging dynamic program, exact or resampled without bias."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from numbers import Integral

from sklearn_dnfwinnow._utils._compat import Interval
from sklearn_dnfwinnow.samplers._engine import Engine
from sklearn_dnfwinnow.samplers._exact import sum_exactly
from sklearn_dnfwinnow.samplers._frontier_run import MAX_STATES_CONSTRAINT, FrontierRun
from sklearn_dnfwinnow.samplers._limits import frontier_cost_bounds
from sklearn_dnfwinnow.samplers._sampler import Sampler

# max_states='auto': a sum takes milliseconds.
_AUTO_STATES = 2_000
# Training requires only the side of the threshold. Estimates this far from it (natural
# logarithms, many times their usual error) are not repeated for more precision.
_NEAR = 0.1


class Frontier(Sampler):
    """State-merging dynamic program: exact up to `max_states`, and estimated beyond.

    The dynamic program considers one feature after another. It counts all terms that
    satisfy the same stored examples together, as one state. If there are too many
    states, they are resampled without bias [1]_.

    Parameters
    ----------
    max_states : int or 'auto', default='auto'
        Maximum number of states after resampling. With m distinct agreement sets, a
        state takes up to 2 (8 ceil(m / 64) + 24) bytes, and 16 (max_term_size + 1) more
        if `max_term_size` is a number. 'auto' is 2,000.

    n_replicates : int, default=8
        Number of independent runs if states are resampled. The sum is their mean. Their
        spread gives the standard error, which is at least the change that one more
        random draw can cause.

    See Also
    --------
    Auto : The same, with superset sums of few features.

    References
    ----------
    .. [1] P. Fearnhead and P. Clifford, "On-line inference for hidden Markov models via
       particle filters", Journal of the Royal Statistical Society B 65(4), 2003.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.samplers import Frontier
    >>> clf = DNFWinnowClassifier(sampler=Frontier(max_states=500))
    >>> clf.set_params(sampler__n_replicates=4).sampler
    Frontier(max_states=500, n_replicates=4)
    """

    name = "frontier"
    _superset = False

    _parameter_constraints = {
        "max_states": MAX_STATES_CONSTRAINT,
        "n_replicates": [Interval(Integral, 1, 10**6, closed="both")],
    }

    def __init__(self, *, max_states="auto", n_replicates=8):
        self.max_states = max_states
        self.n_replicates = n_replicates

    def engine(self, max_term_size=None):
        """Return the engine for terms of at most `max_term_size` literals."""
        return FrontierEngine(
            _AUTO_STATES if self.max_states == "auto" else self.max_states,
            self.n_replicates,
            self._superset,
            max_term_size=max_term_size,
        )


@dataclass(frozen=True)
class FrontierEngine(Engine):
    """The state-merging dynamic program, resampled if its states exceed a budget.

    Parameters
    ----------
    max_states : int
        Maximum number of states after resampling.
    n_replicates : int
        Number of independent runs, for the standard error. They share the exact part.
    superset : bool
        Whether superset sums are used, as by `Exact`.
    """

    max_states: int
    n_replicates: int
    superset: bool = False

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """Return W if the states fit the budget, else an unbiased estimate of W."""
        question = problem, log_alpha, log_beta, self.max_term_size
        if self.superset:
            known, _ = sum_exactly(
                problem=problem,
                log_alpha=log_alpha,
                log_beta=log_beta,
                max_term_size=self.max_term_size,
                max_states=self.max_states,
            )
        else:
            known = FrontierRun(*question).exactly(self.max_states)
        return known or FrontierRun(*question).resampled(
            self.max_states, self.n_replicates, stream
        )

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Return whether W reaches a threshold: by one run, unless W is near it."""
        once = replace(self, n_replicates=1)
        weighted_sum = once.log_sum(problem, log_alpha, log_beta, stream)
        distance = abs(weighted_sum.log_value - log_threshold)
        if not weighted_sum.exact and distance < _NEAR:
            weighted_sum = self.log_sum(problem, log_alpha, log_beta, stream)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def cost_bounds(self, n, m, total, log_alpha):
        """Return upper bounds of the memory and the time of a sum."""
        return frontier_cost_bounds(
            n=n,
            m=m,
            max_states=self.max_states,
            max_term_size=self.max_term_size,
            n_runs=1 + self.n_replicates,
        )
