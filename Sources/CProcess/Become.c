#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char plugin_word[] = "--become-plug-in";
static const char worker_word[] = "--be-worker";

const char *sandbox_plugin_word(void)
{
    return plugin_word;
}

const char *sandbox_worker_word(void)
{
    return worker_word;
}

// MARK: Files: Landlock (Documentation/userspace-api/landlock.rst of Linux). Its numbers stand here because the headers of a
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

static long landlock_abi(void)
{
    return syscall(landlock_create_ruleset, NULL, 0, landlock_version);
}

/// Every right over files that the kernel's version knows.
static uint64_t rights_of(long abi)
{
    uint64_t all = (1ull << 13) - 1;
    if (abi >= 2) all |= FS_REFER;
    if (abi >= 3) all |= FS_TRUNCATE;
    if (abi >= 5) all |= FS_IOCTL_DEV;
    return all;
}

/// Allows rights over what stands at a path, and below it. What is not there needs no right.
static void allow(int rules, const char *path, uint64_t rights)
{
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0) return;
    struct stat status;
    if (fstat(place, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= FS_OF_FILES;
    struct landlock_place rule = {rights, place};
    (void)syscall(landlock_add_rule, rules, landlock_below, &rule, 0);
    close(place);
}

/// - Parameter program: what is to be run, which it may read with its folder; null for what runs already.
/// - Returns: false when the kernel has Landlock and it failed.
static bool restrict_files(char **words, const char *program)
{
    long abi = landlock_abi();
    if (abi < 1) return true;
    uint64_t all = rights_of(abi);
    // Connections by TCP from the fourth version on; sockets without a name and signals to others from the sixth.
    struct landlock_rules wanted = {all, abi >= 4 ? 3 : 0, abi >= 6 ? 3 : 0};
    size_t size = abi >= 6 ? sizeof wanted : abi >= 4 ? 16 : 8;
    int rules = (int)syscall(landlock_create_ruleset, &wanted, size, 0);
    if (rules < 0) return false;
    const uint64_t run = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR;
    const uint64_t read = FS_READ_FILE | FS_READ_DIR;
    static const char *const systems[] = {"/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) allow(rules, systems[i], run & all);
    static const char *const read_only[] = {"/etc", "/proc/self", "/dev/urandom", "/dev/zero", "/var/cache/fontconfig"};
    for (size_t i = 0; i < sizeof read_only / sizeof *read_only; i++) allow(rules, read_only[i], read);
    allow(rules, "/dev/null", (read | FS_WRITE_FILE | FS_TRUNCATE) & all);
    char folder[4096];
    if (program && strlen(program) < sizeof folder) {
        strcpy(folder, program);
        char *slash = strrchr(folder, '/');
        if (slash && slash != folder) *slash = 0;
        allow(rules, folder, run & all);
    }
    for (char **word = words; *word; word++) {
        if (!strncmp(*word, "read:", 5)) allow(rules, *word + 5, read);
        if (!strncmp(*word, "write:", 6)) allow(rules, *word + 6, all & ~FS_EXECUTE);
    }
    bool done = syscall(landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

// MARK: Calls: a list of those that are refused, since lists of those that are allowed break with every new C library.

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE

#define REFUSE(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static bool restrict_calls(bool may_start_programs)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        // The numbers of the x32 interface begin here.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
        REFUSE(SYS_socket), REFUSE(SYS_connect), REFUSE(SYS_bind), REFUSE(SYS_ptrace), REFUSE(SYS_process_vm_readv),
        REFUSE(SYS_process_vm_writev), REFUSE(SYS_bpf), REFUSE(425 /* io_uring_setup */), REFUSE(SYS_keyctl),
        REFUSE(SYS_add_key), REFUSE(SYS_request_key), REFUSE(SYS_mount), REFUSE(SYS_umount2), REFUSE(SYS_unshare),
        REFUSE(SYS_setns), REFUSE(SYS_userfaultfd), REFUSE(SYS_perf_event_open), REFUSE(SYS_kcmp),
        REFUSE(SYS_setsid), REFUSE(SYS_setpgid), REFUSE(SYS_chroot), REFUSE(SYS_pivot_root),
        // What it does, only the flags of the older call tell, to which C libraries fall back.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435 /* clone3 */, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        // From here on only for those that may not start programs: threads, but no processes.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
        REFUSE(SYS_fork), REFUSE(SYS_vfork),
#endif
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    enum { own_rules = sizeof filter / sizeof *filter };
    struct sock_fprog program = {own_rules, filter};
    if (may_start_programs) {
        // The rules about processes are cut off.
#if defined(__x86_64__)
        program.len = own_rules - 9;
#else
        program.len = own_rules - 5;
#endif
        filter[program.len - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool has_seccomp(void)
{
    // Asked with an address that cannot be read: who knows the call complains of that.
    return prctl(PR_GET_SECCOMP) >= 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT;
}

#else

static bool restrict_calls(bool may_start_programs)
{
    (void)may_start_programs;
    return true;
}

static bool has_seccomp(void)
{
    return false;
}

#endif

int sandbox_layers(void)
{
    return (landlock_abi() >= 1 ? sandbox_files : 0) | (has_seccomp() ? sandbox_calls : 0);
}

// MARK: Becoming the program

static void limit(int resource, unsigned long long most)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return;
    if (limits.rlim_max != RLIM_INFINITY && most > limits.rlim_max) most = limits.rlim_max;
    limits.rlim_cur = limits.rlim_max = most;
    (void)setrlimit(resource, &limits);
}

static void refuse(const char *what)
{
    dprintf(STDERR_FILENO, "%s: %s\n", what, strerror(errno));
    _exit(126);
}

#if __has_feature(address_sanitizer)
enum { has_address_sanitizer = true };
#else
enum { has_address_sanitizer = false };
#endif

enum { program_place = 2, file_bytes_place = 3, memory_bytes_place = 4, words_place = 5 };

/// Whether the arguments are those of a process that jisui started under a word.
static bool is_asked(int argc, char **argv, const char *word)
{
    return argc >= words_place && strcmp(argv[1], word) == 0;
}

/// Gives up what the arguments do not allow. A process that cannot ends.
static void keep_in_bounds(char **argv, const char *program)
{
    unsigned long long most_of_file = strtoull(argv[file_bytes_place], NULL, 10);
    unsigned long long most_memory = strtoull(argv[memory_bytes_place], NULL, 10);
    bool may_start_programs = false;
    for (char **word = argv + words_place; *word; word++) may_start_programs |= !strcmp(*word, "exec");
    // It ends with the thread that started it: one that lasts as long as jisui does.
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
    if (most_of_file) limit(RLIMIT_FSIZE, most_of_file);
    // The address sanitizer reserves more than any machine has.
    if (most_memory && (program || !has_address_sanitizer)) limit(RLIMIT_AS, most_memory);
    if (chdir("/") != 0) refuse("/");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no_new_privs");
    if (!restrict_files(argv + words_place, program)) refuse("Landlock");
    if (!restrict_calls(may_start_programs) && has_seccomp()) refuse("seccomp");
}

void sandbox_become_asked(int argc, char **argv)
{
    if (!is_asked(argc, argv, plugin_word)) return;
    keep_in_bounds(argv, argv[program_place]);
    extern char **environ;
    // The words are not needed any more: its arguments take their places.
    int count = 0;
    argv[count++] = argv[program_place];
    for (char **word = argv + words_place; *word; word++)
        if (!strncmp(*word, "arg:", 4)) argv[count++] = *word + 4;
    argv[count] = NULL;
    execve(argv[0], argv, environ);
    refuse("cannot be started");
}

const char *sandbox_worker_asked(int argc, char **argv)
{
    if (!is_asked(argc, argv, worker_word)) return NULL;
    keep_in_bounds(argv, NULL);
    return argv[program_place];
}
