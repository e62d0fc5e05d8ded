"""Greedy cover: the few of many terms whose disjunction gains most.

This is maximum coverage with weights of either sign: greedy choices, improved by
exchanges.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# How much a row that is covered wrongly counts in greedy choices, beside one that is
# covered rightly: broad terms gain most at first, and then exclude precise ones.
_PENALTIES = (1.0, 2.0, 5.0, 20.0, 1e6)
# How many first terms greedy choices start from, one after another.
_N_FIRST = 12


def greedy_maximum_coverage(covers, gains, sizes, n_terms):
    """Choose terms so that the rows that any of them covers gain most together.

    Greedily, at different penalties of rows that lose, and from different first terms;
    then terms are exchanged, one by one, and dropped, as long as that helps.

    Parameters
    ----------
    covers : ndarray of shape (n_candidates, n_rows), bool
        Which term covers which rows; candidates that come first win ties.
    gains : ndarray of shape (n_rows,)
        What covering a row gains; negative for those that should not be covered.
    sizes : ndarray of shape (n_candidates,), int
        Literals of the terms: of choices that gain the same, the shorter is better.
    n_terms : int
        Most terms to choose.

    Returns
    -------
    chosen : list of int
        In the order of the candidates.
    """
    # Terms and literals cost next to nothing, all together.
    prices = 1e-9 * np.abs(gains).sum() * (1 + sizes)
    weights = covers.astype(np.float64)

    def gain(chosen):
        return gains[covers[chosen].any(axis=0)].sum() - prices[chosen].sum()

    def extend(chosen, penalty=1.0):
        """Add the terms that gain most, one after another."""
        penalised = np.where(gains < 0, penalty * gains, gains)
        while len(chosen) < n_terms:
            uncovered = ~covers[chosen].any(axis=0)
            more = weights @ (uncovered * penalised) - prices
            if not more.max(initial=0.0) > 0:
                break
            chosen = [*chosen, int(more.argmax())]
        return chosen

    def exchange(chosen):
        """Replace one of the terms by those that then gain most."""
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
