"""Exponents: how large they may become."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

#: Largest sum of the absolute exponents of a class, in units of 1 / denominator, and
#: largest denominator.
#:
#: Kernels add and subtract exponents in int64, and check nothing. Let S be the sum over
#: all that one class was promoted and demoted by, so that no exponent, no phi of a term
#: and no sum of exponents exceeds S in absolute value. The largest expressions are
#: differences of two sums, up to 2 S, and a term table's margin on both sides of its
#: exponents, S + 2 S + one update. With S <= 2^60 these are below 2^62; so are sums of
#: two such. What is made of S in float64, such as phi times log(alpha), is below 2^70
#: and finite. Tables by phi have budgets of their own, far below (`MAX_POWERS`).
LARGEST_SUM = 1 << 60


def largest_sum(exponents):
    """Return the largest sum of the absolute exponents of a class, as a float.

    Parameters
    ----------
    exponents : ndarray of shape (n_classes, m) or (m,), int64

    Returns
    -------
    largest : float
        Of any int64, without overflow.
    """
    sums = np.abs(np.asarray(exponents, dtype=np.float64)).sum(axis=-1)
    return float(np.max(sums, initial=0.0))


def check_sum(total, denominator=1):
    """Refuse a sum of exponents that is beyond the limit.

    Parameters
    ----------
    total : int or float
        What the absolute exponents of a class sum to, or may come to, in units.
    denominator : int
        Units of a whole promotion.

    Raises
    ------
    ValueError
        If it exceeds `LARGEST_SUM`, or the denominator does.
    """
    # Not the contrary: NaN is refused.
    if not (total <= LARGEST_SUM and denominator <= LARGEST_SUM):
        raise ValueError(
            "The exponents of a class are too large: in units of 1 / "
            f"{float(denominator):.3g} of a promotion they may come to "
            f"{float(total):.3g} in sum, and 2**60 is the limit. Sample weights and "
            "class weights of this call, and what was learned before, add up to this. "
            "Use smaller weights, or call fit to learn anew."
        )
