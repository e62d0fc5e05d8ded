"""Auto and Table: term tables, and the cheapest sums elsewhere."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.samplers._frontier import Frontier


class Auto(Frontier):
    """Sum in the cheapest way: exactly up to a budget, by an estimate beyond.

    The classifier keeps a term table where it fits, and sums short rows term by term.
    Other sums are superset sums where these are cheaper, else by the frontier, which is
    resampled where it exceeds `max_states`.

    Parameters
    ----------
    max_states : int or 'auto', default='auto'
        States that the frontier keeps, see :class:`Frontier`. 'auto' is 2,000.

    n_replicates : int, default=8
        Independent runs of a frontier that had to be resampled.

    See Also
    --------
    Exact : An error in place of an estimate.

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
    """Keep the weights of all terms in a table, or raise an error.

    A table has all terms up to `max_term_size` literals that training rows satisfy.
    Sums that no table has, such as those of single rows, are computed as by
    :class:`Auto`.

    Parameters
    ----------
    max_states : int or 'auto', default='auto'
        States that the frontier keeps, see :class:`Frontier`. 'auto' is 2,000.

    n_replicates : int, default=8
        Independent runs of a frontier that had to be resampled.

    See Also
    --------
    Auto : Other sums where a table does not fit.

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
