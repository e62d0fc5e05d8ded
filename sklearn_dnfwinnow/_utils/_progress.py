"""Progress: printed lines of long calls, callbacks, and how to end their threads."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy
from time import monotonic

from sklearn_dnfwinnow._utils._computing import Halted

# Seconds between two lines of the same stage, at least.
_BETWEEN = 1.0
# Maximum seconds of a part of a step; after a longer one, parts become smaller.
_A_PART = 0.5


class Progress:
    """Progress of a call, and of its stages, which consist of steps.

    Each stage prints a line when it starts, and then at most one a second, with the
    seconds since the call began, and an estimate of the seconds that are left of the
    stage. Stages of a call can run in several threads. Threads do not end with their
    caller, but after `halt`.

    Parameters
    ----------
    estimator : estimator, default=None
        Lines begin with the name of its class. They are printed if its `verbose` is
        positive, and not for None.
    context : sklearn.callback.CallbackContext or None, default=None
        Context of the whole call.
    """

    def __init__(self, estimator=None, context=None):
        self._estimator, self._context = estimator, context
        self._verbose = getattr(estimator, "verbose", 0)
        self._call, self._halted = self, False
        self._began = self._printed = monotonic()
        self._task = None
        self._enter("", None, "", 0)

    def _enter(self, text, n_steps, step, n_before):
        self._text, self._n_steps, self._step = text, n_steps, step
        self._n_before, self._n_done, self._share, self._size = n_before, 0, 0.0, 16
        self._entered, self._last = monotonic(), None

    def halt(self):
        """End all stages, from another thread, at their next step or part of one."""
        self._call._halted = True

    def check(self):
        """Raise `Halted` if another thread ended the call."""
        if self._call._halted:
            raise Halted

    # -- stages ------------------------------------------------------------------------

    def stage(
        self,
        text,
        n_steps=None,
        *,
        step="step",
        n_before=0,
        task=None,
        n_subtasks=None,
        subtask=None,
    ):
        """Return the progress of a stage.

        Parameters
        ----------
        text : str
            What it does, in lines and as the name of the task of callbacks.
        n_steps : int, default=None
            Maximum number of steps, for the estimate of time.
        step : str, default="step"
            What a step is, in lines.
        n_before : int, default=0
            Number of steps before this call, which the numbers in lines include.
        task : int, default=None
            Number of the task of callbacks; without it, callbacks know nothing of it.
        n_subtasks, subtask : int and str, default=None
            Maximum number of its subtasks, and their name; `n_steps` and `step` by
            default.
        """
        stage = copy(self)
        stage._context = None
        stage._enter(text, n_steps, step, n_before)
        stage._subtask = subtask or step
        if self._context is not None and task is not None:
            stage._context = self._context.subcontext(
                task_name=text, task_id=task, max_subtasks=n_subtasks or n_steps
            )
        return stage

    def silent(self):
        """Return the progress of a part that is not reported, and halted with all."""
        part = copy(self)
        part._verbose, part._context, part._task, part._size = 0, None, None, 16
        return part

    def start(self):
        """Report that the stage starts."""
        self.check()
        self._entered = monotonic()
        self._print(self._text)
        if self._context is not None:
            self._context.call_on_fit_task_begin(estimator=self._estimator)
        return self

    def finish(self):
        """Report that the stage is complete."""
        if self._last is not None:
            self._print(self._last)
        if self._context is not None:
            self._context.call_on_fit_task_end(estimator=self._estimator)

    def over(self, items, text, step="row"):
        """Yield items, each of which is a step of a stage; one item is no stage."""
        if len(items) < 2:
            yield from items
            return
        stage = self.stage(text, len(items), step=step).start()
        for item in items:
            yield item
            stage.check()
            stage.end()
        stage.finish()

    # -- steps -------------------------------------------------------------------------

    def begin(self):
        """Report that a step begins."""
        self._share = 0.0
        if self._context is not None:
            self._task = self._context.subcontext(task_name=self._subtask)
            self._task.call_on_fit_task_begin(estimator=self._estimator)

    def parts(self, order):
        """Yield the parts of a step over some rows, each of about half a second."""
        start = 0
        while start < len(order):
            stop = start + self._size
            self._share = min(1.0, stop / len(order))
            began = monotonic()
            yield order[start:stop]
            self.check()
            quick = monotonic() - began < _A_PART
            # No longer than a step: the size is for all of them.
            if quick and self._size < len(order):
                self._size *= 2
            elif not quick:
                self._size = max(1, self._size // 2)
            start = stop

    def so_far(self, text):
        """Report what the step has done so far."""
        if self._share < 1.0:
            self._say(self._n_done + 1, f"{self._share:.0%} done, {text} so far")

    def end(self, text="", n=1):
        """Report the end of a step, or of n small ones; return whether to stop."""
        self._n_done, self._share = self._n_done + n, 0.0
        self._say(self._n_done, text)
        if self._task is None:
            return False
        return self._task.call_on_fit_task_end(estimator=self._estimator)

    # -- lines -------------------------------------------------------------------------

    def _say(self, number, text):
        """Print a line of the stage if the last one is a while ago, else keep it."""
        if not self._verbose:
            return
        total = ""
        if self._n_steps is not None:
            total = f" of {self._n_before + self._n_steps}"
        line = f"{self._text}, {self._step} {self._n_before + number}{total}"
        self._last = f"{line}: {text}" if text else line
        if monotonic() - self._call._printed >= _BETWEEN:
            self._print(self._last + self._left())
            self._last = None

    def _left(self):
        """Return an estimate of the time that is left of the stage, as text."""
        done = self._n_done + self._share
        if self._n_steps is None or not 0 < done < self._n_steps:
            return ""
        seconds = (monotonic() - self._entered) * (self._n_steps / done - 1.0)
        return f", at most {seconds:.0f} s left"

    def _print(self, text):
        if self._verbose:
            now = self._call._printed = monotonic()
            name = type(self._estimator).__name__
            print(f"[{name}] {now - self._call._began:.1f} s: {text}", flush=True)
