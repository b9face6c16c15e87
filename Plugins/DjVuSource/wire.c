#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// The longest line of the protocol, with its end.
enum { LONGEST = 65536 };

enum { BY_HAND = 64, MISSING = 69 };

bool wire_fault(WireFault *fault, const char *code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(fault->message, sizeof fault->message, format, list);
    va_end(list);
    fault->code = code;
    fault->hint = NULL;
    return false;
}

void wire_begin(int count, char **arguments, const char *card) {
    if (count == 2 && strcmp(arguments[1], "manifest") == 0) {
        fputs(card, stdout);
        exit(fflush(stdout) == 0 ? 0 : 1);
    }
    const char *host = getenv("JISUI_PLUGIN");
    if (host == NULL || strcmp(host, "1") != 0) {
        fprintf(stderr, "This is a plug-in of jisui, which runs it; `manifest` as an argument prints what it is.\n");
        exit(BY_HAND);
    }
    // The others are missed when they are needed.
    if (fcntl(WIRE_SOCKET, F_GETFD) < 0) {
        fprintf(stderr, "File %d, over which jisui asks, is not open.\n", WIRE_SOCKET);
        exit(MISSING);
    }
    // A slot that may not grow further is an error of `pwrite`, not the end of the program.
    signal(SIGXFSZ, SIG_IGN);
}

// MARK: Lines

/// What was received and not yet returned.
static char pending[LONGEST];
static size_t held = 0;

/// One line without its end, in `pending`; -1 at the end of all. A line that is too long is passed over: its length is LONGEST.
static ssize_t receive_line(void) {
    static size_t taken = 0;
    memmove(pending, pending + taken, held - taken);
    held -= taken;
    taken = 0;
    size_t looked = 0;
    bool overflowed = false;
    for (;;) {
        char *end = memchr(pending + looked, '\n', held - looked);
        if (end != NULL) {
            taken = (size_t)(end - pending) + 1;
            return overflowed ? LONGEST : (ssize_t)taken - 1;
        }
        if (held == LONGEST) {
            overflowed = true;
            held = 0;
        }
        looked = held;
        ssize_t got = recv(WIRE_SOCKET, pending + held, LONGEST - held, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return -1;
        held += (size_t)got;
    }
}

json_t *wire_next(void) {
    for (;;) {
        ssize_t length = receive_line();
        if (length < 0) return NULL;
        WireFault fault;
        if (length == LONGEST) {
            wire_fault(&fault, "usage", "a request is longer than 64 KiB");
        } else {
            json_t *request = json_loadb(pending, (size_t)length, 0, NULL);
            if (json_is_string(json_object_get(request, "ask"))) return request;
            json_decref(request);
            wire_fault(&fault, "usage", "a line is no request");
        }
        wire_error(&fault);
    }
}

static bool send_object(json_t *object) {
    char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(7));
    json_decref(object);
    if (line == NULL) return false;
    size_t length = strlen(line);
    bool fits = length < LONGEST;
    line[length] = '\n';
    for (size_t sent = 0; fits && sent <= length;) {
        ssize_t count = send(WIRE_SOCKET, line + sent, length + 1 - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        // jisui does not want the rest: that is no fault.
        if (count <= 0) _exit(0);
        sent += (size_t)count;
    }
    free(line);
    return fits;
}

bool wire_line(json_t *object) { return send_object(object); }

void wire_end(json_t *object) {
    json_t *end = json_pack("{s:b}", "ok", 1);
    json_object_update(end, object);
    json_decref(object);
    if (send_object(end)) return;
    WireFault fault;
    wire_fault(&fault, "too-large", "has more to tell than goes into a line");
    wire_error(&fault);
}

void wire_error(const WireFault *fault) {
    json_t *end = json_object();
    json_object_set_new(end, "error", json_string(fault->code));
    json_object_set_new(end, "message", wire_text(fault->message, strlen(fault->message)));
    if (fault->hint != NULL) json_object_set_new(end, "hint", json_string(fault->hint));
    send_object(end);
}

// MARK: The slot

bool wire_put(const void *bytes, size_t count, off_t place, WireFault *fault) {
    const char *from = bytes;
    while (count > 0) {
        ssize_t done = pwrite(WIRE_SLOT, from, count, place);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            bool full = done == 0 || errno == EFBIG || errno == ENOSPC;
            return wire_fault(fault, full ? "too-large" : "unwritable", "its picture does not go into memory");
        }
        from += done;
        place += done;
        count -= (size_t)done;
    }
    return true;
}

// MARK: Text

/// The length of the UTF-8 sequence that begins here (RFC 3629), or 0.
static size_t sequence(const unsigned char *at, size_t left) {
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > left) return 0;
    for (size_t i = 1; i < length; i += 1) {
        if ((at[i] & 0xC0) != 0x80) return 0;
    }
    // Too long a form, a surrogate, or beyond the last character.
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F)) return 0;
    if ((at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F)) return 0;
    return length;
}

json_t *wire_text(const char *bytes, size_t count) {
    char *clean = malloc(3 * count + 1);
    if (clean == NULL) return json_string("");
    const unsigned char *from = (const unsigned char *)bytes;
    size_t size = 0;
    for (size_t i = 0; i < count;) {
        size_t length = sequence(from + i, count - i);
        bool is_control = from[i] < 0x20 || from[i] == 0x7F || (length == 2 && from[i] == 0xC2 && from[i + 1] < 0xA0);
        const char *text = length == 0 ? "\xEF\xBF\xBD" : is_control ? " " : bytes + i;
        size_t width = length == 0 ? 3 : is_control ? 1 : length;
        memcpy(clean + size, text, width);
        size += width;
        i += length == 0 ? 1 : length;
    }
    json_t *text = json_stringn(clean, size);
    free(clean);
    return text;
}
