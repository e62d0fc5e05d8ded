"""Vectors: float32 numbers side by side, as many as an instruction takes.

Loops over them are in the same order for all lengths of vectors, and no operation
crosses them, so that every instruction set gives the same bits.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <string.h>

    /* The vectors of the level that is compiled; single numbers where the compiler has
       no vectors. */
    #if defined(__GNUC__)
    #  if defined(__AVX__)
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
    void log2_lanes "dnfwinnow_log2_lanes"(
        const float* x, float* logs, Py_ssize_t n
    ) noexcept nogil
    void exp2_lanes "dnfwinnow_exp2_lanes"(
        const float* x, float* powers, Py_ssize_t n
    ) noexcept nogil
