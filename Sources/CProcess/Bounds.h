#pragma once

// What a process gives up before it does its work: the parts of `Become.c`.

#include <stdbool.h>

/// Who is kept in bounds.
enum bound_process {
    /// Somebody's program, which is run afterwards and may start others.
    plugin_that_starts_programs,
    /// Somebody's program, which is run afterwards.
    plugin,
    /// jisui itself, which runs already.
    worker,
};

bool has_landlock(void);
bool has_seccomp(void);

/// Lets the process see only what programs are made of, and the files that the words name ("read:PATH", "write:PATH"; "fonts" for the
/// folders where fontconfig looks for fonts).
///
/// - Parameter program: what is to be run, which it may read with its folder; null for a worker.
/// - Returns: false when the kernel has Landlock and it failed.
bool restrict_files(char **words, const char *program);

/// Refuses calls that reach the network, other processes or kernel interfaces of the exotic kind.
///
/// - Returns: false when that failed, also where the kernel does not know how.
bool restrict_calls(enum bound_process who);
