"""Trials: one fit of one method on one fold, in a process of its own.

A process may use so many seconds of the processor, and so much memory. A trial that
ends without a result has its reason as `status`: what fails is recorded as well.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import multiprocessing
import resource
import signal
import time
import warnings

import numpy as np

# Seconds of the processor for fit and prediction, and bytes of memory.
LIMIT = 120
MEMORY = 4 << 30


def trial(method, size, task, fold, limit=LIMIT):
    """Return the figures of a fit: rows, errors, sizes, seconds, status."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(
        target=_send, args=(sender, method, size, task, fold, limit)
    )
    process.start()
    sender.close()
    try:
        found = receiver.recv()
    except EOFError:
        found = None
    process.join()
    if found is not None:
        return found
    if process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"status": f"more than {limit} s"}
    return {"status": f"ended with {process.exitcode}"}


def _send(sender, method, size, task, fold, limit):
    """Measure within the limits, and send what is found."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    # FIGS takes its random numbers from here.
    np.random.seed(0)  # noqa: NPY002
    try:
        found = _measure(method.learner(size, task.target, 0), task, fold)
    except Exception as error:
        found = {"status": f"{type(error).__name__}: {error}"[:200]}
    sender.send(found)


def _measure(learner, task, fold):
    """Return the figures of a learner."""
    train, test = task.folds()[fold]
    start = time.process_time()
    learner.fit(task.X.iloc[train], task.y[train])
    fitted = time.process_time()
    wrong = np.asarray(learner.predict(task.X.iloc[test])) != task.y[test]
    lengths = learner.lengths_
    return {
        "status": "done",
        "rows": len(test),
        "errors": int(wrong.sum()),
        "rules": None if lengths is None else len(lengths),
        "literals": None if lengths is None else int(sum(lengths)),
        "fit_s": round(fitted - start, 4),
        "note": getattr(learner, "note_", None),
    }
