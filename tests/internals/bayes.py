"""Private names of `bayes` that tests need, imported in one position."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow._bayes import _prediction
from sklearn_dnfwinnow._bayes._chains import Draws
from sklearn_dnfwinnow._bayes._gibbs import SWEEPS, State
from sklearn_dnfwinnow._bayes._hamiltonian import (
    Hamiltonian,
    HamiltonianState,
    Leapfrog,
)
from sklearn_dnfwinnow._bayes._metric import Metric
from sklearn_dnfwinnow._bayes._parametrization import (
    Parametrization,
    Position,
)
from sklearn_dnfwinnow._bayes._prediction import Prediction
from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._bayes._problem import Problem
from sklearn_dnfwinnow._bayes._row_basis import in_row_basis
