"""Tables to try the package on: bundled real sets, and generators of random ones."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.datasets._generators import make_dnf, make_monotone_dnf
from sklearn_dnfwinnow.datasets._real import (
    load_annealing,
    load_auto,
    load_breast_cancer_ljubljana,
    load_car,
    load_house_votes_84,
    load_monks,
    load_tic_tac_toe,
)

__all__ = [
    "load_annealing",
    "load_auto",
    "load_breast_cancer_ljubljana",
    "load_car",
    "load_house_votes_84",
    "load_monks",
    "load_tic_tac_toe",
    "make_dnf",
    "make_monotone_dnf",
]
