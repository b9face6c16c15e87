/* Preloaded into a program, makes chosen system calls fail, as a failing disk or a crowded machine would.
 *
 *   FAULT_CALL    the class of calls: one of `names` below
 *   FAULT_AT      the number of the call of that class that fails, from 1
 *   FAULT_KIND    how: an error (EIO ...), "short" (half of what was asked for is read or written), or a signal, which
 *                 arrives right before the call (SIGKILL ...; SIGINT twice, with a pause after each)
 *   FAULT_ALWAYS  if set, every later call of the class fails as well
 *   FAULT_BELOW   a folder: only files below it, and those without a name on its file system's list, are of interest
 *   FAULT_LEAST   the bytes of the smallest allocation that fails (default 1)
 *   FAULT_PAUSE   milliseconds of the pause after SIGINT (default 20)
 *   FAULT_BAD     INODE:FROM-TO, bytes of a file that no read gets past, as on a disk with a bad sector
 *   FAULT_ONCE    if set, bad bytes can be read at the second attempt
 *   FAULT_PLAIN   if set, the file system cannot make files without a name (O_TMPFILE)
 *   FAULT_COUNTS  a file that gets the number of calls of each class when the program ends
 *
 * Built by the driver: cc -shared -fPIC -o faults.so faults.c
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* MALLOC: allocations by libraries. NEW: those by the program itself, and so by Swift's runtime. */
enum class { READ, WRITE, FSYNC, RENAME, LINK, UNLINK, MKDIR, OPEN, CLOSE, READDIR, STAT, MMAP, MALLOC, NEW, CLASSES };
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

static struct {
    bool isReady;
    enum class call;
    long at, least, pause;
    bool isAlways, isShort, isPlain, isOnce;
    int error, signal;
    const char *below, *counts;
    unsigned long badInode;
    off_t badFrom, badTo;
    uintptr_t programStart, programEnd;
} fault = { .call = CLASSES, .least = 1, .pause = 20 };

static atomic_long counts[CLASSES];
static atomic_bool wasBad;

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
    const char *call = getenv("FAULT_CALL"), *kind = getenv("FAULT_KIND"), *bad = getenv("FAULT_BAD");
    for (int i = 0; call && i < CLASSES; i++)
        if (!strcmp(names[i], call)) fault.call = i;
    for (size_t i = 0; kind && i < sizeof errors / sizeof *errors; i++)
        if (!strcmp(errors[i].name, kind)) fault.error = errors[i].number;
    for (size_t i = 0; kind && i < sizeof signals / sizeof *signals; i++)
        if (!strcmp(signals[i].name, kind)) fault.signal = signals[i].number;
    fault.isShort = kind && !strcmp(kind, "short");
    fault.at = number("FAULT_AT", 0);
    fault.least = number("FAULT_LEAST", fault.least);
    fault.pause = number("FAULT_PAUSE", fault.pause);
    fault.isAlways = getenv("FAULT_ALWAYS");
    fault.isPlain = getenv("FAULT_PLAIN");
    fault.isOnce = getenv("FAULT_ONCE");
    fault.below = getenv("FAULT_BELOW");
    fault.counts = getenv("FAULT_COUNTS");
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

static bool concernsFile(int file)
{
    if (!fault.below) return true;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (count < 0) return false;
    path[count] = 0;
    return isBelow(path);
}

static bool concernsPath(int folder, const char *path)
{
    if (!fault.below || !path) return true;
    if (path[0] == '/') return isBelow(path);
    if (folder != AT_FDCWD) return concernsFile(folder);
    char own[PATH_MAX];
    return syscall(SYS_getcwd, own, sizeof own) > 0 && isBelow(own);
}

static bool isOfProgram(void *caller)
{
    return (uintptr_t)caller >= fault.programStart && (uintptr_t)caller < fault.programEnd;
}

/* Whether this call fails, with errno set; sends the signal that was asked for instead, if one was. */
static bool fails(enum class call)
{
    if (!fault.isReady) return false;
    long count = ++counts[call];
    if (call != fault.call || fault.at == 0 || (fault.isAlways ? count < fault.at : count != fault.at)) return false;
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

/* The function that this one stands in front of. */
#define REAL(result, name, ...)                                                                                        \
    static result (*real)(__VA_ARGS__);                                                                                \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, name)

/* Reading and writing. */

/* Whether a read begins at a bad byte; one that begins before is cut short there. */
static bool isBad(int file, off_t offset, size_t *count)
{
    struct stat status;
    off_t end = offset + (off_t)*count;
    if (!fault.badInode || offset < 0 || offset >= fault.badTo || end <= fault.badFrom) return false;
    if (syscall(SYS_fstat, file, &status) != 0 || status.st_ino != fault.badInode) return false;
    if (offset < fault.badFrom) {
        *count = fault.badFrom - offset;
        return false;
    }
    if (fault.isOnce && atomic_exchange(&wasBad, true)) return false;
    errno = EIO;
    return true;
}

static size_t shortened(size_t count) { return count > 1 ? count / 2 : count; }

ssize_t read(int file, void *bytes, size_t count)
{
    REAL(ssize_t, "read", int, void *, size_t);
    if (fault.badInode && isBad(file, lseek(file, 0, SEEK_CUR), &count)) return -1;
    if (concernsFile(file) && fails(READ)) {
        if (!fault.isShort) return -1;
        count = shortened(count);
    }
    return real(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset)
{
    REAL(ssize_t, "pread", int, void *, size_t, off_t);
    if (isBad(file, offset, &count)) return -1;
    if (concernsFile(file) && fails(READ)) {
        if (!fault.isShort) return -1;
        count = shortened(count);
    }
    return real(file, bytes, count, offset);
}
ssize_t pread64(int file, void *bytes, size_t count, off_t offset) { return pread(file, bytes, count, offset); }

ssize_t write(int file, const void *bytes, size_t count)
{
    REAL(ssize_t, "write", int, const void *, size_t);
    if (concernsFile(file) && fails(WRITE)) {
        if (!fault.isShort) return -1;
        count = shortened(count);
    }
    return real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    if (concernsFile(file) && fails(WRITE)) {
        if (!fault.isShort) return -1;
        count = shortened(count);
    }
    return real(file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) { return pwrite(file, bytes, count, offset); }

ssize_t writev(int file, const struct iovec *parts, int count)
{
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    if (concernsFile(file) && fails(WRITE)) {
        if (!fault.isShort) return -1;
        static ssize_t (*realWrite)(int, const void *, size_t);
        *(void **)&realWrite = dlsym(RTLD_NEXT, "write");
        return realWrite(file, parts[0].iov_base, shortened(parts[0].iov_len));
    }
    return real(file, parts, count);
}

int fsync(int file)
{
    REAL(int, "fsync", int);
    return concernsFile(file) && fails(FSYNC) ? -1 : real(file);
}

int close(int file)
{
    REAL(int, "close", int);
    bool isHit = concernsFile(file) && fails(CLOSE);
    int number = errno, result = real(file);
    if (!isHit) return result;
    /* The descriptor is gone all the same. */
    errno = number;
    return -1;
}

/* Names. */

static int openReally(int folder, const char *path, int flags, mode_t mode)
{
    if (fault.isPlain && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (concernsPath(folder, path) && fails(OPEN)) return -1;
    return syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE(flags)                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) {                                                              \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }

int open(const char *path, int flags, ...) { MODE(flags) return openReally(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return openReally(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...)
{
    MODE(flags) return openReally(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...)
{
    MODE(flags) return openReally(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(FILE *, "fopen", const char *, const char *);
    return concernsPath(AT_FDCWD, path) && fails(OPEN) ? NULL : real(path, mode);
}
FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

DIR *opendir(const char *path)
{
    REAL(DIR *, "opendir", const char *);
    return concernsPath(AT_FDCWD, path) && fails(OPEN) ? NULL : real(path);
}

struct dirent *readdir(DIR *folder)
{
    REAL(struct dirent *, "readdir", DIR *);
    return concernsFile(dirfd(folder)) && fails(READDIR) ? NULL : real(folder);
}

int rename(const char *old, const char *new)
{
    REAL(int, "rename", const char *, const char *);
    return concernsPath(AT_FDCWD, new) && fails(RENAME) ? -1 : real(old, new);
}

int renameat(int oldFolder, const char *old, int newFolder, const char *new)
{
    REAL(int, "renameat", int, const char *, int, const char *);
    return concernsPath(newFolder, new) && fails(RENAME) ? -1 : real(oldFolder, old, newFolder, new);
}

int linkat(int oldFolder, const char *old, int newFolder, const char *new, int flags)
{
    REAL(int, "linkat", int, const char *, int, const char *, int);
    return concernsPath(newFolder, new) && fails(LINK) ? -1 : real(oldFolder, old, newFolder, new, flags);
}

int unlink(const char *path)
{
    REAL(int, "unlink", const char *);
    return concernsPath(AT_FDCWD, path) && fails(UNLINK) ? -1 : real(path);
}

int unlinkat(int folder, const char *path, int flags)
{
    REAL(int, "unlinkat", int, const char *, int);
    return concernsPath(folder, path) && fails(UNLINK) ? -1 : real(folder, path, flags);
}

int rmdir(const char *path)
{
    REAL(int, "rmdir", const char *);
    return concernsPath(AT_FDCWD, path) && fails(UNLINK) ? -1 : real(path);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(int, "mkdir", const char *, mode_t);
    return concernsPath(AT_FDCWD, path) && fails(MKDIR) ? -1 : real(path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    REAL(int, "mkdirat", int, const char *, mode_t);
    return concernsPath(folder, path) && fails(MKDIR) ? -1 : real(folder, path, mode);
}

/* Swift's Glibc has no renameat2 and no syncfs: programs call them by number. */
long syscall(long number, ...)
{
    REAL(long, "syscall", long, ...);
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_renameat2 && concernsPath(arguments[2], (const char *)arguments[3]) && fails(RENAME)) return -1;
    if (number == SYS_syncfs && concernsFile(arguments[0]) && fails(FSYNC)) return -1;
    return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

int stat(const char *path, struct stat *status)
{
    REAL(int, "stat", const char *, struct stat *);
    return concernsPath(AT_FDCWD, path) && fails(STAT) ? -1 : real(path, status);
}

int lstat(const char *path, struct stat *status)
{
    REAL(int, "lstat", const char *, struct stat *);
    return concernsPath(AT_FDCWD, path) && fails(STAT) ? -1 : real(path, status);
}

int fstat(int file, struct stat *status)
{
    REAL(int, "fstat", int, struct stat *);
    return concernsFile(file) && fails(STAT) ? -1 : real(file, status);
}

char *realpath(const char *path, char *room)
{
    REAL(char *, "realpath", const char *, char *);
    return concernsPath(AT_FDCWD, path) && fails(STAT) ? NULL : real(path, room);
}

/* Memory. */

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

/* jisui ends by _exit, past everything that would run at its end. */
void _exit(int status)
{
    writeCounts();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
