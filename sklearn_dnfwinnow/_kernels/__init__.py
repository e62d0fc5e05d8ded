"""Compiled kernels, from the Cython sources in ``_ext/``; a level of each is picked.

Kernels take arrays and numbers and check nothing: their callers check all. The room
imports nothing of the package. Other rooms import the attributes of this module, or the
kernels that have one level only; they may not pick a level by themselves.

The environment variable ``SKLEARN_DNFWINNOW_LEVEL`` (``baseline``, ``x86_64_v3`` or
``x86_64_v4``) asks for a lower level than the processor has, to compare or to debug.
Every level gives the same results, to the last bit.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import importlib
import os
from importlib.util import find_spec

from sklearn_dnfwinnow._kernels._cpu import x86_level

_LEVELS = {"baseline": 1, "x86_64_v3": 3, "x86_64_v4": 4}


def kernel(noun, level):
    """Import and return a kernel module at one level."""
    return importlib.import_module(f"sklearn_dnfwinnow._kernels.{noun}_{level}")


def levels():
    """Return the levels that are compiled and this processor can run, ascending."""
    return [
        level
        for level, needed in _LEVELS.items()
        if needed <= x86_level() and find_spec(f"{__name__}._bounds_{level}")
    ]


def _chosen_level():
    """Return the highest level, or the one that the environment asks for."""
    asked = os.environ.get("SKLEARN_DNFWINNOW_LEVEL")
    if asked is None and levels():
        return levels()[-1]
    if asked not in levels():
        raise ImportError(
            f"SKLEARN_DNFWINNOW_LEVEL={asked!r} is not compiled here, or not for this "
            f"processor; choose one of {levels()}."
        )
    return asked


LEVEL = _chosen_level()
batch_by_term = kernel("_batch_by_term", LEVEL)
batch_superset = kernel("_batch_superset", LEVEL)
bounds = kernel("_bounds", LEVEL)
brute_force = kernel("_brute_force", LEVEL)
chains = kernel("_chains", LEVEL)
extents = kernel("_extents", LEVEL)
frontier = kernel("_frontier", LEVEL)
implicit = kernel("_implicit", LEVEL)
irreducible = kernel("_irreducible", LEVEL)
lockstep = kernel("_lockstep", LEVEL)
predictors = kernel("_predictors", LEVEL)
shapley = kernel("_shapley", LEVEL)
subset_sums = kernel("_subset_sums", LEVEL)
superset = kernel("_superset", LEVEL)
term_table = kernel("_term_table", LEVEL)
