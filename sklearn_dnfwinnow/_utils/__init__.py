"""Helpers that know nothing of Winnow: parallel calls, JSON, plots, scikit-learn.

A file belongs here if it would be as useful in another package of estimators. The room
may import NumPy, joblib and scikit-learn, whose private names are in `_compat` alone;
Matplotlib and pandas only inside functions. It may import no other room of this package
and no kernel.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
