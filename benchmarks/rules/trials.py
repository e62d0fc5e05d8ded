"""Trials: one fit of one method on one fold, in a process of its own."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import time
from functools import partial

import numpy as np

from benchmarks.alone import alone

# Seconds of the processor for fit and prediction, and bytes of memory.
LIMIT = 120
MEMORY = 4 << 30


def trial(method, size, task, fold, limit=LIMIT):
    """Return the figures of a fit: rows, errors, sizes, seconds, status."""
    learner = method.learner(size, task.target, 0)
    return alone(partial(_measure, learner, task, fold), limit, MEMORY)


def _measure(learner, task, fold):
    """Return the figures of a learner."""
    # FIGS takes its random numbers from here.
    np.random.seed(0)  # noqa: NPY002
    train, test = task.folds()[fold]
    start = time.process_time()
    learner.fit(task.X.iloc[train], task.y[train])
    fitted = time.process_time()
    wrong = np.asarray(learner.predict(task.X.iloc[test])) != task.y[test]
    lengths = learner.lengths_
    return {
        "rows": len(test),
        "errors": int(wrong.sum()),
        "rules": None if lengths is None else len(lengths),
        "literals": None if lengths is None else int(sum(lengths)),
        "fit_s": round(fitted - start, 4),
        "note": getattr(learner, "note_", None),
    }
