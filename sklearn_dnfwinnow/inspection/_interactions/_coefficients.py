"""Coefficients: draws of the parameters of single terms, by the texts of the terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np

from sklearn_dnfwinnow._terms._interactions._interaction_model import (
    InteractionModelMixin,
)
from sklearn_dnfwinnow.inspection._term_decoder import BASELINE, TermDecoder
from sklearn_dnfwinnow.rules._editing import position_of
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._term import Term


def sample_coefficients(estimator, terms):
    """Draw the coefficients of single terms from their posterior distribution.

    Each term up to `max_order` has a coefficient, its parameter in the log-odds. The
    data determine only the sum of the coefficients of a group, which are the terms that
    the same training samples satisfy, see :func:`interactions`. This function divides
    the sum at random among the terms, given the prior. The coefficients of terms that
    no training sample satisfies are drawn from the prior.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    terms : iterable of str or Term
        The terms, of n_terms: conditions joined by ``&``, with the texts of
        :func:`interactions`. ``(baseline)`` is the empty term. The order of the
        conditions does not matter.

    Returns
    -------
    coefficients : ndarray of shape (n_draws, n_terms, n_sets), float64
        Coefficients in log-odds (natural logarithms), for `n_chains` times `n_draws`
        draws, chain after chain. With two classes there is one set, for the log-odds of
        the second class. With more classes there is one set per class, and only
        differences between classes are meaningful. Draws are joint: the coefficients of
        all terms of a group add up to its sum in `draws_`.

    Raises
    ------
    TypeError
        If `estimator` has no BayesianInteractionClassifier, or `terms` is one text.
    ValueError
        If a term has a condition that the model does not have, two conditions on one
        feature, or more than `max_order_` conditions. With ``interactions='nested'``,
        also if its conditions are not on the last features.

    Warns
    -----
    UserWarning
        If a transformer in front of the classifier cannot be inverted, so that the
        terms refer to its output; or if `estimator` is a classifier that seems to be a
        step of a pipeline.

    See Also
    --------
    interactions : The groups with the largest effects.
    BayesianInteractionClassifier.sample_proba : Draws of probabilities.

    Notes
    -----
    The result is a function of the model and of the set of terms. The distribution of
    each coefficient does not depend on the other terms, but its draws do if these are
    of the same group. The division is independent of that in `sample_proba`.

    References
    ----------
    L. Li and R. M. Neal, "Compressing Parameters in Bayesian High-order Models with
    Application to Logistic Sequence Models", Bayesian Analysis 3(4), 793-821, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import sample_coefficients
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(
    ...     max_order=2, n_draws=50, max_rhat=1.1, min_ess=80, random_state=0
    ... )
    >>> clf = clf.fit(X, y)
    >>> draws = sample_coefficients(clf, ["a1 = 1 & a2 = 1", "a3 = 2"])
    >>> draws.shape
    (200, 2, 1)
    >>> low, high = np.quantile(draws[:, :, 0], [0.05, 0.95], axis=0)
    >>> (low > 0).tolist()
    [True, False]
    """
    decoder = TermDecoder.from_estimator(estimator, InteractionModelMixin)
    decoder.warn_of_transformed_columns()
    if isinstance(terms, str):
        raise TypeError(f"terms must be a list of texts or terms; got {terms!r}.")
    codes = _codes(decoder, terms)
    distinct, inverse = np.unique(codes, axis=0, return_inverse=True)
    return decoder.model.parameters(distinct)[:, inverse.ravel()]


def _codes(decoder, terms):
    """Return the codes of some terms: (n_terms, n_features), int32; 0 elsewhere."""
    columns = enumerate(decoder.model.encoding.columns)
    pairs = [(j, 1 + k) for j, one in columns for k in range(len(one.relations))]
    literals = tuple(decoder.literal(*pair) for pair in pairs)
    parse = partial(Term.parse, features=decoder.table_features, like=Term(literals))
    terms = list(terms)
    codes = np.zeros((len(terms), len(decoder.features)), dtype=np.int32)
    for row, given in zip(codes, terms, strict=True):
        term = given
        if isinstance(given, str):
            term = Term() if given.strip() == BASELINE else parse(given)
        for literal in term.literals:
            place = position_of(literal, literals, "condition", Literal.parse)
            column, code = pairs[place]
            if row[column] not in (0, code):
                raise ValueError(
                    f"The term {str(given)!r} has two conditions on the feature "
                    f"{decoder.features[column]!r}."
                )
            row[column] = code
        _check(row, decoder.model.groups, str(given))
    return codes


def _check(row, groups, text):
    """Raise a ValueError if the codes are not those of a term of the model."""
    size = np.count_nonzero(row)
    if size > groups.max_order:
        raise ValueError(
            f"The term {text!r} has {size} conditions; the model has terms of at most "
            f"{groups.max_order}."
        )
    if groups.parents is not None and not row[len(row) - size :].all():
        raise ValueError(
            f"With interactions='nested', the conditions of a term are on the last "
            f"features, without a gap; got {text!r}."
        )
