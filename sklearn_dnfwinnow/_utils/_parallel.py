"""Parallel calls of one function, in threads or on other machines."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

from joblib import effective_n_jobs, wrap_non_picklable_objects
from sklearn.utils.parallel import Parallel, delayed


class Parcel:
    """Container for the content of a task, unpickled only where the task runs.

    The scheduler of a cluster unpickles tasks and pickles them again; without a parcel,
    it would also rebuild the content. The Dask backend of joblib keeps a large argument
    on one worker, and loses it with that worker. A parcel is part of its task, which
    can then run on another worker with a fresh copy. In threads, nothing is pickled.
    """

    def __init__(self, content):
        self._content = content
        self._packed = None

    def __getstate__(self):
        if self._packed is None:
            # Nested functions can then be pickled, too.
            content = wrap_non_picklable_objects(self._content, keep_wrapper=False)
            self._packed = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
        return self._packed

    def __setstate__(self, packed):
        self._packed = packed

    def content(self):
        """Return the content, or a copy of it."""
        return self._content if self._packed is None else pickle.loads(self._packed)


def run_tasks(function, tasks, n_jobs=None, all_progress=()):
    """Return the results of a function for each tuple of arguments, as a list.

    The calls run in threads unless a joblib backend is configured. If a call raises an
    error, all progress reports are stopped.
    """
    if effective_n_jobs(n_jobs) == 1:
        # As joblib would, in a fraction of its time.
        return [function(*arguments) for arguments in tasks]
    function = Parcel(function)
    try:
        return Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(winnow_task)(function, Parcel(arguments)) for arguments in tasks
        )
    except BaseException:
        # Ctrl-C interrupts only this thread.
        for progress in all_progress:
            progress.halt()
        raise


def winnow_task(function, arguments):
    """Call a function once; clusters list tasks under the name of this function."""
    return function.content()(*arguments.content())
