#pragma once

#include <stdbool.h>
#include <stdint.h>

// Landlock (Documentation/userspace-api/landlock.rst of Linux). Its numbers are defined here because the headers of a
// distribution are older than its kernel.

enum {
    landlock_create_ruleset = 444,
    landlock_add_rule = 445,
    landlock_restrict_self = 446,
    landlock_version = 1,
    landlock_below = 1,
};

#define FS_EXECUTE (1ull << 0)
#define FS_WRITE_FILE (1ull << 1)
#define FS_READ_FILE (1ull << 2)
#define FS_READ_DIR (1ull << 3)
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define FS_IOCTL_DEV (1ull << 15)
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)

struct landlock_rules {
    uint64_t files, network, scopes;
};

struct __attribute__((packed)) landlock_place {
    uint64_t allowed;
    int32_t folder;
};

long landlock_abi(void);

/// Every right over files that a version of the kernel's Landlock supports.
uint64_t landlock_rights(long abi);

/// Allows rights over the file or folder at a path, and everything below it. A path that does not exist needs no right.
///
/// - Returns: whether the path exists.
bool landlock_allow(int rules, const char *path, uint64_t rights);

/// Allows reading the folders and files that every process of jisui reads, and `run` below the folders of programs.
void landlock_allow_system(int rules, uint64_t read, uint64_t run);

/// Allows reading the libraries that this process has loaded: the processes that jisui starts load them too.
///
/// Their folder may hold private files, as with LD_PRELOAD in a home folder. It is allowed only below the `lib` next to
/// the `bin` of the program: there it contains the libraries that are loaded late.
void landlock_allow_libraries(int rules);
