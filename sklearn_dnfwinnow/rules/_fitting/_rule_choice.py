"""Rule choice: which rules to keep, by their errors on held-out rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np


class Option(NamedTuple):
    """Rules of all classes at one price, without those of the default class.

    Attributes
    ----------
    price : float
    otherwise : int
        Index of the default class.
    is_wrong : ndarray of shape (n_rows,), bool
        Held-out rows that are predicted wrongly.
    n_literals : float
        Mean number of literals over the folds.
    formulas : list of dict of int to list of Term
        The rules in each fold.
    """

    price: float
    otherwise: int
    is_wrong: np.ndarray
    n_literals: float
    formulas: list = []

    def error(self, weights):
        """Return the weighted fraction of wrong predictions."""
        return float(np.average(self.is_wrong, weights=weights))


def predicted(fires, order, otherwise):
    """Return the first class of an order whose rules hold, or else the default class.

    Parameters
    ----------
    fires : ndarray of shape (n_rows, n_classes), bool
        Which rows satisfy the rules of which class.
    order : iterable of int
        Indices of classes, without the default class.
    otherwise : int

    Returns
    -------
    classes : ndarray of shape (n_rows,), int
    """
    classes = np.full(len(fires), otherwise)
    for k in reversed(list(order)):
        classes[fires[:, k]] = k
    return classes


def precisions(fires, samples):
    """Return the precision of the formula of each class: (n_classes,), float64.

    The precision is that of Laplace, (own + 1) / (all + 2), in samples of mean weight.
    """
    weights = samples.weights / samples.unit
    is_own = samples.labels[:, None] == np.arange(fires.shape[1])
    return (weights @ (fires & is_own) + 1) / (weights @ fires + 2)


def chosen(options, weights, counts):
    """Return the option with the fewest literals that is not worse than the best one.

    An option is worse if its error exceeds the smallest error by more than one standard
    error of the difference. (The rule of Breiman et al. 1984, section 3.4.3, for errors
    on the same rows; the standard error is that of options that are equally good.)

    Parameters
    ----------
    options : list of Option
    weights, counts : ndarrays of shape (n_rows,)
        Weight of each row, and number of samples that it stands for.
    """
    best = best_of(options, weights)
    kept = [one for one in options if not is_worse(one, best, weights, counts)]
    return min(kept, key=lambda option: (option.n_literals, option.error(weights)))


def best_of(options, weights):
    """Return the option of the smallest error; of equal ones, the shortest."""
    return min(options, key=lambda option: (option.error(weights), option.n_literals))


def is_worse(option, best, weights, counts):
    """Return whether an option is worse than another by more than a standard error."""
    difference = weights * (option.is_wrong.astype(np.float64) - best.is_wrong)
    return difference.sum() > np.sqrt((difference**2 / counts).sum())
