"""Interactions: data sets with classes from a logistic model of all interactions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import comb
from numbers import Integral, Real

import numpy as np
from scipy.special import softmax
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._utils._compat import POSITIVE, Interval, StrOptions
from sklearn_dnfwinnow.datasets._shared import TWO_OR_MORE, check_n_values, public


@public(
    {
        "n_samples": [POSITIVE],
        "n_features": [POSITIVE],
        "n_values": [TWO_OR_MORE, "array-like"],
        "n_classes": [TWO_OR_MORE],
        "interactions": [StrOptions({"all", "nested"})],
        "max_order": [Interval(Integral, 0, None, closed="left"), None],
        "prior": [StrOptions({"cauchy", "normal"})],
        "widths": [Interval(Real, 0, None, closed="left"), "array-like"],
        "random_state": ["random_state"],
        "return_proba": ["boolean"],
    }
)
def make_interactions(
    n_samples=100,
    n_features=8,
    *,
    n_values=3,
    n_classes=2,
    interactions="all",
    max_order=None,
    prior="cauchy",
    widths=1.0,
    random_state=None,
    return_proba=False,
):
    """Generate samples of a logistic model of all interactions, drawn from its prior.

    A pattern of order o requires the values of o features. Each pattern has a parameter
    with a Cauchy or normal distribution around 0, whose width depends on the order. The
    linear predictor of a sample is the sum over all patterns that it satisfies, of
    which C(n_features, o) have order o. This is the model of [1]_. Samples are uniform,
    parameters are drawn from the prior, and classes are drawn given the parameters.

    Only parameters of patterns that occur in the samples are drawn. To generate
    training and test samples with the same parameters, generate all of them in one call
    and split them; the samples are in random order.

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples.

    n_features : int, default=8
        Number of features.

    n_values : int or array-like of shape (n_features,), int, default=3
        Number of values k of all features, or of each feature; at least 2.

    n_classes : int, default=2
        Number of classes. With two classes, the linear predictor is the log-odds of
        class 1. With more, each class has its own parameters, and the probabilities are
        the softmax of the linear predictors.

    interactions : {'all', 'nested'}, default='all'
        The patterns of the model. 'all' includes patterns of any features. 'nested'
        includes, for each order o, only patterns of the last o features, as for
        sequences.

    max_order : int or None, default=None
        Largest order of a pattern. None is `n_features`. The run time is proportional
        to `n_samples` and to the number of sets of features up to this size.

    prior : {'cauchy', 'normal'}, default='cauchy'
        The distribution of the parameters.

    widths : float or array-like of shape (max_order + 1,), default=1.0
        Scales of the Cauchy distributions, or standard deviations of the normal
        distributions, by order from 0. A single number is the width, for each order, of
        the sum over all patterns of the order that a sample satisfies. The width of a
        parameter is then ``widths / C(n_features, o)`` for Cauchy and ``widths /
        sqrt(C(n_features, o))`` for normal distributions, or `widths` for nested
        patterns.

    random_state : int, RandomState instance or None, default=None
        Determines the random numbers. Pass an int for reproducible parameters and data.

    return_proba : bool, default=False
        Whether to return the true probabilities, too.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features), int64
        Values 1 to k.

    y : ndarray of shape (n_samples,), int64
        The classes, 0 to ``n_classes - 1``.

    proba : ndarray of shape (n_samples, n_classes), float64
        Probability of each class for each sample. Only if `return_proba`.

    Raises
    ------
    ValueError
        If a parameter is invalid, or `max_order` exceeds `n_features`.

    See Also
    --------
    make_dnf : Samples of random formulas.
    make_hidden_markov : Sequences.

    References
    ----------
    .. [1] L. Li and R. M. Neal, "Compressing Parameters in Bayesian High-order Models
       with Application to Logistic Sequence Models", Bayesian Analysis 3(4), 793-821,
       2008.

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import make_interactions
    >>> X, y, proba = make_interactions(random_state=0, return_proba=True)
    >>> X.shape, proba.shape
    ((100, 8), (100, 2))
    >>> bool((y == proba.argmax(axis=1)).mean() > 0.7)
    True
    """
    n_values = check_n_values(n_values, n_features)
    max_order = n_features if max_order is None else max_order
    if max_order > n_features:
        raise ValueError(
            f"max_order={max_order} must not exceed n_features={n_features}."
        )
    nested = interactions == "nested"
    counts = [1 if nested else comb(n_features, o) for o in range(max_order + 1)]
    widths = _check_widths(widths, counts, prior)
    rng = check_random_state(random_state)
    X = rng.randint(0, n_values, size=(n_samples, n_features), dtype=np.int64)
    draw = rng.standard_cauchy if prior == "cauchy" else rng.standard_normal
    scores = np.zeros((n_samples, n_classes))
    # With two classes, the first one is the reference.
    own = scores[:, 1:] if n_classes == 2 else scores
    for order, patterns in _patterns(X, max_order, nested):
        parameters = widths[order] * draw((patterns.max() + 1, own.shape[1]))
        own += parameters[patterns]
    proba = softmax(scores, axis=1)
    uniform = rng.uniform(size=(n_samples, 1))
    y = (uniform >= proba.cumsum(axis=1)[:, :-1]).sum(axis=1, dtype=np.int64)
    return (X + 1, y, proba) if return_proba else (X + 1, y)


def _check_widths(widths, counts, prior):
    """Return the width of a parameter of each order: (max_order + 1,), float64.

    `counts` contains the number of patterns of each order that a sample satisfies.
    """
    try:
        widths = np.asarray(widths, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"widths must be numbers. Got {widths!r} instead.") from None
    if widths.ndim == 0:
        shares = np.array(counts, dtype=np.float64)
        widths = widths / (shares if prior == "cauchy" else np.sqrt(shares))
    if widths.shape != (len(counts),):
        raise ValueError(
            f"widths must be a number or of shape ({len(counts)},), with one entry "
            f"for each order from 0. Got shape {widths.shape} instead."
        )
    if not (np.isfinite(widths).all() and widths.min() >= 0):
        raise ValueError(
            f"widths must be finite and not negative. Got {widths.tolist()} instead."
        )
    return widths


def _patterns(X, max_order, nested):
    """Yield, for each set of features, its size and the pattern of each sample.

    The patterns of a set are numbered from 0 without gaps. Sets grow to the left. With
    nested patterns, they contain all features from one of them on.
    """
    n_samples, n_features = X.shape
    codes = [np.unique(column, return_inverse=True)[1] for column in X.T]
    growing = [(0, n_features, np.zeros(n_samples, dtype=np.int64))]
    while growing:
        order, leftmost, patterns = growing.pop()
        yield order, patterns
        if order < max_order:
            for j in range(leftmost - 1 if nested else 0, leftmost):
                pairs = patterns * (codes[j].max() + 1) + codes[j]
                larger = np.unique(pairs, return_inverse=True)[1]
                growing.append((order + 1, j, larger))
