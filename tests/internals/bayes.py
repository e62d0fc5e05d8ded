"""Private names of `bayes` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow._bayes import _prediction
from sklearn_dnfwinnow._bayes._chains import ChainProgress
from sklearn_dnfwinnow._bayes._draws import Draws
from sklearn_dnfwinnow._bayes._hamiltonian._contrasts import Contrasts
from sklearn_dnfwinnow._bayes._hamiltonian._gaussian import Gaussian
from sklearn_dnfwinnow._bayes._hamiltonian._hamiltonian import (
    Hamiltonian,
    HamiltonianState,
)
from sklearn_dnfwinnow._bayes._hamiltonian._leapfrog import Leapfrog
from sklearn_dnfwinnow._bayes._hamiltonian._metric import Metric
from sklearn_dnfwinnow._bayes._hamiltonian._modes import Mode
from sklearn_dnfwinnow._bayes._hamiltonian._parametrization import Parametrization
from sklearn_dnfwinnow._bayes._hamiltonian._place import Place
from sklearn_dnfwinnow._bayes._hamiltonian._row_basis import (
    gram_of_rows,
    in_row_basis,
)
from sklearn_dnfwinnow._bayes._moves._gibbs import draw_mixing, draw_sums
from sklearn_dnfwinnow._bayes._moves._sum_draws import Given, along_tree, one_at_a_time
from sklearn_dnfwinnow._bayes._moves._sweeps import SWEEPS, State
from sklearn_dnfwinnow._bayes._moves._widths import centred, non_centred
from sklearn_dnfwinnow._bayes._prediction import Prediction
from sklearn_dnfwinnow._bayes._prior import HYPERPRIORS, LIMIT, Prior
from sklearn_dnfwinnow._bayes._problem import Problem
