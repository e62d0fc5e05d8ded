"""Term model: what reading asks of an estimator that weighs terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


class TermModelMixin:
    """Mixin of classifiers whose fitted state is a model over terms."""

    def _term_model(self):
        """Return the model of the fitted classifier."""
        raise NotImplementedError
