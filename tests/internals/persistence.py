"""Private names of `persistence` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.persistence import _array
from sklearn_dnfwinnow.persistence._array import Array
from sklearn_dnfwinnow.persistence._encoding import encoding
from sklearn_dnfwinnow.persistence._estimators import _FITTED
from sklearn_dnfwinnow.persistence._schema import Labels, Numbers, Record, onto
