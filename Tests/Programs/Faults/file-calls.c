/* Stand-ins for calls of the system that work with files. */
#include "faults.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_bool wasBad;

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

ssize_t getdents64(int folder, void *buffer, size_t room)
{
    REAL(ssize_t, "getdents64", int, void *, size_t);
    return concernsFile(folder) && fails(READDIR) ? -1 : real(folder, buffer, room);
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
