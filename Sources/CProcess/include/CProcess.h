#pragma once

// Processes of external programs. They are started from C because Swift does not import the required extensions of the
// C library. Some steps must run in the new process before the program replaces it. They are impossible in Swift, whose
// runtime starts threads: a process gives up privileges for one thread only.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// A pair of connected sockets that no program inherits; -1 with errno set on failure.
int process_socket(int ends[2]);

/// A file in memory that no program inherits; -1 with errno set on failure.
int process_slot(void);

/// A pipe that no program inherits, whose read end is non-blocking; -1 with errno set on failure.
int process_output(int ends[2]);

/// Starts a program in a process group of its own, in the folder "/", with no signal blocked or ignored.
///
/// - Parameter descriptors: the descriptors that it gets as 0, 1, 2 and so on. The first is ignored: 0 is /dev/null. No
///   other descriptor is open.
/// - Returns: 0, or an errno.
int process_start(
    pid_t *process, const char *program, char *const *arguments, char *const *environment, const int *descriptors,
    int count);

/// The layers of the sandbox for external programs.
enum sandbox_layer {
    /// It can access only the files that were named (Landlock).
    sandbox_files = 1,
    /// It has no access to the network, to other processes or to rarely used kernel interfaces (seccomp).
    sandbox_calls = 2,
};

/// The layers that this system has, as a sum of `sandbox_layer`s. The kernel is asked without changing anything.
int sandbox_layers(void);

/// Makes this process and its children give up everything that jisui never needs. This is the network, the memory of
/// other processes, further privileges, and rarely used kernel interfaces. The system may lack a layer: see
/// `sandbox_layers`.
///
/// Must be called before the process has a second thread.
void sandbox_give_up_unused(void);

/// Restricts this process and its children to reading and writing the given files (Landlock).
///
/// Must be called before the process has a second thread, and after the last search for plug-ins.
///
/// - Parameters:
///   - inputs: the paths of files and folders to read. Their surroundings and the targets of links in a folder are
///     included. Null allows reading everything. Everything is readable as well if links refer to folders.
///   - readable: other paths to read.
///   - writable: the paths to write, with their surroundings. Neither they nor their folders need to exist.
///   - temporary: the folder for temporary files.
/// - Returns: false if the system does not support it.
bool sandbox_keep_to(
    const char *const *inputs, const char *const *readable, const char *const *writable, const char *temporary);

/// If the arguments ask this process to become a plug-in, becomes that program and does not return.
///
/// Must be the first call in `main`, before the process has a second thread. If the program cannot be started, this
/// process ends with status 126 and a line on standard error.
void sandbox_become_asked(int argc, char **argv);

/// If the arguments ask this process to be a worker of jisui, sets up the same sandbox in the same way.
///
/// - Returns: the kind of work; null if the arguments do not ask for a worker.
const char *sandbox_worker_asked(int argc, char **argv);

/// The first arguments of calls to `sandbox_become_asked` and `sandbox_worker_asked`. These arguments follow:
/// - the program, or the kind of work;
/// - the maximum number of bytes of a file that it may write, or 0;
/// - the maximum number of bytes of memory, or 0;
/// - any of these words:
///   - "exec": it may start other programs;
///   - "read:PATH" and "write:PATH": folders or files, with their contents;
///   - "fonts": the folders of fontconfig;
///   - "arg:TEXT": an argument of the program.
const char *sandbox_plugin_word(void);
const char *sandbox_worker_word(void);
