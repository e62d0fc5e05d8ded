"""Selection of the number of intervals, given an optimal partition into each."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import gammaln

from sklearn_dnfwinnow._encoding._entropy_cuts._segments import TIE


def fewest_of_least_entropy(found):
    """Return the fewest intervals with the minimum average class entropy."""
    return 1 + int(np.argmax(found.entropies <= found.entropies.min() + TIE))


def most_possible(found):
    """Return the largest number of intervals."""
    return len(found.entropies)


def most_probable(found):
    """Return the number of intervals of the most probable partition (Boulle 2006).

    This is the criterion of MODL. In its prior, all numbers of intervals are equally
    probable, then all divisions of N rows among I intervals, and then, in each
    interval, all distributions over the J classes. Minus the logarithm of prior times
    likelihood is, up to a constant,

        log C(N + I - 1, I - 1) + sum_i log C(N_i + J - 1, J - 1)
            + sum_i log (N_i! / prod_j N_ij!).
    """
    n_classes = found.counts.shape[1]
    rows = found.counts.sum()
    costs = []
    for arity in range(1, len(found.entropies) + 1):
        counts = found.interval_counts(arity)
        inside = counts.sum(axis=1)
        borders = _log_binomial(rows + arity - 1, arity - 1)
        distributions = _log_binomial(inside + n_classes - 1, n_classes - 1).sum()
        labels = gammaln(inside + 1).sum() - gammaln(counts + 1).sum()
        costs.append(borders + distributions + labels)
    return 1 + int(np.argmax(costs <= np.min(costs) + 1e-9))


def most_balanced(found):
    """Return the number k of largest gain over log2(k) (Elomaa & Rousu 1999)."""
    gains = found.entropies[0] - found.entropies[1:]
    if not (gains > TIE).any():
        return 1
    balanced = gains / np.log2(np.arange(2, len(gains) + 2))
    return 2 + int(np.argmax(balanced >= balanced.max() - TIE))


def _log_binomial(n, k):
    """Return the log of the number of ways to choose k of n."""
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


SELECTIONS = {
    "max": fewest_of_least_entropy,
    # Between quantiles, see `Cutter`.
    "quantiles": most_possible,
    "mdl": most_probable,
    "balanced": most_balanced,
}
