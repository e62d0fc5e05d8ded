"""Greedy cover: a few of many terms whose disjunction has the largest gain.

This is maximum coverage with weights of either sign. Greedy choices are improved by
exchanges.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# Penalties of rows with a negative gain in the greedy choices. With a small penalty,
# broad terms have the largest gain, and then exclude precise ones.
_PENALTIES = (1.0, 2.0, 5.0, 20.0, 1e6)
# Number of first terms from which greedy choices start, one after another.
_N_FIRST = 12


def greedy_maximum_coverage(covers, gains, sizes, n_terms):
    """Choose terms such that the rows covered by any of them have the largest gain.

    The choice is greedy, with several penalties of rows with a negative gain, and from
    several first terms. Terms are then exchanged and dropped, one by one, as long as
    this improves the gain.

    Parameters
    ----------
    covers : ndarray of shape (n_candidates, n_rows), bool
        Which term covers which rows. Of tied candidates, the first is chosen.
    gains : ndarray of shape (n_rows,)
        Gain of covering each row; negative for rows that should not be covered.
    sizes : ndarray of shape (n_candidates,), int
        Numbers of literals of the terms. Of choices with the same gain, the shorter is
        chosen.
    n_terms : int
        Maximum number of terms to choose.

    Returns
    -------
    chosen : list of int
        In the order of the candidates.
    """
    # All terms and literals together cost much less than any gain.
    prices = 1e-9 * np.abs(gains).sum() * (1 + sizes)
    weights = covers.astype(np.float64)

    def gain(chosen):
        return gains[covers[chosen].any(axis=0)].sum() - prices[chosen].sum()

    def extend(chosen, penalty=1.0):
        """Add the terms with the largest gain, one after another."""
        penalised = np.where(gains < 0, penalty * gains, gains)
        while len(chosen) < n_terms:
            uncovered = ~covers[chosen].any(axis=0)
            more = weights @ (uncovered * penalised) - prices
            if not more.max(initial=0.0) > 0:
                break
            chosen = [*chosen, int(more.argmax())]
        return chosen

    def exchange(chosen):
        """Replace one of the terms by those with the largest gain."""
        without = [[term for term in chosen if term != out] for out in chosen]
        return max([chosen, *map(extend, without)], key=gain)

    firsts = np.argsort(prices - weights @ gains, kind="stable")[:_N_FIRST]
    starts = [extend([], penalty) for penalty in _PENALTIES]
    starts += [extend([int(first)]) for first in firsts]
    found = []
    for chosen in starts:
        while gain(better := exchange(chosen)) > gain(chosen):
            chosen = better
        found.append(sorted(chosen))
    return max(found, key=gain)
