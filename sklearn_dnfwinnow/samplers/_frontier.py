"""Frontier: the state-merging dynamic program, exact or resampled without bias."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

from sklearn_dnfwinnow._utils._compat import Interval
from sklearn_dnfwinnow.samplers._frontier_engine import FrontierEngine
from sklearn_dnfwinnow.samplers._frontier_run import MAX_STATES_CONSTRAINT
from sklearn_dnfwinnow.samplers._sampler import Sampler

# max_states='auto': a sum takes milliseconds.
_AUTO_STATES = 2_000


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
            superset=self._superset,
            max_term_size=max_term_size,
        )
