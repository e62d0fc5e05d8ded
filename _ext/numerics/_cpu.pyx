"""The processor: which x86-64 instruction-set level it and its system support."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

cdef extern from *:
    """
    static int dnfwinnow_x86_level(void)
    {
    #if defined(__GNUC__) && defined(__x86_64__)
        __builtin_cpu_init();
        if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
              && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")
              && __builtin_cpu_supports("popcnt")))
            return 1;
        if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
              && __builtin_cpu_supports("avx512cd")
              && __builtin_cpu_supports("avx512dq")
              && __builtin_cpu_supports("avx512vl")
              && __builtin_cpu_supports("avx512vpopcntdq")))
            return 3;
        return 4;
    #else
        return 1;
    #endif
    }
    """
    int dnfwinnow_x86_level() noexcept nogil


def x86_level():
    """1 (or not x86-64), 3 (AVX2) or 4 (AVX-512 that counts bits)."""
    return dnfwinnow_x86_level()
