"""InteractionInspectionMixin: functions of `inspection` as methods of a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


class InteractionInspectionMixin:
    """Mixin with the functions of `inspection`, for classifiers with an
    InteractionModel.

    Methods have the same names as for classifiers with a TermModel.
    """

    # Methods import the functions when called, to save import time.

    def terms(self, class_of_interest=None, top=10, *, interval=0.9):
        """Return the interactions with the largest effects on each class.

        See :func:`sklearn_dnfwinnow.inspection.interactions` for parameters and result;
        that function also takes pipelines.

        Returns
        -------
        table : DataFrame, or list of dict if pandas is not installed
        """
        from sklearn_dnfwinnow.inspection._interactions._interactions import (
            interactions,
        )

        return interactions(self, class_of_interest, top, interval=interval)

    def sample_coefficients(self, terms):
        """Draw the coefficients of single terms from their posterior distribution.

        See :func:`sklearn_dnfwinnow.inspection.sample_coefficients` for parameters and
        result; that function also takes pipelines.

        Returns
        -------
        coefficients : ndarray of shape (n_draws, n_terms, n_sets)
        """
        from sklearn_dnfwinnow.inspection._interactions._coefficients import (
            sample_coefficients,
        )

        return sample_coefficients(self, terms)

    def explain(self, X, top=5, *, interval=0.9):
        """Explain the prediction for each sample by interactions and features.

        See :func:`sklearn_dnfwinnow.inspection.explain_interactions` for parameters and
        result; that function also takes pipelines.

        Returns
        -------
        explanations : list of n_samples InteractionExplanation
        """
        from sklearn_dnfwinnow.inspection._interactions._explanation import (
            explain_interactions,
        )

        return explain_interactions(self, X, top, interval=interval)
