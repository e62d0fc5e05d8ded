"""Bundled data sets, and generators of artificial data sets."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils import lazy_names

_MODULES = {
    "load_annealing": "_real",
    "load_auto": "_real",
    "load_breast_cancer_ljubljana": "_real",
    "load_car": "_real",
    "load_house_votes_84": "_real",
    "load_monks": "_real",
    "load_tic_tac_toe": "_real",
    "make_customers": "_customers",
    "make_dnf": "_generators",
    "make_monotone_dnf": "_generators",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)
