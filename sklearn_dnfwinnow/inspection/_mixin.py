"""Reading: what a fitted classifier says of itself."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


class ReadingMixin:
    """The functions of `sklearn_dnfwinnow.inspection` as methods."""

    # They know the classifier, which so imports them when they are asked for.

    def terms(
        self,
        class_=None,
        top=10,
        *,
        X=None,
        y=None,
        sample_weight=None,
        irredundant=False,
    ):
        """The heaviest terms of each class.

        See :func:`sklearn_dnfwinnow.inspection.terms` for parameters and result; that
        function also takes pipelines.

        Returns
        -------
        table : DataFrame, or list of dict if pandas is not installed
        """
        from sklearn_dnfwinnow import inspection

        return inspection.terms(
            *(self, class_, top),
            X=X,
            y=y,
            sample_weight=sample_weight,
            irredundant=irredundant,
        )

    def explain(self, X, top=5, *, irredundant=False, n_classes=2):
        """The prediction of each row, and the reasons for it.

        See :func:`sklearn_dnfwinnow.inspection.explain` for parameters and result; that
        function also takes pipelines.

        Returns
        -------
        explanations : list of n_samples Explanation
        """
        from sklearn_dnfwinnow import inspection

        return inspection.explain(
            self, X, top, irredundant=irredundant, n_classes=n_classes
        )

    def to_dnf(
        self, class_=None, n_terms="auto", *, X=None, y=None, sample_weight=None
    ):
        """A short DNF that stands in for the classifier, one class against all others.

        See :func:`sklearn_dnfwinnow.inspection.to_dnf` for parameters and result; that
        function also takes pipelines.

        Returns
        -------
        dnf : DNF
        """
        from sklearn_dnfwinnow import inspection

        return inspection.to_dnf(
            *(self, class_, n_terms), X=X, y=y, sample_weight=sample_weight
        )
