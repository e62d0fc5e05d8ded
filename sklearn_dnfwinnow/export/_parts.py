"""Parts: the models whose log-odds an exported model adds up.

A model that is not an average has one part, itself.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sklearn_dnfwinnow.export._term_weights import (
    TermWeights,
    most_terms,
    term_weights,
)


@dataclass(frozen=True, eq=False)
class Part:
    """One of the models that are averaged.

    The score of a class is the sum of the log W of all parts, each times its factor,
    minus a threshold.

    Attributes
    ----------
    model : TermModel
    factor : float
    weights : TermWeights
        Weights of the model. Its terms are in the columns that all parts share.
    """

    model: Any
    factor: float
    weights: TermWeights

    def allowed_literals(self, codes):
        """Return the literals of rows that count, by group of classes.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_features), int32
            In the encoding of the model.

        Returns
        -------
        literals : ndarray of shape (n_groups, n_rows, n_own_columns), bool
            Whether a row satisfies a literal in a column of the encoding of the model,
            and the classes of the group allow it.
        """
        codes = self.model.encoding.with_literals(codes)
        conditions = self.model.conditions
        firsts = np.unique(self.weights.groups, return_index=True)[1].tolist()
        of_groups = [
            codes if conditions is None else conditions.masked(codes, k) for k in firsts
        ]
        return np.array(of_groups) != 0

    def is_of(self, attribute):
        """Return which columns of the encoding are functions of an attribute: bool."""
        owners = [column.attribute for column in self.model.encoding.columns]
        return np.array(owners) == attribute


def parts_of(model, max_terms):
    """Return the parts of a model.

    Parameters
    ----------
    model : TermModel
    max_terms : int
        Maximum number of listed terms of all parts.

    Returns
    -------
    parts : list of Part

    Raises
    ------
    ValueError
        If there are more terms; or if some columns must not occur together in a term.
    """
    parts, n_left = [], max_terms
    for one, factor, places in zip(
        model.models, model.factors.tolist(), model.encoding.places
    ):
        weights = term_weights(one, n_left)
        if weights is None:
            raise ValueError(_too_many(model.models, max_terms))
        n_left -= len(weights.terms)
        terms = [
            tuple((places[column], code) for column, code in term)
            for term in weights.terms
        ]
        parts.append(Part(one, factor, replace(weights, terms=terms)))
    return parts


def _too_many(models, max_terms):
    """Return the message for models with too many terms."""
    most = sum(map(most_terms, models))
    fewer = "n_estimators=1, with " if len(models) > 1 else ""
    return (
        f"The weights of more than {max_terms:,} terms, of up to {most:,}, differ from "
        f"the initial weights. Train with {fewer}a smaller `max_term_size`, or with "
        "literals='equal'; increase `max_terms`; or export a short formula that "
        "approximates the model, see `to_dnf`."
    )
