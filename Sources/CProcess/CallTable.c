#define _GNU_SOURCE
#include "Bounds.h"

#include <sys/syscall.h>

// The treatment of each system call. A test compares this table with that of the kernel. A call that is missing here gets
// the answer of a kernel without it until a developer decides about it. This also applies to the following calls, which
// are newer than most headers:
// Later: cachestat fchmodat2 map_shadow_stack futex_wake futex_wait futex_requeue statmount listmount lsm_get_self_attr lsm_set_self_attr lsm_list_modules mseal setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr

#if defined(__x86_64__) || defined(__aarch64__)

static const unsigned char verdicts[most_calls] = {
    // Operations on open descriptors, own memory, threads and clocks; and on files, as far as Landlock permits.
    [SYS_read] = allowed, [SYS_write] = allowed, [SYS_close] = allowed, [SYS_fstat] = allowed, [SYS_lseek] = allowed,
    [SYS_mmap] = allowed, [SYS_mprotect] = allowed, [SYS_munmap] = allowed, [SYS_brk] = allowed, [SYS_rt_sigaction] = allowed,
    [SYS_rt_sigprocmask] = allowed, [SYS_rt_sigreturn] = allowed, [SYS_pread64] = allowed, [SYS_pwrite64] = allowed,
    [SYS_readv] = allowed, [SYS_writev] = allowed, [SYS_mremap] = allowed, [SYS_msync] = allowed, [SYS_mincore] = allowed,
    [SYS_madvise] = allowed, [SYS_dup] = allowed, [SYS_nanosleep] = allowed, [SYS_getitimer] = allowed, [SYS_setitimer] = allowed,
    [SYS_getpid] = allowed, [SYS_sendfile] = allowed, [SYS_recvfrom] = allowed, 
    [SYS_recvmsg] = allowed, [SYS_shutdown] = allowed, [SYS_getsockname] = allowed, [SYS_getpeername] = allowed,
    [SYS_setsockopt] = allowed, [SYS_getsockopt] = allowed, [SYS_exit] = allowed,
    [SYS_wait4] = allowed, [SYS_uname] = allowed, [SYS_flock] = allowed, [SYS_fsync] = allowed, [SYS_fdatasync] = allowed,
    [SYS_ftruncate] = allowed, [SYS_getcwd] = allowed, [SYS_chdir] = allowed, [SYS_fchdir] = allowed, [SYS_umask] = allowed,
    [SYS_gettimeofday] = allowed, [SYS_getrlimit] = allowed, [SYS_setrlimit] = allowed, [SYS_getrusage] = allowed,
    [SYS_sysinfo] = allowed, [SYS_times] = allowed, [SYS_getuid] = allowed, [SYS_getgid] = allowed, [SYS_geteuid] = allowed,
    [SYS_getegid] = allowed, [SYS_getppid] = allowed, [SYS_getgroups] = allowed, [SYS_getresuid] = allowed,
    [SYS_getresgid] = allowed, [SYS_getpgid] = allowed, [SYS_getsid] = allowed, [SYS_capget] = allowed,
    [SYS_rt_sigpending] = allowed, [SYS_rt_sigtimedwait] = allowed, [SYS_rt_sigsuspend] = allowed, [SYS_sigaltstack] = allowed,
    [SYS_statfs] = allowed, [SYS_fstatfs] = allowed, [SYS_getpriority] = allowed, [SYS_sched_getparam] = allowed,
    [SYS_sched_getscheduler] = allowed, [SYS_sched_get_priority_max] = allowed, [SYS_sched_get_priority_min] = allowed,
    [SYS_sched_rr_get_interval] = allowed, [SYS_sched_yield] = allowed, [SYS_mlock] = allowed, [SYS_munlock] = allowed,
    [SYS_mlockall] = allowed, [SYS_munlockall] = allowed, [SYS_sync] = allowed, [SYS_gettid] = allowed,
    [SYS_readahead] = allowed, [SYS_getxattr] = allowed, [SYS_lgetxattr] = allowed, [SYS_fgetxattr] = allowed,
    [SYS_listxattr] = allowed, [SYS_llistxattr] = allowed, [SYS_flistxattr] = allowed, [SYS_futex] = allowed,
    [SYS_sched_getaffinity] = allowed, [SYS_remap_file_pages] = allowed, [SYS_getdents64] = allowed,
    [SYS_set_tid_address] = allowed, [SYS_restart_syscall] = allowed, [SYS_fadvise64] = allowed, [SYS_timer_create] = allowed,
    [SYS_timer_settime] = allowed, [SYS_timer_gettime] = allowed, [SYS_timer_getoverrun] = allowed, [SYS_timer_delete] = allowed,
    [SYS_clock_gettime] = allowed, [SYS_clock_getres] = allowed, [SYS_clock_nanosleep] = allowed, [SYS_exit_group] = allowed,
    [SYS_epoll_ctl] = allowed, [SYS_mbind] = allowed, [SYS_set_mempolicy] = allowed, [SYS_get_mempolicy] = allowed,
    [SYS_waitid] = allowed, [SYS_ioprio_get] = allowed, [SYS_mkdirat] = allowed, [SYS_mknodat] = judged,
    [SYS_newfstatat] = allowed, [SYS_unlinkat] = allowed, [SYS_renameat] = allowed, [SYS_linkat] = allowed,
    [SYS_symlinkat] = allowed, [SYS_readlinkat] = allowed, [SYS_faccessat] = allowed, [SYS_pselect6] = allowed,
    [SYS_ppoll] = allowed, [SYS_set_robust_list] = allowed, [SYS_get_robust_list] = allowed, [SYS_splice] = allowed,
    [SYS_tee] = allowed, [SYS_sync_file_range] = allowed, [SYS_vmsplice] = allowed, [SYS_epoll_pwait] = allowed,
    [SYS_timerfd_create] = allowed, [SYS_fallocate] = allowed, [SYS_timerfd_settime] = allowed, [SYS_timerfd_gettime] = allowed,
    [SYS_signalfd4] = allowed, [SYS_eventfd2] = allowed, [SYS_epoll_create1] = allowed, [SYS_dup3] = allowed,
    [SYS_pipe2] = allowed, [SYS_preadv] = allowed, [SYS_pwritev] = allowed, [SYS_recvmmsg] = allowed, [SYS_syncfs] = allowed,
    [SYS_getcpu] = allowed, [SYS_sched_getattr] = allowed, [SYS_renameat2] = allowed,
    [SYS_seccomp] = allowed, [SYS_getrandom] = allowed, [SYS_membarrier] = allowed, [SYS_mlock2] = allowed,
    [SYS_copy_file_range] = allowed, [SYS_preadv2] = allowed, [SYS_pwritev2] = allowed, [SYS_pkey_mprotect] = allowed,
    [SYS_pkey_alloc] = allowed, [SYS_pkey_free] = allowed, [SYS_statx] = allowed, [SYS_rseq] = allowed,
    [SYS_close_range] = allowed, [SYS_faccessat2] = allowed, [SYS_epoll_pwait2] = allowed,
    [SYS_landlock_create_ruleset] = allowed, [SYS_landlock_add_rule] = allowed, [SYS_landlock_restrict_self] = allowed,
   
    // The arguments determine the effect of these calls.
    [SYS_socketpair] = judged, [SYS_sendto] = judged, [SYS_prctl] = judged,
    [SYS_openat] = judged, [SYS_ioctl] = judged, [SYS_fcntl] = judged, [SYS_kill] = judged,
    [SYS_tkill] = judged, [SYS_tgkill] = judged, [SYS_clone] = judged, [SYS_prlimit64] = judged, [SYS_setpriority] = judged,
    [SYS_sched_setparam] = judged, [SYS_sched_setscheduler] = judged, [SYS_sched_setaffinity] = judged,
    // Executing another program, and memory that no limit counts. Workers do not need them, because they are already
    // running.
    [SYS_execve] = for_plugins, [SYS_execveat] = for_plugins, [SYS_memfd_create] = for_plugins,
    // Their arguments are in memory, which no filter reads. C libraries fall back to the older calls.
    [SYS_clone3] = unknown, [SYS_openat2] = unknown,
    // Modes, owners, times and attributes of files, which no Landlock right covers.
    [SYS_fchmod] = refused, [SYS_fchmodat] = refused, [SYS_fchown] = refused, [SYS_fchownat] = refused, [SYS_utimensat] = refused,
    [SYS_setxattr] = refused, [SYS_lsetxattr] = refused, [SYS_fsetxattr] = refused, [SYS_removexattr] = refused,
    [SYS_lremovexattr] = refused, [SYS_fremovexattr] = refused,
    // Truncating files by name, and opening files without a name. Landlock supports the former only since its third
    // version.
    [SYS_truncate] = refused, [SYS_name_to_handle_at] = refused, [SYS_open_by_handle_at] = refused, [SYS_quotactl] = refused,
    [SYS_quotactl_fd] = refused,
    // Other processes: their memory, descriptors, signals, memory placement, scheduling.
    [SYS_ptrace] = refused, [SYS_process_vm_readv] = refused, [SYS_process_vm_writev] = refused, [SYS_kcmp] = refused,
    [SYS_pidfd_open] = refused, [SYS_pidfd_getfd] = refused, [SYS_pidfd_send_signal] = refused, [SYS_process_madvise] = refused,
    [SYS_rt_sigqueueinfo] = refused, [SYS_rt_tgsigqueueinfo] = refused,
    [SYS_migrate_pages] = refused, [SYS_move_pages] = refused, [SYS_ioprio_set] = refused, [SYS_setpgid] = refused,
    [SYS_setsid] = refused, [SYS_sched_setattr] = refused,
    // Objects that processes share by numbers and names: System V, message queues, keys.
    [SYS_shmget] = refused, [SYS_shmat] = refused, [SYS_shmctl] = refused, [SYS_shmdt] = refused, [SYS_semget] = refused,
    [SYS_semop] = refused, [SYS_semctl] = refused, [SYS_semtimedop] = refused, [SYS_msgget] = refused, [SYS_msgsnd] = refused,
    [SYS_msgrcv] = refused, [SYS_msgctl] = refused, [SYS_mq_open] = refused, [SYS_mq_unlink] = refused,
    [SYS_mq_timedsend] = refused, [SYS_mq_timedreceive] = refused, [SYS_mq_notify] = refused, [SYS_mq_getsetattr] = refused,
    [SYS_add_key] = refused, [SYS_request_key] = refused, [SYS_keyctl] = refused,
    // The network.
    [SYS_socket] = refused, [SYS_connect] = refused, [SYS_bind] = refused, [SYS_listen] = refused, [SYS_accept] = refused,
    [SYS_accept4] = refused,
    // The address of a message, and the descriptors that it carries, are in memory.
    [SYS_sendmsg] = refused, [SYS_sendmmsg] = refused,
    // Other users and privileges.
    [SYS_setuid] = refused, [SYS_setgid] = refused, [SYS_setreuid] = refused, [SYS_setregid] = refused, [SYS_setresuid] = refused,
    [SYS_setresgid] = refused, [SYS_setfsuid] = refused, [SYS_setfsgid] = refused, [SYS_setgroups] = refused,
    [SYS_capset] = refused, [SYS_personality] = refused,
    // Mounts and namespaces.
    [SYS_mount] = refused, [SYS_umount2] = refused, [SYS_pivot_root] = refused, [SYS_chroot] = refused, [SYS_unshare] = refused,
    [SYS_setns] = refused, [SYS_open_tree] = refused, [SYS_move_mount] = refused, [SYS_fsopen] = refused,
    [SYS_fsconfig] = refused, [SYS_fsmount] = refused, [SYS_fspick] = refused, [SYS_mount_setattr] = refused,
    [SYS_swapon] = refused, [SYS_swapoff] = refused,
    // The machine.
    [SYS_reboot] = refused, [SYS_sethostname] = refused, [SYS_setdomainname] = refused, [SYS_init_module] = refused,
    [SYS_finit_module] = refused, [SYS_delete_module] = refused, [SYS_kexec_load] = refused, [SYS_kexec_file_load] = refused,
    [SYS_acct] = refused, [SYS_syslog] = refused, [SYS_vhangup] = refused, [SYS_settimeofday] = refused,
    [SYS_clock_settime] = refused, [SYS_adjtimex] = refused, [SYS_clock_adjtime] = refused, [SYS_nfsservctl] = refused,
    // Rarely used kernel interfaces.
    [SYS_bpf] = refused, [SYS_perf_event_open] = refused, [SYS_userfaultfd] = refused, [SYS_lookup_dcookie] = refused,
    [SYS_io_setup] = refused, [SYS_io_destroy] = refused, [SYS_io_getevents] = refused, [SYS_io_submit] = refused,
    [SYS_io_cancel] = refused, [SYS_io_pgetevents] = refused, [SYS_io_uring_setup] = refused, [SYS_io_uring_enter] = refused,
    [SYS_io_uring_register] = refused, [SYS_memfd_secret] = refused, [SYS_fanotify_init] = refused, [SYS_fanotify_mark] = refused,
    [SYS_inotify_init1] = refused, [SYS_inotify_add_watch] = refused, [SYS_inotify_rm_watch] = refused,
    // Newer than the headers of some distributions.
#ifdef SYS_process_mrelease
    [SYS_process_mrelease] = refused,
#endif
#ifdef SYS_futex_waitv
    [SYS_futex_waitv] = allowed,
#endif
#ifdef SYS_set_mempolicy_home_node
    [SYS_set_mempolicy_home_node] = allowed,
#endif
#ifdef __x86_64__
    [SYS_open] = judged,
    // Calls that newer architectures have in another form only.
    [SYS_stat] = allowed, [SYS_lstat] = allowed, [SYS_poll] = allowed, [SYS_access] = allowed, [SYS_pipe] = allowed,
    [SYS_select] = allowed, [SYS_dup2] = allowed, [SYS_pause] = allowed, [SYS_alarm] = allowed, [SYS_getdents] = allowed,
    [SYS_rename] = allowed, [SYS_mkdir] = allowed, [SYS_rmdir] = allowed, [SYS_creat] = judged, [SYS_link] = allowed,
    [SYS_unlink] = allowed, [SYS_symlink] = allowed, [SYS_readlink] = allowed, [SYS_getpgrp] = allowed, [SYS_mknod] = judged,
    [SYS_arch_prctl] = allowed, [SYS_time] = allowed, [SYS_epoll_create] = allowed, [SYS_epoll_wait] = allowed,
    [SYS_signalfd] = allowed, [SYS_eventfd] = allowed,
    [SYS_fork] = for_starters, [SYS_vfork] = for_starters,
    [SYS_chmod] = refused, [SYS_chown] = refused, [SYS_lchown] = refused, [SYS_utime] = refused, [SYS_uselib] = refused,
    [SYS_ustat] = refused, [SYS_sysfs] = refused, [SYS_modify_ldt] = refused, [SYS__sysctl] = refused, [SYS_iopl] = refused,
    [SYS_ioperm] = refused, [SYS_create_module] = refused, [SYS_get_kernel_syms] = refused, [SYS_query_module] = refused,
    [SYS_getpmsg] = refused, [SYS_putpmsg] = refused, [SYS_afs_syscall] = refused, [SYS_tuxcall] = refused,
    [SYS_security] = refused, [SYS_set_thread_area] = refused, [SYS_get_thread_area] = refused, [SYS_epoll_ctl_old] = refused,
    [SYS_epoll_wait_old] = refused, [SYS_futimesat] = refused, [SYS_utimes] = refused, [SYS_vserver] = refused,
    [SYS_inotify_init] = refused,
#endif
};

enum call_verdict verdict_on(int number)
{
    return number >= 0 && number < most_calls ? (enum call_verdict)verdicts[number] : unknown;
}

#endif
