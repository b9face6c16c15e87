#define _GNU_SOURCE
#include "Bounds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// seccomp: every call is rejected except those of the table. A call that is newer than the table gets the answer of a
// kernel without it: C libraries fall back to older ones.

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE

enum { most_rules = 1024 };

struct rules {
    struct sock_filter list[most_rules];
    unsigned short count;
};

#define LOAD(field) ((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(field)))
#define ANSWER(number) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)(number)))
#define ALLOW ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW))
/// The lower half of an argument. The kernel ignores the upper half of the numbers and flags that are judged here.
#define ARGUMENT(place) LOAD(offsetof(struct seccomp_data, args) + 8 * (place))

static void add(struct rules *rules, struct sock_filter rule)
{
    if (rules->count < most_rules) rules->list[rules->count++] = rule;
}

/// Returns an answer if the loaded value equals `value`, and continues otherwise.
static void if_is(struct rules *rules, unsigned value, struct sock_filter answer)
{
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    add(rules, answer);
}

/// Begins the rules of one call, which end with an answer.
///
/// - Returns: the position for `end_call`.
static unsigned short begin_call(struct rules *rules, int number)
{
    // A separate jump, because conditional jumps are too short.
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 1, 0));
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 0, 0, 0));
    return rules->count;
}

static void end_call(struct rules *rules, unsigned short begin, struct sock_filter answer)
{
    add(rules, answer);
    if (rules->count < most_rules) rules->list[begin - 1].k = (unsigned)(rules->count - begin);
}

/// Allows a call whose argument is 0, "this one", or names this process itself.
static void judge_process(struct rules *rules, int number, unsigned place)
{
    unsigned short begin = begin_call(rules, number);
    add(rules, ARGUMENT(place));
    if_is(rules, 0, ALLOW);
    if_is(rules, (unsigned)getpid(), ALLOW);
    end_call(rules, begin, ANSWER(EPERM));
}

/// Opening a file to read it. Truncation is rejected too, because Landlock requires no write permission for it before
/// its third version.
static void judge_opening(struct rules *rules, int number, unsigned place)
{
    unsigned short begin = begin_call(rules, number);
    add(rules, ARGUMENT(place));
    add(rules, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE | O_TRUNC));
    if_is(rules, O_RDONLY | O_TRUNC, ANSWER(EPERM));
    if_is(rules, O_ACCMODE | O_TRUNC, ANSWER(EPERM));
    end_call(rules, begin, ALLOW);
}

/// Sockets. A datagram socket reaches every other one that has a name in the file system, which Landlock does not judge.
static void judge_sockets(struct rules *rules)
{
    unsigned short begin = begin_call(rules, SYS_socketpair);
    add(rules, ARGUMENT(1));
    // Without the flags in the upper bits.
    add(rules, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xF));
    if_is(rules, SOCK_STREAM, ALLOW);
    end_call(rules, begin, ANSWER(EPERM));

    // Both halves of the address.
    begin = begin_call(rules, SYS_sendto);
    for (unsigned half = 0; half < 2; half++) {
        add(rules, LOAD(offsetof(struct seccomp_data, args) + 8 * 4 + 4 * half));
        add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
        add(rules, ANSWER(EPERM));
    }
    end_call(rules, begin, ALLOW);
}

/// The requests for terminals, pipes and copies of files. Others change attributes of files, file systems, or other
/// terminals.
static const unsigned ioctls[] = {
    TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGWINSZ, TIOCSWINSZ, TIOCGPGRP, TIOCGPTN, TIOCSPTLCK, TIOCGPTPEER, FIONREAD, FIONBIO,
    FIOCLEX, FIONCLEX, FICLONE, FICLONERANGE,
};

/// Signals to other processes when a file is ready; leases, and notifications about a folder.
static const unsigned descriptor_commands[] = {F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY};

static void judge(struct rules *rules, enum bound_process who)
{
#ifdef SYS_open
    judge_opening(rules, SYS_open, 1);
#endif
    judge_opening(rules, SYS_openat, 2);

    unsigned short begin = begin_call(rules, SYS_ioctl);
    add(rules, ARGUMENT(1));
    for (size_t i = 0; i < sizeof ioctls / sizeof *ioctls; i++) if_is(rules, ioctls[i], ALLOW);
    end_call(rules, begin, ANSWER(ENOTTY));

    begin = begin_call(rules, SYS_fcntl);
    add(rules, ARGUMENT(1));
    for (size_t i = 0; i < sizeof descriptor_commands / sizeof *descriptor_commands; i++)
        if_is(rules, descriptor_commands[i], ANSWER(EPERM));
    end_call(rules, begin, ALLOW);

    begin = begin_call(rules, SYS_clone);
    add(rules, ARGUMENT(0));
    if (who == plugin_that_starts_programs) {
        // No own namespaces, in which the process would have privileges, and no children whose parent is jisui.
        const unsigned foreign = CLONE_PARENT | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER
                                 | CLONE_NEWPID | CLONE_NEWNET;
        add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, foreign, 0, 1));
        add(rules, ANSWER(EPERM));
        end_call(rules, begin, ALLOW);
    } else {
        // Threads, but no processes.
        add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
        add(rules, ALLOW);
        end_call(rules, begin, ANSWER(EPERM));
    }

    static const int signals[] = {SYS_kill, SYS_tkill, SYS_tgkill};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (who == plugin_that_starts_programs && landlock_keeps_signals()) {
            // The process may end its own children. The number -1 means all processes of the user, and the kernel would
            // report success.
            begin = begin_call(rules, signals[i]);
            add(rules, ARGUMENT(0));
            if_is(rules, UINT32_MAX, ANSWER(EPERM));
            end_call(rules, begin, ALLOW);
        } else {
            begin = begin_call(rules, signals[i]);
            add(rules, ARGUMENT(0));
            if_is(rules, 0, ALLOW);
            if_is(rules, (unsigned)getpid(), ALLOW);
            // Its own process group, which it cannot leave: the process and its children.
            if (signals[i] == SYS_kill) if_is(rules, -(unsigned)getpid(), ALLOW);
            end_call(rules, begin, ANSWER(EPERM));
        }
    }
    static const int of_processes[] = {SYS_prlimit64, SYS_sched_setparam, SYS_sched_setaffinity};
    for (size_t i = 0; i < sizeof of_processes / sizeof *of_processes; i++) judge_process(rules, of_processes[i], 0);

    judge_sockets(rules);

    // No real-time scheduling, which would leave no time to others.
    begin = begin_call(rules, SYS_sched_setscheduler);
    add(rules, ARGUMENT(1));
    add(rules, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~SCHED_RESET_ON_FORK));
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SCHED_OTHER, 3, 0));
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SCHED_BATCH, 2, 0));
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SCHED_IDLE, 1, 0));
    add(rules, ANSWER(EPERM));
    add(rules, ARGUMENT(0));
    if_is(rules, 0, ALLOW);
    if_is(rules, (unsigned)getpid(), ALLOW);
    end_call(rules, begin, ANSWER(EPERM));

    // A process cannot outlive jisui, or its own starter: no other signal replaces the one that ends it.
    begin = begin_call(rules, SYS_prctl);
    add(rules, ARGUMENT(0));
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PDEATHSIG, 1, 0));
    add(rules, ALLOW);
    add(rules, ARGUMENT(1));
    if_is(rules, SIGKILL, ALLOW);
    end_call(rules, begin, ANSWER(EPERM));

    begin = begin_call(rules, SYS_setpriority);
    add(rules, ARGUMENT(0));
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PRIO_PROCESS, 1, 0));
    add(rules, ANSWER(EPERM));
    add(rules, ARGUMENT(1));
    if_is(rules, 0, ALLOW);
    end_call(rules, begin, ANSWER(EPERM));
}

/// The answer to a call whose arguments are irrelevant.
static struct sock_filter answer(int number, enum bound_process who)
{
    switch (verdict_on(number)) {
    case allowed: return ALLOW;
    case for_starters: return who == plugin_that_starts_programs ? ALLOW : ANSWER(EPERM);
    case for_plugins: return who == worker ? ANSWER(EPERM) : ALLOW;
    case refused:
    case judged: return ANSWER(EPERM);
    case unknown: break;
    }
    return ANSWER(ENOSYS);
}

/// Begins a filter: rejects calls of other architectures, and loads the number of the call.
static void begin_filter(struct rules *rules)
{
    add(rules, LOAD(offsetof(struct seccomp_data, arch)));
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    add(rules, ANSWER(EPERM));
    add(rules, LOAD(offsetof(struct seccomp_data, nr)));
#if defined(__x86_64__)
    // The numbers of the x32 interface begin here.
    add(rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    add(rules, ANSWER(EPERM));
#endif
}

static bool apply(struct rules *rules)
{
    struct sock_fprog program = {rules->count, rules->list};
    return rules->count < most_rules && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool restrict_calls(enum bound_process who)
{
    struct rules rules = {.count = 0};
    begin_filter(&rules);
    judge(&rules, who);
    // Neighboring calls with the same answer share one rule.
    struct sock_filter last = answer(0, who);
    for (int number = 1; number <= most_calls; number++) {
        struct sock_filter next = number == most_calls ? ANSWER(ENOSYS) : answer(number, who);
        if (next.k == last.k) continue;
        add(&rules, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (unsigned)number, 1, 0));
        add(&rules, last);
        last = next;
    }
    add(&rules, last);
    return apply(&rules);
}

/// The calls that jisui itself needs although the table rejects them: modes and owners of its outputs, which are open, and
/// process groups of its children.
static const int own_calls[] = {SYS_fchmod, SYS_fchown, SYS_setpgid, SYS_setsid};

static bool is_own(int number)
{
    for (size_t i = 0; i < sizeof own_calls / sizeof *own_calls; i++)
        if (own_calls[i] == number) return true;
    return false;
}

bool restrict_own_calls(void)
{
    struct rules rules = {.count = 0};
    begin_filter(&rules);
    judge_sockets(&rules);
    for (int number = 0; number < most_calls; number++)
        if (verdict_on(number) == refused && !is_own(number)) if_is(&rules, (unsigned)number, ANSWER(EPERM));
    add(&rules, ALLOW);
    return apply(&rules);
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
