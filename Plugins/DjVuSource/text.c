#include "words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// A place in pixels of the picture before it is turned, from its lower left corner (DjVu3 Reference, §8.3.5).
typedef struct {
    double left, bottom, right, top;
} Box;

typedef struct {
    const PageChunks *chunks;
    bool sends;
    int count;
    /// The clockwise quarter turns by which lines lie that were level before the page was turned.
    int turns;
    json_t *words;
    size_t bytes;
    /// The letters of the line: from right to left, vertical ones, others.
    int leftward, vertical, others;
    /// The line's letters lie above each other.
    bool is_tall;
} Lines;

static double share(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

/// A place as a share of the page as it is shown.
static json_t *place(const PageChunks *chunks, Box box) {
    double width = chunks->width, height = chunks->height;
    double x0 = box.left / width, x1 = box.right / width, y0 = 1 - box.top / height, y1 = 1 - box.bottom / height;
    for (int turn = 0; turn < chunks->rotation; turn += 1) {
        // A quarter turn counter-clockwise: what was on the right comes to the top.
        double old_x0 = x0, old_x1 = x1;
        x0 = y0;
        x1 = y1;
        y0 = 1 - old_x1;
        y1 = 1 - old_x0;
    }
    return json_pack("[f, f, f, f]", share(x0), share(y0), share(x1), share(y1));
}

// MARK: Lines

static void end_line(Lines *lines) {
    if (lines->words == NULL) return;
    lines->count += 1;
    if (lines->sends) {
        bool is_vertical = lines->vertical > lines->others && lines->is_tall;
        const char *direction = is_vertical ? "vertical" : lines->leftward > lines->others ? "rtl" : "ltr";
        json_t *line = json_pack("{s:o, s:s}", "line", lines->words, "direction", direction);
        if (lines->turns != 0) json_object_set_new(line, "quarterTurns", json_integer(lines->turns));
        wire_line(line);
    } else {
        json_decref(lines->words);
    }
    lines->words = NULL;
    lines->bytes = 0;
    lines->leftward = lines->vertical = lines->others = 0;
}

/// Counts the letters of a word by how they are written, by the ranges of their characters.
static void count_letters(Lines *lines, const unsigned char *text, size_t count) {
    for (size_t i = 0; i < count; i += 1) {
        if ((text[i] & 0xC0) == 0x80) continue;
        unsigned next = i + 1 < count ? text[i + 1] & 0x3F : 0;
        unsigned high = text[i] < 0xE0 ? (text[i] & 0x1Fu) << 6 | next : (text[i] & 0x0Fu) << 12 | next << 6;
        if (text[i] >= 0x80 && high >= 0x590 && high < 0x900) lines->leftward += 1;
        else if (text[i] >= 0xE0 && (high >= 0x2E80 || (high >= 0x1100 && high < 0x1200))) lines->vertical += 1;
        else if (text[i] >= 0x80 || isalpha(text[i])) lines->others += 1;
    }
}

/// Adds a word in pieces of at most this many bytes, since lines of the wire hold 64 KiB.
enum { LONGEST_WORD = 1000, LONGEST_LINE = 40000 };

static void add_word(Lines *lines, const char *text, size_t count, Box box) {
    double width = (box.right - box.left) / (double)count;
    for (size_t at = 0; at < count;) {
        size_t size = count - at < LONGEST_WORD ? count - at : LONGEST_WORD;
        // Not within a character.
        while (size > 1 && at + size < count && (text[at + size] & 0xC0) == 0x80) size -= 1;
        Box piece = {box.left + width * (double)at, box.bottom, box.left + width * (double)(at + size), box.top};
        if (at + size == count) piece.right = box.right;
        if (lines->bytes > LONGEST_LINE) end_line(lines);
        if (lines->words == NULL) lines->words = json_array();
        json_t *word = place(lines->chunks, piece);
        json_array_append_new(word, wire_text(text + at, size));
        json_array_append_new(lines->words, word);
        // As JSON a byte takes at most three, where it is no UTF-8; its place takes the rest.
        lines->bytes += 3 * size + 80;
        count_letters(lines, (const unsigned char *)text + at, size);
        at += size;
    }
    lines->is_tall = box.top - box.bottom > 2 * (box.right - box.left);
}

static bool is_space(char character) { return (unsigned char)character <= ' '; }

/// Text of which only the box of the whole is known: its rows and words get their share of it.
static void add_text(Lines *lines, const char *text, Box box, bool is_one_line) {
    size_t length = strlen(text), rows = 1, row = 0;
    for (size_t i = 0; i < length && !is_one_line; i += 1) rows += text[i] == '\n';
    double height = (box.top - box.bottom) / (double)rows;
    for (size_t start = 0; start <= length; row += 1) {
        size_t size = is_one_line ? length : strcspn(text + start, "\n");
        Box band = {box.left, box.top - height * (double)(row + 1), box.right, box.top - height * (double)row};
        double width = (box.right - box.left) / (double)(size > 0 ? size : 1);
        for (size_t at = 0; at < size;) {
            size_t end = at;
            while (end < size && !is_space(text[start + end])) end += 1;
            Box word = {box.left + width * (double)at, band.bottom, box.left + width * (double)end, band.top};
            if (end > at) add_word(lines, text + start + at, end - at, word);
            at = end + 1;
        }
        if (!is_one_line) end_line(lines);
        start += size + 1;
    }
}

// MARK: Zones

static Box zone_box(miniexp_t zone) {
    Box box = {miniexp_to_int(miniexp_nth(1, zone)), miniexp_to_int(miniexp_nth(2, zone)),
        miniexp_to_int(miniexp_nth(3, zone)), miniexp_to_int(miniexp_nth(4, zone))};
    return box;
}

static bool is_zone(miniexp_t zone, const char *name) { return miniexp_car(zone) == miniexp_symbol(name); }

/// Single characters that stand in a line without words around them: those without a space between them are a word.
static miniexp_t add_characters(Lines *lines, miniexp_t zones) {
    char text[1000];
    size_t count = 0;
    Box box = {0, 0, 0, 0};
    for (; is_zone(miniexp_car(zones), "char"); zones = miniexp_cdr(zones)) {
        const char *letter = miniexp_to_str(miniexp_nth(5, miniexp_car(zones)));
        size_t size = letter == NULL ? 0 : strlen(letter);
        if (size == 0 || is_space(letter[0])) {
            zones = miniexp_cdr(zones);
            break;
        }
        if (count + size > sizeof text) break;
        Box place = zone_box(miniexp_car(zones));
        if (count == 0) box = place;
        if (place.left < box.left) box.left = place.left;
        if (place.bottom < box.bottom) box.bottom = place.bottom;
        if (place.right > box.right) box.right = place.right;
        if (place.top > box.top) box.top = place.top;
        memcpy(text + count, letter, size);
        count += size;
    }
    if (count > 0) add_word(lines, text, count, box);
    return zones;
}

static const char *word_text(miniexp_t part) {
    return is_zone(part, "word") ? miniexp_to_str(miniexp_nth(5, part)) : NULL;
}

/// The words from here on that have the same box, as some programs give all words of a line the line's: each gets its share.
static miniexp_t add_alike(Lines *lines, miniexp_t words) {
    Box box = zone_box(miniexp_car(words));
    size_t letters = 0, at = 0;
    miniexp_t end = words;
    for (const char *text; (text = word_text(miniexp_car(end))) != NULL; end = miniexp_cdr(end)) {
        Box other = zone_box(miniexp_car(end));
        bool is_alike = other.left == box.left && other.right == box.right && other.top == box.top && other.bottom == box.bottom;
        if (!is_alike) break;
        letters += strlen(text) + 1;
    }
    // Between two of them is a space, after the last none.
    double width = letters > 1 ? (box.right - box.left) / (double)(letters - 1) : 0;
    for (; words != end; words = miniexp_cdr(words)) {
        const char *text = word_text(miniexp_car(words));
        Box place = box;
        place.left = box.left + width * (double)at;
        place.right = place.left + width * (double)strlen(text);
        add_text(lines, text, place, true);
        at += strlen(text) + 1;
    }
    return end;
}

static void add_zone(Lines *lines, miniexp_t zone) {
    bool is_word = is_zone(zone, "word"), is_line = is_zone(zone, "line");
    // Its type and four places come first.
    miniexp_t parts = miniexp_cdddr(miniexp_cddr(zone));
    const char *text = miniexp_to_str(miniexp_car(parts));
    if (text != NULL) {
        if (is_line) end_line(lines);
        add_text(lines, text, zone_box(zone), is_word);
        return;
    }
    if (!is_word) end_line(lines);
    while (miniexp_consp(parts)) {
        miniexp_t part = miniexp_car(parts);
        if (is_zone(part, "char")) {
            miniexp_t rest = add_characters(lines, parts);
            // A character that fits nowhere is passed over.
            parts = rest == parts ? miniexp_cdr(parts) : rest;
        } else if (word_text(part) != NULL) {
            parts = add_alike(lines, parts);
        } else {
            add_zone(lines, part);
            parts = miniexp_cdr(parts);
        }
    }
    if (!is_word) end_line(lines);
}

/// Words of three letters and more are wider than tall where lines lie level.
static void count_shapes(miniexp_t zone, int *level, int *upright) {
    miniexp_t parts = miniexp_cdddr(miniexp_cddr(zone));
    const char *text = miniexp_to_str(miniexp_car(parts));
    if (text == NULL) {
        for (; miniexp_consp(parts); parts = miniexp_cdr(parts)) count_shapes(miniexp_car(parts), level, upright);
    } else if (is_zone(zone, "word") && strlen(text) >= 3) {
        Box box = zone_box(zone);
        *(box.right - box.left > box.top - box.bottom ? level : upright) += 1;
    }
}

static miniexp_t get_text(Book *book, int page) { return ddjvu_document_get_pagetext(book->document, page - 1, "word"); }

bool text_lines(Book *book, int page, const PageChunks *chunks, bool sends, int *count, WireFault *fault) {
    *count = 0;
    miniexp_t text;
    if (!chunks->has_text) return true;
    if (!book_expression(book, get_text, page, &text, fault)) return false;
    Lines lines = {.chunks = chunks, .sends = sends};
    int level = 0, upright = 0;
    if (miniexp_consp(text)) {
        count_shapes(text, &level, &upright);
        if (level >= upright) lines.turns = (4 - chunks->rotation) % 4;
        add_zone(&lines, text);
        end_line(&lines);
    }
    *count = lines.count;
    ddjvu_miniexp_release(book->document, text);
    return true;
}
