"""Level: the sum of a row that an additive start multiplies by the effects.

A start moves the sum of a row in a class to A + u (effects), where the level u is near
A, so that its logarithm is about additive. Weights stay positive: what effects take
away is at most a fraction of an initial weight, and where they would take more, all
classes get the rest. This raises A, and with it u.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

#: Fraction of an initial weight that effects may take away.
FALL = 0.9
# The factor by which what is added instead may raise the sum of all weights.
_RISE = 3.0
# Maximum number of steps to the level.
_STEPS = 50


def level_of(mean, every):
    """Return the smallest level that is the mean of A.

    Effects fade where A would be more than `_RISE` times the sum of all initial
    weights: the level is then the largest one with this mean.

    Parameters
    ----------
    mean : callable
        The mean of A for a level, which it increases with.
    every : float
        Sum of all initial weights.

    Returns
    -------
    level : float
    """
    low, high = 0.0, _RISE * every
    for _ in range(_STEPS):
        middle = (low + high) / 2
        fits = mean(middle) <= _RISE * every
        low, high = (middle, high) if fits else (low, middle)
    # As the mean increases with the level, these steps end at the smallest solution.
    level = min(every, low)
    for _ in range(_STEPS):
        level = min(mean(level), low)
    return level
