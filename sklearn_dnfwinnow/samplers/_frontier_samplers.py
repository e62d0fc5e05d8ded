"""Exact, Frontier, Auto and Table: sums by the state-merging dynamic program."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

from sklearn_dnfwinnow._utils._compat import Interval
from sklearn_dnfwinnow.samplers._frontier_engine import FrontierEngine
from sklearn_dnfwinnow.samplers._frontier_run import MAX_STATES_CONSTRAINT
from sklearn_dnfwinnow.samplers._sampler import Sampler

# max_states='auto' of exact sums: some 200 megabytes, half a second.
_EXACT_STATES = 5_000_000
# max_states='auto' of estimates: a sum takes milliseconds.
_AUTO_STATES = 2_000


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


class Auto(Frontier):
    """Fastest computation: exact up to a budget, and an unbiased estimate beyond.

    The classifier uses an :term:`explicit weight table` if it fits into memory, and
    sums samples with few features term by term. Other sums are :term:`superset sums
    <superset sum>`, or computed by the :term:`state-merging dynamic program`, as by
    :class:`Exact`. States are resampled if there are more than `max_states`.

    Parameters
    ----------
    max_states : int or 'auto', default='auto'
        Maximum number of states after resampling, see :class:`Frontier`. 'auto' is
        2,000.

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
        Maximum number of states after resampling, see :class:`Frontier`. 'auto' is
        2,000.

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
    table_required = True
    prefers_exact = False
