"""scikit-learn's callbacks (1.9 and later), called around a training."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import contextmanager

from sklearn_dnfwinnow._utils._compat import callback_management_context


@contextmanager
def callback_context(estimator, X, y, sample_weight):
    """Call the callbacks of an estimator, if it has any, around its training.

    Yields
    ------
    context : sklearn.callback.CallbackContext or None
        None for an estimator without callbacks.
    """
    if not hasattr(estimator, "_skl_callbacks"):
        yield None
        return
    data = {"X": X, "y": y}
    if sample_weight is not None:
        data["metadata"] = {"sample_weight": sample_weight}
    with callback_management_context(estimator):
        # One subtask per class, run in parallel; their number is unknown before y is
        # checked.
        context = estimator._init_callback_context(
            max_subtasks=None, sequential_subtasks=False
        )
        context.call_on_fit_task_begin(estimator=estimator, **data)
        yield context
        # The estimator is now fitted, so callbacks can score it.
        context.call_on_fit_task_end(
            estimator=estimator, reconstruction_attributes={}, **data
        )
