"""Memory: arrays that are freed together, arrays that grow, huge pages, prefetching.

Hash tables are read at random; with pages of 4 kilobytes most of those reads would also
have to look up a page.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.stdlib cimport calloc, free

cdef extern from *:
    """
    #include <stdlib.h>
    #include <string.h>
    #if defined(__linux__)
    #  include <sys/mman.h>
    #endif

    #if defined(__GNUC__)
    #  define DNFWINNOW_PREFETCH(address) __builtin_prefetch(address)
    #else
    #  define DNFWINNOW_PREFETCH(address) ((void) (address))
    #endif

    /* realloc, but of what is in use only, and with advice for the large. */
    static inline void *dnfwinnow_regrow(void *old, size_t used, size_t wanted)
    {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const size_t huge = (size_t) 1 << 21;
        if (wanted >= 2 * huge) {
            void *fresh = NULL;
            if (posix_memalign(&fresh, huge, wanted) != 0)
                return NULL;
            madvise(fresh, wanted & ~(huge - 1), MADV_HUGEPAGE);
            if (used)
                memcpy(fresh, old, used);
            free(old);
            return fresh;
        }
    #endif
        return realloc(old, wanted);
    }
    """
    void* regrow "dnfwinnow_regrow"(
        void* old, size_t used, size_t wanted
    ) noexcept nogil
    void prefetch "DNFWINNOW_PREFETCH"(const void* address) noexcept nogil


# Arrays of a computation, each behind the address of the one before.
cdef struct Arena:
    void* last


cdef inline void* room(Arena* arena, size_t size) except NULL nogil:
    """Allocate zeros, as long as the arena lives; raise MemoryError if memory is short.
    """
    cdef void** block = <void**> calloc(1, size + 2 * sizeof(void*))
    if block == NULL:
        with gil:
            raise MemoryError
    block[0] = arena.last
    arena.last = block
    # As well aligned as what `calloc` returns.
    return block + 2


cdef inline void free_arena(Arena* arena) noexcept nogil:
    """Free all arrays."""
    cdef void** block
    while arena.last != NULL:
        block = <void**> arena.last
        arena.last = block[0]
        free(block)
