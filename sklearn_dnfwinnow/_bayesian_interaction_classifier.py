"""BayesianInteractionClassifier: logistic regression on all interactions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._bayes._model import BayesianModel
from sklearn_dnfwinnow._bayes._settings import CONSTRAINTS, paper_settings
from sklearn_dnfwinnow._bayes._training import train
from sklearn_dnfwinnow._preprocessing._column_warnings import warn_of_columns
from sklearn_dnfwinnow._preprocessing._columns import check_table
from sklearn_dnfwinnow._preprocessing._discretizer import with_intervals
from sklearn_dnfwinnow._preprocessing._discretizer_choice import (
    chosen_discretizer,
    fitted_discretizer,
)
from sklearn_dnfwinnow._preprocessing._labelled_table import LabelledTable
from sklearn_dnfwinnow._preprocessing._value_encoder import ValueEncoder
from sklearn_dnfwinnow._terms._interaction_model import InteractionModelMixin
from sklearn_dnfwinnow._utils._compat import fit_context
from sklearn_dnfwinnow._utils._estimator_mixins import (
    DocumentationLinkMixin,
    VersionedMixin,
)
from sklearn_dnfwinnow._utils._rollback import all_or_nothing
from sklearn_dnfwinnow._utils._sample_weights import check_weights


class BayesianInteractionClassifier(
    InteractionModelMixin,
    DocumentationLinkMixin,
    VersionedMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """Bayesian logistic regression on all interactions of attribute values.

    DOCSTRING
    """

    _parameter_constraints = CONSTRAINTS

    def __init__(
        self,
        *,
        interactions="all",
        max_order="auto",
        prior="cauchy",
        hyperprior="half_cauchy",
        scale=1.0,
        intercept_scale=2.5,
        sampler="gibbs",
        n_draws=200,
        burn_in=200,
        n_chains=4,
        thin=1,
        discretizer="auto",
        class_weight=None,
        missing="unspecified",
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.interactions = interactions
        self.max_order = max_order
        self.prior = prior
        self.hyperprior = hyperprior
        self.scale = scale
        self.intercept_scale = intercept_scale
        self.sampler = sampler
        self.n_draws = n_draws
        self.burn_in = burn_in
        self.n_chains = n_chains
        self.thin = thin
        self.discretizer = discretizer
        self.class_weight = class_weight
        self.missing = missing
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper_settings(cls):
        """Return the parameters that make this the model and sampler of the paper.

        Returns
        -------
        params : dict
            For the constructor, or `set_params`.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> BayesianInteractionClassifier.paper_settings()["sampler"]
        'slice'
        """
        return paper_settings()

    # -- training ----------------------------------------------------------------------

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Draw from the posterior, given some rows and their classes.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Any hashable values; None, NaN, NaT and pandas.NA are missing.

        y : array-like of shape (n_samples,)
            Class labels, two or more distinct.

        sample_weight : array-like of shape (n_samples,), default=None
            How many times each row counts, not negative. Rows of weight 0 are as good
            as absent.

        Returns
        -------
        self : BayesianInteractionClassifier

        Raises
        ------
        ValueError
            If X is empty, sparse, complex or infinite, y has one class, a missing
            label, or is not categorical; or if there are too many groups of
            interactions up to `max_order`: the message says which order would do.
        TypeError
            If a value of X is not hashable, or a date, a time or a duration.

        Warns
        -----
        UserWarning
            If a column has more than 32 distinct values, and these are numbers or text
            that reads as numbers, or differ in nearly all rows.
        ConvergenceWarning
            If the chains disagree, or have too few effective samples, see `r_hat_` and
            `ess_`.
        """
        with all_or_nothing(self):
            X, y = check_table(self, X, y, reset=True)
            check_classification_targets(y)
            weights = check_weights(sample_weight, X)
            self.classes_ = unique_labels(y[weights > 0])
            if len(self.classes_) < 2:
                raise ValueError(
                    "The number of classes has to be greater than one; got "
                    f"{len(self.classes_)} class."
                )
            random = check_random_state(self.random_state)
            seed = random.randint(np.iinfo(np.int32).max)
            table = LabelledTable.of(self, X, y, weights)
            discretizer, encoder, codes = self._encode(X, table)
            self._become(
                train(
                    self,
                    codes=codes,
                    table=table,
                    discretizer=discretizer,
                    encoder=encoder,
                    seed=seed,
                )
            )
        return self

    def _encode(self, X, table):
        """Return a fitted discretizer, or None, an encoder, and codes of a table."""
        discretizer = fitted_discretizer(
            chosen_discretizer(self.discretizer, table),
            table,
            is_auto=isinstance(self.discretizer, str),
        )
        columns = with_intervals(table.columns, discretizer)
        shape = self.n_features_in_, len(self.classes_)
        before, encoder = ValueEncoder(self.missing, *shape), None
        encoder = ValueEncoder(self.missing, *shape)
        codes = encoder.learn(columns, table.labels, table.weights, table.label)
        warn_of_columns(
            X,
            table.columns,
            codes=codes,
            before=before,
            after=encoder,
            discretizer=discretizer,
            label=table.label,
        )
        return discretizer, encoder, codes

    def _interaction_model(self):
        """Return the model of the fitted classifier."""
        return BayesianModel.of(self)

    def _become(self, model):
        """Have the attributes of a model, in place of those of the one before."""
        for name, value in model.attributes().items():
            setattr(self, name, value)

    # -- predictions -------------------------------------------------------------------

    def sample_proba(self, X):
        """Draws of the probabilities of classes from their posterior.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            A value that training did not have counts as unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_draws, n_samples, n_classes)
            Of `n_chains` times `n_draws` draws, chain after chain; each row sums to 1.
            Quantiles over the first axis are intervals of credibility.

        Examples
        --------
        EXAMPLE
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.sample_probabilities(rows)[:, inverse]

    def predict_proba(self, X):
        """Probabilities of classes: means over the draws of `sample_proba`.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            A value that training did not have counts as unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Rows sum to 1.
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.probabilities(rows)[inverse]

    def predict_log_proba(self, X):
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
        """
        return np.log(self.predict_proba(X))

    def decision_function(self, X):
        """Logarithms of `predict_proba`; with two classes, log odds of the second.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self.predict_log_proba(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X):
        """The class of the highest probability; the first of them in a tie.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Class labels.
        """
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _model_and_rows(self, X):
        """Return the model, distinct rows of codes, and which of them each row is."""
        check_is_fitted(self)
        model = BayesianModel.of(self)
        return model, *model.distinct_rows(X, self)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
