"""Net counts (net promotion counts): their largest possible values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

#: Largest sum of the absolute net counts of a class, in units of 1 / denominator, and
#: largest denominator.
#:
#: Kernels add and subtract net counts in int64 without checks. Let S be the sum of all
#: absolute promotions and demotions of one class. No net count, no phi of a term and no
#: sum of net counts exceeds S in absolute value. The largest expressions are
#: differences of two sums, up to 2 S, and the margin of an explicit weight table on
#: both sides of its net counts, S + 2 S + one update. With S <= 2^60 these are below
#: 2^62, and so are sums of two. Derived float64 values, such as phi times log(alpha),
#: are below 2^70 and finite. Tables by phi have their own, far smaller budgets
#: (`MAX_POWERS`).
LARGEST_SUM = 1 << 60


def largest_sum(net_counts):
    """Return the largest sum of the absolute net counts of a class, as a float.

    Parameters
    ----------
    net_counts : ndarray of shape (n_classes, m) or (m,), int64

    Returns
    -------
    largest : float
        For any int64, without overflow.
    """
    sums = np.abs(np.asarray(net_counts, dtype=np.float64)).sum(axis=-1)
    return float(np.max(sums, initial=0.0))


def check_sum(total, denominator=1):
    """Raise an error if a sum of net counts exceeds the limit.

    Parameters
    ----------
    total : int or float
        Largest possible sum of the absolute net counts of a class, in units.
    denominator : int
        Units of a whole promotion.

    Raises
    ------
    ValueError
        If `total` or `denominator` exceeds `LARGEST_SUM`.
    """
    # Written with `not`, so that NaN raises an error.
    if not (total <= LARGEST_SUM and denominator <= LARGEST_SUM):
        raise ValueError(
            "The net promotion counts of a class are too large: in units of 1 / "
            f"{float(denominator):.3g} of a promotion, their sum may reach "
            f"{float(total):.3g}, and the limit is 2**60. The sum includes sample "
            "weights, class weights, and earlier training calls. Use smaller weights, "
            "or call fit to train a new model."
        )
