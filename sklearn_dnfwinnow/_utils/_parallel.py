"""Tasks: calls of one function side by side, in threads or on other machines."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

from joblib import wrap_non_picklable_objects
from sklearn.utils.parallel import Parallel, delayed


class Parcel:
    """What a task needs: unpacked where the task runs, and nowhere on the way.

    The scheduler of a cluster unpickles tasks and pickles them again; what is made
    anew on arrival would be made there, too. joblib's Dask backend leaves a large
    argument on one worker, and when that worker dies, it is lost; a parcel goes along
    with its task, which can then run elsewhere, from a fresh copy. In a thread it is
    what was put in.
    """

    def __init__(self, content):
        self._content = content
        self._packed = None

    def __getstate__(self):
        if self._packed is None:
            # Functions within functions too, as joblib itself would have it.
            content = wrap_non_picklable_objects(self._content, keep_wrapper=False)
            self._packed = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
        return self._packed

    def __setstate__(self, packed):
        self._packed = packed

    def content(self):
        """What was put in, or a copy of it."""
        return self._content if self._packed is None else pickle.loads(self._packed)


def run_tasks(function, tasks, n_jobs=None, all_progress=()):
    """Return what a function returns for some tuples of arguments: in threads.

    If it comes to no end, all progress is told to halt: Ctrl-C comes to this thread
    only.
    """
    function = Parcel(function)
    try:
        return Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(winnow_task)(function, Parcel(arguments)) for arguments in tasks
        )
    except BaseException:
        for progress in all_progress:
            progress.halt()
        raise


def winnow_task(function, arguments):
    """One call; its name is how the tasks are known on a cluster."""
    return function.content()(*arguments.content())
