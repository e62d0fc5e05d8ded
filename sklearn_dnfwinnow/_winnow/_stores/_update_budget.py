"""Update budget: the stored examples that a class keeps if there are too many.

Merging follows the budgeted kernel machines of Wang, Crammer & Vucetic ("Breaking the
curse of kernelization", JMLR 13, 2012): without it, terms that many examples satisfy,
such as the empty one, jump with each removal, and predictions with them.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

#: More stored examples than training can create.
NO_LIMIT = np.iinfo(np.int64).max
#: Fraction of the discarded counts whose loss causes a warning. On tables of customers
#: and three random DNF, streams with a larger loss were 4 to 30 points below the
#: accuracy without a limit, and those with a smaller loss up to 6 points, or 10 points
#: for 40 binary features.
MOST_LOST = 0.55
# One in so many is discarded at once. With one in five, accuracy falls for a while.
_PART = 20


def merged(codes, net_counts, max_stored_examples):
    """Return the stored examples to keep if there are too many, and their net counts.

    The examples with the smallest absolute net counts are discarded, the oldest of
    these first, until 95 % of `max_stored_examples` remain. The net count of each is
    added to that of the kept example with which it shares most codes, the oldest of
    these. Their sum, which is the net count of the empty term, does not change, and
    terms that both satisfy keep their net counts.

    Parameters
    ----------
    codes : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples, in order of arrival. 0 is shared by none.
    net_counts : ndarray of shape (m,), int64
    max_stored_examples : int

    Returns
    -------
    places : ndarray of int
        Increasing.
    net_counts : ndarray of int64
        New net counts of the kept examples.
    discarded : ndarray of shape (2,), float64
        Sum of the discarded absolute net counts, and the part of it that is lost. For
        an example, this is the number of codes that the other one does not share,
        relative to the mean number for all kept examples.
    """
    n_gone = max(
        0, len(net_counts) - (max_stored_examples - max_stored_examples // _PART)
    )
    weakest_first = np.argsort(np.abs(net_counts), kind="stable")
    gone, places = weakest_first[:n_gone], np.sort(weakest_first[n_gone:])
    kept, sums, discarded = codes[places], net_counts[places], np.zeros(2)
    for place in gone[net_counts[gone] != 0]:
        row, net_count = codes[place], net_counts[place]
        n_shared = np.count_nonzero((kept == row) & (row != 0), axis=1)
        n_other = np.count_nonzero(row) - n_shared
        nearest = n_other.argmin()
        sums[nearest] += net_count
        lost = n_other[nearest] / max(n_other.mean(), 1e-9)
        discarded += np.abs([net_count, net_count * lost])
    return places, sums, discarded
