"""Exact: the superset sum of few features, or the state-merging dynamic program."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.samplers._frontier_engine import FrontierEngine
from sklearn_dnfwinnow.samplers._frontier_run import MAX_STATES_CONSTRAINT
from sklearn_dnfwinnow.samplers._sampler import Sampler

# max_states='auto': some 200 megabytes, half a second.
_AUTO_STATES = 5_000_000


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
        return FrontierEngine(
            max_states, n_replicates=0, superset=True, max_term_size=max_term_size
        )
