"""Auto and Table: explicit weight tables, and the fastest sums without a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.samplers._frontier import Frontier


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
