"""Encoding: from the cells of a table to codes with literals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial

from sklearn_dnfwinnow._preprocessing._columns import (
    check_table,
    column_label,
    columns_of,
)
from sklearn_dnfwinnow._preprocessing._discretizer import (
    ClassEntropyDiscretizer,
    with_intervals,
)
from sklearn_dnfwinnow._preprocessing._literal_columns import (
    literal_columns,
    n_values_with,
    with_literals,
)
from sklearn_dnfwinnow._preprocessing._value_encoder import ValueEncoder


@dataclass(frozen=True, eq=False)
class Encoding:
    """From the cells of a table to codes, and from codes to codes with literals.

    Parameters
    ----------
    encoder : ValueEncoder
        Codes of the values of each attribute.
    discretizer : ClassEntropyDiscretizer or None, default=None
        Fitted discretizer that cuts columns before their values are encoded.
    literals : {'equal', 'both', 'ordered'}, default='equal'
        Kinds of literals.
    ordered : tuple of int, default=()
        Numeric attributes that are compared with cut points for any `literals`.
    """

    encoder: ValueEncoder
    discretizer: ClassEntropyDiscretizer | None = None
    literals: str = "equal"
    ordered: tuple = ()

    @property
    def missing(self):
        """Return the treatment of missing values."""
        return self.encoder.missing

    @property
    def categories(self):
        """Return the values of each attribute, in the order of their codes."""
        return self.encoder.categories_

    @property
    def cut_points(self):
        """Return the cut points of each attribute, None if it is not cut."""
        if self.discretizer is None:
            return [None] * len(self.categories)
        return self.discretizer.cut_points_

    def encode_table(self, X, estimator, *, is_cut=False):
        """Return the codes of new samples of a fitted estimator.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
        estimator : object
            With `n_features_in_`, and `feature_names_in_` if columns have names.
        is_cut : bool
            Whether X contains numbers of intervals, the output of the discretizer.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), int32

        Raises
        ------
        ValueError
            If X does not have the columns of the estimator.
        """
        X = check_table(estimator, X, reset=False)
        columns = columns_of(X, estimator, exact=True)
        columns = with_intervals(columns, None if is_cut else self.discretizer)
        return self.encoder.encode(columns, partial(column_label, estimator))

    # -- literals ----------------------------------------------------------------------

    @property
    def n_values(self):
        """Return the largest codes of all columns, those of literals last."""
        return n_values_with(n_values=self.encoder.n_values, **self._literals)

    def with_literals(self, codes):
        """Append a column of codes for each literal that is not an equality."""
        return with_literals(codes=codes, **self._literals)

    def literal_columns(self):
        """Return the literals of each column of codes with literals."""
        return literal_columns(**self._literals)

    @property
    def _literals(self):
        return {
            "literals": self.literals,
            "categories": self.categories,
            "ordered": self.ordered,
        }
