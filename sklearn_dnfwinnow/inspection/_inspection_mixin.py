"""InspectionMixin: the functions of `inspection` as methods of a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._public_names import LazyMethod


class InspectionMixin:
    """Mixin with the functions of `inspection`, for classifiers with a TermModel."""

    terms = LazyMethod("terms")
    explain = LazyMethod("explain")
    counterfactuals = LazyMethod("counterfactuals")
    to_dnf = LazyMethod("to_dnf")
    to_rules = LazyMethod("to_rules")


class InteractionInspectionMixin:
    """Mixin with the functions of `inspection` for an InteractionModel."""

    terms = LazyMethod("interactions")
    explain = LazyMethod("explain_interactions")
    sample_coefficients = LazyMethod("sample_coefficients")
