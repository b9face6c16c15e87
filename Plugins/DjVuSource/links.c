#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int target_page(const Book *book, const char *address, int page) {
    if (address == NULL || address[0] != '#') return 0;
    if (address[1] == '+' || address[1] == '-') {
        char *end;
        long step = strtol(address + 1, &end, 10);
        bool leads = *end == 0 && step > -page && step <= book->page_count - page;
        return page > 0 && leads ? page + (int)step : 0;
    }
    return book_find_page(book, address + 1);
}

/// Whether it leads out of the book, by a scheme that shows something or writes to somebody.
static bool is_web(const char *address) {
    const char *schemes[] = {"http://", "https://", "mailto:", "tel:"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i += 1) {
        if (strncasecmp(address, schemes[i], strlen(schemes[i])) == 0) return strlen(address) <= 4096;
    }
    return false;
}

/// The smallest box around an area, in pixels of the page as it is shown, from its lower left corner.
///
/// `(rect x y w h)`, `(oval …)`, `(text …)`; `(poly x y x y …)`, `(line …)`: djvused(1).
static bool find_box(miniexp_t area, double box[4]) {
    const char *kind = miniexp_to_name(miniexp_car(area));
    if (kind == NULL) return false;
    int numbers = 0;
    for (miniexp_t rest = miniexp_cdr(area); miniexp_consp(rest); rest = miniexp_cdr(rest)) {
        if (!miniexp_numberp(miniexp_car(rest))) return false;
        double value = miniexp_to_int(miniexp_car(rest));
        int axis = numbers % 2;
        if (numbers < 2) box[axis] = box[axis + 2] = value;
        else if (strcmp(kind, "poly") != 0 && strcmp(kind, "line") != 0) box[axis + 2] = box[axis] + value;
        else if (value < box[axis]) box[axis] = value;
        else if (value > box[axis + 2]) box[axis + 2] = value;
        numbers += 1;
    }
    return numbers >= 4 && box[2] > box[0] && box[3] > box[1];
}

static double share(double value, double whole) { return value <= 0 ? 0 : value >= whole ? 1 : value / whole; }

/// The line for `(maparea ADDRESS COMMENT AREA …)`, where an address is text or `(url ADDRESS TARGET)`; null where it leads nowhere.
static json_t *describe(const Book *book, int page, const PageChunks *chunks, miniexp_t map) {
    miniexp_t where = miniexp_nth(1, map);
    const char *address = miniexp_to_str(miniexp_consp(where) ? miniexp_nth(1, where) : where);
    double box[4];
    if (address == NULL || !find_box(miniexp_nth(3, map), box)) return NULL;
    int target = target_page(book, address, page);
    if (target == 0 && !is_web(address)) return NULL;
    double width = chunks->rotation % 2 ? chunks->height : chunks->width;
    double height = chunks->rotation % 2 ? chunks->width : chunks->height;
    json_t *line = json_pack("{s:[f, f, f, f]}", "link", share(box[0], width), 1 - share(box[3], height),
        share(box[2], width), 1 - share(box[1], height));
    if (target != 0) json_object_set_new(line, "page", json_integer(target));
    else json_object_set_new(line, "address", wire_text(address, strlen(address)));
    return line;
}

static miniexp_t get_annotations(Book *book, int page) { return ddjvu_document_get_pageanno(book->document, page - 1); }

bool link_lines(Book *book, int page, const PageChunks *chunks, bool sends, int *count, WireFault *fault) {
    *count = 0;
    miniexp_t annotations;
    if (!chunks->has_annotations) return true;
    if (!book_expression(book, get_annotations, page, &annotations, fault)) return false;
    miniexp_t *maps = ddjvu_anno_get_hyperlinks(annotations);
    for (miniexp_t *map = maps; map != NULL && *map != NULL; map += 1) {
        json_t *line = describe(book, page, chunks, *map);
        if (line == NULL) continue;
        *count += 1;
        if (sends) wire_line(line);
        else json_decref(line);
    }
    free(maps);
    ddjvu_miniexp_release(book->document, annotations);
    return true;
}
