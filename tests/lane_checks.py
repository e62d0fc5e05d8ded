"""Trainings in lanes for the tests, and the same by exact sums."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log

import numpy as np
from internals.terms import group_terms, list_terms, number_terms
from internals.winnow import (
    Candidate,
    Lane,
    LaneBlock,
    Progress,
    Repetitions,
    checkpoints,
)
from reference import distinct

N_VALUES = np.array([3, 2, 4, 3])
MARGIN, RESIDUAL = {"margin": 0.4}, {"margin": None, "scale": 6.0}


def repetitions(seed, n_rows=30, n_classes=3, fractions=False, n_epochs=6):
    """Rows with gaps, classes that follow from them but for some noise, weights."""
    random = np.random.RandomState(seed)
    codes = random.randint(0, N_VALUES + 1, (n_rows, len(N_VALUES))).astype(np.int32)
    labels = ((codes == 1).sum(axis=1) + (random.rand(n_rows) < 0.2)) % n_classes
    labels[:n_classes] = np.arange(n_classes)
    units = random.randint(1, 10, n_rows) if fractions else np.ones(n_rows)
    return Repetitions(
        codes=codes,
        labels=labels,
        units=units.astype(np.int64),
        one=4 if fractions else 1,
        n_epochs=n_epochs,
        seed=seed,
    )


def index_of(rows, kind="lists", max_term_size=None, literal_weight=0.5):
    """The index of the rows, of some kind."""
    rows = distinct(rows.codes)
    if kind == "groups":
        return group_terms(rows, log(literal_weight))
    make = list_terms if kind == "lists" else number_terms
    return make(rows, N_VALUES, max_term_size, log(literal_weight))


def lane(rule=RESIDUAL, *, joint=True, fold=-1, log_threshold=1.3, **params):
    """A training in lanes, of a candidate with some parameters."""
    candidate = Candidate(
        **{
            "alpha": 1.2,
            "literal_weight": 0.5,
            "max_term_size": None,
            "literals": "equal",
            "scale": 1.0,
            "screening": None,
            "discretizer": None,
            **rule,
            **params,
        }
    )
    return Lane(candidate, joint=joint, fold=fold, log_threshold=log_threshold)


def block_of(rows, lanes, index=None, folds=None, average=True, allowed=None):
    """A block of lanes, not yet trained."""
    return LaneBlock(
        index=index_of(rows) if index is None else index,
        rows=rows,
        folds=np.zeros(len(rows.labels), dtype=np.int64) if folds is None else folds,
        trainings=lanes,
        n_classes=int(rows.labels.max()) + 1,
        average=average,
        allowed=allowed,
    )


def train(block, n_epochs):
    """Train as `fit` does, up to an epoch."""
    done = 0
    for end in checkpoints(n_epochs):
        over = block.train(end - done, Progress())
        done = end
        if over:
            break
    return block
