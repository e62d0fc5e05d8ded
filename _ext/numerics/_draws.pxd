"""Draws by NumPy's generators, from kernels: one generator, one thread at a time."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint32_t, uint64_t

cdef extern from "numpy/random/bitgen.h" nogil:
    ctypedef struct bitgen_t:
        void* state
        uint64_t (*next_uint64)(void* state) noexcept nogil
        uint32_t (*next_uint32)(void* state) noexcept nogil
        double (*next_double)(void* state) noexcept nogil
        uint64_t (*next_raw)(void* state) noexcept nogil

cdef extern from "numpy/random/distributions.h" nogil:
    double standard_normal "random_standard_normal"(bitgen_t* bits) noexcept
    double standard_exponential "random_standard_exponential"(bitgen_t* bits) noexcept
    double standard_gamma "random_standard_gamma"(
        bitgen_t* bits, double shape
    ) noexcept
    double wald "random_wald"(bitgen_t* bits, double mean, double scale) noexcept


cdef inline bitgen_t* bits_of(object bit_generator) except NULL:
    """Return the C generator of a `numpy.random.BitGenerator`, as long as that lives.

    The caller holds `bit_generator.lock`, or is the only one who has the generator.
    """
    return <bitgen_t*> PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")


cdef inline double uniform(bitgen_t* bits) noexcept nogil:
    """Draw a uniform number in [0, 1), a multiple of 2^-53."""
    return bits.next_double(bits.state)
