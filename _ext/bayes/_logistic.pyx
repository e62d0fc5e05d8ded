"""The logistic log likelihood of a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from _logistic cimport row_log_likelihood


def log_likelihood(
    *,
    const double[:, ::1] predictors,  # IN (n_rows, n_sets)
    const double[:, ::1] weights,     # IN (n_rows, n_sets)
    const double[::1] totals,         # IN (n_rows,)
):
    """Return the log likelihood of the classes of all rows."""
    cdef double total = 0.0
    cdef Py_ssize_t i
    with nogil:
        for i in range(totals.shape[0]):
            total += row_log_likelihood(
                &predictors[i, 0], &weights[i, 0], totals[i], predictors.shape[1]
            )
    return total
