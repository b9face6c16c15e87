#define _GNU_SOURCE
#include "Bounds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// seccomp: every call is rejected except those of the table. A call that is newer than the table gets the answer of a
// kernel without it: C libraries fall back to older ones. libseccomp makes the program of the filter.

#if defined(__x86_64__) || defined(__aarch64__)

#define REJECT SCMP_ACT_ERRNO(EPERM)

/// A filter that is being made, and whether all rules fitted.
typedef struct {
    scmp_filter_ctx context;
    bool is_complete;
} Filter;

/// Compares the lower half of an argument. The kernel ignores the upper half of the numbers and flags that are judged here.
static struct scmp_arg_cmp equals(unsigned place, uint32_t value)
{
    return SCMP_CMP(place, SCMP_CMP_MASKED_EQ, UINT32_MAX, value);
}

/// Compares the bits of a mask.
static struct scmp_arg_cmp has_bits(unsigned place, uint32_t mask, uint32_t bits)
{
    return SCMP_CMP(place, SCMP_CMP_MASKED_EQ, mask, bits);
}

static void answer(Filter *filter, uint32_t action, int number, unsigned count, struct scmp_arg_cmp one, struct scmp_arg_cmp other)
{
    struct scmp_arg_cmp conditions[] = {one, other};
    if (seccomp_rule_add_array(filter->context, action, number, count, conditions) != 0) filter->is_complete = false;
}

static void always(Filter *filter, uint32_t action, int number)
{
    answer(filter, action, number, 0, (struct scmp_arg_cmp){0}, (struct scmp_arg_cmp){0});
}

static void allow_if(Filter *filter, int number, struct scmp_arg_cmp condition)
{
    answer(filter, SCMP_ACT_ALLOW, number, 1, condition, (struct scmp_arg_cmp){0});
}

/// Allows a call unless an argument equals a value: some bit differs. libseccomp compares whole arguments otherwise.
static void allow_unless(Filter *filter, int number, unsigned place, uint32_t value)
{
    for (uint32_t bit = 1; bit; bit <<= 1) allow_if(filter, number, has_bits(place, bit, ~value & bit));
}

static void allow_values(Filter *filter, int number, unsigned place, const uint32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) allow_if(filter, number, equals(place, values[i]));
}
#define ALLOW_VALUES(filter, number, place, values) allow_values(filter, number, place, values, sizeof values / sizeof *values)

/// Opening a file to read it. Truncation is rejected too, because Landlock requires no write permission for it before
/// its third version.
static void judge_opening(Filter *filter, int number, unsigned place)
{
    const struct { uint32_t mask, bits; } ways[] = {{O_TRUNC, 0}, {O_ACCMODE, O_WRONLY}, {O_ACCMODE, O_RDWR}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        // The mode counts only for new files. With one of these bits, others could run a file as this user.
        allow_if(filter, number, has_bits(place, ways[i].mask | O_CREAT | (O_TMPFILE & ~O_DIRECTORY), ways[i].bits));
        answer(
            filter, SCMP_ACT_ALLOW, number, 2, has_bits(place, ways[i].mask, ways[i].bits),
            has_bits(place + 1, S_ISUID | S_ISGID, 0));
    }
}

/// Making a file without opening it: only regular files, which do not run as their owner. A program that opens a pipe waits.
static void judge_making(Filter *filter, int number, unsigned place)
{
    allow_if(filter, number, has_bits(place, S_IFMT | S_ISUID | S_ISGID, 0));
    allow_if(filter, number, has_bits(place, S_IFMT | S_ISUID | S_ISGID, S_IFREG));
}

/// The requests for terminals, pipes and copies of files. Others change attributes of files, file systems, or other
/// terminals.
static const uint32_t ioctls[] = {
    TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGWINSZ, TIOCSWINSZ, TIOCGPGRP, TIOCGPTN, TIOCSPTLCK, TIOCGPTPEER, FIONREAD, FIONBIO,
    FIOCLEX, FIONCLEX, FICLONE, FICLONERANGE,
};

/// The commands for descriptors. Others send signals to other processes when a file is ready, or are leases and notifications
/// about a folder.
static const uint32_t commands[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK,
    F_OFD_SETLKW, F_GETOWN, F_GETOWN_EX, F_GETSIG, F_GETLEASE, F_GETPIPE_SZ, F_SETPIPE_SZ, F_GET_SEALS, F_ADD_SEALS,
    F_GET_RW_HINT, F_SET_RW_HINT, F_GET_FILE_RW_HINT, F_SET_FILE_RW_HINT,
};

static void judge_signals(Filter *filter, enum bound_process who)
{
    const uint32_t own = (uint32_t)getpid(), own_group = -own;
    static const int signals[] = {SYS_kill, SYS_tkill, SYS_tgkill};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (who == plugin_that_starts_programs && landlock_keeps_signals()) {
            // The process may end its own children. The number -1 means all processes of the user, and the kernel would
            // report success.
            allow_unless(filter, signals[i], 0, UINT32_MAX);
            continue;
        }
        const uint32_t processes[] = {0, own};
        ALLOW_VALUES(filter, signals[i], 0, processes);
        // Its own process group, which it cannot leave: the process and its children.
        if (signals[i] == SYS_kill) allow_if(filter, SYS_kill, equals(0, own_group));
    }
}

static void judge(Filter *filter, enum bound_process who)
{
#ifdef SYS_open
    judge_opening(filter, SYS_open, 1);
#endif
    judge_opening(filter, SYS_openat, 2);
#ifdef SYS_mknod
    judge_making(filter, SYS_mknod, 1);
    judge_making(filter, SYS_creat, 1);
#endif
    judge_making(filter, SYS_mknodat, 2);
    ALLOW_VALUES(filter, SYS_ioctl, 1, ioctls);
    ALLOW_VALUES(filter, SYS_fcntl, 1, commands);
    // No own namespaces, in which the process would have privileges, and no children whose parent is jisui. Others start
    // threads only.
    const uint32_t foreign = CLONE_PARENT | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER
                             | CLONE_NEWPID | CLONE_NEWNET;
    allow_if(
        filter, SYS_clone,
        who == plugin_that_starts_programs ? has_bits(0, foreign, 0) : has_bits(0, CLONE_THREAD, CLONE_THREAD));
    judge_signals(filter, who);

    // This process itself; and no real-time scheduling, which would leave no time to others.
    const uint32_t processes[] = {0, (uint32_t)getpid()}, policies[] = {SCHED_OTHER, SCHED_BATCH, SCHED_IDLE};
    ALLOW_VALUES(filter, SYS_prlimit64, 0, processes);
    ALLOW_VALUES(filter, SYS_sched_setparam, 0, processes);
    ALLOW_VALUES(filter, SYS_sched_setaffinity, 0, processes);
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++)
        for (size_t k = 0; k < sizeof policies / sizeof *policies; k++)
            answer(
                filter, SCMP_ACT_ALLOW, SYS_sched_setscheduler, 2, equals(0, processes[i]),
                has_bits(1, ~(uint32_t)SCHED_RESET_ON_FORK, policies[k]));
    answer(filter, SCMP_ACT_ALLOW, SYS_setpriority, 2, equals(0, PRIO_PROCESS), equals(1, 0));

    // A process cannot outlive jisui, or its own starter: no other signal replaces the one that ends it.
    allow_unless(filter, SYS_prctl, 0, PR_SET_PDEATHSIG);
    answer(filter, SCMP_ACT_ALLOW, SYS_prctl, 2, equals(0, PR_SET_PDEATHSIG), equals(1, SIGKILL));

    // A datagram socket reaches every other one that has a name in the file system, which Landlock does not judge.
    allow_if(filter, SYS_socketpair, has_bits(1, 0xF, SOCK_STREAM));
    allow_if(filter, SYS_sendto, SCMP_A4(SCMP_CMP_EQ, 0));
}

/// Returns the answer to a call whose arguments are irrelevant.
static uint32_t verdict(int number, enum bound_process who)
{
    switch (verdict_on(number)) {
    case allowed: return SCMP_ACT_ALLOW;
    case for_starters: return who == plugin_that_starts_programs ? SCMP_ACT_ALLOW : REJECT;
    case for_plugins: return who == worker ? REJECT : SCMP_ACT_ALLOW;
    case unknown: return SCMP_ACT_ERRNO(ENOSYS);
    case refused:
    case judged: break;
    }
    return REJECT;
}

static Filter begin_filter(uint32_t action)
{
    Filter filter = {seccomp_init(action), true};
    filter.is_complete = filter.context && seccomp_attr_set(filter.context, SCMP_FLTATR_ACT_BADARCH, REJECT) == 0
                         && seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0;
    return filter;
}

static bool apply(Filter *filter)
{
    bool is_applied = filter->is_complete && seccomp_load(filter->context) == 0;
    seccomp_release(filter->context);
    return is_applied;
}

bool restrict_calls(enum bound_process who)
{
    Filter filter = begin_filter(REJECT);
    for (int number = 0; number < most_calls && filter.context; number++)
        if (verdict(number, who) != REJECT) always(&filter, verdict(number, who), number);
    judge(&filter, who);
    return apply(&filter);
}

/// The calls that jisui itself needs although the table rejects them: modes and owners of its outputs, which are open, and
/// process groups of its children.
static bool is_own(int number)
{
    return number == SYS_fchmod || number == SYS_fchown || number == SYS_setpgid || number == SYS_setsid;
}

bool restrict_own_calls(void)
{
    Filter filter = begin_filter(SCMP_ACT_ALLOW);
    for (int number = 0; number < most_calls && filter.context; number++)
        if (verdict_on(number) == refused && !is_own(number)) always(&filter, REJECT, number);
    answer(&filter, REJECT, SYS_sendto, 1, SCMP_A4(SCMP_CMP_NE, 0), SCMP_A4(SCMP_CMP_NE, 0));
    for (uint32_t type = 0; type < 16; type++)
        if (type != SOCK_STREAM)
            answer(&filter, REJECT, SYS_socketpair, 1, has_bits(1, 0xF, type), has_bits(1, 0xF, type));
    return apply(&filter);
}

bool has_seccomp(void)
{
    // The address is invalid: a kernel that supports the call reports that.
    return prctl(PR_GET_SECCOMP) >= 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT;
}

#else

bool restrict_calls(enum bound_process who)
{
    (void)who;
    return true;
}

bool restrict_own_calls(void)
{
    return true;
}

bool has_seccomp(void)
{
    return false;
}

#endif
