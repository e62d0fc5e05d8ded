"""Linear algebra: LAPACK as SciPy has it, found when a kernel is imported."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.pycapsule cimport PyCapsule_GetName, PyCapsule_GetPointer

ctypedef void (*posv_t)(
    char* uplo, int* n, int* n_columns, double* matrix, int* lead, double* columns,
    int* lead_of_columns, int* info
) noexcept nogil


cdef inline void* routine_of(object capsule) except NULL:
    """Return a routine of `scipy.linalg.cython_lapack`, by its capsule."""
    return PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule))
