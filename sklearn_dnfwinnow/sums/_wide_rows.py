"""Wide rows: those with more attributes than brute force takes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._problems._agreement_problem import AgreementProblem
from sklearn_dnfwinnow.samplers._exact import MAX_BRUTE_FORCE


def refuse_wide_rows(rows, updates, all_exponents, max_term_size):
    """Raise if brute force cannot sum over the terms of a row, before it begins.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_attributes), int32
        Codes of the rows to be summed over, with literals.
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the updates: those that a model has, or may get.
    all_exponents : ndarray of shape (n_classes, m), int64
        Their exponents in each class. Positive ones for updates that a model may get:
        then no choice of updates tells more attributes apart.
    max_term_size : int or None
        Most literals of a term; attributes are merged only if it is None.
    """
    n_specified = np.count_nonzero(rows, axis=1)
    for i in np.flatnonzero(n_specified > MAX_BRUTE_FORCE):
        for exponents in all_exponents:
            problem = AgreementProblem.of_row(
                updates, exponents, rows[i], compress=max_term_size is None
            )
            # Without an update that acts, the sum has a closed form.
            if problem.n > MAX_BRUTE_FORCE and len(problem.exponents):
                raise ValueError(_message(n_specified[i], problem.n))


def _message(n_specified, n):
    merged = ""
    if n < n_specified:
        merged = f", n={n} after those that agree with the same rows are merged"
    return (
        "sampler='brute_force' visits the 2**n terms over n attributes, and takes at "
        f"most {MAX_BRUTE_FORCE}. A row has {n_specified} specified attributes"
        f"{merged}. Use sampler='auto', or sampler='exact' to exclude estimates."
    )
