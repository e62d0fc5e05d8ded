"""Progress: what training says of itself, in print and to callbacks."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from time import monotonic

from sklearn_dnfwinnow._utils._text import shown

# Seconds between two lines on an epoch that is not over.
_SILENCE = 10.0
# Seconds that a part of an epoch may take, before the next ones are made smaller.
_A_PART = 0.5


class Halted(Exception):
    """Training has ended elsewhere, in an error or Ctrl-C; nobody waits for this."""


class Silent:
    """Says nothing, but can be told to halt: threads do not die with their caller."""

    _size = 16
    _halted = False

    def halt(self):
        """End the training, from another thread, at its next part."""
        self._halted = True

    def start(self):
        """Training starts."""

    def begin(self, epoch):
        """An epoch begins."""

    def parts(self, order):
        """The parts of an epoch, about half a second each, to be presented in turn."""
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
        """A part is over; updates in the epoch so far."""

    def end(self, wrong):
        """An epoch ends; whether to stop."""
        return False

    def finish(self):
        """Training is over."""


class Printed(Silent):
    """Prints the updates of each epoch, and of a long one every ten seconds.

    Parameters
    ----------
    who : str
        Whose epochs.
    n_before : int
        Epochs made before this call.
    """

    def __init__(self, who, n_before):
        self._who = who
        self._n_before = n_before

    def begin(self, epoch):
        """An epoch begins."""
        self._epoch = self._n_before + epoch + 1
        self._printed = monotonic()

    def so_far(self, wrong):
        """A part is over; updates in the epoch so far."""
        if self._share < 1.0 and monotonic() - self._printed >= _SILENCE:
            self._print(f"{self._share:.0%} done, {wrong} updates so far")
            self._printed = monotonic()

    def end(self, wrong):
        """An epoch ends; whether to stop."""
        self._print(f"{wrong} updates")
        return False

    def _print(self, text):
        print(
            f"[DNFWinnowClassifier] {self._who}, epoch {self._epoch}: {text}",
            flush=True,
        )


class Told(Silent):
    """Tells scikit-learn's callbacks of the tasks of a training, and what to `said`.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
    context : sklearn.callback.CallbackContext
        Of the class; each epoch is a subtask.
    said : Silent
        Is told as well.
    """

    def __init__(self, estimator, context, said):
        self._estimator = estimator
        self._context = context
        self._said = said

    def start(self):
        """Training starts."""
        self._context.call_on_fit_task_begin(estimator=self._estimator)

    def begin(self, epoch):
        """An epoch begins."""
        self._said.begin(epoch)
        self._task = self._context.subcontext(task_name="epoch")
        self._task.call_on_fit_task_begin(estimator=self._estimator)

    def parts(self, order):
        """The parts of an epoch, about half a second each, to be presented in turn."""
        return self._said.parts(order)

    def halt(self):
        """End the training, from another thread, at its next part."""
        self._said.halt()

    def so_far(self, wrong):
        """A part is over; updates in the epoch so far."""
        self._said.so_far(wrong)

    def end(self, wrong):
        """An epoch ends; whether to stop."""
        self._said.end(wrong)
        return self._task.call_on_fit_task_end(estimator=self._estimator)

    def finish(self):
        """Training is over."""
        self._context.call_on_fit_task_end(estimator=self._estimator)


def progress_of(estimator, context, n_epochs, k):
    """How to tell of the training of one class, or of all together.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
    context : sklearn.callback.CallbackContext or None
        Of the whole training call.
    n_epochs : int
        Most that there will be.
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
        progress = Told(estimator, task, progress)
    return progress
