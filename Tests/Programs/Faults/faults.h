/* What faults.c decides, and the files of stand-ins for calls ask. */
#pragma once
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* MALLOC: allocations by libraries. NEW: those by the program itself, and so by Swift's runtime. */
enum class { READ, WRITE, FSYNC, RENAME, LINK, UNLINK, MKDIR, OPEN, CLOSE, READDIR, STAT, MMAP, MALLOC, NEW, CLASSES };

/* Not to be taken for functions of the program. */
#pragma GCC visibility push(hidden)

/* The settings: see faults.c. */
extern struct settings {
    bool isReady;
    enum class call;
    long at, least, pause;
    bool isAlways, isShort, isPlain, isOnce;
    int error, signal;
    const char *below, *counts, *escapes;
    unsigned long badInode;
    off_t badFrom, badTo;
    uintptr_t programStart, programEnd;
} fault;

/* Whether a file is of interest. */
bool concernsFile(int file);
bool concernsPath(int folder, const char *path);

/* Whether the code at this place is the program's own, not a library's. */
bool isOfProgram(void *caller);

/* Whether this call fails, with errno set; sends the signal that was asked for instead, if one was. */
bool fails(enum class call);

#pragma GCC visibility pop

/* The function that this one stands in front of. */
#define REAL(result, name, ...)                                                                                        \
    static result (*real)(__VA_ARGS__);                                                                                \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, name)
