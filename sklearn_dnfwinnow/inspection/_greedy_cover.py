"""Selection: the few of many terms whose disjunction is nearest to a target."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# How much a row that is covered wrongly counts in greedy choices, beside one that is
# covered rightly: broad terms are quick to gain, and then in the way of precise ones.
_PENALTIES = (1.0, 2.0, 5.0, 20.0, 1e6)
# Terms that a choice is made to begin with, one after another.
_N_FIRST = 12


def select(satisfied, gains, sizes, n_terms):
    """Choose terms so that the rows that satisfy any of them gain most together.

    Greedily, at different penalties of rows that lose, and from different first terms;
    then terms are exchanged, one by one, and dropped, as long as that helps.

    Parameters
    ----------
    satisfied : ndarray of shape (n_candidates, n_rows), bool
        Which rows satisfy which term; candidates that come first win ties.
    gains : ndarray of shape (n_rows,)
        What it is worth that a row is covered; negative for those that should not be.
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
    covers = satisfied.astype(np.float64)

    def gain(chosen):
        return gains[satisfied[chosen].any(axis=0)].sum() - prices[chosen].sum()

    def grown(chosen, penalty=1.0):
        """With the terms that gain most, one after another."""
        penalised = np.where(gains < 0, penalty * gains, gains)
        while len(chosen) < n_terms:
            open_rows = ~satisfied[chosen].any(axis=0)
            more = covers @ (open_rows * penalised) - prices
            if not more.max(initial=0.0) > 0:
                break
            chosen = [*chosen, int(more.argmax())]
        return chosen

    def exchanged(chosen):
        """Without one of the terms, and with those that then gain most."""
        without = [[term for term in chosen if term != out] for out in chosen]
        return max([chosen, *map(grown, without)], key=gain)

    firsts = np.argsort(prices - covers @ gains, kind="stable")[:_N_FIRST]
    starts = [grown([], penalty) for penalty in _PENALTIES]
    starts += [grown([int(first)]) for first in firsts]
    found = []
    for chosen in starts:
        while gain(better := exchanged(chosen)) > gain(chosen):
            chosen = better
        found.append(sorted(chosen))
    return max(found, key=gain)
