"""Compiled kernels, from the Cython sources in ``_ext/``.

Kernels take arrays and numbers and check nothing: their callers check all. The package
imports nothing of the others. They import kernels as attributes of this module, by the
names of the files without the underscore: ``from sklearn_dnfwinnow._kernels import
frontier``. Some kernels are compiled for two levels of the instruction set, of which
one is selected here.

The environment variable ``SKLEARN_DNFWINNOW_LEVEL`` (``baseline`` or ``x86_64_v3``)
asks for a lower level than the processor has, to compare or to debug. Both give the
same results, to the last bit.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import importlib
import os
from importlib.util import find_spec

from sklearn_dnfwinnow._kernels._cpu import has_avx2

_LEVELS = {"baseline": False, "x86_64_v3": True}


def kernel(noun, level):
    """Import and return a kernel at one level, or as it is compiled for all levels."""
    leveled = f"{__name__}.{noun}_{level}"
    return importlib.import_module(
        leveled if find_spec(leveled) else f"{__name__}.{noun}"
    )


def levels():
    """Return the levels that are compiled and this processor can run, ascending."""
    return [
        level
        for level, needs_avx2 in _LEVELS.items()
        if needs_avx2 <= has_avx2() and find_spec(f"{__name__}._chains_{level}")
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


def __getattr__(noun):
    """Import and return the kernel of the file ``_ext/*/_noun.pyx``."""
    try:
        found = kernel(f"_{noun}", LEVEL)
    except ModuleNotFoundError:
        message = f"module {__name__!r} has no attribute {noun!r}"
        raise AttributeError(message) from None
    globals()[noun] = found
    return found
