"""Polya-Gamma draws over arrays."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int64_t

from _draws cimport bits_of, bitgen_t
from _polya_gamma cimport PolyaGammaTable, draw_polya_gamma, fill_table
from _signals cimport listen


def polya_gamma(
    bit_generator,
    const double[::1] shapes,    # (n,) > 0
    const double[::1] tilts,     # (n,)
    double[::1] out,             # OUT (n,)
):
    """Draw PG(shape, tilt) for each pair."""
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef PolyaGammaTable table
    cdef int64_t work = 0
    cdef Py_ssize_t i
    with nogil:
        fill_table(&table)
        for i in range(shapes.shape[0]):
            out[i] = draw_polya_gamma(bits, &table, shapes[i], tilts[i])
            listen(&work, <int64_t> (64 * (1 + shapes[i])))
