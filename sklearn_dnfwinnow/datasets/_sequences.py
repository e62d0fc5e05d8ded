"""Sequences: windows of sequences as samples, and samples of hidden Markov chains."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Real

import numpy as np
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._utils._compat import POSITIVE, Interval
from sklearn_dnfwinnow.datasets._shared import TWO_OR_MORE, public

_PROBABILITY = Interval(Real, 0, 1, closed="both")


@public({"sequence": ["array-like", str], "order": [POSITIVE]})
def make_windows(sequence, order):
    """Convert a sequence to samples: each symbol, and the symbols that precede it.

    The windows overlap: each symbol after the first `order` symbols is the class of a
    sample. Classification of these samples predicts the next symbol from the previous
    ones [1]_.

    Parameters
    ----------
    sequence : str or array-like of shape (n_symbols,)
        The symbols in order. In a string, each character is a symbol.

    order : int
        Number of preceding symbols per sample, less than the number of symbols.

    Returns
    -------
    X : ndarray of shape (n_symbols - order, order)
        The preceding symbols, with the type of the sequence. The last feature is the
        symbol nearest to the class.

    y : ndarray of shape (n_symbols - order,)
        The classes: the symbol after each window.

    Raises
    ------
    ValueError
        If a parameter is invalid, or the sequence is not longer than `order`.

    See Also
    --------
    load_english : A text.
    make_hidden_markov : Windows of random sequences.

    References
    ----------
    .. [1] L. Li and R. M. Neal, "Compressing Parameters in Bayesian High-order Models
       with Application to Logistic Sequence Models", Bayesian Analysis 3(4), 793-821,
       2008.

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import make_windows
    >>> X, y = make_windows("banana", 3)
    >>> ["".join(row) for row in X], "".join(y)
    (['ban', 'ana', 'nan'], 'ana')
    """
    symbols = np.array([*sequence] if isinstance(sequence, str) else sequence)
    if symbols.ndim != 1:
        raise ValueError(
            f"sequence must have one dimension. Got shape {symbols.shape} instead."
        )
    if len(symbols) <= order:
        raise ValueError(
            f"sequence must have more than order={order} symbols. Got {len(symbols)} "
            "instead."
        )
    windows = np.lib.stride_tricks.sliding_window_view(symbols, order + 1)
    return windows[:, :-1].copy(), windows[:, -1].copy()


@public(
    {
        "n_samples": [POSITIVE],
        "order": [POSITIVE],
        "n_states": [TWO_OR_MORE],
        "n_symbols": [TWO_OR_MORE],
        "p_next": [_PROBABILITY],
        "p_symbol": [_PROBABILITY],
        "random_state": ["random_state"],
        "return_proba": ["boolean"],
    }
)
def make_hidden_markov(
    n_samples=1000,
    order=10,
    *,
    n_states=8,
    n_symbols=2,
    p_next=0.95,
    p_symbol=0.95,
    random_state=None,
    return_proba=False,
):
    """Generate sequences of a hidden Markov chain, to predict the next symbol.

    The data are similar to the simulated sequences of [1]_, which have 8 states. The
    states form a ring, and each state has a symbol. All symbols have the same number of
    states, up to one, in random order around the ring. A sequence therefore nearly
    repeats itself, and each further known symbol helps to find the position in the
    ring. Samples are independent, unlike windows of one sequence. The distributions are
    those of this package.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of samples, each a sequence of ``order + 1`` symbols.

    order : int, default=10
        Number of preceding symbols per sample.

    n_states : int, default=8
        Number of hidden states, at least 2. The first state of a sequence is uniform.

    n_symbols : int, default=2
        Number of symbols, from 2 to `n_states`.

    p_next : float, default=0.95
        Probability that a state is followed by the next state of the ring. All other
        states, including the state itself, are equally likely.

    p_symbol : float, default=0.95
        Probability that a state emits its own symbol. All other symbols are equally
        likely.

    random_state : int, RandomState instance or None, default=None
        Determines the random numbers. Pass an int for a reproducible ring and data.

    return_proba : bool, default=False
        Whether to return the true probabilities, too.

    Returns
    -------
    X : ndarray of shape (n_samples, order), int64
        The preceding symbols, 1 to `n_symbols`. The last feature is the symbol nearest
        to the class.

    y : ndarray of shape (n_samples,), int64
        The classes: the symbol after each window.

    proba : ndarray of shape (n_samples, n_symbols), float64
        Probability of each symbol after each window. No predictor that uses only X is
        better. Only if `return_proba`.

    Raises
    ------
    ValueError
        If a parameter is invalid, or `n_symbols` exceeds `n_states`.

    See Also
    --------
    make_windows : Samples from any sequence.
    make_interactions : Samples of a logistic model.

    References
    ----------
    .. [1] L. Li and R. M. Neal, "Compressing Parameters in Bayesian High-order Models
       with Application to Logistic Sequence Models", Bayesian Analysis 3(4), 793-821,
       2008.

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import make_hidden_markov
    >>> X, y, proba = make_hidden_markov(order=20, random_state=0, return_proba=True)
    >>> X.shape, proba.shape
    ((1000, 20), (1000, 2))
    >>> bool((y == proba.argmax(axis=1) + 1).mean() > 0.8)
    True
    """
    if n_symbols > n_states:
        raise ValueError(f"n_symbols={n_symbols} must not exceed n_states={n_states}.")
    rng = check_random_state(random_state)
    shape = n_samples, order + 1
    own = rng.permutation(np.arange(n_states) % n_symbols)
    first = rng.randint(n_states, size=(n_samples, 1))
    steps = 1 + _others(rng, shape, n_states, p_next)
    states = (first + steps.cumsum(axis=1)) % n_states
    symbols = (own[states] + _others(rng, shape, n_symbols, p_symbol)) % n_symbols
    X, y = symbols[:, :-1] + 1, symbols[:, -1] + 1
    if not return_proba:
        return X, y
    transitions = np.roll(_one_or_another(n_states, p_next), 1, axis=1)
    emissions = _one_or_another(n_symbols, p_symbol)[own]
    return X, y, _next_symbols(X - 1, transitions, emissions)


def _others(rng, shape, n_values, p):
    """Draw 0 with probability p, otherwise 1 to n_values - 1 uniformly."""
    others = rng.randint(1, n_values, size=shape, dtype=np.int64)
    return np.where(rng.uniform(size=shape) < p, 0, others)


def _one_or_another(n_values, p):
    """Return a matrix with diagonal p, equal other entries, and row sums 1."""
    matrix = np.full((n_values, n_values), (1 - p) / (n_values - 1))
    np.fill_diagonal(matrix, p)
    return matrix


def _next_symbols(X, transitions, emissions):
    """Return the distribution of the symbol after each window (forward algorithm).

    Parameters
    ----------
    X : ndarray of shape (n_samples, order), int
        Symbols from 0.
    transitions : ndarray of shape (n_states, n_states)
        Probability of each state after each other state. Columns also sum to 1, so that
        states are uniform before any symbol is known.
    emissions : ndarray of shape (n_states, n_symbols)
        Probability of each symbol in each state.

    Returns
    -------
    proba : ndarray of shape (n_samples, n_symbols)
    """
    states = np.full((len(X), len(transitions)), 1 / len(transitions))
    for symbols in X.T:
        states = states * emissions.T[symbols]
        states = states / states.sum(axis=1, keepdims=True) @ transitions
    return states @ emissions
