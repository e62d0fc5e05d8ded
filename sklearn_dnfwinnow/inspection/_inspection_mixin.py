"""InspectionMixin: the functions of `inspection` as methods of a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


class InspectionMixin:
    """Mixin with the functions of `inspection`, for classifiers with a TermModel."""

    # Methods import the functions when called, because training and prediction do not
    # need them, and imports take time.

    def terms(
        self,
        class_of_interest=None,
        top=10,
        *,
        X=None,
        y=None,
        sample_weight=None,
        X_test=None,
        y_test=None,
        sample_weight_test=None,
        non_redundant=False,
    ):
        """Return the top-weighted terms of each class.

        See :func:`sklearn_dnfwinnow.inspection.terms` for parameters and result; that
        function also takes pipelines.

        Returns
        -------
        table : DataFrame, or list of dict if pandas is not installed
        """
        from sklearn_dnfwinnow.inspection._heavy_terms import terms

        return terms(
            self,
            class_of_interest,
            top,
            X=X,
            y=y,
            sample_weight=sample_weight,
            X_test=X_test,
            y_test=y_test,
            sample_weight_test=sample_weight_test,
            non_redundant=non_redundant,
        )

    def explain(
        self,
        X,
        top=5,
        *,
        non_redundant=False,
        n_classes=2,
        method="auto",
        background=None,
        n_permutations=100,
    ):
        """Explain the prediction for each sample.

        See :func:`sklearn_dnfwinnow.inspection.explain` for parameters and result; that
        function also takes pipelines.

        Returns
        -------
        explanations : list of n_samples Explanation
        """
        from sklearn_dnfwinnow.inspection._explanation import explain

        return explain(
            self,
            X,
            top,
            non_redundant=non_redundant,
            n_classes=n_classes,
            method=method,
            background=background,
            n_permutations=n_permutations,
        )

    def counterfactuals(
        self,
        X,
        *,
        class_of_interest=None,
        n=3,
        weights=None,
        fixed=(),
        max_changes=None,
        max_work=1 << 18,
    ):
        """Return the smallest changes of each sample that change its predicted class.

        See :func:`sklearn_dnfwinnow.inspection.counterfactuals` for parameters and
        result; that function also takes pipelines.

        Returns
        -------
        found : list of n_samples Counterfactuals
        """
        from sklearn_dnfwinnow.inspection._counterfactuals._counterfactuals import (
            counterfactuals,
        )

        return counterfactuals(
            self,
            X,
            class_of_interest=class_of_interest,
            n=n,
            weights=weights,
            fixed=fixed,
            max_changes=max_changes,
            max_work=max_work,
        )

    def to_dnf(
        self,
        class_of_interest=None,
        n_terms="auto",
        *,
        X=None,
        y=None,
        sample_weight=None,
    ):
        """Return a short DNF that approximates the classifier for one class.

        See :func:`sklearn_dnfwinnow.inspection.to_dnf` for parameters and result; that
        function also takes pipelines.

        Returns
        -------
        dnf : DNF
        """
        from sklearn_dnfwinnow.inspection._short_dnf import to_dnf

        return to_dnf(
            self, class_of_interest, n_terms, X=X, y=y, sample_weight=sample_weight
        )
