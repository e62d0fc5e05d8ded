"""Frontier: the state-merging dynamic program, and the samplers that run it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import partial
from math import expm1, inf, log, log2, sqrt
from numbers import Integral

import numpy as np

from sklearn_dnfwinnow._kernels import frontier, superset
from sklearn_dnfwinnow._terms._term_index import log_initial_weight, log_initial_weights
from sklearn_dnfwinnow._utils._estimators import OR_AUTO, Interval
from sklearn_dnfwinnow.samplers._agreement_problem import (
    MAX_LOG_SPAN,
    MAX_POWERS,
    WeightedSum,
    log_one_plus,
    n_words,
    superset_fits,
)
from sklearn_dnfwinnow.samplers._engine import Engine, Sampler, longest_term
from sklearn_dnfwinnow.samplers._look_ahead import guesses, no_guesses

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


MAX_STATES = frontier.MAX_STATES
#: Constraint of a parameter `max_states`.
MAX_STATES_CONSTRAINT = [OR_AUTO, Interval(Integral, 1, MAX_STATES, closed="both")]
# No estimate is more precise than rounding (relative).
ROUNDING = 1e-12


class FrontierRun:
    """The state-merging dynamic program on one problem.

    Attributes
    ----------
    n_left : int
        Number of attributes left when the states exceeded the budget.
    n_states : int
        Largest number of states so far.
    step : float
        Largest change, relative to the sum, that one more random draw can cause in one
        replicate.
    """

    def __init__(self, problem, log_alpha, log_beta, max_term_size):
        self._problem = problem.fewest_first()  # states die early
        self._log_alpha, self._log_beta = log_alpha, log_beta
        self._max_term_size = max_term_size
        if max_term_size is not None and max_term_size >= problem.n:
            self._max_term_size = None

    def exactly(self, max_states):
        """Return W, or None if it requires more states."""
        fits, log_values = self._run(max_states, np.empty(1), no_guesses(), None)
        return self._exactly(log_values[0]) if fits else None

    def resampled(self, max_states, n_replicates, stream):
        """Return an estimate of W."""
        ahead, log_seen = guesses(
            problem=self._problem,
            log_alpha=self._log_alpha,
            log_beta=self._log_beta,
            stream=stream,
            max_term_size=self._max_term_size,
        )
        fits, log_values = self._run(max_states, np.empty(n_replicates), ahead, stream)
        if fits:
            # The states may exceed the budget only between two attributes.
            return self._exactly(log_values[0])
        log_value, std_error = _mean_of_logs(log_values)
        # Replicates can agree because all miss the same improbable states. Their spread
        # does not include changes smaller than one more draw in one of them.
        rounding = max(ROUNDING, 4 * float(np.spacing(abs(log_value))))
        std_error = max(std_error, self.step / n_replicates, rounding)
        if log_seen > log_value:
            std_error = max(std_error, expm1(min(log_seen - log_value, 700.0)))
        if not self._problem.phi_high:
            # All may miss most of the weight: the pilot starts from promoted examples.
            std_error = inf
        return WeightedSum(
            log_value + self._problem.log_free(self._log_beta),
            std_error,
            False,
            "frontier",
            n_states=self.n_states,
            n_replicates=n_replicates,
        )

    def refuse(self, max_states):
        """Raise an error that says how many states an exact sum needs."""
        n, m = self._problem.n, len(self._problem.net_counts)
        log2_states = log2(self.n_states) * n / (n - self.n_left)
        # A mask, a value, two or more places of a table, and a value for each size.
        n_sizes = 0 if self._max_term_size is None else self._max_term_size + 1
        n_bytes = 24 + 8 * n_words(m) + 8 * n_sizes
        raise ValueError(
            f"sampler='exact' exceeded max_states={max_states} with {self.n_left} of "
            f"{n} features left. By extrapolation, about 2**{log2_states:.1f} states "
            f"are needed, {n_bytes} bytes each, and twice as much temporarily. Use "
            "sampler='auto' for an estimate."
        )

    def _exactly(self, log_value):
        return exact_sum(
            problem=self._problem,
            log_beta=self._log_beta,
            log_value=log_value,
            sampler="frontier",
            n_states=self.n_states,
            max_term_size=self._max_term_size,
        )

    def _run(self, max_states, log_values, ahead, stream):
        p = self._problem
        span = p.phi_high - p.phi_low
        log_span, log_total = span * self._log_alpha, p.log_initial(self._log_beta)
        if self._max_term_size is not None:
            # Values are numbers of terms; the initial weight is in the completions.
            log_span += log_initial_weight(np.ones(p.n), 0.0, self._max_term_size)
            log_total = 0.0
        logs = log_span > MAX_LOG_SPAN or span > MAX_POWERS
        steps = np.zeros_like(log_values)
        found = frontier.log_sum(
            problem=p,
            log_either=log_one_plus(self._log_beta),
            log_alpha=self._log_alpha,
            logs=logs,
            log_completions=log_completions(p.n, self._log_beta, self._max_term_size),
            max_states=max_states,
            exact=stream is None,
            stream=stream or 0,
            ahead=ahead,
            log_values=log_values,
            steps=steps,
        )
        self.n_left, self.n_states = found.n_left, found.n_states
        self.step = steps.max()
        return found.fits, log_values + log_total


def log_completions(n, log_beta, max_term_size):
    """Return the log initial weight of all completions of terms: (n + 1, n_sizes).

    Entry (j, c) is the weight of the terms that consist of c literals and any of j
    attributes, up to the maximum size. Without a maximum size there are no columns.
    """
    if max_term_size is None:
        return np.empty((n + 1, 0))
    log_rest = log_initial_weights(np.ones(n), log_beta, max_term_size)
    return log_rest[:, ::-1] + np.arange(max_term_size + 1) * log_beta


def _mean_of_logs(log_values):
    """Return the log and the relative standard error of the mean of exp(log_values).

    The error of a mean of n values, in units of its standard error, follows Student's t
    with n - 1 degrees of freedom. The standard error is widened so that this ratio has
    standard deviation 1.
    """
    n = len(log_values)
    top = log_values.max()
    values = np.exp(log_values - top)
    mean = float(values.mean())
    if n == 1:
        return float(top) + log(mean), inf
    widening = sqrt((n - 1) / (n - 3)) if n > 3 else 1.0
    std_error = widening * float(values.std(ddof=1)) / mean / sqrt(n)
    return float(top) + log(mean), std_error


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
            run.refuse(self.max_states)
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


# max_states='auto' of exact sums: some 200 megabytes, half a second.
_EXACT_STATES = 5_000_000
# max_states='auto' of estimates: a sum takes milliseconds; and with a maximum term
# size, where sums are exact for a hundred literals, of which two or three make a term.
_AUTO_STATES, _AUTO_STATES_OF_A_SIZE = 2_000, 200_000


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
        max_states = _EXACT_STATES if self.max_states == "auto" else self.max_states
        return FrontierEngine(
            max_states, n_replicates=0, superset=True, max_term_size=max_term_size
        )


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
        if `max_term_size` is a number. 'auto' is 2,000, and 200,000 with such a number.

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
        max_states = self.max_states
        if max_states == "auto":
            is_any = max_term_size is None
            max_states = _AUTO_STATES if is_any else _AUTO_STATES_OF_A_SIZE
        return FrontierEngine(
            max_states,
            self.n_replicates,
            superset=self._superset,
            max_term_size=max_term_size,
        )


class Auto(Frontier):
    """Fastest computation: exact up to a budget, and an unbiased estimate beyond.

    The classifier uses an :term:`explicit weight table` if it fits into memory, and
    sums samples with few features term by term. Other sums are :term:`superset sums
    <superset sum>`, or computed by the :term:`state-merging dynamic program`, as by
    :class:`Exact`. States are resampled if there are more than `max_states`.

    Parameters
    ----------
    max_states : int or 'auto', default='auto'
        Maximum number of states after resampling, see :class:`Frontier`.

    n_replicates : int, default=8
        Number of independent runs if states are resampled.

    See Also
    --------
    Exact : Raise an error instead of an estimate.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import Auto
    >>> from sklearn_dnfwinnow.sums import log_weighted_sum
    >>> agreements = [[True, True, False], [True, False, True]]
    >>> log_weighted_sum(agreements, [2, -1], sampler=Auto()).sampler
    'superset'
    """

    name = "auto"
    _superset = True
    term_by_term = True
    prefers_exact = True


class Table(Auto):
    """Explicit weight table of all terms; an error if it does not fit into memory.

    The table contains all terms of up to `max_term_size` literals that training samples
    satisfy. Sums without a table, such as the sums of a small batch, are computed as by
    :class:`Auto`.

    Parameters
    ----------
    max_states : int or 'auto', default='auto'
        Maximum number of states after resampling, see :class:`Frontier`.

    n_replicates : int, default=8
        Number of independent runs if states are resampled.

    See Also
    --------
    Auto : Compute sums by other methods if a table does not fit.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.samplers import Table
    >>> clf = DNFWinnowClassifier(sampler=Table(), max_term_size=2, random_state=0)
    >>> clf.fit([["a", "x"], ["b", "x"]], [0, 1]).predict([["b", "y"]])
    array([1])
    """

    name = "table"
    prefers_exact = False
