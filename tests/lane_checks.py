"""Trainings in lanes for the tests, and the same by exact sums."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from functools import partial
from math import log

import numpy as np
from internals.terms import group_terms, list_terms, number_terms
from internals.utils import distinct_in_order
from internals.winnow import (
    Candidate,
    ClassBlock,
    ClassState,
    Lane,
    LaneBlock,
    Progress,
    Repetitions,
    Summation,
    checkpoints,
    learn,
)

from sklearn_dnfwinnow.samplers import SAMPLERS

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
    distinct = distinct_in_order(rows.codes)[0]
    if kind == "groups":
        return group_terms(distinct, log(literal_weight))
    make = list_terms if kind == "lists" else number_terms
    return make(distinct, N_VALUES, max_term_size, log(literal_weight))


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


def train_exactly(rows, lane, index, average=True, allowed=None, sampler="table"):
    """What each class learns by exact sums: list of TrainedClass.

    Without an index by sums from the updates, as of the sampler.
    """
    parts, n_classes = lane.rule.parts, int(rows.labels.max()) + 1
    one = rows.one * parts
    summation = Summation(
        sampler=SAMPLERS[sampler](),
        max_term_size=lane.candidate.max_term_size,
        log_alpha=log(lane.alpha) / one,
        log_beta=lane.candidate.log_beta,
        seed=0,
        allowed=allowed,
    )
    nothing = ClassState.empty(rows.codes.shape[1])
    return [
        trained
        for k in ([None] if lane.joint else range(n_classes))
        for trained in learn(
            partial(
                ClassBlock,
                summation=summation,
                rule=lane.rule,
                log_threshold=lane.log_threshold,
                rows=replace(rows, units=rows.units * parts, one=one),
                states=[nothing] * n_classes,
                index=index,
                average=average,
            ),
            n_epochs=rows.n_epochs,
            k=k,
            progress=Progress(),
        )
    ]
