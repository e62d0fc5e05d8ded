"""InspectionMixin: the functions of `inspection` as methods of a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._public_names import LazyMethod


class InspectionMixin:
    """Mixin with the functions of `inspection`, for classifiers with a TermModel."""

    terms = LazyMethod("sklearn_dnfwinnow.inspection", "terms")
    explain = LazyMethod("sklearn_dnfwinnow.inspection", "explain")
    counterfactuals = LazyMethod("sklearn_dnfwinnow.inspection", "counterfactuals")
    to_dnf = LazyMethod("sklearn_dnfwinnow.inspection", "to_dnf")
    to_rules = LazyMethod("sklearn_dnfwinnow.inspection", "to_rules")


class InteractionInspectionMixin:
    """Mixin with the functions of `inspection` for an InteractionModel."""

    terms = LazyMethod("sklearn_dnfwinnow.inspection", "interactions")
    explain = LazyMethod("sklearn_dnfwinnow.inspection", "explain_interactions")
    sample_coefficients = LazyMethod(
        "sklearn_dnfwinnow.inspection", "sample_coefficients"
    )
