"""Parallel calls of one function, in threads."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed


def run_tasks(function, tasks, n_jobs=None, all_progress=()):
    """Return the results of a function for each tuple of arguments, as a list.

    The calls run in threads, whatever the backend of joblib. If a call raises an error,
    all progress reports are stopped.
    """
    if effective_n_jobs(n_jobs) == 1:
        # As joblib would, in a fraction of its time.
        return [function(*arguments) for arguments in tasks]
    try:
        return Parallel(n_jobs=n_jobs, require="sharedmem")(
            delayed(function)(*arguments) for arguments in tasks
        )
    except BaseException:
        # Ctrl-C interrupts only this thread.
        for progress in all_progress:
            progress.halt()
        raise
