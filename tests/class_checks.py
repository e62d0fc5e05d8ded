"""Trainings of single classes, and of all, by each kind of store."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from internals.winnow import (
    ClassBlock,
    Progress,
    StoredExamples,
    Summation,
    UpdateRule,
)

#: Updates where a row is on the wrong side.
PAPER_RULE = UpdateRule()
#: A rule by which each presentation moves its class.
EVERY = UpdateRule(margin=1e300)


def summation_by(engine, log_alpha=0.4, log_beta=0.0, compiled=False, by_term=False):
    """Sums by an engine; those of short rows by the kernel, or all term by term."""
    sampler = SimpleNamespace(
        term_by_term=by_term, prefers_exact=compiled, engine=lambda size: engine
    )
    return Summation(
        sampler=sampler,
        max_term_size=engine.max_term_size,
        log_alpha=log_alpha,
        log_beta=log_beta,
        seed=0,
    )


def summation_of_index(log_alpha):
    """What a table needs apart from its index."""
    return SimpleNamespace(log_alpha=log_alpha, allowed=None)


def stored_of(n_classes, examples, net_counts, version=0):
    """Stored examples that all classes have in common."""
    stored = StoredExamples.of(examples, np.tile(net_counts, (n_classes, 1)))
    return replace(stored, versions=[version] * n_classes)


def one_class(rows, stored=None, k=1, rule=PAPER_RULE, log_threshold=0.0, **options):
    """A block of class k alone; others are not looked at."""
    stored = stored or StoredExamples.empty(rows.codes.shape[1], k + 1)
    return block_of(rows, stored, k, rule, log_threshold, **options)


def all_classes(rows, stored, rule=PAPER_RULE, **options):
    """A block of joint training."""
    return block_of(rows, stored, None, rule, 0.0, **options)


def block_of(
    rows,
    stored,
    k,
    rule,
    log_threshold,
    summation,
    index=None,
    max_stored_examples=None,
):
    """A block of what it reads of a model."""
    model = SimpleNamespace(
        summation=summation,
        rule=rule,
        log_threshold=log_threshold,
        stored=stored,
        literal_examples=stored.examples,
        settings=SimpleNamespace(
            average=False, max_stored_examples=max_stored_examples
        ),
    )
    return ClassBlock(model, rows, index, k)


def trained(block, n_epochs):
    """What the classes of a block learn in some epochs."""
    block.train(n_epochs, Progress())
    return block.trained()


def state_of(block):
    """Stored examples, their counts, and versions of all classes, as lists."""
    return [
        (
            class_.rows[class_.places].tolist(),
            class_.net[class_.places].tolist(),
            class_.kernel.version,
        )
        for class_ in block.classes
    ]


def ones(codes):
    """Units of rows that are presented once."""
    return np.ones(len(codes), dtype=np.int64)
