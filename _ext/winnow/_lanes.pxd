"""Lanes: float32 numbers side by side, one of each training, as vectors.

A term has a weight in each lane. Lanes are worked on in chunks of sixteen, the width of
the largest vectors; smaller vectors take several steps. No operation crosses lanes, and
each adds in the order of the terms, so that every instruction set gives the same bits.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <string.h>

    #define DNFWINNOW_CHUNK 16

    /* The vectors of the level that is compiled; single numbers where the compiler has
       no vectors. */
    #if defined(__GNUC__)
    #  if defined(__AVX512F__)
    #    define DNFWINNOW_VECTOR 16
    #  elif defined(__AVX__)
    #    define DNFWINNOW_VECTOR 8
    #  else
    #    define DNFWINNOW_VECTOR 4
    #  endif
    #  define DNFWINNOW_UNROLL _Pragma("GCC unroll 4")
    typedef float dnfwinnow_vector
        __attribute__((vector_size(4 * DNFWINNOW_VECTOR)));
    #else
    #  define DNFWINNOW_VECTOR 1
    #  define DNFWINNOW_UNROLL
    typedef float dnfwinnow_vector;
    #endif
    #define DNFWINNOW_PARTS (DNFWINNOW_CHUNK / DNFWINNOW_VECTOR)

    static inline dnfwinnow_vector dnfwinnow_load(const float *from)
    {
        dnfwinnow_vector vector;
        memcpy(&vector, from, sizeof vector);
        return vector;
    }

    static inline void dnfwinnow_store(float *to, dnfwinnow_vector vector)
    {
        memcpy(to, &vector, sizeof vector);
    }

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

    /* Binary logarithms of positive numbers, to some 3e-7: with x = 2^k m and
       s = (m - 1) / (m + 1), log m = 2 artanh s = 2 (s + s^3 / 3 + s^5 / 5 + ...). */
    static inline void dnfwinnow_log2_lanes(const float *x, float *logs, ptrdiff_t n)
    {
        ptrdiff_t l;
        for (l = 0; l < n; l++) {
            const int32_t root_half = 0x3f3504f3; /* m is from sqrt(1/2) to sqrt(2) */
            int32_t bits, k;
            float m, s, z;
            memcpy(&bits, &x[l], sizeof bits);
            bits += 0x3f800000 - root_half;
            k = (bits >> 23) - 127;
            bits = (bits & 0x007fffff) + root_half;
            memcpy(&m, &bits, sizeof m);
            s = (m - 1.0f) / (m + 1.0f);
            z = s * s;
            logs[l] = (float) k + s * (2.885390082f + z * (0.961796694f
                + z * (0.577078016f + z * 0.412198583f)));
        }
    }

    /* Powers of 2 of numbers from -126 to 127, to some 3e-7, beyond of these: Taylor's
       polynomial about the nearest integer. */
    static inline void dnfwinnow_exp2_lanes(const float *x, float *powers, ptrdiff_t n)
    {
        ptrdiff_t l;
        for (l = 0; l < n; l++) {
            const float to_integer = 12582912.0f; /* 1.5 * 2^23 leaves no fraction */
            /* What is no number counts as -126. */
            float least = x[l] > -126.0f ? x[l] : -126.0f;
            float v = least < 127.0f ? least : 127.0f;
            float whole = (v + to_integer) - to_integer, f = v - whole, power;
            int32_t bits = ((int32_t) whole + 127) << 23;
            memcpy(&power, &bits, sizeof power);
            powers[l] = power * (1.0f + f * (0.693147181f + f * (0.240226507f
                + f * (0.0555041087f + f * (0.00961812911f + f * (0.00133335581f
                + f * 0.000154035304f))))));
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
    void log2_lanes "dnfwinnow_log2_lanes"(
        const float* x, float* logs, Py_ssize_t n
    ) noexcept nogil
    void exp2_lanes "dnfwinnow_exp2_lanes"(
        const float* x, float* powers, Py_ssize_t n
    ) noexcept nogil
