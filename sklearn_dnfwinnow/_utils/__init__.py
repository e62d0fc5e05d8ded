"""Helpers without a relation to Winnow: parallel calls, plots, scikit-learn.

A module belongs here if it would be equally useful in another package of estimators.
This package can import NumPy, joblib and scikit-learn, whose private names are imported
in `_compat` only. Matplotlib and pandas are imported only inside functions. It can
import no other part of this project, and no kernel.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
