"""Fitted estimators: those with the same predictions as the model inside."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._display._text import transformation_notice
from sklearn_dnfwinnow.inspection._pipelines._steps import ADJUSTERS, levels_of
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder


def decoder_to_export(estimator, transformed):
    """Return the decoder of a fitted estimator that can be exported.

    Parameters
    ----------
    estimator : TermModelMixin, or a Pipeline, search or FrozenEstimator with one
    transformed : bool
        Whether the input of the exported model is the output of the transformers that
        cannot be inverted.

    Raises
    ------
    TypeError
        If the estimator is none of these.
    ValueError
        If there are such transformers, and `transformed` is False.
    """
    decoder = TermDecoder.from_estimator(estimator)
    for level in levels_of(estimator):
        if isinstance(level, ADJUSTERS):
            raise TypeError(
                f"{type(level).__name__} cannot be exported, because its predictions "
                "differ from those of the classifier inside. Pass the classifier "
                "instead."
            )
    if decoder.transformed_by and not transformed:
        raise ValueError(
            f"The model refers to {transformation_notice(decoder.transformed_by)}, not "
            "to the columns that the estimator takes. Pass transformed=True for a "
            "model that takes the output of these transformers."
        )
    return decoder
