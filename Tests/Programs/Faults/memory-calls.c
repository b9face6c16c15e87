/* Stand-ins for calls that give memory. */
#include "faults.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

void *mmap(void *place, size_t count, int protection, int flags, int file, off_t offset)
{
    REAL(void *, "mmap", void *, size_t, int, int, int, off_t);
    bool isOfInterest = fault.isReady && (file < 0 || concernsFile(file));
    return isOfInterest && fails(MMAP) ? MAP_FAILED : real(place, count, protection, flags, file, offset);
}
void *mmap64(void *place, size_t count, int protection, int flags, int file, off_t offset)
{
    return mmap(place, count, protection, flags, file, offset);
}

/* dlsym allocates: these go to the C library by other names. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static bool lacksMemory(size_t count, void *caller)
{
    if (!fault.isReady || count < (size_t)fault.least) return false;
    return fails(isOfProgram(caller) ? NEW : MALLOC);
}
#define LACKS_MEMORY(count) lacksMemory(count, __builtin_return_address(0))

void *malloc(size_t count) { return LACKS_MEMORY(count) ? NULL : __libc_malloc(count); }
void *calloc(size_t count, size_t size) { return LACKS_MEMORY(count * size) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t count) { return LACKS_MEMORY(count) ? NULL : __libc_realloc(old, count); }
void *aligned_alloc(size_t alignment, size_t count)
{
    return LACKS_MEMORY(count) ? NULL : __libc_memalign(alignment, count);
}
int posix_memalign(void **result, size_t alignment, size_t count)
{
    void *block = LACKS_MEMORY(count) ? NULL : __libc_memalign(alignment, count);
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}
