#pragma once

// Processes of other people's programs. They are started from C since the calls that this takes are extensions that Swift's view
// of the C library does not have; and what has to happen in the new process before the program takes it over cannot happen in Swift,
// whose runtime starts threads: what a process gives up, it gives up for one thread alone.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// A pair of connected sockets that no program inherits; -1 with errno set on failure.
int process_socket(int ends[2]);

/// A file in memory that no program inherits; -1 with errno set on failure.
int process_slot(void);

/// A pipe that no program inherits, of which reading never waits; -1 with errno set on failure.
int process_output(int ends[2]);

/// Starts a program in a process group of its own, in the folder "/", with no signal blocked or ignored.
///
/// - Parameter descriptors: what it finds open as 0, 1, 2 and so on; but 0 is /dev/null, whatever stands there. Nothing else is open.
/// - Returns: 0, or an errno.
int process_start(
    pid_t *process, const char *program, char *const *arguments, char *const *environment, const int *descriptors,
    int count);

/// The layers that keep an outside program from what it does not need.
enum sandbox_layer {
    /// It sees only the files that it was told of (Landlock).
    sandbox_files = 1,
    /// It reaches no network, no other process and no kernel interface of the exotic kind (seccomp).
    sandbox_calls = 2,
};

/// Which layers this system has: a sum of `sandbox_layer`s. Found by asking the kernel, which changes nothing.
int sandbox_layers(void);

/// Has this process, and all that it starts, give up what jisui never needs: the network, the memory of other processes, more rights than
/// it has, and the kernel's exotic interfaces. As far as the system can: see `sandbox_layers`.
///
/// To be called before there is a second thread.
void sandbox_give_up_unused(void);

/// Has this process, and all that it starts, read and write only the files that it was asked to (Landlock).
///
/// To be called before there is a second thread, and after the last plug-in was looked for.
///
/// - Parameters:
///   - inputs: the paths of files and folders that are read, with what lies around them, and with the files that links in a folder lead to;
///     null to have the process read everything. It reads everything as well where links lead to folders.
///   - readable: other paths that are read.
///   - writable: the paths that are written, with what lies around them. They may not be there yet, and neither their folders.
///   - temporary: the folder for temporary files.
/// - Returns: false where the system cannot.
bool sandbox_keep_to(
    const char *const *inputs, const char *const *readable, const char *const *writable, const char *temporary);

/// If the arguments ask this process to become a plug-in, becomes that program and does not return.
///
/// To be called first in `main`, before there is a second thread. A program that cannot be started ends this process with
/// status 126 and a line on standard error.
void sandbox_become_asked(int argc, char **argv);

/// If the arguments ask this process to be a worker of jisui's own, puts it in the same bounds, likewise.
///
/// - Returns: the kind of work; null when the arguments ask for nothing of the kind.
const char *sandbox_worker_asked(int argc, char **argv);

/// The first arguments of calls that `sandbox_become_asked` and `sandbox_worker_asked` obey. Those after it: the program, or the
/// kind of work; the most bytes of a file that it may write, or 0; the most bytes of memory, or 0; then any of "exec" (it may
/// start other programs), "read:PATH" and "write:PATH" (folders or files, with all below them), "fonts" (the folders that fontconfig is told of), and "arg:TEXT" (an argument
/// that the program gets).
const char *sandbox_plugin_word(void);
const char *sandbox_worker_word(void);
