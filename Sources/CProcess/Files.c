#define _GNU_SOURCE
#include "Bounds.h"
#include "Landlock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

long landlock_abi(void)
{
    return syscall(landlock_create_ruleset, NULL, 0, landlock_version);
}

bool has_landlock(void)
{
    return landlock_abi() >= 1;
}

bool landlock_keeps_signals(void)
{
    return landlock_abi() >= 6;
}

/// The configuration files that libraries and interpreters read: the paths of libraries, fonts and modules, and the
/// time zone. Users, networks and services are not included.
static const char *const configuration[] = {
    "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf", "/etc/locale.alias",
    "/etc/fonts", "/etc/alternatives", "/etc/mime.types", "/etc/magic", "/etc/os-release", "/etc/papersize", "/etc/terminfo",
    "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies", "/etc/gcrypt", "/etc/perl", "/etc/ghostscript",
    "/etc/OpenCL",
};
/// The name of Python's configuration contains its version.
static const char versioned_configuration[] = "/etc/python*";

uint64_t landlock_rights(long abi)
{
    uint64_t all = (1ull << 13) - 1;
    if (abi >= 2) all |= FS_REFER;
    if (abi >= 3) all |= FS_TRUNCATE;
    if (abi >= 5) all |= FS_IOCTL_DEV;
    return all;
}

bool landlock_allow(int rules, const char *path, uint64_t rights)
{
    int place = open(path, O_PATH | O_CLOEXEC);
    // A rule that is missing because of a passing fault would deny the file for the whole run.
    if (place < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES) place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return false;
    struct stat status;
    if (fstat(place, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= FS_OF_FILES;
    struct landlock_place rule = {rights, place};
    (void)syscall(landlock_add_rule, rules, landlock_below, &rule, 0);
    close(place);
    return true;
}

/// Allows reading the folders where fontconfig looks for fonts, according to this user's configuration.
///
/// The library is called before the sandbox is set up, and has read nothing but that configuration.
static void allow_fonts(int rules, uint64_t read)
{
    void *library = dlopen("libfontconfig.so.1", RTLD_NOW);
    if (!library) return;
    // Declared as in fontconfig.h; the allocated memory stays as long as the process.
    void *(*load)(void) = (void *(*)(void))dlsym(library, "FcInitLoadConfig");
    void *(*folders)(void *) = (void *(*)(void *))dlsym(library, "FcConfigGetFontDirs");
    const char *(*next)(void *) = (const char *(*)(void *))dlsym(library, "FcStrListNext");
    void *configuration = load && folders && next ? load() : NULL;
    void *list = configuration ? folders(configuration) : NULL;
    for (const char *folder; list && (folder = next(list));) landlock_allow(rules, folder, read);
}

bool restrict_reach(void)
{
    long abi = landlock_abi();
    if (abi < 4) return true;
    // Without a rule on moving files between folders, any other ruleset on files forbids it.
    struct landlock_rules wanted = {FS_REFER, 3, abi >= 6 ? 3 : 0};
    int rules = (int)syscall(landlock_create_ruleset, &wanted, abi >= 6 ? sizeof wanted : 16, 0);
    if (rules < 0) return false;
    landlock_allow(rules, "/", FS_REFER);
    bool done = syscall(landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

void landlock_allow_system(int rules, uint64_t read, uint64_t run)
{
    static const char *const systems[] = {"/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) landlock_allow(rules, systems[i], run);
    static const char *const read_only[] = {"/proc/self", "/dev/urandom", "/dev/zero", "/var/cache/fontconfig"};
    for (size_t i = 0; i < sizeof read_only / sizeof *read_only; i++) landlock_allow(rules, read_only[i], read);
    for (size_t i = 0; i < sizeof configuration / sizeof *configuration; i++) landlock_allow(rules, configuration[i], read);
    glob_t found;
    if (glob(versioned_configuration, GLOB_NOSORT, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) landlock_allow(rules, found.gl_pathv[i], read);
    globfree(&found);
}

/// Allows rights over the folder of a file.
static void allow_folder(int rules, const char *file, uint64_t rights)
{
    char folder[PATH_MAX];
    if (strlen(file) >= sizeof folder) return;
    strcpy(folder, file);
    char *slash = strrchr(folder, '/');
    if (slash && slash != folder) *slash = 0;
    landlock_allow(rules, folder, rights);
}

/// The libraries of jisui's own: the folder `lib` next to a program in a folder `bin`; empty for another program.
static void find_own_libraries(char found[PATH_MAX])
{
    static const char programs[] = "/bin", libraries[] = "/lib";
    found[0] = 0;
    char program[PATH_MAX];
    if (!realpath("/proc/self/exe", program)) return;
    *strrchr(program, '/') = 0;
    size_t count = strlen(program);
    if (count < strlen(programs) || strcmp(program + count - strlen(programs), programs)) return;
    strcpy(program + count - strlen(programs), libraries);
    strcpy(found, program);
}

struct library_rules {
    int rules;
    char own[PATH_MAX];
};

/// Whether a library is in a folder of jisui's own that not every user can write to.
static bool is_own(const char *library, const char *own)
{
    size_t count = strlen(own);
    if (!count || strncmp(library, own, count) || library[count] != '/') return false;
    char folder[PATH_MAX];
    strcpy(folder, library);
    *strrchr(folder, '/') = 0;
    struct stat status;
    return stat(folder, &status) == 0 && !(status.st_mode & S_IWOTH);
}

static int allow_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct library_rules *known = context;
    char library[PATH_MAX];
    if (*info->dlpi_name != '/' || !realpath(info->dlpi_name, library)) return 0;
    landlock_allow(known->rules, library, FS_READ_FILE);
    if (is_own(library, known->own)) allow_folder(known->rules, library, FS_READ_FILE | FS_READ_DIR);
    return 0;
}

void landlock_allow_libraries(int rules)
{
    struct library_rules known = {.rules = rules};
    find_own_libraries(known.own);
    dl_iterate_phdr(allow_library, &known);
}

bool restrict_files(char **words, const char *program)
{
    long abi = landlock_abi();
    if (abi < 1) return true;
    uint64_t all = landlock_rights(abi);
    // TCP connections since the fourth version; abstract sockets and signals to other processes since the sixth.
    struct landlock_rules wanted = {all, abi >= 4 ? 3 : 0, abi >= 6 ? 3 : 0};
    size_t size = abi >= 6 ? sizeof wanted : abi >= 4 ? 16 : 8;
    int rules = (int)syscall(landlock_create_ruleset, &wanted, size, 0);
    if (rules < 0) return false;
    const uint64_t read = FS_READ_FILE | FS_READ_DIR;
    const uint64_t run = program ? FS_EXECUTE | read : read;
    landlock_allow_system(rules, read, run & all);
    landlock_allow(rules, "/dev/null", (read | FS_WRITE_FILE | FS_TRUNCATE) & all);
    landlock_allow_libraries(rules);
    if (program) allow_folder(rules, program, run & all);
    for (char **word = words; *word; word++) {
        if (!strncmp(*word, "read:", 5)) landlock_allow(rules, *word + 5, read);
        if (!strcmp(*word, "fonts")) allow_fonts(rules, read);
        if (!strncmp(*word, "write:", 6)) landlock_allow(rules, *word + 6, all & ~FS_EXECUTE);
    }
    bool done = syscall(landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}
