#pragma once

// Functions that Swift cannot provide: a report on the current work when a fault ends the program. A signal handler may
// do very little. It must not allocate memory or wait for a lock, and Swift does both implicitly.

#include <stdbool.h>

/// Calls `body`, which ends the program, if a thread requests another thread repeatedly and gets none for ten seconds.
/// With a sanitizer, which intercepts the same call, `body` is not called.
void threads_watch(void (*body)(void));

/// Makes SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE and SIGABRT write one line to `descriptor` before they end the
/// program. Existing handlers, such as those of a sanitizer, stay.
///
/// - Parameter clears_line: whether to clear the terminal's line first.
void crash_watch(int descriptor, bool clears_line);

/// Sets the first name in the line, that of the book; an empty text for none. Cut to 1000 bytes.
void crash_set_book(const char *name);

/// Adds a further name to the line, that of a page in work. Cut to 250 bytes.
///
/// - Returns: the value for `crash_forget_page`; -1 when there are too many.
int crash_note_page(const char *name);

/// Removes a page.
void crash_forget_page(int slot);
