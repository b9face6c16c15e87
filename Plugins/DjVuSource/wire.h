/// The wire between jisui and a plug-in in C: docs/dev/plugin-protocol.md says what goes over it.
///
/// It knows nothing of the role or the format; another plug-in can be made of it.

#ifndef WIRE_H
#define WIRE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// The open files that jisui hands over.
enum { WIRE_SOCKET = 3, WIRE_SLOT = 4, WIRE_BOOK = 5 };

/// Why a request fails: one of the protocol's codes, and half a sentence about the book or the page.
typedef struct {
    const char *code;
    char message[512];
    /// What to do; null where there is nothing to say.
    const char *hint;
} WireFault;

/// Fills in a fault; false, so that it can be returned.
bool wire_fault(WireFault *fault, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Prints the manifest for `PROGRAM manifest`, and ends the program where jisui did not start it (64) or the socket is
/// missing (69).
void wire_begin(int count, char **arguments, const char *card);

/// The next request, to be released by the caller; null when jisui has no more.
///
/// Lines that are no request are answered here.
json_t *wire_next(void);

/// Sends one line; takes over the object. A line that would be longer than the protocol allows is left out: false.
bool wire_line(json_t *object);

/// Ends an answer: `{"ok":true,…}` with what else is in `object`, which it takes over.
void wire_end(json_t *object);

/// Ends an answer with an error.
void wire_error(const WireFault *fault);

/// Writes bytes of a picture into the slot, from `place` on.
bool wire_put(const void *bytes, size_t count, off_t place, WireFault *fault);

/// Text of any bytes as JSON: what is not UTF-8 becomes U+FFFD, control characters become spaces.
json_t *wire_text(const char *bytes, size_t count);

#endif
