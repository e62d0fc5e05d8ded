"""Fitted classifiers with another model, for negative controls."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace


def change_model(classifier, part, **changes):
    """Change fields of a part of the model of a fitted DNFWinnowClassifier.

    Parameters
    ----------
    classifier : DNFWinnowClassifier
    part : {'encoding', 'stored', 'candidate', 'record'}
    **changes : dict
        New values by the names of fields.
    """
    model = classifier._model
    changed = replace(getattr(model, part), **changes)
    classifier._model = replace(model, **{part: changed})
