"""One thread of BLAS: the last bits of results depend on the number of threads."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache

from threadpoolctl import ThreadpoolController


def one_blas_thread():
    """Return a context in which BLAS has one thread."""
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries():
    """Return the libraries with threads; to find them takes longer than a small fit."""
    return ThreadpoolController()
