"""Tables drawn from the prior: a logistic model of interactions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import softmax

# Values of each column of `make_interactions`.
N_VALUES = 3


def make_interactions(n_rows, n_columns, *, interactions="all", prior, widths, seed):
    """Return samples of a logistic model of interactions, drawn from its prior.

    A pattern of order o requires the values of o columns. Each pattern has a parameter.
    The log-odds of a sample are the sum over all patterns that it satisfies. Only
    parameters of patterns that occur in the samples are drawn.

    Parameters
    ----------
    n_rows, n_columns : int
    interactions : {'all', 'nested'}, default='all'
        The patterns: those of any columns, or those of the last ones.
    prior : {'cauchy', 'normal'}
        Distribution of the parameters, around 0.
    widths : array-like of shape (max_order + 1,)
        Width of the distribution, by order from 0.
    seed : int

    Returns
    -------
    X : ndarray of shape (n_rows, n_columns), int64
    y : ndarray of shape (n_rows,), int64
    proba : ndarray of shape (n_rows, 2), float64
        The true probabilities.
    """
    rng = np.random.RandomState(seed)
    n_values = np.full(n_columns, N_VALUES)
    X = rng.randint(0, n_values, size=(n_rows, n_columns), dtype=np.int64)
    draw = rng.standard_cauchy if prior == "cauchy" else rng.standard_normal
    scores = np.zeros((n_rows, 2))
    for order, patterns in _patterns(X, len(widths) - 1, interactions == "nested"):
        parameters = widths[order] * draw((patterns.max() + 1, 1))
        scores[:, 1:] += parameters[patterns]
    proba = softmax(scores, axis=1)
    uniform = rng.uniform(size=(n_rows, 1))
    return X + 1, (uniform >= proba[:, :1]).sum(axis=1, dtype=np.int64), proba


def _patterns(X, max_order, nested):
    """Yield, for each set of columns, its size and the pattern of each sample.

    The patterns of a set are numbered from 0 without gaps. Sets grow to the left. With
    nested patterns, they contain all columns from one of them on.
    """
    n_rows, n_columns = X.shape
    codes = [np.unique(column, return_inverse=True)[1] for column in X.T]
    growing = [(0, n_columns, np.zeros(n_rows, dtype=np.int64))]
    while growing:
        order, leftmost, patterns = growing.pop()
        yield order, patterns
        if order < max_order:
            for j in range(leftmost - 1 if nested else 0, leftmost):
                pairs = patterns * (codes[j].max() + 1) + codes[j]
                larger = np.unique(pairs, return_inverse=True)[1]
                growing.append((order + 1, j, larger))
