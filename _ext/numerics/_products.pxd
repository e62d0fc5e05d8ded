"""Products of a float32 matrix and some columns, which stay near the processor.

A matrix is stored in panels of 32 of its columns, one after another. A panel is read
once for all columns that it is multiplied with, four of them at a time, and each total
is added up in the order of the rows. So every instruction set gives the same bits.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

cimport _vectors

cdef extern from *:
    """
    #define DNFWINNOW_PANEL 32
    #define DNFWINNOW_ABREAST 4
    #define DNFWINNOW_PANEL_PARTS (DNFWINNOW_PANEL / DNFWINNOW_VECTOR)

    static inline void dnfwinnow_multiply(
        const float *panels, ptrdiff_t n_rows, ptrdiff_t n_columns,
        const float *factors, ptrdiff_t n_factors, float *products)
    {
        ptrdiff_t first, f, k;
        int q, v;
        for (first = 0; first < n_columns; first += DNFWINNOW_PANEL) {
            const float *panel = panels + first * n_rows;
            for (f = 0; f < n_factors; f += DNFWINNOW_ABREAST) {
                const float *factor = factors + f * n_rows;
                float *product = products + f * n_columns + first;
                dnfwinnow_vector s[DNFWINNOW_ABREAST][DNFWINNOW_PANEL_PARTS];
                memset(s, 0, sizeof s);
                for (k = 0; k < n_rows; k++) {
                    const float *row = panel + k * DNFWINNOW_PANEL;
                    DNFWINNOW_UNROLL
                    for (v = 0; v < DNFWINNOW_PANEL_PARTS; v++) {
                        dnfwinnow_vector x = dnfwinnow_load(row + v * DNFWINNOW_VECTOR);
                        DNFWINNOW_UNROLL
                        for (q = 0; q < DNFWINNOW_ABREAST; q++)
                            s[q][v] += factor[q * n_rows + k] * x;
                    }
                }
                DNFWINNOW_UNROLL
                for (q = 0; q < DNFWINNOW_ABREAST; q++) {
                    DNFWINNOW_UNROLL
                    for (v = 0; v < DNFWINNOW_PANEL_PARTS; v++)
                        dnfwinnow_store(
                            product + q * n_columns + v * DNFWINNOW_VECTOR, s[q][v]);
                }
            }
        }
    }
    """
    const int PANEL "DNFWINNOW_PANEL"
    const int ABREAST "DNFWINNOW_ABREAST"
    void multiply "dnfwinnow_multiply"(
        const float* panels,      # IN (n_columns / PANEL, n_rows, PANEL)
        Py_ssize_t n_rows,
        Py_ssize_t n_columns,     # a multiple of PANEL
        const float* factors,     # IN (n_factors, n_rows)
        Py_ssize_t n_factors,     # a multiple of ABREAST
        float* products,          # OUT (n_factors, n_columns)
    ) noexcept nogil
