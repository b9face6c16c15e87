// The allocation of memory in C++.
//
// qpdf has no limit on memory: a few kilobytes of a file can become gigabytes of objects, and it gives no access to its
// containers. These functions replace those of the C++ library, and count what a call on a document allocates. Beyond the
// limit they fail like a lack of memory, which qpdf and the shim already handle. Outside of such calls they do what they
// always do.

#include "Memory.h"

#include <cstdlib>
#include <malloc.h>
#include <new>

void *operator new(size_t size)
{
    void *memory = std::malloc(size ? size : 1);
    if (!memory) throw std::bad_alloc();
    // Before anything is written to it, large memory takes none.
    if (isCounting && !currentAccount->take(static_cast<int64_t>(malloc_usable_size(memory)))) {
        std::free(memory);
        throw std::bad_alloc();
    }
    return memory;
}

void operator delete(void *memory) noexcept
{
    if (isCounting && memory) currentAccount->give(static_cast<int64_t>(malloc_usable_size(memory)));
    std::free(memory);
}

void *operator new[](size_t size)
{
    return operator new(size);
}

void operator delete[](void *memory) noexcept
{
    operator delete(memory);
}

void operator delete(void *memory, size_t) noexcept
{
    operator delete(memory);
}

void operator delete[](void *memory, size_t) noexcept
{
    operator delete(memory);
}
