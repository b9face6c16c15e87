#pragma once

// Functions of every C library that Swift's Glibc module does not export, and the flags of `linux_renameat2`.

#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

/// The values are those of Linux's renameat2(2).
enum {
    linux_rename_noreplace = 1,
    linux_rename_exchange = 2,
};

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
