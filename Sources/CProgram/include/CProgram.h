#pragma once

// What Swift cannot do for a program: say what it was at work on when a fault ends it. Next to nothing may be done in a signal
// handler: no memory may be taken and no lock waited for, both of which Swift does unseen.

#include <stdbool.h>

/// Has `body` called, which ends the program, by a thread that asks the system for another one again and again, and gets none for ten
/// seconds. A sanitizer has the call to itself: then it is not.
void threads_watch(void (*body)(void));

/// From now on SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE and SIGABRT write one line to `descriptor` before they end the
/// program. Handlers that are there already, as those of a sanitizer, stay.
///
/// - Parameter clears_line: whether to clear the terminal's line first.
void crash_watch(int descriptor, bool clears_line);

/// Sets what the line names first, the book; an empty text for none. Cut to 1000 bytes.
void crash_set_book(const char *name);

/// Adds to what the line names then, a page of the book that is being worked on. Cut to 250 bytes.
///
/// - Returns: what to call `crash_forget_page` with; -1 when there are too many.
int crash_note_page(const char *name);

/// Takes a page away again.
void crash_forget_page(int slot);
