"""The processor: whether it and its system support AVX2 and what comes with it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

cdef extern from *:
    """
    static int dnfwinnow_has_avx2(void)
    {
    #if defined(__GNUC__) && defined(__x86_64__)
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
               && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")
               && __builtin_cpu_supports("popcnt");
    #else
        return 0;
    #endif
    }
    """
    int dnfwinnow_has_avx2() noexcept nogil


def has_avx2():
    """Return whether kernels of the level ``x86_64_v3`` can run."""
    return bool(dnfwinnow_has_avx2())
