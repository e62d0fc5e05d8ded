"""Parallel calls of one function, in threads or on other machines."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

from joblib import wrap_non_picklable_objects
from sklearn.utils.parallel import Parallel, delayed


class Parcel:
    """Hold the content of a task, and unpickle it only where the task runs.

    The scheduler of a cluster unpickles tasks and pickles them again; without a parcel
    it would build the content, too. joblib's Dask backend keeps a large argument on one
    worker and loses it with that worker; a parcel travels with its task, which can then
    run elsewhere from a fresh copy. In a thread nothing is pickled.
    """

    def __init__(self, content):
        self._content = content
        self._packed = None

    def __getstate__(self):
        if self._packed is None:
            # Nested functions can be pickled as well then.
            content = wrap_non_picklable_objects(self._content, keep_wrapper=False)
            self._packed = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
        return self._packed

    def __setstate__(self, packed):
        self._packed = packed

    def content(self):
        """Return what was put in, or a copy of it."""
        return self._content if self._packed is None else pickle.loads(self._packed)


def run_tasks(function, tasks, n_jobs=None, all_progress=()):
    """Return what a function returns for each tuple of arguments, in a list.

    The calls run in threads unless a joblib backend was configured. If one of them
    raises, all progress is halted.
    """
    function = Parcel(function)
    try:
        return Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(winnow_task)(function, Parcel(arguments)) for arguments in tasks
        )
    except BaseException:
        # Ctrl-C interrupts this thread only.
        for progress in all_progress:
            progress.halt()
        raise


def winnow_task(function, arguments):
    """Call a function once; a cluster lists its tasks under the name of this one."""
    return function.content()(*arguments.content())
