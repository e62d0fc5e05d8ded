"""Generators: samples of random formulas in disjunctive normal form.

Internally, feature j has the values 0 to k_j - 1, and no term is satisfied if all
features are 0. No formula is therefore always true, and a sample that must not satisfy
it can be changed by setting features to 0. Monotone formulas have this form already;
for other formulas, the values are shifted at the end.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from numbers import Integral, Real

import numpy as np
from scipy.special import softmax
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._utils._estimators import POSITIVE, Interval
from sklearn_dnfwinnow.datasets._real import public, sections_of

# Maximum number of draws of a term or a sample before a simpler method is used, so that
# every call ends.
_TRIES = 100

_CONSTRAINTS = {
    "n_samples": [POSITIVE],
    "n_features": [POSITIVE],
    "n_terms": [POSITIVE],
    "term_size": [POSITIVE, None],
    "balanced": ["boolean"],
    "noise": [Interval(Real, 0, 1, closed="both")],
    "random_state": ["random_state"],
    "return_terms": ["boolean"],
}


def _choose_size(n_terms, term_size, n_values):
    """Return the number of literals of a term."""
    if term_size is None:
        size = np.log(n_terms / np.log(2)) / np.log(n_values).mean()
        return int(np.clip(np.rint(size), 1, len(n_values)))
    if term_size > len(n_values):
        raise ValueError(
            f"term_size={term_size} must not exceed n_features={len(n_values)}."
        )
    return term_size


def _draw_terms(rng, n_terms, size, n_values, lowest):
    """Draw terms: tuples of (feature, value) pairs, sorted by feature."""
    terms, known, tries = [], set(), _TRIES
    while len(terms) < n_terms:
        for _ in range(tries):
            attributes = np.sort(rng.choice(len(n_values), size, replace=False))
            values = np.zeros(size, dtype=np.int64)
            # A term must not have only values 0; at most half of the draws do.
            while not values.any():
                values = rng.randint(lowest, n_values[attributes])
            term = tuple(zip(attributes.tolist(), values.tolist()))
            if term not in known:
                break
        else:
            # Almost no new terms are left, so the search ends.
            tries = 1
        terms.append(term)
        known.add(term)
    return terms


def _draw_rows(rng, n_rows, n_values):
    """Draw uniform samples."""
    return rng.randint(0, n_values, size=(n_rows, len(n_values)), dtype=np.int64)


def _first_term(X, terms):
    """Return the first term that a sample satisfies, or `n_terms`: (n_rows,), int."""
    first = np.full(len(X), len(terms))
    for i in reversed(range(len(terms))):
        attributes, values = np.array(terms[i]).T
        first[(X[:, attributes] == values).all(axis=1)] = i
    return first


def _draw_class(rng, n_rows, terms, n_values, *, is_positive):
    """Draw samples that satisfy a formula, or that do not."""
    X = np.empty((n_rows, len(n_values)), dtype=np.int64)
    # The probability of planting a term is that of uniform samples satisfying it.
    odds = softmax([-sum(np.log(n_values[j]) for j, _ in term) for term in terms])
    left = np.arange(n_rows)
    for _ in range(_TRIES):
        rows = _draw_rows(rng, len(left), n_values)
        first = np.full(len(left), len(terms))
        if is_positive:
            first = rng.choice(len(terms), size=len(left), p=odds)
            for row, i in zip(rows, first):
                attributes, values = np.array(terms[i]).T
                row[attributes] = values
        X[left] = rows
        # A sample that satisfies m terms can be drawn in m ways, of which one counts.
        left = left[_first_term(rows, terms) != first]
        if not len(left):
            break
    # Each round sets one more feature of a sample to 0, and zeros satisfy no term.
    while len(left) and not is_positive:
        first = _first_term(X[left], terms)
        left, first = left[first < len(terms)], first[first < len(terms)]
        for row, i in zip(left, first):
            X[row, rng.choice([j for j, value in terms[i] if value])] = 0
    return X


def _make(rng, n_samples, n_values, n_terms, term_size, balanced, noise, *, monotone):
    """Draw a formula, samples and their labels.

    Parameters
    ----------
    n_terms : int, default=5
        Number of terms of the formula. The terms are distinct, unless hardly so many
        terms of that size exist; then some are repeated.

    term_size : int or None, default=None
        Number of literals of each term. None selects the size s for which the formula
        is true for about half of all samples, log(n_terms / ln 2) / log(k), with k the
        geometric mean of the numbers of values, rounded to 1, 2, ..., or `n_features`.

    balanced : bool, default=True
        If True, ``n_samples // 2`` samples satisfy the formula and the others do not,
        in random order. The samples of each class are drawn uniformly from all possible
        ones. Those that satisfy the formula are drawn as in [2]_: a term is planted
        into a uniform sample, which is kept if it satisfies no earlier term. After 100
        failed draws, a simpler method is used: a sample that has to satisfy the formula
        is kept, and in other samples, satisfied terms are broken one literal at a time.
        If False, the samples are uniform, and the labels follow from them.

    noise : float, default=0.0
        Fraction of the labels that are flipped, rounded to a whole number of labels.
        They are drawn from all labels, so noise can slightly change the balance.

    Other Parameters
    ----------------
    random_state : int, RandomState instance or None, default=None
        Determines the random numbers. Pass an int for a reproducible formula and data.

    return_terms : bool, default=False
        Whether to return the terms, too.

    Raises
    ------
    ValueError
        If a parameter is invalid, or `term_size` exceeds `n_features`.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.
    .. [2] R. M. Karp, M. Luby and N. Madras, "Monte-Carlo Approximation Algorithms for
       Enumeration Problems", Journal of Algorithms 10(3), 429-448, 1989.
    """
    size = _choose_size(n_terms, term_size, n_values)
    terms = _draw_terms(rng, n_terms, size, n_values, lowest=int(monotone))
    if balanced:
        n = n_samples // 2
        positive = _draw_class(rng, n, terms, n_values, is_positive=True)
        negative = _draw_class(rng, n_samples - n, terms, n_values, is_positive=False)
        X = rng.permutation(np.vstack([positive, negative]))
    else:
        X = _draw_rows(rng, n_samples, n_values)
    y = (_first_term(X, terms) < len(terms)).astype(np.int64)
    flipped = rng.choice(n_samples, round(noise * n_samples), replace=False)
    y[flipped] = 1 - y[flipped]
    return X, y, terms


# The parts of the docstring above are also those of the generators.
_generator = partial(public, **sections_of(_make))


@_generator(
    {**_CONSTRAINTS, "unspecified": [Interval(Integral, 0, 1, closed="left"), np.nan]}
)
def make_monotone_dnf(
    n_samples=100,
    n_features=20,
    *,
    n_terms=5,
    term_size=None,
    balanced=True,
    unspecified=np.nan,
    noise=0.0,
    random_state=None,
    return_terms=False,
):
    """Generate samples of a random monotone DNF over Boolean features.

    A sample is of class 1 if, for some term, all features of the term are true. No
    literal requires a feature to be false. The experiments on simulated data in [1]_,
    section 6, used 100 samples, half of them for training, of 5-term monotone DNF over
    10 to 40 features, from the generator of [3]_. The length of the terms and the
    distributions of samples and labels are not reported. This package uses its own
    distributions: the features of a term are uniform; for the rest, see `term_size` and
    `balanced`.

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples.

    n_features : int, default=20
        Number of features.

    %(Parameters)s

    unspecified : {0, np.nan}, default=np.nan
        The value for false. In [1]_, a feature that is not true is *unspecified*: it
        satisfies no literal, and weighted sums do not include it. NaN has this meaning
        for a classifier that treats missing values as unspecified. With 0, false is a
        category, and literals can test for it.

    %(Other Parameters)s

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
        1 for true and `unspecified` for false. The dtype is float64 if `unspecified` is
        NaN, and int64 if it is 0.

    y : ndarray of shape (n_samples,), int64
        The classes, 0 and 1.

    terms : list of tuple of int
        The features of each term, in ascending order. Only if `return_terms`.

    Raises
    ------
    %(Raises)s

    See Also
    --------
    make_dnf : DNF over features with several values.

    References
    ----------
    %(References)s
    .. [3] D. Chawla, L. Li and S. Scott, "On Approximating Weighted Sums with
       Exponentially Many Terms", Journal of Computer and System Sciences, 2004.

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import make_monotone_dnf
    >>> X, y, terms = make_monotone_dnf(
    ...     n_features=10, unspecified=0, random_state=0, return_terms=True
    ... )
    >>> X.shape, int(y.sum())
    ((100, 10), 50)
    >>> [any(all(row[list(term)]) for term in terms) for row in X] == list(y == 1)
    True
    """
    X, y, terms = _make(
        check_random_state(random_state),
        n_samples,
        np.full(n_features, 2),
        n_terms,
        term_size,
        balanced,
        noise,
        monotone=True,
    )
    if np.isnan(unspecified):
        X = np.where(X == 1, 1.0, np.nan)
    terms = [tuple(j for j, _ in term) for term in terms]
    return (X, y, terms) if return_terms else (X, y)


@_generator(
    {
        **_CONSTRAINTS,
        "n_values": [Interval(Integral, 2, None, closed="left"), "array-like"],
    }
)
def make_dnf(
    n_samples=100,
    n_features=10,
    *,
    n_values=3,
    n_terms=5,
    term_size=None,
    balanced=True,
    noise=0.0,
    random_state=None,
    return_terms=False,
):
    """Generate samples of a random DNF over features with several values.

    A sample is of class 1 if, for some term, every feature of the term has the value
    that the term requires. The setting is that of [1]_; the distributions are those of
    this package. First, a hidden sample that must not satisfy the formula is drawn
    uniformly, so that no formula is always true. The features of a term are uniform,
    and so are its values, as long as the hidden sample does not satisfy the term.

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples.

    n_features : int, default=10
        Number of features.

    n_values : int or array-like of shape (n_features,), int, default=3
        Number of values k of all features, or of each feature; at least 2.

    %(Parameters)s

    %(Other Parameters)s

    Returns
    -------
    X : ndarray of shape (n_samples, n_features), int64
        Values 1 to k.

    y : ndarray of shape (n_samples,), int64
        The classes, 0 and 1.

    terms : list of dict of int to int
        The value that each term requires, by feature. Only if `return_terms`.

    Raises
    ------
    %(Raises)s

    See Also
    --------
    make_monotone_dnf : Monotone DNF over Boolean features.

    References
    ----------
    %(References)s

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import make_dnf
    >>> X, y, terms = make_dnf(n_values=4, random_state=0, return_terms=True)
    >>> X.shape, int(X.min()), int(X.max()), int(y.sum())
    ((100, 10), 1, 4, 50)
    >>> [
    ...     any(all(row[j] == value for j, value in term.items()) for term in terms)
    ...     for row in X
    ... ] == list(y == 1)
    True
    """
    rng = check_random_state(random_state)
    n_values = _check_n_values(n_values, n_features)
    X, y, terms = _make(
        rng, n_samples, n_values, n_terms, term_size, balanced, noise, monotone=False
    )
    # The sample of zeros, which does not satisfy the formula, becomes a random one.
    shift = rng.randint(0, n_values)
    X = (X + shift) % n_values + 1
    terms = [
        {j: int((value + shift[j]) % n_values[j] + 1) for j, value in term}
        for term in terms
    ]
    return (X, y, terms) if return_terms else (X, y)


def _check_n_values(n_values, n_features):
    """Return the number of values of each feature: (n_features,), int."""
    n_values = np.asarray(n_values)
    if n_values.ndim == 0:
        n_values = np.full(n_features, n_values)
    is_int = n_values.dtype.kind in "iu"
    if n_values.shape != (n_features,) or not is_int or n_values.min() < 2:
        raise ValueError(
            f"n_values must be an int, or {n_features} ints, of at least 2; got "
            f"{n_values.tolist()}."
        )
    return n_values
