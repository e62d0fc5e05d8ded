"""Progress: reports of training, in print and to callbacks."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from time import monotonic

from sklearn_dnfwinnow._utils._computing import Halted
from sklearn_dnfwinnow._utils._display import shown

# Seconds between two lines during an epoch.
_SILENCE = 10.0
# Maximum seconds of a part of an epoch; after a longer one, parts become smaller.
_A_PART = 0.5


class Silent:
    """No reports, but training can be halted: threads do not end with their caller."""

    _size = 16
    _halted = False

    def halt(self):
        """End the training, from another thread, at its next part."""
        self._halted = True

    def start(self):
        """Report that training starts."""

    def begin(self, epoch):
        """Report that an epoch begins."""

    def parts(self, order):
        """Yield the parts of an epoch, each of about half a second."""
        start = 0
        while start < len(order):
            stop = start + self._size
            self._share = min(1.0, stop / len(order))
            began = monotonic()
            yield order[start:stop]
            if self._halted:
                raise Halted
            quick = monotonic() - began < _A_PART
            # No longer than an epoch: the size is for all of them.
            if quick and self._size < len(order):
                self._size *= 2
            elif not quick:
                self._size = max(1, self._size // 2)
            start = stop

    def so_far(self, wrong):
        """Report the number of updates in the epoch so far."""

    def end(self, wrong):
        """Report the updates of an epoch; return whether to stop."""
        return False

    def finish(self):
        """Report that training is complete."""


class Printed(Silent):
    """Print the updates of each epoch; in a long epoch, every ten seconds.

    Parameters
    ----------
    who : str
        The class, or all classes, in the printed text.
    n_before : int
        Number of epochs before this call.
    """

    def __init__(self, who, n_before):
        self._who = who
        self._n_before = n_before

    def begin(self, epoch):
        """Report that an epoch begins."""
        self._epoch = self._n_before + epoch + 1
        self._printed = monotonic()

    def so_far(self, wrong):
        """Report the number of updates in the epoch so far."""
        if self._share < 1.0 and monotonic() - self._printed >= _SILENCE:
            self._print(f"{self._share:.0%} done, {wrong} updates so far")
            self._printed = monotonic()

    def end(self, wrong):
        """Report the updates of an epoch; return whether to stop."""
        self._print(f"{wrong} updates")
        return False

    def _print(self, text):
        print(
            f"[DNFWinnowClassifier] {self._who}, epoch {self._epoch}: {text}",
            flush=True,
        )


class CallbackProgress:
    """Report to scikit-learn's callbacks, and to another progress.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
    context : sklearn.callback.CallbackContext
        Context of the class; each epoch is a subtask.
    other : Silent
        Receives all reports as well, and divides epochs into parts.
    """

    def __init__(self, estimator, context, other):
        self._estimator, self._context, self._other = estimator, context, other

    def __getattr__(self, name):
        return getattr(self._other, name)

    def start(self):
        """Report that training starts."""
        self._context.call_on_fit_task_begin(estimator=self._estimator)

    def begin(self, epoch):
        """Report that an epoch begins."""
        self._other.begin(epoch)
        self._task = self._context.subcontext(task_name="epoch")
        self._task.call_on_fit_task_begin(estimator=self._estimator)

    def end(self, wrong):
        """Report the updates of an epoch; return whether to stop."""
        self._other.end(wrong)
        return self._task.call_on_fit_task_end(estimator=self._estimator)

    def finish(self):
        """Report that training is complete."""
        self._context.call_on_fit_task_end(estimator=self._estimator)


def progress_of(estimator, context, n_epochs, k):
    """Return the progress of the training of one class, or of all jointly.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
    context : sklearn.callback.CallbackContext or None
        Context of the whole training call.
    n_epochs : int
        Maximum number of epochs.
    k : int or None
        The class, None for all.

    Returns
    -------
    progress : Silent
    """
    progress = Silent()
    who = "all classes" if k is None else f"class {shown(estimator.classes_[k])}"
    if estimator.verbose:
        progress = Printed(who, estimator.n_iter_)
    if context is not None:
        task = context.subcontext(
            task_name=who,
            task_id=k or 0,
            max_subtasks=n_epochs,
        )
        progress = CallbackProgress(estimator, task, progress)
    return progress


class CandidateProgress:
    """Report the candidates at each checkpoint, in print and to callbacks.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
    context : sklearn.callback.CallbackContext or None
        Context of the whole training call.
    """

    def __init__(self, estimator, context):
        self._estimator = estimator
        self._context = context
        self._task = None

    def start(self, n_checkpoints):
        """Report that candidates are trained, up to `n_checkpoints` checkpoints."""
        if self._context is not None:
            self._task = self._context.subcontext(
                task_name="candidates",
                # Other tasks have the numbers of the classes.
                task_id=len(self._estimator.classes_),
                max_subtasks=n_checkpoints,
            )
            self._task.call_on_fit_task_begin(estimator=self._estimator)

    def checkpoint(self, n_epochs, n_left, n_candidates, log_loss):
        """Report a checkpoint; return whether to stop."""
        if self._estimator.verbose:
            print(
                f"[DNFWinnowClassifier] candidates, epoch {n_epochs}: {n_left} of "
                f"{n_candidates} continue, lowest log loss {log_loss:.4f}",
                flush=True,
            )
        if self._task is None:
            return False
        part = self._task.subcontext(task_name="checkpoint")
        part.call_on_fit_task_begin(estimator=self._estimator)
        return part.call_on_fit_task_end(estimator=self._estimator)

    def finish(self):
        """Report that the candidate is selected."""
        if self._task is not None:
            self._task.call_on_fit_task_end(estimator=self._estimator)
