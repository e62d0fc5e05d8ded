"""Conditions on the terms of a fitted model: their schema."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow._winnow._conditions._column_conditions import (
    ColumnConditions,
    WeightedTerm,
)
from sklearn_dnfwinnow.persistence._parameters import LITERAL, TERM
from sklearn_dnfwinnow.persistence._schema import (
    TEXT,
    Items,
    ListOf,
    Record,
    integer,
    number,
)

# The smallest float above 0.
_SMALLEST_WEIGHT = 5e-324


def conditions(n_features, n_classes):
    """Return the schema of ColumnConditions.

    Parameters
    ----------
    n_features, n_classes : int
        Of the model, whose columns and classes the conditions name.
    """
    column = integer(0, n_features - 1)
    signs = ListOf(integer(-1, 1), n_classes, make=tuple)
    weighted = Items(
        TERM,
        integer(0, n_classes - 1),
        number(low=_SMALLEST_WEIGHT),
        make=WeightedTerm._make,
    )

    def check_conditions(found, _):
        check(
            len(found.names) in (0, n_features),
            f"names of {n_features} columns",
            found.names,
        )
        of_terms = [one for given in found.initial_terms for one in given.term.literals]
        for literal in [*found.literals, *of_terms]:
            column.read(literal.column, "the column of a literal", None)
        pairs = set(map(frozenset, found.pairs))
        right = len(pairs) == len(found.pairs) and all(len(pair) == 2 for pair in pairs)
        check(right, "distinct pairs of different columns", found.pairs)

    return Record(
        {
            "directions": ListOf(Items(column, signs), make=tuple),
            "features": ListOf(column, make=tuple),
            "pairs": ListOf(Items(column, column), make=tuple),
            "literals": ListOf(LITERAL, make=tuple),
            "initial_terms": ListOf(weighted, make=tuple),
            "names": ListOf(TEXT, make=tuple),
        },
        ColumnConditions,
        check=check_conditions,
    )
