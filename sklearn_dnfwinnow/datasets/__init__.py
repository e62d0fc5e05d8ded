"""Bundled data sets, a text, and generators of artificial data sets."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.datasets._customers import make_customers
from sklearn_dnfwinnow.datasets._english import load_english
from sklearn_dnfwinnow.datasets._generators import make_dnf, make_monotone_dnf
from sklearn_dnfwinnow.datasets._interactions import make_interactions
from sklearn_dnfwinnow.datasets._real import (
    load_annealing,
    load_auto,
    load_breast_cancer_ljubljana,
    load_car,
    load_house_votes_84,
    load_monks,
    load_tic_tac_toe,
)
from sklearn_dnfwinnow.datasets._sequences import make_hidden_markov, make_windows

__all__ = [
    "load_annealing",
    "load_auto",
    "load_breast_cancer_ljubljana",
    "load_car",
    "load_english",
    "load_house_votes_84",
    "load_monks",
    "load_tic_tac_toe",
    "make_customers",
    "make_dnf",
    "make_hidden_markov",
    "make_interactions",
    "make_monotone_dnf",
    "make_windows",
]
