"""Monotone: the directions of `monotonic_cst`, as literals that classes may contain.

The terms of a class that a row satisfies are the terms of the row without the other
literals. So every sum is a plain sum, of masked rows.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sklearn_dnfwinnow._encoding._columns import is_missing, label_of
from sklearn_dnfwinnow._encoding._encoding import MANY_VALUES, ranks_of
from sklearn_dnfwinnow._encoding._table import read_signs
from sklearn_dnfwinnow._terms._term_index import small_sets
from sklearn_dnfwinnow._utils._estimators import feature_names_of


@dataclass(frozen=True, eq=False)
class Allowed:
    """The literals that the terms of each class may contain.

    Parameters
    ----------
    literals : list of n_columns ndarrays of shape (n_classes, n_codes + 1), bool
        Whether terms of a class may contain the literal that a column has a code.
        Entries of code 0, which is no literal, are True.
    """

    literals: list

    @cached_property
    def flags(self):
        """The entries of `literals` side by side: (n_classes, n_literals), bool.

        Columns differ in their numbers of codes; a table of columns by codes would take
        more memory by far if one has many.
        """
        return np.concatenate(self.literals, axis=1)

    @cached_property
    def _firsts(self):
        """Positions of code 0 of each column in `flags`."""
        widths = [of_column.shape[1] for of_column in self.literals]
        return np.cumsum(widths) - widths

    def of_codes(self, k, columns, codes):
        """Return whether terms of class k may contain some literals: bool."""
        return self.flags[k, self._firsts[columns] + codes]

    def masked(self, codes, k):
        """Return rows of codes in which the other literals of class k are unspecified.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_columns), int32
        k : int

        Returns
        -------
        codes : ndarray of shape (n_rows, n_columns), int32
        """
        kept = self.of_codes(k, np.arange(codes.shape[1]), codes)
        return np.where(kept, codes, 0).astype(np.int32)

    def of_terms(self, index, k):
        """Return whether class k may have the terms of an index: (n_terms,), bool.

        Parameters
        ----------
        index : TermIndex
            Index of single terms, not of groups.
        k : int
        """
        if index.chosen is not None:
            return index.chosen.allowed(self, k)
        if index.kind == "numbers":
            own = [of_column[k, 1:] for of_column in self.literals]
            return index.numbered(own, combine=np.logical_and, empty=True)
        return self._of_listed(index, k)

    def _of_listed(self, index, k):
        """Return which terms are allowed that an index lists for each row."""
        allowed = np.zeros(index.n_terms, dtype=bool)
        kept = self.of_codes(k, np.arange(index.rows.shape[1]), index.rows)
        for row, of_row, starts in zip(index.rows, kept, index.starts):
            literals = of_row[row != 0]
            sets = small_sets(len(literals), min(len(starts) - 2, len(literals)))
            whole = [literals[of_size].all(axis=1) for of_size in sets]
            allowed[index.terms[starts[0] : starts[-1]]] = np.concatenate(whole)
        return allowed


@dataclass(frozen=True)
class Directions:
    """Directions in which scores may move with features.

    Parameters
    ----------
    signs : tuple of (int, tuple of int)
        Columns, and for each class whether its score may only increase with the column
        (1), only decrease (-1), or is free (0).
    names : tuple of str, default=()
        Names of all columns, for messages; empty if they have none.
    """

    signs: tuple = ()
    names: tuple = field(default=(), compare=False)

    def __bool__(self):
        return len(self.signs) > 0

    @property
    def columns(self):
        """The columns with a direction."""
        return tuple(j for j, _ in self.signs)

    def allowed(self, encoding, n_classes):
        """Return the literals that these directions allow, None for all.

        Parameters
        ----------
        encoding : Encoding
        n_classes : int

        Returns
        -------
        allowed : Allowed or None
        """
        if not self:
            return None
        literals = [
            np.ones((n_classes, len(column.relations) + 1), dtype=bool)
            for column in encoding.columns
        ]
        for j, signs in self.signs:
            self._forbid(literals, encoding, j, np.array(signs))
        return Allowed(literals)

    def _forbid(self, literals, encoding, j, signs):
        """Forbid the literals of a column that contradict its direction, by class."""
        values, label = encoding.attributes[j].categories, label_of(self.names, j)
        if all(map(is_missing, values)):
            return
        ranks = ranks_of(values)
        if ranks is None:
            raise ValueError(
                "monotonic_cst must select numeric columns; got column "
                f"{label}, whose values are not all numbers."
            )
        # A screened column has comparisons with any number of values.
        if ranks.max(initial=0) > MANY_VALUES and encoding.compared is None:
            raise ValueError(
                f"monotonic_cst must select columns with at most {MANY_VALUES} "
                f"distinct values, or columns that discretizer cuts; got column "
                f"{label} with {ranks.max()} distinct values."
            )
        own = [
            pair for pair in zip(encoding.columns, literals) if pair[0].attribute == j
        ]
        for column, allowed in own:
            for code in range(1, len(column.relations) + 1):
                holds = column.codes == code
                # Literals of a missing value only are not comparisons.
                if not (holds & (ranks > 0)).any() or (holds | (ranks == 0)).all():
                    continue
                # Equalities are redundant beside comparisons.
                if len(own) > 1 and column.value is None:
                    allowed[signs != 0, code] = False
                for sign in (1, -1):
                    if not goes(sign, holds, ranks):
                        allowed[signs == sign, code] = False


def goes(sign, holds, ranks):
    """Return whether some codes are above all others, or below.

    Parameters
    ----------
    sign : {1, -1}
    holds : ndarray of shape (n_values + 1,), bool
        The codes.
    ranks : ndarray of shape (n_values + 1,), int
        0 for a missing value.
    """
    inside, outside = ranks[holds & (ranks > 0)], ranks[~holds & (ranks > 0)]
    if not (len(inside) and len(outside)):
        return False
    return inside.min() > outside.max() if sign > 0 else inside.max() < outside.min()


# -- the parameter ---------------------------------------------------------------------


def read_directions(estimator, batch):
    """Return the directions in the parameter `monotonic_cst` of an estimator.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
        With `classes_`.
    batch : Batch
        Its training samples.

    Returns
    -------
    directions : Directions

    Raises
    ------
    ValueError
        With the expected value.
    """
    columns = batch.table.columns
    if estimator.monotonic_cst is None:
        return Directions()
    # Columns without names have the names x0, x1, ... of listed terms.
    signs = read_signs(
        estimator.monotonic_cst,
        feature_names_of(estimator).tolist(),
        estimator.classes_.tolist(),
        # A column without numbers may be all missing.
        lambda j: columns[j].is_numeric or len(columns[j].values) == 1,
    )
    return Directions(
        signs=tuple((j, signs[j]) for j in sorted(signs) if any(signs[j])),
        names=tuple(map(str, batch.table.names)),
    )
