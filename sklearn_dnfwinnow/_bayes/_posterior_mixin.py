"""PosteriorMixin: methods that return draws from the posterior, and their intervals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._bayes._inference_data import inference_data
from sklearn_dnfwinnow._encoding._sample_weights import check_samples
from sklearn_dnfwinnow._utils._compat import validate_parameter_constraints
from sklearn_dnfwinnow._utils._credible_intervals import COVERAGE_CONSTRAINTS


class PosteriorMixin:
    """Mixin of classifiers whose fitted state is a `BayesianModel`."""

    def sample_proba(self, X):
        """Draw class probabilities from their posterior distribution.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples. A value that does not occur in the training data is unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_draws, n_samples, n_classes)
            Probabilities of the classes for `n_chains` times `n_draws` draws, chain
            after chain. They sum to 1 over the last axis.

        See Also
        --------
        predict_interval : Credible intervals of the probabilities.
        sample_y : Draws of classes.

        Notes
        -----
        Each row of the result has its own random division of the effects of groups.
        So the draws of several samples are those of each sample, not joint ones.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(max_order=1, random_state=0).fit(X, y)
        >>> draws = clf.sample_proba(X.iloc[:2])
        >>> draws.shape
        (800, 2, 2)
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.sample_probabilities(rows)[:, inverse]

    def predict_interval(self, X, coverage=0.9):
        """Predict credible intervals of the class probabilities.

        The intervals are central: of the draws of `sample_proba`, as many are below an
        interval as above it. The true probability is in the interval with the posterior
        probability `coverage`.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples. A value that does not occur in the training data is unspecified.

        coverage : float, default=0.9
            Fraction of the draws in each interval, between 0 and 1.

        Returns
        -------
        intervals : ndarray of shape (n_samples, n_classes, 2), float64
            Lower and upper end for each class, in the order of `classes_`. The mean
            that `predict_proba` returns can be outside if the distribution is skew.

        Raises
        ------
        ValueError
            If X does not have the features of the training data, or `coverage` is not
            between 0 and 1.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(max_order=1, random_state=0).fit(X, y)
        >>> intervals = clf.predict_interval(X.iloc[:2])
        >>> intervals.shape
        (2, 2, 2)
        >>> bool((intervals[:, :, 0] < intervals[:, :, 1]).all())
        True
        """
        # A decorator would name this class instead of that of the classifier.
        validate_parameter_constraints(
            COVERAGE_CONSTRAINTS,
            {"coverage": coverage},
            caller_name=f"{type(self).__name__}.predict_interval",
        )
        model, rows, inverse = self._model_and_rows(X)
        return model.intervals(rows, coverage)[inverse]

    def sample_y(self, X):
        """Draw classes from their posterior predictive distribution.

        Each draw takes the probabilities of one draw of `sample_proba`, and then a
        class with these probabilities.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples. A value that does not occur in the training data is unspecified.

        Returns
        -------
        y : ndarray of shape (n_draws, n_samples)
            Class labels, for `n_chains` times `n_draws` draws, chain after chain. Equal
            samples have the same probabilities in each draw, but independent classes.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(3, subset="train", return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(max_order=1, random_state=0).fit(X, y)
        >>> draws = clf.sample_y(X)
        >>> draws.shape == (800, len(X))
        True
        >>> n_of_class = (draws == "1").sum(axis=1)
        >>> bool(n_of_class.min() < (y == "1").sum() < n_of_class.max())
        True
        """
        model, rows, inverse = self._model_and_rows(X)
        return self.classes_[model.sample_classes(rows, inverse)]

    def to_inference_data(self, X, y):
        """Return draws and log likelihoods in the form of ArviZ.

        `arviz.loo` and, before ArviZ 1.0, `arviz.waic` estimate from the result how
        well the model predicts new samples. `arviz.summary` and the plots of ArviZ show
        the chains. Requires ArviZ.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples: the training samples for `loo` and `waic`.

        y : array-like of shape (n_samples,)
            Their class labels.

        Returns
        -------
        inference_data : xarray.DataTree, or arviz.InferenceData before ArviZ 1.0
            Groups of arrays, with the dimensions 'chain' and 'draw' first:

            - 'posterior': 'log_sigma', with the dimension 'order', for the orders whose
              width is learned; 'sums', with the dimensions 'group' and 'set'. Both are
              described at `draws_`.
            - 'log_likelihood': 'y', with the dimension 'row', the natural logarithm
              of the probability of the label of each sample.
            - 'posterior_predictive': 'y', with the dimension 'row', draws of
              `sample_y` as indices into `classes_`.
            - 'observed_data': 'y', with the dimension 'row', the labels as indices
              into `classes_`.

        Raises
        ------
        ImportError
            If ArviZ is not installed.
        ValueError
            If X and y have different lengths, or y has a label that is not in
            `classes_`.

        Notes
        -----
        Weights are not taken into account. If `fit` had sample weights or class
        weights, the log likelihoods are not those of the posterior distribution.

        Examples
        --------
        >>> import arviz  # doctest: +SKIP
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(3, subset="train", return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(max_order=1, random_state=0).fit(X, y)
        >>> arviz.loo(clf.to_inference_data(X, y))  # doctest: +SKIP
        """
        check_is_fitted(self)
        X, y, _ = check_samples(self, X, y, None, reset=False)
        unknown = np.setdiff1d(y, self.classes_).tolist()
        if unknown:
            raise ValueError(
                f"y must contain the classes of the training samples only, "
                f"{self.classes_.tolist()}; got {unknown[0]!r}."
            )
        model, rows, inverse = self._model_and_rows(X)
        labels = np.searchsorted(self.classes_, y)
        return inference_data(model, rows, inverse, labels)
