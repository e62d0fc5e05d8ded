"""Shapley values: contributions of features that add up to the scores of samples."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._utils._compat import validate_params
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow.inspection._shapley._attribute_game import (
    PERMUTATIONS,
    game_values,
    interaction_values,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder


@dataclass(frozen=True, eq=False)
class ShapleyValues:
    """Shapley values of the scores of samples.

    Returned by :func:`shapley_values`. Names and shapes are those of
    `shap.Explanation`. If a single class was requested, the last axis is omitted.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_features, n_classes), float64
        Shapley values in the units of scores, natural logarithms. For each sample and
        class they sum to the score, or to the difference of two scores, minus the base
        value.

    base_values : ndarray of shape (n_samples, n_classes), float64
        Scores, or differences of scores, with no known features; the same for all
        samples.

    std_errors : ndarray of shape (n_samples, n_features, n_classes), float64
        Standard errors of `values`, 0 where exact.

    data : ndarray of shape (n_samples, n_features), object
        The values of the columns that the features are functions of.

    feature_names : tuple of str
        Names of the features.

    classes : ndarray of shape (n_classes,), or None
        Class labels; None if a single class was requested.
    """

    values: np.ndarray
    base_values: np.ndarray
    std_errors: np.ndarray
    data: np.ndarray
    feature_names: tuple
    classes: np.ndarray | None

    def to_shap(self):
        """Return a `shap.Explanation` with these values, for the plots of shap.

        Returns
        -------
        explanation : shap.Explanation

        Raises
        ------
        ImportError
            If shap is not installed.
        """
        try:
            from shap import Explanation
        except ImportError as error:
            raise ImportError(
                "to_shap needs the package shap: pip install shap"
            ) from error
        names = None if self.classes is None else [*map(str, self.classes)]
        return Explanation(
            values=self.values,
            base_values=self.base_values,
            data=self.data,
            error_std=self.std_errors,
            feature_names=list(self.feature_names),
            output_names=names,
        )


@validate_params({"n_permutations": [PERMUTATIONS]}, prefer_skip_nested_validation=True)
def shapley_values(estimator, X, *, class_=None, against=None, n_permutations=100):
    """Return the Shapley values of the scores of samples.

    The players are the features that a sample specifies. The value of a set of players
    is the score of the sample if only these features are known. All others are
    unspecified and satisfy no literal. No background data are needed. The Shapley value
    of a feature is the change of the score when the feature becomes known, averaged
    over all orders in which features can become known.

    A sample with one more known feature satisfies more terms, so all Shapley values of
    the score of a single class are non-negative. Predictions depend on differences of
    scores: pass a class as `against` to explain such a difference.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, dataframe} of shape (n_samples, n_features)
        Samples, as `estimator` takes them. A value that does not occur in the training
        data counts as unspecified.

    class_ : object, default=None
        The class whose score is explained; None is all classes.

    against : object, default=None
        The class whose score is subtracted; None subtracts nothing. With two classes,
        the second against the first is the `decision_function`. Log-odds are `scale_`
        times such differences.

    n_permutations : int, default=100
        Number of permutations of the features for estimated values; half of them are
        the reverses of the other half. Values are exact for samples with up to 20
        specified features, if these satisfy up to 20 literals, or if `max_term_size_`
        is small. Other values are estimated. The estimates are unbiased if the sums are
        exact, add up to the score like exact values, and have standard errors in
        `std_errors`. They are a function of the model, including its seed, and of the
        sample.

    Returns
    -------
    found : ShapleyValues
        Values for the features of the classifier.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X does not fit the estimator, or the class does not exist.

    See Also
    --------
    explain : With ``method='shapley'``, Shapley values of the log-odds of samples.
    shapley_interactions : Shapley values split among pairs of features.
    attribute_shares : Mean relative contribution of each feature to the sums.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import shapley_values
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> found = shapley_values(clf, X[:5], class_="1", against="0")
    >>> found.values.shape
    (5, 6)
    >>> sums = found.values.sum(axis=1) + found.base_values
    >>> bool(abs(sums - clf.decision_function(X[:5])).max() < 1e-9)
    True
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    weights = _weights(decoder, class_, against)
    rows, _, inverse = distinct_rows(codes)
    games = [game_values(decoder.model, row, n_permutations) for row in rows]
    values = np.array([(weights @ game.values).T for game in games])
    base_values = np.array([weights @ game.base_values for game in games])
    errors = np.array(
        [np.column_stack([game.errors(one) for one in weights]) for game in games]
    )
    last = (...,) if class_ is None else (..., 0)
    return ShapleyValues(
        values=values[inverse][last],
        base_values=base_values[inverse][last],
        std_errors=errors[inverse][last],
        data=_data(decoder, X),
        feature_names=decoder.features,
        classes=decoder.classifier.classes_ if class_ is None else None,
    )


def shapley_interactions(estimator, X, *, class_=None, against=None):
    """Return the Shapley values of samples, split among pairs of features.

    Parameters
    ----------
    estimator, X, class_, against
        See :func:`shapley_values`.

    Returns
    -------
    values : ndarray of shape (n_samples, n_features, n_features, n_classes), float64
        Without the last axis if `class_` is given. Each matrix is symmetric, and each
        of its rows sums to the Shapley value of a feature. Twice an off-diagonal entry
        is the Shapley interaction index of the pair. It is positive if two features
        together add more to a score than each of them alone.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X does not fit the estimator, the class does not exist, or a sample has too
        many features or literals for exact values.

    See Also
    --------
    shapley_values : Values of single features.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import shapley_interactions
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> values = shapley_interactions(clf, X[:5], class_="1", against="0")
    >>> values.shape
    (5, 6, 6)
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    weights = _weights(decoder, class_, against)
    rows, first, inverse = distinct_rows(codes)
    found = [interaction_values(decoder.model, row) for row in rows]
    for values, i in zip(found, first):
        if values is None:
            raise ValueError(
                f"Row {i} of X has too many features or literals for exact "
                "interactions. Use shapley_values, which estimates single features."
            )
    of_rows = np.moveaxis(np.tensordot(weights, found, axes=(1, 1)), 0, -1)[inverse]
    return of_rows if class_ is None else of_rows[..., 0]


def _weights(decoder, class_, against):
    """Return the weights of scores in the explained ones: (n_explained, n_classes).

    Raises
    ------
    ValueError
        If the class does not exist.
    """
    of_classes = np.eye(len(decoder.classes))
    weights = of_classes[list(decoder.class_indices(class_))]
    if against is not None:
        weights = weights - of_classes[list(decoder.class_indices(against))]
    return weights


def _data(decoder, X):
    """Return the columns that the features are functions of: dtype object."""
    columns = decoder.columns(X)
    found = [columns[preimage.column] for preimage in decoder.preimages]
    return np.column_stack([column.astype(object) for column in found])
