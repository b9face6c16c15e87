#define _GNU_SOURCE
#include "Bounds.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// seccomp: a list of calls that are refused, since lists of those that are allowed break with every new C library.

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE

enum { io_uring_setup = 425, clone3 = 435, pidfd_getfd = 438 };

/// Refused to everybody.
static const int refused[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, pidfd_getfd, SYS_bpf,
    io_uring_setup, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_mount, SYS_umount2, SYS_unshare, SYS_setns,
    SYS_userfaultfd, SYS_perf_event_open, SYS_kcmp, SYS_setsid, SYS_setpgid, SYS_chroot, SYS_pivot_root,
};

/// Refused to those that start no other programs.
static const int starting[] = {
#if defined(__x86_64__)
    SYS_fork, SYS_vfork,
#endif
    -1,
};

/// Refused to workers, which run already: becoming another program, and memory that no limit counts.
static const int becoming[] = {SYS_execve, SYS_execveat, SYS_memfd_create, SYS_shmget, SYS_msgget, -1};

enum { most_rules = 128 };

struct rules {
    struct sock_filter list[most_rules];
    unsigned short count;
};

static void add(struct rules *rules, struct sock_filter rule)
{
    if (rules->count < most_rules) rules->list[rules->count++] = rule;
}

static void answer(struct rules *rules, int number, unsigned errno_given)
{
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1));
    add(rules, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | errno_given));
}

/// - Parameter list: ends with -1.
static void refuse_all(struct rules *rules, const int *list)
{
    for (; *list >= 0; list++) answer(rules, *list, EPERM);
}

bool restrict_calls(enum bound_process who)
{
    const struct sock_filter load_number = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    const struct sock_filter is_refused = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    struct rules rules = {.count = 0};
    add(&rules, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    add(&rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    add(&rules, is_refused);
    add(&rules, load_number);
#if defined(__x86_64__)
    // The numbers of the x32 interface begin here.
    add(&rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    add(&rules, is_refused);
#endif
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) answer(&rules, refused[i], EPERM);
    // What it does, only the flags of the older call tell, to which C libraries fall back.
    answer(&rules, clone3, ENOSYS);
    if (who != plugin_that_starts_programs) {
        // Threads, but no processes.
        add(&rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4));
        add(&rules, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)));
        add(&rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
        add(&rules, is_refused);
        add(&rules, load_number);
        refuse_all(&rules, starting);
    }
    if (who == worker) refuse_all(&rules, becoming);
    add(&rules, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    struct sock_fprog program = {rules.count, rules.list};
    return rules.count < most_rules && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool has_seccomp(void)
{
    // Asked with an address that cannot be read: who knows the call complains of that.
    return prctl(PR_GET_SECCOMP) >= 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT;
}

#else

bool restrict_calls(enum bound_process who)
{
    (void)who;
    return true;
}

bool has_seccomp(void)
{
    return false;
}

#endif
