"""Literal tables: the literals of a feature that each value of a column satisfies."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._utils._json_values import check, plain
from sklearn_dnfwinnow.inspection._pipelines._preimages import CategoricalPreimage
from sklearn_dnfwinnow.rules._writers._cells import Cells


@dataclass(frozen=True, eq=False)
class LiteralTable:
    """The literals of an attribute that the cells of its column satisfy.

    Attributes
    ----------
    cells : Cells
        The same object for all attributes of a column.
    attribute : int
    counts : ndarray of shape (n_groups, n_cells), int64
        Number of literals that each cell satisfies and the classes of a group allow.
    pairs : list of (int, int)
        Columns and codes of the literals in listed terms.
    holds : ndarray of shape (n_pairs, n_cells), bool
        Which of these literals each cell satisfies.
    """

    cells: Cells
    attribute: int
    counts: np.ndarray
    pairs: list
    holds: np.ndarray


def literal_tables(decoder, weights, *, typed):
    """Return the tables of all attributes that have literals.

    Parameters
    ----------
    decoder : TermDecoder
    weights : TermWeights
        Weights of the model.
    typed : bool
        Whether columns have a type: numbers are then divided by cuts, even if they are
        categories.

    Returns
    -------
    tables : list of LiteralTable
        In the order of their columns.

    Raises
    ------
    TypeError
        If a category is not a string, number or boolean.
    ValueError
        If two of the columns have the same name; if `typed`, and the categories of a
        column include both strings and others, or a number that double precision cannot
        represent.
    """
    model = decoder.model
    columns_of = model.encoding.columns
    used = sorted({pair for term in weights.terms for pair in term})
    firsts = np.unique(weights.groups, return_index=True)[1].tolist()
    conditions = model.conditions
    tables = []
    for column in sorted({preimage.column for preimage in decoder.preimages}):
        own = [j for j, p in enumerate(decoder.preimages) if p.column == column]
        preimages = [decoder.preimages[j] for j in own]
        cells = _cells(decoder.table_features[column], preimages, typed)
        codes = np.zeros((len(cells), len(decoder.preimages)), dtype=np.int32)
        samples = cells.samples()
        codes[:, own] = np.column_stack([p.codes_of(samples) for p in preimages])
        codes = model.encoding.with_literals(codes)
        of_groups = [
            codes if conditions is None else conditions.masked(codes, k) for k in firsts
        ]
        for j in own:
            places = [i for i, column in enumerate(columns_of) if column.attribute == j]
            specified = np.array(of_groups)[..., places] != 0
            pairs = [pair for pair in used if pair[0] in places]
            # A term can have a literal that no value of its column satisfies.
            if not (specified.any() or pairs):
                continue
            same = decoder.table_features.count(cells.feature) == 1
            check(same, "one column of each name", cells.feature)
            holds = [codes[:, place] == code for place, code in pairs]
            tables.append(
                LiteralTable(
                    cells=cells,
                    attribute=j,
                    counts=specified.sum(axis=-1),
                    pairs=pairs,
                    holds=np.array(holds, dtype=bool).reshape(len(pairs), len(cells)),
                )
            )
    return tables


def _cells(feature, preimages, typed):
    """Return the cells of a column that some attributes are functions of."""
    values, cuts = [], None
    for preimage in preimages:
        if isinstance(preimage, CategoricalPreimage):
            where = f"Column {feature!r} is compared with"
            values += [plain(value, where) for value in preimage.present]
        else:
            cuts = [*(cuts or ()), *preimage.cuts.tolist()]
    return Cells.of(feature, values, cuts, typed=typed)
