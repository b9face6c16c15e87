#define _GNU_SOURCE
#include "Bounds.h"
#include "CProcess.h"
#include "Landlock.h"

#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The files that jisui itself is restricted to, after its arguments have been parsed.

enum {
    /// Folders with more entries are not searched for links, because that would take longer than many a conversion.
    most_entries = 200000,
    open_folders = 32,
};

static const uint64_t reading = FS_READ_FILE | FS_READ_DIR;

/// Allows rights below the folder of an existing or future file: the nearest folder above it that exists.
static void allow_around(int rules, const char *path, uint64_t rights)
{
    char folder[PATH_MAX];
    if (strlen(path) >= sizeof folder) return;
    strcpy(folder, path);
    for (;;) {
        size_t count = strlen(folder);
        while (count > 1 && folder[count - 1] == '/') folder[--count] = 0;
        char *slash = strrchr(folder, '/');
        if (!slash) {
            landlock_allow(rules, ".", rights);
            return;
        }
        slash[slash == folder ? 1 : 0] = 0;
        if (landlock_allow(rules, folder, rights) || !strcmp(folder, "/")) return;
    }
}

/// Allows rights over the file at a path and its surroundings, and over the surroundings of a link's target.
static void allow_with_surroundings(int rules, const char *path, uint64_t rights)
{
    char resolved[PATH_MAX];
    landlock_allow(rules, path, rights);
    allow_around(rules, path, rights);
    if (realpath(path, resolved)) allow_around(rules, resolved, rights);
}

// nftw(3) does not pass a context to the callback. The process has one thread.
static int searched_rules;
static int searched_entries;

static int look_at(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)place;
    if (++searched_entries > most_entries) return 1;
    if (kind != FTW_SL) return 0;
    struct stat target;
    // A folder elsewhere may have links of its own.
    if (stat(path, &target) == 0 && S_ISDIR(target.st_mode)) return 1;
    landlock_allow(searched_rules, path, reading);
    return 0;
}

/// Allows reading an input, and in a folder also the targets of its links to files.
///
/// - Returns: false if the files that belong to it are unknown.
static bool allow_input(int rules, const char *path)
{
    struct stat status;
    allow_with_surroundings(rules, path, reading);
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) return true;
    char folder[PATH_MAX];
    if (!realpath(path, folder)) return false;
    searched_rules = rules;
    return nftw(folder, look_at, open_folders, FTW_PHYS) == 0;
}

/// Creates rules for the needs of every run.
static int begin_rules(long abi, uint64_t handled)
{
    struct landlock_rules wanted = {handled, 0, 0};
    int rules = (int)syscall(landlock_create_ruleset, &wanted, sizeof wanted.files, 0);
    if (rules < 0) return rules;
    uint64_t writing = landlock_rights(abi) & handled;
    static const char *const devices[] = {"/dev/null", "/dev/tty", "/dev/pts", "/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) landlock_allow(rules, devices[i], writing & FS_OF_FILES);
    if (!(handled & reading)) return rules;
    landlock_allow_system(rules, reading, reading);
    static const char *const kernel[] = {"/proc", "/sys/devices/system", "/sys/fs/cgroup", "/dev/random", "/dev/zero"};
    for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++) landlock_allow(rules, kernel[i], reading);
    landlock_allow(rules, "/proc/self/exe", reading);
    landlock_allow_libraries(rules);
    return rules;
}

bool sandbox_keep_to(
    const char *const *inputs, const char *const *readable, const char *const *writable, const char *temporary)
{
    long abi = landlock_abi();
    // Before the second version, Landlock forbids moving files between folders.
    if (abi < 2) return false;
    uint64_t writing = landlock_rights(abi) & ~(reading | FS_EXECUTE | FS_IOCTL_DEV);
    uint64_t handled = inputs ? writing | reading : writing;
    int rules = begin_rules(abi, handled);
    if (rules < 0) return false;
    bool is_known = true;
    searched_entries = 0;
    for (; inputs && is_known && *inputs; inputs++) is_known = allow_input(rules, *inputs);
    if (!is_known) {
        close(rules);
        return sandbox_keep_to(NULL, readable, writable, temporary);
    }
    for (; readable && *readable; readable++) landlock_allow(rules, *readable, reading & handled);
    for (; *writable; writable++) allow_with_surroundings(rules, *writable, handled);
    landlock_allow(rules, temporary, handled);
    bool done = syscall(landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}
