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
    counts : list of ndarrays of shape (n_groups, n_cells), int64
        For each part, the number of its literals that each cell satisfies and the
        classes of a group allow.
    pairs : list of (int, int)
        Columns and codes of the literals in listed terms.
    holds : ndarray of shape (n_pairs, n_cells), bool
        Which of these literals each cell satisfies.
    """

    cells: Cells
    attribute: int
    counts: list
    pairs: list
    holds: np.ndarray


def literal_tables(decoder, parts, *, typed):
    """Return the tables of all attributes that have literals.

    Parameters
    ----------
    decoder : TermDecoder
    parts : list of Part
        Parts of the model.
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
    encoding = decoder.model.encoding
    used = {pair for part in parts for term in part.weights.terms for pair in term}
    tables = []
    for column in sorted({preimage.column for preimage in decoder.preimages}):
        own = [j for j, p in enumerate(decoder.preimages) if p.column == column]
        preimages = [decoder.preimages[j] for j in own]
        cells = _cells(decoder.table_features[column], preimages, typed)
        codes = np.zeros((len(cells), len(decoder.preimages)), dtype=np.int32)
        samples = cells.samples()
        codes[:, own] = np.column_stack([p.codes_of(samples) for p in preimages])
        literals = [
            part.allowed_literals(encoding.recoded(codes, k))
            for k, part in enumerate(parts)
        ]
        codes = encoding.with_literals(codes)
        for j in own:
            counts = [
                of_part[..., part.is_of(j)].sum(axis=-1)
                for of_part, part in zip(literals, parts)
            ]
            pairs = sorted(
                pair for pair in used if encoding.columns[pair[0]].attribute == j
            )
            # A term can have a literal that no value of its column satisfies.
            if not (pairs or any(of_part.any() for of_part in counts)):
                continue
            same = decoder.table_features.count(cells.feature) == 1
            check(same, "one column of each name", cells.feature)
            holds = [codes[:, place] == code for place, code in pairs]
            tables.append(
                LiteralTable(
                    cells=cells,
                    attribute=j,
                    counts=counts,
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
