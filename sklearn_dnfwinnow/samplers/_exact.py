"""Exact: the superset sum of few features, or the state-merging dynamic program."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

from sklearn_dnfwinnow._kernels import superset
from sklearn_dnfwinnow.samplers._density import exact_sum
from sklearn_dnfwinnow.samplers._engine import Engine, longest_term
from sklearn_dnfwinnow.samplers._frontier_run import MAX_STATES_CONSTRAINT, FrontierRun
from sklearn_dnfwinnow.samplers._limits import (
    frontier_cost_bounds,
    superset_fits,
)
from sklearn_dnfwinnow.samplers._sampler import Sampler

# max_states='auto': some 200 megabytes, half a second.
_AUTO_STATES = 5_000_000
# Up to this number of attributes, a superset sum takes no longer than a dynamic program
# of few states. With more, it takes as long as one with a state for so many cells.
_FEW_ATTRIBUTES, _CELLS_A_STATE = 16, 256


class Exact(Sampler):
    """Exact sums; an error if a sum requires too many states.

    A sum over up to 16 features that tell stored examples apart is a
    :term:`superset sum` over all 2^n terms. A sum over more is computed by the
    :term:`state-merging dynamic program`, and by the superset sum if there are up to 24
    features and so many states that it is faster.

    Parameters
    ----------
    max_states : int or 'auto', default='auto'
        Maximum number of states of the dynamic program. An error is raised if a sum
        requires more. With m distinct agreement sets, a state takes up to 2 (8 ceil(m /
        64) + 24) bytes, and 16 (max_term_size + 1) more if `max_term_size` is a number.
        'auto' is 5,000,000.

    See Also
    --------
    Auto : Exact up to a budget, and an unbiased estimate beyond.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import Exact
    >>> from sklearn_dnfwinnow.sums import log_weighted_sum
    >>> agreements = [[True, True, False], [True, False, True]]
    >>> log_weighted_sum(agreements, [2, -1], sampler=Exact(max_states=1000)).exact
    True
    """

    name = "exact"
    prefers_exact = True

    _parameter_constraints = {"max_states": MAX_STATES_CONSTRAINT}

    def __init__(self, *, max_states="auto"):
        self.max_states = max_states

    def engine(self, max_term_size=None):
        """Return the engine for terms of at most `max_term_size` literals."""
        max_states = _AUTO_STATES if self.max_states == "auto" else self.max_states
        return ExactEngine(max_states, max_term_size=max_term_size)


@dataclass(frozen=True)
class ExactEngine(Engine):
    """The superset sum or the state-merging dynamic program, see `sum_exactly`.

    Parameters
    ----------
    max_states : int
        Maximum number of states of the dynamic program. Each state takes 8 ceil(m / 64)
        + 24 bytes, for m distinct agreement sets, and twice that while the states
        increase. With a `max_term_size`, it takes 8 (max_term_size + 1) bytes more.
    """

    max_states: int

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """Return W; `stream` is not used."""
        known, run = sum_exactly(
            problem=problem,
            log_alpha=log_alpha,
            log_beta=log_beta,
            max_term_size=self.max_term_size,
            max_states=self.max_states,
        )
        if known is None:
            raise ValueError(
                f"sampler='exact' exceeded max_states={self.max_states} with "
                f"{run.n_left} of {problem.n} features left. By extrapolation, "
                f"about 2**{run.log2_states_needed():.1f} states are needed, "
                f"{run.bytes_of_state} bytes each, and twice as much temporarily. "
                "Use sampler='auto' for an estimate."
            )
        return known

    def cost_bounds(self, n, m, total, log_alpha):
        """Return upper bounds of the memory and the time of a sum."""
        return frontier_cost_bounds(
            n=n, m=m, max_states=self.max_states, max_term_size=self.max_term_size
        )


def sum_exactly(problem, log_alpha, log_beta, max_term_size, max_states):
    """Return W by the superset sum or the state-merging dynamic program.

    Returns
    -------
    weighted_sum : WeightedSum or None
        None if the dynamic program exceeded `max_states`.
    run : FrontierRun or None
        The run of the dynamic program, if there was one.
    """
    question = problem, log_alpha, log_beta, max_term_size
    fits = superset_fits(problem, log_beta)
    if fits and problem.n <= _FEW_ATTRIBUTES:
        return superset_sum(*question), None
    run = FrontierRun(*question)
    if fits:
        # With more states, the dynamic program is slower than the superset sum.
        max_states = min(max_states, (1 << problem.n) // _CELLS_A_STATE)
    known = run.exactly(max_states)
    if known is None and fits:
        known = superset_sum(*question)
    return known, run


def superset_sum(problem, log_alpha, log_beta, max_term_size):
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
