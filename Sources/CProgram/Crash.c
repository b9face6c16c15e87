#include "CProgram.h"
#include "Sanitizer.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#ifdef HAS_SANITIZER
enum { has_sanitizer = true };
#else
enum { has_sanitizer = false };
#endif

enum { slots = 64, page_room = 256, book_room = 1024, stack_room = 32 << 10 };

/// A text that is read only while `is_set`, and written only while it is not.
struct slot {
    atomic_bool is_taken, is_set;
    char text[page_room];
};

static struct slot pages[slots];
static atomic_bool has_book;
static char book[book_room];
static int output = -1;
static bool output_clears_line;
static atomic_flag is_told = ATOMIC_FLAG_INIT;

static const struct { int number; const char *name; bool is_sanitizers; } signals[] = {
    { SIGSEGV, "SIGSEGV", has_sanitizer }, { SIGBUS, "SIGBUS", has_sanitizer }, { SIGFPE, "SIGFPE", has_sanitizer },
    { SIGILL, "SIGILL", false }, { SIGTRAP, "SIGTRAP", false }, { SIGABRT, "SIGABRT", false },
};
enum { signal_count = sizeof signals / sizeof *signals };

/// The line under construction: output of other programs cannot interrupt a single write.
struct line {
    char bytes[8192];
    size_t count;
};

static void append(struct line *line, const char *text)
{
    for (; *text && line->count < sizeof line->bytes; text++) line->bytes[line->count++] = *text;
}

static void tell(int number)
{
    static struct line line;
    append(&line, output_clears_line ? "\r\033[Kjisui: error: " : "jisui: error: ");
    append(&line, "crashed (");
    for (int i = 0; i < signal_count; i++)
        if (signals[i].number == number) append(&line, signals[i].name);
    append(&line, ")");
    if (has_book) {
        append(&line, " at work on ");
        append(&line, book);
    }
    int count = 0;
    for (int i = 0; i < slots; i++) {
        if (!pages[i].is_set) continue;
        append(&line, count++ ? ", " : ": ");
        append(&line, pages[i].text);
    }
    append(&line, "; memory has run out, or this is a fault of jisui's: please report it");
    if (count > 1) append(&line, " (with -j 1 only one page is named)");
    append(&line, "\n");
    (void)!write(output, line.bytes, line.count);
}

static void handle(int number)
{
    // Another thread is writing, and will end the program.
    if (atomic_flag_test_and_set(&is_told)) sleep(2);
    else tell(number);
    // The default action of the signal.
    signal(number, SIG_DFL);
    raise(number);
}

void crash_watch(int descriptor, bool clears_line)
{
    output = descriptor;
    output_clears_line = clears_line;
    // Makes the dynamic linker resolve the function now. It may be in the middle of other work when the signal arrives.
    (void)!write(output, "", 0);
    for (int i = 0; i < signal_count; i++) {
        struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };
        sigemptyset(&action.sa_mask);
        if (signals[i].is_sanitizers) continue;
        // This replaces the handler of Swift's runtime. Its backtracer reads the memory of this process, which the
        // process has forbidden. Then the program would continue in a broken state.
        sigaction(signals[i].number, &action, NULL);
    }
}

static void copy(char *target, const char *text, size_t room)
{
    size_t count = strnlen(text, room - 1);
    // Not in the middle of a character.
    while (text[count] && count > 0 && ((unsigned char)text[count] & 0xC0) == 0x80) count--;
    memcpy(target, text, count);
    target[count] = 0;
}

void crash_set_book(const char *name)
{
    has_book = false;
    copy(book, name, book_room);
    has_book = *name != 0;
}

int crash_note_page(const char *name)
{
    // A stack that has overflowed has no room for a handler either.
    static _Thread_local char stack[stack_room];
    static _Thread_local bool has_stack;
    if (!has_stack) {
        stack_t place = { .ss_sp = stack, .ss_size = sizeof stack }, old;
        if (sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE) sigaltstack(&place, NULL);
        has_stack = true;
    }
    for (int i = 0; i < slots; i++) {
        if (atomic_exchange(&pages[i].is_taken, true)) continue;
        copy(pages[i].text, name, page_room);
        pages[i].is_set = true;
        return i;
    }
    return -1;
}

void crash_forget_page(int slot)
{
    if (slot < 0) return;
    pages[slot].is_set = false;
    pages[slot].is_taken = false;
}
