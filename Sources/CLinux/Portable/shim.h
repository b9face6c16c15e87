#pragma once

// Stands for ../shim.h in builds without the calls that only Linux has: see docs/dev/portability.md.

#include "../standard.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/// No unnamed temporary files: opening the folder itself for writing fails with EISDIR, as on a file system without them.
static const int linux_o_tmpfile = 0;

/// Exchanges two names in three steps. Between them nothing has the second name. `from` is a single name, not a path.
static inline int portable_exchange(int from_folder, const char *from, int to_folder, const char *to)
{
    char aside[NAME_MAX + 1];
    if (snprintf(aside, sizeof aside, "%s.aside", from) >= (int)sizeof aside) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (renameat(to_folder, to, from_folder, aside) != 0) return -1;
    if (renameat(from_folder, from, to_folder, to) == 0) return renameat(from_folder, aside, from_folder, from);
    int failure = errno;
    (void)renameat(from_folder, aside, to_folder, to);
    errno = failure;
    return -1;
}

/// The caller does the work of `linux_rename_noreplace` after EINVAL, as on a file system without it.
static inline int linux_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if (flags == 0) return renameat(from_folder, from, to_folder, to);
    if (flags == linux_rename_exchange) return portable_exchange(from_folder, from, to_folder, to);
    errno = EINVAL;
    return -1;
}

/// Flushes all file systems, because no call for one of them is portable.
static inline int linux_syncfs(int descriptor)
{
    (void)descriptor;
    sync();
    return 0;
}

/// The system decides when it writes.
static inline void linux_start_writeback(int descriptor)
{
    (void)descriptor;
}

/// The C library decides about freed memory.
static inline void linux_keep_memory(int bytes)
{
    (void)bytes;
}

static inline void linux_forbid_core_dump(void)
{
    struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
}

/// The numbers of calls differ between systems.
static inline long linux_call(long number, const long *arguments)
{
    (void)number, (void)arguments;
    errno = ENOSYS;
    return -1;
}
