"""Conditioned evaluation: the sums of a batch of rows over allowed terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from sklearn_dnfwinnow._terms._conditions import Conditions
from sklearn_dnfwinnow.sums._batch import Evaluation
from sklearn_dnfwinnow.sums._conditioned_sums import ConditionedSums


@dataclass(frozen=True, eq=False)
class ConditionedEvaluation:
    """Evaluation of rows over the terms that conditions allow.

    It has the interface of :class:`sklearn_dnfwinnow.sums._batch.Evaluation`. All sums
    are computed in full.

    Parameters
    ----------
    plain : Evaluation
        Over all terms.
    conditions : Conditions
    """

    plain: Evaluation
    conditions: Conditions

    def log_sums(self, rows):
        """Return log W of some rows of codes in all classes: (n_rows, n_classes)."""
        return self.estimates(rows)[..., 0]

    def winners(self, rows, log_threshold):
        """Return the class of the highest score of each row, the first in a tie."""
        return (self.log_sums(rows) - log_threshold).argmax(axis=1)

    def estimates(self, rows):
        """Return log W and its relative standard error: (n_rows, n_classes, 2)."""
        found = [
            self._sums_of(k).estimates(
                rows=rows,
                updates=self.plain.updates,
                exponents=of_class,
                plain_sums=partial(self._plain_sums, k),
            )
            for k, of_class in enumerate(self.plain.exponents)
        ]
        return np.stack(found, axis=1)

    def question(self, row):
        """Return a function from a class to the arguments of `log_sum` for a row.

        If conflicts split the terms of the row, the arguments are those of the part
        with the most columns left, which requires the longest chains.
        """

        def of_class(k):
            sums = self._sums_of(k)
            parts = sums.parts(row[None])
            literals, (_, left) = max(
                parts.items(), key=lambda part: np.count_nonzero(part[1][1])
            )
            acting = np.ones(len(self.plain.updates), dtype=bool)
            for column, code in literals:
                acting &= self.plain.updates[:, column] == code
            evaluation = self._part(
                k,
                updates=self.plain.updates[acting],
                exponents=self.plain.exponents[k, acting],
                max_term_size=sums.size_left(literals),
                literals=literals,
            )
            return evaluation.question(left[0])(0)

        return of_class

    def _sums_of(self, k):
        return ConditionedSums(
            conditions=self.conditions,
            k=k,
            log_alpha=self.plain.log_alpha,
            log_beta=self.plain.log_beta,
            max_term_size=self.plain.max_term_size,
        )

    def _plain_sums(self, k, rows, **part):
        """Return log W of the rows of a part, and its error: (n_rows, 2)."""
        return self._part(k, **part).estimates(rows)[:, 0]

    def _part(self, k, updates, exponents, max_term_size, literals):
        """Return the evaluation of a part, as a model with one class."""
        return replace(
            self.plain,
            engine=replace(self.plain.engine, max_term_size=max_term_size),
            max_term_size=max_term_size,
            keys=(*self.plain.keys, k, *chain(*literals)),
            updates=updates,
            exponents=exponents[None],
        )
