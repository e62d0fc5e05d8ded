"""Training record: what training did, on which scores do not depend."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from sklearn_dnfwinnow._terms._background import Background

# Number of epochs in `n_mistakes`, unless the last training call has more.
_EPOCHS_KEPT = 1000


@dataclass(frozen=True, eq=False)
class TrainingRecord:
    """The course of all training calls, and a sample of the rows.

    Parameters
    ----------
    n_iter, n_mistakes, chains, sums, validation
        See the attributes of :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
    background : Background
        A sample of the training rows, weighted by their sample weights.
    """

    n_iter: int
    n_mistakes: np.ndarray
    chains: dict
    sums: dict
    validation: dict | None
    background: Background

    @classmethod
    def empty(cls, n_features, n_classes):
        """Return the record before the first training call."""
        return cls(
            n_iter=0,
            n_mistakes=np.empty((0, n_classes), dtype=np.int64),
            chains={"run": 0, "ladder": 0, "simulated": 0},
            sums={"full": 0, "skipped": 0},
            validation=None,
            background=Background.empty(n_features),
        )

    def after(self, all_trained):
        """Return the record with another training call.

        Parameters
        ----------
        all_trained : list of Trained
        """
        mistakes = [trained.mistakes for trained in all_trained]
        counts = np.array(list(zip_longest(*mistakes, fillvalue=0)), dtype=np.int64)
        n_kept = max(_EPOCHS_KEPT, len(counts))
        return replace(
            self,
            n_iter=self.n_iter + len(counts),
            n_mistakes=np.concatenate([self.n_mistakes, counts])[-n_kept:],
            chains=totals([self.chains, *(one.chains for one in all_trained)]),
            sums=totals([self.sums, *(one.sums for one in all_trained)]),
        )


def totals(counts):
    """Return the totals of dicts with the same keys."""
    return {kind: sum(each[kind] for each in counts) for kind in counts[0]}
