"""Data of Li and Neal: kinds of letters, hidden Markov chains, logistic models.

L. Li and R. M. Neal, "Compressing Parameters in Bayesian High-order Models with
Application to Logistic Sequence Models", Bayesian Analysis 3(4), 793-821, 2008.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from pathlib import Path

import numpy as np
from scipy.special import softmax

ENGLISH = Path(__file__).parent / "data" / "english.txt"
# Of hidden Markov chains: states, symbols, and the probability of the next state of the
# ring, and of the symbol of a state.
N_STATES, N_SYMBOLS, P = 8, 2, 0.95
# Values of each column of `make_interactions`.
N_VALUES = 3


def kinds_of_letters():
    """Return the kinds of the letters of an English text: vowels, consonants, others.

    They are 'V', 'C' (including 'y') and '-'. A run of others, such as a comma and a
    space, is a single '-'. The text is the beginning of "Pride and Prejudice"; that of
    the paper, of 3,930 characters, is not available.
    """
    text = re.sub("[^A-Za-z]+", "-", ENGLISH.read_text(encoding="ascii"))
    return re.sub(
        "[A-Za-z]", lambda letter: "V" if letter[0] in "AEIOUaeiou" else "C", text
    )


def make_windows(symbols, order):
    """Return each symbol after the first ones, and the symbols that precede it.

    Returns
    -------
    X : ndarray of shape (n_symbols - order, order)
        The last column is the symbol nearest to the class.
    y : ndarray of shape (n_symbols - order,)
    """
    windows = np.lib.stride_tricks.sliding_window_view(np.array([*symbols]), order + 1)
    return windows[:, :-1].copy(), windows[:, -1].copy()


def make_hidden_markov(n_rows, order, seed):
    """Return the last symbol of sequences of a hidden Markov chain, and those before.

    The states form a ring, and each has a symbol. All symbols have the same number of
    states, in random order around the ring. A sequence nearly repeats itself, and each
    further known symbol helps to find the position in the ring.

    Returns
    -------
    X : ndarray of shape (n_rows, order), int64
    y : ndarray of shape (n_rows,), int64
    """
    rng = np.random.RandomState(seed)
    shape = n_rows, order + 1
    symbol_of = rng.permutation(np.arange(N_STATES) % N_SYMBOLS)
    first = rng.randint(N_STATES, size=(n_rows, 1))
    steps = 1 + _others(rng, shape, N_STATES)
    states = (first + steps.cumsum(axis=1)) % N_STATES
    symbols = (symbol_of[states] + _others(rng, shape, N_SYMBOLS)) % N_SYMBOLS
    return symbols[:, :-1] + 1, symbols[:, -1] + 1


def _others(rng, shape, n_values):
    """Draw 0 with probability P, otherwise 1 to n_values - 1 uniformly."""
    others = rng.randint(1, n_values, size=shape, dtype=np.int64)
    return np.where(rng.uniform(size=shape) < P, 0, others)


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
