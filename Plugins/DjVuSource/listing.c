#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// MARK: Pages

static bool is_clean(const char *name) {
    if (name[0] == 0 || strlen(name) > 255) return false;
    for (const char *at = name; *at != 0; at += 1) {
        if ((unsigned char)*at < ' ' || *at == 0x7F || *at == '/') return false;
    }
    json_t *text = json_string(name);
    json_decref(text);
    return text != NULL;
}

static int compare_names(const void *one, const void *other) {
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/// Whether the names in the directory can be those of pages: then all of them are, else none.
static bool has_good_names(const Book *book) {
    const char **names = malloc(sizeof *names * (size_t)book->page_count);
    bool are_good = names != NULL;
    for (int i = 0; are_good && i < book->page_count; i += 1) {
        names[i] = book->components[book->pages[i]].name;
        are_good = is_clean(names[i]);
    }
    if (are_good) qsort(names, (size_t)book->page_count, sizeof *names, compare_names);
    for (int i = 1; are_good && i < book->page_count; i += 1) are_good = strcmp(names[i - 1], names[i]) != 0;
    free(names);
    return are_good;
}

static void list_pages(const Book *book, const char *input_name) {
    bool are_good = has_good_names(book);
    int digits = snprintf(NULL, 0, "%d", book->page_count);
    for (int i = 0; i < book->page_count; i += 1) {
        const ddjvu_fileinfo_t *component = book->components + book->pages[i];
        char number[32];
        snprintf(number, sizeof number, "p%0*d.djvu", digits < 4 ? 4 : digits, i + 1);
        // A page that is a file by itself is called as that, and the library knows it by the path it was opened with.
        const char *name = are_good && !book->is_single ? component->name : number;
        if (book->is_single && is_clean(input_name)) name = input_name;
        json_t *line = json_pack("{s:i, s:s}", "page", i + 1, "name", name);
        // Where no title was given, the library tells the name.
        const char *title = component->title;
        if (title[0] != 0 && strcmp(title, component->id) != 0 && strcmp(title, component->name) != 0) {
            json_object_set_new(line, "label", wire_text(title, strlen(title)));
        }
        wire_line(line);
    }
}

// MARK: Outline

/// More levels than any outline has.
enum { DEEPEST = 64 };

/// Where an entry, `("Title" "#target" entry…)`, leads: to its own target or that of the first entry below which has one.
static int entry_page(const Book *book, miniexp_t entry, int level) {
    int page = target_page(book, miniexp_to_str(miniexp_nth(1, entry)), 0);
    for (miniexp_t below = miniexp_cddr(entry); page == 0 && level < DEEPEST && miniexp_consp(below);
         below = miniexp_cdr(below)) {
        page = entry_page(book, miniexp_car(below), level + 1);
    }
    return page;
}

/// Sends the entries of one level; how many lead nowhere in the book.
static int list_entries(const Book *book, miniexp_t entries, int level) {
    int lost = 0;
    for (; miniexp_consp(entries); entries = miniexp_cdr(entries)) {
        miniexp_t entry = miniexp_car(entries);
        const char *title = miniexp_to_str(miniexp_car(entry));
        if (title == NULL) continue;
        int page = entry_page(book, entry, level);
        if (page == 0 || level == DEEPEST) {
            lost += 1;
            continue;
        }
        size_t length = strlen(title);
        // Titles end with a space in many books.
        while (length > 0 && isspace((unsigned char)title[length - 1])) length -= 1;
        json_t *line = json_object();
        json_object_set_new(line, "outline", wire_text(title, length < 4096 ? length : 4096));
        json_object_set_new(line, "page", json_integer(page));
        json_object_set_new(line, "level", json_integer(level));
        wire_line(line);
        lost += list_entries(book, miniexp_cddr(entry), level + 1);
    }
    return lost;
}

static miniexp_t get_outline(Book *book, int page) {
    (void)page;
    return ddjvu_document_get_outline(book->document);
}

static void warn(const char *text) { wire_line(json_pack("{s:s}", "warning", text)); }

static void list_outline(Book *book) {
    miniexp_t outline;
    WireFault fault;
    if (!book_expression(book, get_outline, 0, &outline, &fault)) {
        warn("has an outline that cannot be read");
        return;
    }
    if (miniexp_car(outline) == miniexp_symbol("bookmarks")) {
        int lost = list_entries(book, miniexp_cdr(outline), 0);
        char text[100];
        snprintf(text, sizeof text, "has %d entries in its outline that lead to none of its pages", lost);
        if (lost == 1) strcpy(text, "has an entry in its outline that leads to none of its pages");
        if (lost > 0) warn(text);
    }
    ddjvu_miniexp_release(book->document, outline);
}

// MARK: What is known of the book

static miniexp_t get_shared(Book *book, int page) {
    (void)page;
    return ddjvu_document_get_anno(book->document, 1);
}

static miniexp_t get_first(Book *book, int page) { return ddjvu_document_get_pageanno(book->document, page - 1); }

/// Keys are those of BibTeX and of PDF's document information (djvused(1)).
static void take_key(json_t *book, const char *key, const char *value) {
    const char *names[][2] = {{"title", "title"}, {"booktitle", "title"}, {"series", "series"}, {"volume", "number"},
        {"number", "number"}, {"publisher", "publisher"}, {"year", "date"}, {"date", "date"}, {"language", "language"}};
    size_t length = strlen(value);
    if (length == 0 || length > 2000) return;
    if (strcasecmp(key, "author") == 0) {
        json_t *authors = json_array();
        for (const char *from = value; from != NULL;) {
            const char *next = strstr(from, " and "), *semicolon = strchr(from, ';');
            size_t skip = next == NULL || (semicolon != NULL && semicolon < next) ? 1 : 5;
            if (skip == 1) next = semicolon;
            size_t size = next == NULL ? strlen(from) : (size_t)(next - from);
            while (size > 0 && isspace((unsigned char)*from)) from += 1, size -= 1;
            if (size > 0) json_array_append_new(authors, wire_text(from, size));
            from = next == NULL ? NULL : next + skip;
        }
        json_object_set_new(book, "authors", authors);
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i += 1) {
        if (strcasecmp(key, names[i][0]) != 0 || json_object_get(book, names[i][1]) != NULL) continue;
        json_object_set_new(book, names[i][1], wire_text(value, length));
    }
}

static bool take_metadata(Book *book, miniexp_t (*get)(Book *, int), json_t *known) {
    miniexp_t annotations;
    WireFault fault;
    if (!book_expression(book, get, 1, &annotations, &fault)) return false;
    miniexp_t *keys = ddjvu_anno_get_metadata_keys(annotations);
    for (miniexp_t *key = keys; key != NULL && *key != NULL; key += 1) {
        const char *value = ddjvu_anno_get_metadata(annotations, *key);
        const char *name = miniexp_to_name(*key);
        if (value != NULL && name != NULL) take_key(known, name, value);
    }
    free(keys);
    ddjvu_miniexp_release(book->document, annotations);
    return true;
}

bool list_book(Book *book, const char *input_name, json_t **answer, WireFault *fault) {
    list_pages(book, input_name);
    list_outline(book);
    json_t *known = json_object();
    bool is_read = take_metadata(book, get_shared, known);
    PageChunks chunks;
    WireFault first_fault;
    // Programs that know of no notes for the whole book write them to the first page.
    if (json_object_size(known) == 0 && book_page(book, 1, &chunks, &first_fault) && chunks.has_annotations) {
        is_read = take_metadata(book, get_first, known) && is_read;
    }
    if (!is_read) warn("has notes that cannot be read");
    *answer = json_pack("{s:o}", "book", known);
    return *answer != NULL || wire_fault(fault, "too-large", "has more pages than there is memory for");
}
