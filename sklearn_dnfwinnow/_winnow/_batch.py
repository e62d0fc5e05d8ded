"""Batch: the checked input of one training call of Winnow."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field

from sklearn_dnfwinnow._encoding._tables._labelled_table import LabelledTable
from sklearn_dnfwinnow._winnow._monotone import Directions


@dataclass(frozen=True, eq=False)
class Batch(LabelledTable):
    """Samples with positive weight, their classes, and directions of scores.

    Parameters
    ----------
    table, labels, sample_weights, class_weights, declared
        See `LabelledTable`.
    directions : Directions
        Directions of `monotonic_cst`.
    """

    directions: Directions = field(default_factory=Directions)
