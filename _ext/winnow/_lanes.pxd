"""Lanes: float32 numbers side by side, one of each training, as vectors.

A term has a weight in each lane. Lanes are worked on in chunks of sixteen, the width of
the largest vectors; smaller vectors take several steps. No operation crosses lanes, and
each adds in the order of the terms, so that every instruction set gives the same bits.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t

cimport _vectors

cdef extern from *:
    """
    #define DNFWINNOW_CHUNK 16
    #define DNFWINNOW_PARTS (DNFWINNOW_CHUNK / DNFWINNOW_VECTOR)

    /* Sum the weights of some terms in a chunk, in four sums at once, as additions
       wait for each other. Which of them a term goes to depends on its place alone, so
       that terms of no weight behind it change nothing. */
    static inline void dnfwinnow_sum_chunk(
        const float *weights, ptrdiff_t n_lanes, const int32_t *terms,
        ptrdiff_t n_terms, float *sums)
    {
        dnfwinnow_vector s[4][DNFWINNOW_PARTS];
        ptrdiff_t i = 0;
        int q, v;
        memset(s, 0, sizeof s);
        for (; i + 4 <= n_terms; i += 4) {
            DNFWINNOW_UNROLL
            for (q = 0; q < 4; q++) {
                const float *weight = weights + n_lanes * terms[i + q];
                DNFWINNOW_UNROLL
                for (v = 0; v < DNFWINNOW_PARTS; v++)
                    s[q][v] += dnfwinnow_load(weight + v * DNFWINNOW_VECTOR);
            }
        }
        DNFWINNOW_UNROLL
        for (q = 0; q < 3; q++) {
            if (i + q < n_terms) {
                const float *weight = weights + n_lanes * terms[i + q];
                DNFWINNOW_UNROLL
                for (v = 0; v < DNFWINNOW_PARTS; v++)
                    s[q][v] += dnfwinnow_load(weight + v * DNFWINNOW_VECTOR);
            }
        }
        DNFWINNOW_UNROLL
        for (v = 0; v < DNFWINNOW_PARTS; v++)
            dnfwinnow_store(
                sums + v * DNFWINNOW_VECTOR, (s[0][v] + s[1][v]) + (s[2][v] + s[3][v]));
    }

    static inline void dnfwinnow_scale_chunk(
        float *weights, ptrdiff_t n_lanes, const int32_t *terms, ptrdiff_t n_terms,
        const float *factors)
    {
        dnfwinnow_vector f[DNFWINNOW_PARTS];
        ptrdiff_t i;
        int v;
        DNFWINNOW_UNROLL
        for (v = 0; v < DNFWINNOW_PARTS; v++)
            f[v] = dnfwinnow_load(factors + v * DNFWINNOW_VECTOR);
        for (i = 0; i < n_terms; i++) {
            float *weight = weights + n_lanes * terms[i];
            DNFWINNOW_UNROLL
            for (v = 0; v < DNFWINNOW_PARTS; v++)
                dnfwinnow_store(
                    weight + v * DNFWINNOW_VECTOR,
                    dnfwinnow_load(weight + v * DNFWINNOW_VECTOR) * f[v]);
        }
    }
    """
    const int CHUNK "DNFWINNOW_CHUNK"
    void sum_chunk "dnfwinnow_sum_chunk"(
        const float* weights,        # (n_terms, n_lanes) of a chunk and those behind
        Py_ssize_t n_lanes,
        const int32_t* terms,
        Py_ssize_t n_terms,
        float* sums,                 # (CHUNK,)
    ) noexcept nogil
    void scale_chunk "dnfwinnow_scale_chunk"(
        float* weights, Py_ssize_t n_lanes, const int32_t* terms, Py_ssize_t n_terms,
        const float* factors,
    ) noexcept nogil
