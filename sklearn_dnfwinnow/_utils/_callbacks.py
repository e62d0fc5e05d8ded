"""Callbacks: scikit-learn's, for those who set some; nothing at all for the others."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import contextmanager

from sklearn_dnfwinnow._utils._compat import callback_management_context


@contextmanager
def callbacks_told(estimator, X, y, sample_weight):
    """Tell the callbacks of an estimator, if it has any, of its training.

    Yields
    ------
    context : sklearn.callback.CallbackContext or None
        None where there is nobody to tell.
    """
    if not hasattr(estimator, "_skl_callbacks"):
        yield None
        return
    data = {"X": X, "y": y}
    if sample_weight is not None:
        data["metadata"] = {"sample_weight": sample_weight}
    with callback_management_context(estimator):
        # As many subtasks as classes, which are not known before y was looked at; they
        # run in parallel.
        context = estimator._init_callback_context(
            max_subtasks=None, sequential_subtasks=False
        )
        context.call_on_fit_task_begin(estimator=estimator, **data)
        yield context
        # By now the estimator is fitted, and can be scored as it is.
        context.call_on_fit_task_end(
            estimator=estimator, reconstruction_attributes={}, **data
        )
