#pragma once

// The restrictions of a process before it does its work: the parts of `Become.c`.

#include <stdbool.h>

/// The kinds of restricted processes.
enum bound_process {
    /// An external program, which is run afterwards and may start others.
    plugin_that_starts_programs,
    /// An external program, which is run afterwards.
    plugin,
    /// jisui itself, which is already running.
    worker,
};

/// Makes the process end with the thread that started it, which lives as long as jisui.
void end_with_starter(void);

/// Makes sure that the process and its children never get further privileges.
///
/// - Returns: false if that failed. Without it, the kernel refuses the rest of the sandbox.
bool forbid_privileges(void);

/// Gives up the privileges of root, except that over files, which Landlock limits: with the others a process could raise its
/// limits.
void drop_privileges(void);

bool has_landlock(void);
/// Whether Landlock restricts signals to the process and its children.
bool landlock_keeps_signals(void);
bool has_seccomp(void);

/// Restricts the process to the files that programs consist of, and those that the words name. The words are
/// "read:PATH", "write:PATH", and "fonts" for the folders where fontconfig looks for fonts.
///
/// - Parameter program: the program to run, which may be read together with its folder; null for a worker.
/// - Returns: false if the kernel has Landlock and it failed.
bool restrict_files(char **words, const char *program);

/// Rejects all calls except those that a program needs to read and compute. The arguments decide about some of them.
///
/// - Returns: false if that failed, also if the kernel does not support it.
bool restrict_calls(enum bound_process who);

/// Restricts jisui itself, as far as Landlock can. It rejects TCP connections, abstract sockets, and signals to
/// processes that jisui did not start.
bool restrict_reach(void);

/// Rejects the calls that no process may make and that jisui itself does not need either.
bool restrict_own_calls(void);

/// The treatment of a call.
enum call_verdict {
    /// The answer is that of a kernel without the call: it is not in the table, or its arguments cannot be judged.
    unknown,
    allowed,
    refused,
    /// Decided by its arguments.
    judged,
    /// Allowed to plug-ins that start other programs.
    for_starters,
    /// Allowed to all but workers.
    for_plugins,
};

/// An upper bound for the numbers of calls.
enum { most_calls = 512 };

enum call_verdict verdict_on(int number);
