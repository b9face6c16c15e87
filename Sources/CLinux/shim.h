#pragma once

// System calls and functions of the C library that Swift's Glibc module does not export.

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

enum { linux_sync_file_range_write = 2 };

/// The flags of renameat2(2).
enum {
    linux_rename_noreplace = 1,
    linux_rename_exchange = 2,
};

/// O_TMPFILE: an unnamed temporary file. The value includes O_DIRECTORY, which differs between processors.
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

/// Fills a buffer with the next entries of an open folder (getdents64(2)). Returns the number of bytes, 0 at the end,
/// or -1 with errno set on failure.
static inline ssize_t linux_next_entries(int folder, void *buffer, size_t room)
{
    extern ssize_t getdents64(int, void *, size_t);
    return getdents64(folder, buffer, room);
}

/// Flushes all pending data of the file system of `descriptor` to the disk; -1 with errno set on failure.
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

/// Makes malloc keep freed blocks of up to `bytes` instead of returning them to the system at once. All threads share
/// one arena, so that a block freed by one thread can be used by another.
static inline void linux_keep_memory(int bytes)
{
    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_MMAP_THRESHOLD, bytes);
    (void)mallopt(M_TRIM_THRESHOLD, bytes);
}

/// Prevents core dumps when the program crashes. Unlike the limit on the size of core files, this also holds if they
/// are piped to another program.
static inline void linux_forbid_core_dump(void)
{
    (void)prctl(PR_SET_DUMPABLE, 0);
}

/// Makes a system call by its number, with six arguments; -1 with errno set on failure.
static inline long linux_call(long number, const long *arguments)
{
    return syscall(
        number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

/// Makes standard output line-buffered, so that its lines are ordered with those on standard error.
static inline void linux_write_lines(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
}

/// Whether some of the standard output could not be written.
static inline int linux_output_failed(void)
{
    return fflush(stdout) != 0 || ferror(stdout);
}

/// The number of columns that a character takes on a terminal; -1 if the C library does not know it.
static inline int linux_columns(uint32_t character)
{
    extern int wcwidth(wchar_t);
    return wcwidth((wchar_t)character);
}
