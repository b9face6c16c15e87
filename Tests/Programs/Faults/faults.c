/* Preloaded into a program, makes chosen system calls fail, as a failing disk or a crowded machine would.
 *
 *   JISUI_FAULT_CALL    the class of calls: one of `names` below
 *   JISUI_FAULT_AT      the number of the call of that class that fails, from 1
 *   JISUI_FAULT_KIND    how: an error (EIO ...), "short" (half of what was asked for is read or written), or a signal, which
 *                 arrives right before the call (SIGKILL ...; SIGINT twice, with a pause after each), or "escape": right before the
 *                 call a file is read and another is written that the program has no business with
 *   JISUI_FAULT_ALWAYS  if set, every later call of the class fails as well
 *   JISUI_FAULT_BELOW   a folder: only files below it, and those without a name on its file system's list, are of interest
 *   JISUI_FAULT_LEAST   the bytes of the smallest allocation that fails (default 1)
 *   JISUI_FAULT_PAUSE   milliseconds of the pause after SIGINT (default 20)
 *   JISUI_FAULT_BAD     INODE:FROM-TO, bytes of a file that no read gets past, as on a disk with a bad sector
 *   JISUI_FAULT_ONCE    if set, bad bytes can be read at the second attempt
 *   JISUI_FAULT_PLAIN   if set, the file system cannot make files without a name (O_TMPFILE)
 *   JISUI_FAULT_ESCAPE  a file that may be read; one of that name with ".new" is written. What comes of it goes to standard error
 *   JISUI_FAULT_COUNTS  a file that gets the number of calls of each class when the program ends
 *
 * Built by the driver: cc -shared -fPIC -o faults.so *.c
 */
#include "faults.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const names[CLASSES] = {
    "read", "write", "fsync", "rename", "link", "unlink", "mkdir", "open", "close", "readdir", "stat", "mmap",
    "malloc", "new",
};

static const struct { const char *name; int number; } errors[] = {
    { "EIO", EIO }, { "ENOSPC", ENOSPC }, { "EINTR", EINTR }, { "ENOMEM", ENOMEM }, { "EMFILE", EMFILE },
    { "EACCES", EACCES }, { "ESTALE", ESTALE },
};
static const struct { const char *name; int number; } signals[] = {
    { "SIGKILL", SIGKILL }, { "SIGINT", SIGINT }, { "SIGSEGV", SIGSEGV }, { "SIGBUS", SIGBUS }, { "SIGILL", SIGILL },
    { "SIGABRT", SIGABRT }, { "SIGFPE", SIGFPE }, { "SIGTRAP", SIGTRAP },
};

struct settings fault = { .call = CLASSES, .least = 1, .pause = 20 };

static atomic_long counts[CLASSES];

/* Where the program itself lies in memory: it is the first object. */
static int findProgram(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    fault.programStart = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = start + info->dlpi_phdr[i].p_memsz;
        if (start < fault.programStart) fault.programStart = start;
        if (end > fault.programEnd) fault.programEnd = end;
    }
    return 1;
}

static long number(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void prepare(void)
{
    const char *call = getenv("JISUI_FAULT_CALL"), *kind = getenv("JISUI_FAULT_KIND"), *bad = getenv("JISUI_FAULT_BAD");
    for (int i = 0; call && i < CLASSES; i++)
        if (!strcmp(names[i], call)) fault.call = i;
    for (size_t i = 0; kind && i < sizeof errors / sizeof *errors; i++)
        if (!strcmp(errors[i].name, kind)) fault.error = errors[i].number;
    for (size_t i = 0; kind && i < sizeof signals / sizeof *signals; i++)
        if (!strcmp(signals[i].name, kind)) fault.signal = signals[i].number;
    fault.escapes = kind && !strcmp(kind, "escape") ? getenv("JISUI_FAULT_ESCAPE") : NULL;
    fault.isShort = kind && !strcmp(kind, "short");
    fault.at = number("JISUI_FAULT_AT", 0);
    fault.least = number("JISUI_FAULT_LEAST", fault.least);
    fault.pause = number("JISUI_FAULT_PAUSE", fault.pause);
    fault.isAlways = getenv("JISUI_FAULT_ALWAYS");
    fault.isPlain = getenv("JISUI_FAULT_PLAIN");
    fault.isOnce = getenv("JISUI_FAULT_ONCE");
    fault.below = getenv("JISUI_FAULT_BELOW");
    fault.counts = getenv("JISUI_FAULT_COUNTS");
    if (bad) sscanf(bad, "%lu:%ld-%ld", &fault.badInode, &fault.badFrom, &fault.badTo);
    dl_iterate_phdr(findProgram, NULL);
    fault.isReady = true;
}

static void writeCounts(void)
{
    if (!fault.counts) return;
    int file = syscall(SYS_openat, AT_FDCWD, fault.counts, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < CLASSES; i++) {
        char line[64];
        int count = snprintf(line, sizeof line, "%s %ld\n", names[i], (long)counts[i]);
        (void)!syscall(SYS_write, file, line, count);
    }
    syscall(SYS_close, file);
}

/* Which files are of interest. */

static bool isBelow(const char *path) { return !strncmp(path, fault.below, strlen(fault.below)); }

bool concernsFile(int file)
{
    if (!fault.below) return true;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (count < 0) return false;
    path[count] = 0;
    return isBelow(path);
}

bool concernsPath(int folder, const char *path)
{
    if (!fault.below || !path) return true;
    if (path[0] == '/') return isBelow(path);
    if (folder != AT_FDCWD) return concernsFile(folder);
    char own[PATH_MAX];
    return syscall(SYS_getcwd, own, sizeof own) > 0 && isBelow(own);
}

bool isOfProgram(void *caller)
{
    return (uintptr_t)caller >= fault.programStart && (uintptr_t)caller < fault.programEnd;
}

/* Does what an attacker would who has taken over the program: reads a file of the user's, and writes another. */
static void escape(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.new", fault.escapes);
    long read = syscall(SYS_openat, AT_FDCWD, fault.escapes, O_RDONLY);
    const char *reading = read < 0 ? strerror(errno) : "done";
    long written = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600);
    const char *writing = written < 0 ? strerror(errno) : "done";
    dprintf(STDERR_FILENO, "escape: reading: %s; writing: %s\n", reading, writing);
    if (read >= 0) syscall(SYS_close, (int)read);
    if (written >= 0) syscall(SYS_close, (int)written);
}

bool fails(enum class call)
{
    if (!fault.isReady) return false;
    long count = ++counts[call];
    if (call != fault.call || fault.at == 0 || (fault.isAlways ? count < fault.at : count != fault.at)) return false;
    if (fault.escapes) {
        escape();
        return false;
    }
    if (fault.signal) {
        for (int times = fault.signal == SIGINT ? 2 : 1; times > 0; times--) {
            kill(getpid(), fault.signal);
            usleep(fault.pause * 1000);
        }
        return false;
    }
    errno = fault.error;
    return true;
}

/* jisui ends by _exit, past everything that would run at its end. */
void _exit(int status)
{
    writeCounts();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
