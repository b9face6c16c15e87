/// jisui-source-djvu: reads DjVu for jisui, by docs/dev/plugin-protocol.md, over the DjVuLibre library (GPL 2 or later).

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"
#include "words.h"

static const char card[] =
#include "card.inc"
    ;

/// What a run of the program knows.
typedef struct {
    Limits limits;
    bool mask_only;
    bool is_open;
    Book book;
} Session;

static bool hello(Session *session, json_t *request, json_t **answer, WireFault *fault) {
    json_t *versions = json_object_get(request, "versions"), *version;
    size_t index;
    bool speaks = false;
    json_array_foreach(versions, index, version) {
        if (json_integer_value(version) == 1) speaks = true;
    }
    const char *role = json_string_value(json_object_get(request, "role"));
    if (!speaks || role == NULL || strcmp(role, "source") != 0) {
        return wire_fault(fault, "unsupported", "speaks version 1 of the protocol, as a source");
    }
    json_t *limits = json_object_get(request, "limits");
    session->limits.pages = json_integer_value(json_object_get(limits, "pages"));
    session->limits.bytes = json_integer_value(json_object_get(limits, "bytes"));
    session->limits.pixels = json_integer_value(json_object_get(limits, "pixels"));
    const char *layer = json_string_value(json_object_get(json_object_get(request, "settings"), "djvu-layer"));
    if (layer != NULL && strcmp(layer, "all") != 0 && strcmp(layer, "mask") != 0) {
        return wire_fault(fault, "usage", "djvu-layer is `all` or `mask`");
    }
    session->mask_only = layer != NULL && strcmp(layer, "mask") == 0;
    *answer = json_pack("{s:i}", "version", 1);
    return true;
}

static void close_book(Session *session) {
    page_forget();
    if (session->is_open) book_close(&session->book);
    session->is_open = false;
}

static bool open_book(Session *session, json_t *request, json_t **answer, WireFault *fault) {
    close_book(session);
    session->is_open = true;
    const char *name = json_string_value(json_object_get(request, "name"));
    if (book_open(&session->book, &session->limits, fault)
        && list_book(&session->book, name == NULL ? "" : name, answer, fault)) {
        return true;
    }
    close_book(session);
    return false;
}

static bool examine(Session *session, int page, const PageChunks *chunks, const Way *way, json_t **answer, WireFault *fault) {
    int words, links;
    // What cannot be read is told when it is asked for; the picture is there all the same.
    bool has_words = !text_lines(&session->book, page, chunks, false, &words, fault) || words > 0;
    bool has_links = !link_lines(&session->book, page, chunks, false, &links, fault) || links > 0;
    *answer = page_describe(chunks, way);
    json_object_set_new(*answer, "text", json_boolean(has_words));
    json_object_set_new(*answer, "links", json_boolean(has_links));
    return true;
}

static bool about_page(Session *session, const char *ask, json_t *request, json_t **answer, WireFault *fault) {
    if (!session->is_open) return wire_fault(fault, "usage", "no book is open");
    PageChunks chunks;
    Way way;
    int count;
    json_int_t page = json_integer_value(json_object_get(request, "id"));
    if (!book_page(&session->book, page, &chunks, fault)) return false;
    if (!page_way(&chunks, &session->limits, session->mask_only, &way, fault)) return false;
    *answer = json_object();
    if (strcmp(ask, "text") == 0) return text_lines(&session->book, (int)page, &chunks, true, &count, fault);
    if (strcmp(ask, "links") == 0) return link_lines(&session->book, (int)page, &chunks, true, &count, fault);
    json_decref(*answer);
    *answer = NULL;
    if (strcmp(ask, "examine") == 0) return examine(session, (int)page, &chunks, &way, answer, fault);
    if (json_integer_value(json_object_get(request, "representation")) != 0) {
        return wire_fault(fault, "usage", "has no such representation");
    }
    double dpi = json_number_value(json_object_get(request, "dpi"));
    return page_give(&session->book, (int)page, &chunks, way, dpi, answer, fault);
}

static bool handle(Session *session, json_t *request, json_t **answer, WireFault *fault) {
    const char *ask = json_string_value(json_object_get(request, "ask"));
    if (strcmp(ask, "hello") == 0) return hello(session, request, answer, fault);
    if (strcmp(ask, "open") == 0) return open_book(session, request, answer, fault);
    const char *pages[] = {"examine", "read", "text", "links"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i += 1) {
        if (strcmp(ask, pages[i]) == 0) return about_page(session, ask, request, answer, fault);
    }
    return wire_fault(fault, "unsupported", "is asked something it does not know");
}

int main(int count, char **arguments) {
    wire_begin(count, arguments, card);
    setlocale(LC_ALL, "");
    Session session = {.is_open = false};
    for (json_t *request; (request = wire_next()) != NULL; json_decref(request)) {
        json_t *answer = NULL;
        WireFault fault;
        if (handle(&session, request, &answer, &fault)) {
            wire_end(answer);
        } else {
            json_decref(answer);
            wire_error(&fault);
        }
    }
    close_book(&session);
    return 0;
}
