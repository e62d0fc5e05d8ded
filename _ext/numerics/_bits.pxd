"""Bits: popcounts, lowest bits and sums over bits, as fast as the processor can."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdint cimport int32_t, int64_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(__GNUC__)
    #  define DNFWINNOW_RESTRICT __restrict
    #else
    #  define DNFWINNOW_RESTRICT  /* MSVC takes it in no typedef */
    #endif
    typedef uint64_t *DNFWINNOW_RESTRICT dnfwinnow_words;
    typedef const uint64_t *DNFWINNOW_RESTRICT dnfwinnow_const_words;
    typedef int64_t *DNFWINNOW_RESTRICT dnfwinnow_integers;
    typedef const int64_t *DNFWINNOW_RESTRICT dnfwinnow_const_integers;
    typedef int32_t *DNFWINNOW_RESTRICT dnfwinnow_int32s;
    typedef float *DNFWINNOW_RESTRICT dnfwinnow_floats;

    /* One instruction where the processor counts bits, a tree of shifts and adds where
       it does not. */
    static inline int64_t dnfwinnow_popcount(uint64_t x)
    {
    #if defined(__GNUC__) && (defined(__POPCNT__) || defined(__ARM_NEON))
        return __builtin_popcountll(x);
    #else
        x -= (x >> 1) & UINT64_C(0x5555555555555555);
        x = (x & UINT64_C(0x3333333333333333))
          + ((x >> 2) & UINT64_C(0x3333333333333333));
        x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        x += x >> 8;
        x += x >> 16;
        x += x >> 32;
        return (int64_t)(x & 0x7f);
    #endif
    }

    /* Number of the lowest bit that is set, of a word that is not 0. */
    static inline int dnfwinnow_lowest_bit(uint64_t x)
    {
    #if defined(__GNUC__)
        return __builtin_ctzll(x);
    #else
        return (int)dnfwinnow_popcount((x & (0 - x)) - 1);
    #endif
    }

    /* Add up rows of 16 numbers, one for each bit of a word. (Compilers make scalar
       code of the plain loop, which runs out of registers.) */
    #if defined(__GNUC__)
    typedef float dnfwinnow_lanes __attribute__((vector_size(16)));
    #else
    typedef float dnfwinnow_lanes;
    #endif
    #define DNFWINNOW_PARTS (16 * sizeof(float) / sizeof(dnfwinnow_lanes))

    static inline void dnfwinnow_add_rows(
        float *totals, const float *rows, uint64_t bits)
    {
        dnfwinnow_lanes total[DNFWINNOW_PARTS], row[DNFWINNOW_PARTS];
        memcpy(total, totals, sizeof(total));
        for (; bits; bits &= bits - 1) {
            memcpy(row, rows + 16 * dnfwinnow_lowest_bit(bits), sizeof(row));
            for (size_t i = 0; i < DNFWINNOW_PARTS; i++)
                total[i] += row[i];
        }
        memcpy(totals, total, sizeof(total));
    }
    """
    # Pointers that the compiler may take to overlap no other: without that promise
    # it cannot turn the loops over lanes into vector code.
    ctypedef uint64_t* words_t "dnfwinnow_words"
    ctypedef const uint64_t* const_words_t "dnfwinnow_const_words"
    ctypedef int64_t* integers_t "dnfwinnow_integers"
    ctypedef const int64_t* const_integers_t "dnfwinnow_const_integers"
    ctypedef int32_t* int32s_t "dnfwinnow_int32s"
    ctypedef float* floats_t "dnfwinnow_floats"

    int64_t popcount "dnfwinnow_popcount"(uint64_t x) noexcept nogil
    int lowest_bit "dnfwinnow_lowest_bit"(uint64_t x) noexcept nogil
    void add_rows "dnfwinnow_add_rows"(
        float* totals, const float* rows, uint64_t bits
    ) noexcept nogil
