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
/// Whether Landlock keeps signals among the process and those that it starts.
bool landlock_keeps_signals(void);
bool has_seccomp(void);

/// Lets the process see only what programs are made of, and the files that the words name ("read:PATH", "write:PATH"; "fonts" for the
/// folders where fontconfig looks for fonts).
///
/// - Parameter program: what is to be run, which it may read with its folder; null for a worker.
/// - Returns: false when the kernel has Landlock and it failed.
bool restrict_files(char **words, const char *program);

/// Refuses every call but those that a program which reads and computes lives on; of some, arguments tell.
///
/// - Returns: false when that failed, also where the kernel does not know how.
bool restrict_calls(enum bound_process who);

/// What becomes of a call.
enum call_verdict {
    /// It is answered as one that the kernel does not know: it is not in the table, or cannot be judged by its arguments.
    unknown,
    allowed,
    refused,
    /// Refused as well; but those that start other programs are told that it went well. These know of no bounds, and an unpacker that cannot
    /// set the time of a file gives up what it unpacked.
    idle,
    /// By its arguments.
    judged,
    /// Allowed to those that start other programs.
    for_starters,
    /// Allowed to all but workers.
    for_plugins,
};

/// Above the number of every call.
enum { most_calls = 512 };

enum call_verdict verdict_on(int number);
