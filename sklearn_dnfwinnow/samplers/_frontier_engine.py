"""FrontierEngine: the superset sum of few features, or the dynamic program."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

from sklearn_dnfwinnow._kernels import superset
from sklearn_dnfwinnow.samplers._density import exact_sum
from sklearn_dnfwinnow.samplers._engine import Engine, longest_term
from sklearn_dnfwinnow.samplers._frontier_run import FrontierRun
from sklearn_dnfwinnow.samplers._limits import superset_fits

# Up to this number of attributes, a superset sum takes no longer than a dynamic program
# of few states. With more, it takes as long as one with a state for so many cells.
_FEW_ATTRIBUTES, _CELLS_A_STATE = 16, 256
# Training requires only the side of the threshold. Estimates this far from it (natural
# logarithms, many times their usual error) are not repeated for more precision.
_NEAR = 0.1


@dataclass(frozen=True)
class FrontierEngine(Engine):
    """The state-merging dynamic program, resampled if its states exceed a budget.

    Parameters
    ----------
    max_states : int
        Maximum number of states, after resampling or of an exact sum. Each state takes
        8 ceil(m / 64) + 24 bytes, for m distinct agreement sets, and twice that while
        the states increase. With a `max_term_size`, it takes 8 (max_term_size + 1)
        bytes more.
    n_replicates : int
        Number of independent runs, for the standard error. They share the exact part.
        With 0, an error is raised instead of an estimate.
    superset : bool
        Whether superset sums are used where they are faster, or the only exact ones.
    """

    max_states: int
    n_replicates: int
    superset: bool

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """Return W if the states fit the budget, else an unbiased estimate of W."""
        question = problem, log_alpha, log_beta, self.max_term_size
        fits = self.superset and superset_fits(problem, log_beta)
        if fits and problem.n <= _FEW_ATTRIBUTES:
            return _superset_sum(*question)
        run, max_states = FrontierRun(*question), self.max_states
        if fits:
            # With more states, the dynamic program is slower than the superset sum.
            max_states = min(max_states, (1 << problem.n) // _CELLS_A_STATE)
        known = run.exactly(max_states)
        if known is None and fits:
            return _superset_sum(*question)
        if known is None and not self.n_replicates:
            raise ValueError(
                f"sampler='exact' exceeded max_states={self.max_states} with "
                f"{run.n_left} of {problem.n} features left. By extrapolation, "
                f"about 2**{run.log2_states_needed():.1f} states are needed, "
                f"{run.bytes_of_state} bytes each, and twice as much temporarily. "
                "Use sampler='auto' for an estimate."
            )
        return known or run.resampled(self.max_states, self.n_replicates, stream)

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Return whether W reaches a threshold: by one run, unless W is near it."""
        once = replace(self, n_replicates=min(self.n_replicates, 1))
        weighted_sum = once.log_sum(problem, log_alpha, log_beta, stream)
        distance = abs(weighted_sum.log_value - log_threshold)
        if not weighted_sum.exact and distance < _NEAR:
            weighted_sum = self.log_sum(problem, log_alpha, log_beta, stream)
        return weighted_sum.log_value >= log_threshold, weighted_sum


def _superset_sum(problem, log_alpha, log_beta, max_term_size):
    """Return W by the superset sum, where `superset_fits`."""
    log_value = superset.log_sum(
        sets=problem.sets,
        net_counts=problem.net_counts,
        log_odds=problem.log_odds(log_beta),
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
