/* malloc and its kin, to be loaded before the C library: of the calls that come from the
   kernels while a countdown runs, the last one fails. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/* Calls up to the one that fails; 0: none does. */
long countdown = 0;

static int fails(void *caller)
{
    Dl_info found;
    if (countdown <= 0 || !dladdr(caller, &found)
        || !strstr(found.dli_fname, "/sklearn_dnfwinnow/_"))
        return 0;
    return --countdown == 0;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size)
{
    return fails(CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(CALLER) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(CALLER) ? NULL : __libc_realloc(old, size);
}

int posix_memalign(void **fresh, size_t alignment, size_t size)
{
    if (fails(CALLER))
        return ENOMEM;
    *fresh = __libc_memalign(alignment, size);
    return *fresh == NULL ? ENOMEM : 0;
}
