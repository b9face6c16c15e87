#pragma once

// System calls of Linux that Swift's Glibc module does not show.

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

enum {
    linux_rename_noreplace = 1,
    linux_rename_exchange = 2,
    linux_sync_file_range_write = 2,
};

/// O_TMPFILE: a file that has no name. The value includes O_DIRECTORY, which differs between processors.
#if defined(__aarch64__) || defined(__arm__)
static const int linux_o_tmpfile = 020000000 | 040000;
#else
static const int linux_o_tmpfile = 020000000 | 0200000;
#endif

/// renameat2 on paths below open folders; -1 with errno set on failure.
static inline int linux_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

/// Fills a buffer with the next entries of an open folder (getdents64(2)); how many bytes there are, 0 at the end, -1 with errno set on failure.
static inline ssize_t linux_next_entries(int folder, void *buffer, size_t room)
{
    extern ssize_t getdents64(int, void *, size_t);
    return getdents64(folder, buffer, room);
}

/// Has everything reach the disk that is waiting to on the file system of `descriptor`; -1 with errno set on failure.
static inline int linux_syncfs(int descriptor)
{
    return (int)syscall(SYS_syncfs, descriptor);
}

/// Begins to write a file's changed pages to the disk, without waiting for them.
static inline void linux_start_writeback(int descriptor)
{
#if defined(__x86_64__) || defined(__aarch64__)
    (void)syscall(SYS_sync_file_range, descriptor, (int64_t)0, (int64_t)0, linux_sync_file_range_write);
#endif
}

/// Has malloc keep freed blocks of up to `bytes` for later, instead of giving them back to the system at once, and
/// in one place for all threads: what one has freed is of use to another.
static inline void linux_keep_memory(int bytes)
{
    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_MMAP_THRESHOLD, bytes);
    (void)mallopt(M_TRIM_THRESHOLD, bytes);
}

/// Keeps the system from writing the program's memory to a file when it crashes. Unlike the limit on the size of such
/// files, this holds where they are handed to another program as well.
static inline void linux_forbid_core_dump(void)
{
    (void)prctl(PR_SET_DUMPABLE, 0);
}

/// A call of the system by its number, with six arguments; -1 with errno set on failure.
static inline long linux_call(long number, const long *arguments)
{
    return syscall(
        number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

/// Whether what was printed to standard output could not all be written.
static inline int linux_output_failed(void)
{
    return fflush(stdout) != 0 || ferror(stdout);
}

/// How many columns a character takes on a terminal; -1 when the C library does not know it.
static inline int linux_columns(uint32_t character)
{
    extern int wcwidth(wchar_t);
    return wcwidth((wchar_t)character);
}
