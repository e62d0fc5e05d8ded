"""Selection: the few of many terms whose disjunction is nearest to a target."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# How much a row that is covered wrongly counts in greedy choices, beside one that is
# covered rightly: broad terms are quick to gain, and then in the way of precise ones.
_PENALTIES = (1.0, 2.0, 5.0, 20.0, 1e6)


def select(satisfied, target, weights, sizes, n_terms):
    """Choose terms so that rows satisfy one of them if, and only if, the target says so.

    Greedily, at different penalties of rows that are covered wrongly; then terms are
    exchanged, one by one, and dropped, as long as that helps.

    Parameters
    ----------
    satisfied : ndarray of shape (n_candidates, n_rows), bool
        Which rows satisfy which term; candidates that come first win ties.
    target : ndarray of shape (n_rows,), bool
    weights : ndarray of shape (n_rows,)
        Of rows, positive.
    sizes : ndarray of shape (n_candidates,), int
        Literals of the terms: of choices that are as near, the shorter is better.
    n_terms : int
        Most terms to choose.

    Returns
    -------
    chosen : list of int
        In the order of the candidates.
    """
    # Terms and literals cost less, all together, than any row.
    cost = 0.5 * weights.min(initial=1.0) / (1 + n_terms * (1 + sizes.max(initial=0)))
    prices = cost * (1 + sizes)

    def gain(chosen):
        covered = satisfied[chosen].any(axis=0)
        right = weights[covered & target].sum() - weights[covered & ~target].sum()
        return right - prices[chosen].sum()

    def grown(chosen, penalty):
        """With the terms that gain most, one after another."""
        gains = weights * np.where(target, 1.0, -penalty)
        while len(chosen) < n_terms:
            more = satisfied @ np.where(satisfied[chosen].any(axis=0), 0.0, gains)
            more -= prices
            if not more.max(initial=0.0) > 0:
                break
            chosen = [*chosen, int(more.argmax())]
        return chosen

    def exchanged(chosen):
        """Without one of the terms, and with those that then gain most."""
        without = [[term for term in chosen if term != out] for out in chosen]
        return max([chosen, *(grown(rest, 1.0) for rest in without)], key=gain)

    found = []
    for penalty in _PENALTIES:
        chosen = grown([], penalty)
        while gain(better := exchanged(chosen)) > gain(chosen) + 0.5 * cost:
            chosen = better
        found.append(sorted(chosen))
    return max(found, key=gain)
