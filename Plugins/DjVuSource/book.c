#include "book.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// The library decodes anew what it is asked for; what it keeps of a book is this much.
enum { CACHE = 4 << 20, PATIENCE = 30 };

// MARK: What the library says

void book_drain(Book *book) {
    for (ddjvu_message_t *message; (message = ddjvu_message_peek(book->context)) != NULL;) {
        if (message->m_any.tag == DDJVU_ERROR && book->complaint[0] == 0) {
            const char *text = message->m_error.message;
            // Without its table of messages the library gives their names, each on a line of its own.
            const char *name = text == NULL ? NULL : strstr(text, "Message name:");
            if (name != NULL) text = name + strlen("Message name:");
            // Before it stand numbers of its own: "[1-11711] ".
            if (text != NULL && *text == '[' && strchr(text, ']') != NULL) text = strchr(text, ']') + 1;
            while (text != NULL && *text == ' ') text += 1;
            snprintf(book->complaint, sizeof book->complaint, "%s", text == NULL || *text == 0 ? "no reason given" : text);
            size_t length = strcspn(book->complaint, "\n");
            while (length > 0 && (book->complaint[length - 1] == '.' || book->complaint[length - 1] == ' ')) length -= 1;
            book->complaint[length] = 0;
        }
        ddjvu_message_pop(book->context);
    }
}

bool book_wait(Book *book, const struct timespec *since) {
    // The library can also wait by itself, but for ever where a thread of its ended without a last word.
    book_drain(book);
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    book_drain(book);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return since == NULL || now.tv_sec - since->tv_sec < PATIENCE;
}

bool book_expression(Book *book, miniexp_t (*get)(Book *, int page), int page, miniexp_t *expression, WireFault *fault) {
    struct timespec since;
    clock_gettime(CLOCK_MONOTONIC, &since);
    book->complaint[0] = 0;
    while ((*expression = get(book, page)) == miniexp_dummy) {
        if (!book_wait(book, &since)) return wire_fault(fault, "damaged", "has data of which a part never comes");
    }
    book_drain(book);
    if (miniexp_symbolp(*expression)) {
        return wire_fault(fault, "damaged", "has text or notes that cannot be read (%s)", book->complaint);
    }
    return true;
}

// MARK: Opening

/// What kind of DjVu the input is, where only some are read. `first` is where its first chunk begins.
static bool check_kind(Book *book, off_t *start, off_t *first, char type[5], WireFault *fault) {
    char magic[8] = "";
    if (book->length == 0) return wire_fault(fault, "damaged", "is an empty file");
    ssize_t got = pread(WIRE_BOOK, magic, 8, 0);
    if (got < 0) return wire_fault(fault, "unreadable", "cannot be read (%s)", strerror(errno));
    if (memcmp(magic, "SDJV", 4) == 0) {
        return wire_fault(fault, "encrypted", "is protected by SecureDjVu, which only its maker's programs open");
    }
    *start = memcmp(magic, "AT&T", 4) == 0 ? 4 : 0;
    if (!chunks_form(WIRE_BOOK, *start, type, first)) return wire_fault(fault, "damaged", "is not a DjVu file");
    if (strcmp(type, "DJVI") == 0) return wire_fault(fault, "empty", "is only a part of a DjVu book, which its pages share");
    return true;
}

/// The input's own path where it is still the same file, for what lies beside it; else by its descriptor.
static const char *find_path(Book *book) {
    const char *path = getenv("JISUI_INPUT");
    struct stat named, open_file;
    bool is_same = path != NULL && stat(path, &named) == 0 && fstat(WIRE_BOOK, &open_file) == 0
        && named.st_dev == open_file.st_dev && named.st_ino == open_file.st_ino;
    if (!is_same) return "/proc/self/fd/5";
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash == NULL ? 0 : (int)(slash - path) + 1;
    if (length < PATH_MAX) {
        snprintf(folder, sizeof folder, "%.*s", length, slash == NULL ? "" : path);
        book->folder = open(length == 0 ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    return path;
}

static int compare_identifiers(const void *one, const void *other, void *components) {
    const ddjvu_fileinfo_t *all = components;
    int order = strcmp(all[*(const int *)one].id, all[*(const int *)other].id);
    return order != 0 ? order : *(const int *)one - *(const int *)other;
}

static int compare_titles(const void *one, const void *other, void *components) {
    const ddjvu_fileinfo_t *all = components;
    int order = strcmp(all[*(const int *)one].title, all[*(const int *)other].title);
    return order != 0 ? order : *(const int *)one - *(const int *)other;
}

/// Fills the tables of pages and components from the library's directory.
static bool list_components(Book *book, WireFault *fault) {
    int count = ddjvu_document_get_filenum(book->document);
    int pages = ddjvu_document_get_pagenum(book->document);
    book->complaint[0] = 0;
    if (pages <= 0) return wire_fault(fault, "empty", "has no pages");
    if (book->limits.pages > 0 && pages > book->limits.pages) {
        return wire_fault(fault, "too-large", "has %d pages, more than the limit of %lld", pages, (long long)book->limits.pages);
    }
    if (count < pages) return wire_fault(fault, "damaged", "has a directory that contradicts itself");
    book->components = calloc((size_t)count, sizeof *book->components);
    book->pages = malloc(sizeof *book->pages * (size_t)pages);
    book->by_identifier = malloc(sizeof *book->by_identifier * (size_t)count);
    book->by_title = malloc(sizeof *book->by_title * (size_t)pages);
    if (!book->components || !book->pages || !book->by_identifier || !book->by_title) {
        return wire_fault(fault, "too-large", "has more pages than there is memory for");
    }
    for (int i = 0; i < count; i += 1) {
        ddjvu_fileinfo_t *component = book->components + i;
        if (ddjvu_document_get_fileinfo(book->document, i, component) != DDJVU_JOB_OK) {
            return wire_fault(fault, "damaged", "has a directory that cannot be read");
        }
        if (component->id == NULL) component->id = "";
        if (component->name == NULL) component->name = component->id;
        if (component->title == NULL) component->title = component->id;
        book->by_identifier[i] = i;
        if (component->type != 'P') continue;
        if (book->page_count == pages) return wire_fault(fault, "damaged", "has a directory that contradicts itself");
        book->pages[book->page_count] = book->by_title[book->page_count] = i;
        component->pageno = book->page_count;
        book->page_count += 1;
    }
    if (book->page_count != pages) return wire_fault(fault, "damaged", "has a directory that contradicts itself");
    book->component_count = count;
    qsort_r(book->by_identifier, (size_t)count, sizeof(int), compare_identifiers, book->components);
    qsort_r(book->by_title, (size_t)pages, sizeof(int), compare_titles, book->components);
    return true;
}

bool book_open(Book *book, const Limits *limits, WireFault *fault) {
    *book = (Book){.folder = -1, .limits = *limits};
    struct stat status;
    if (fstat(WIRE_BOOK, &status) != 0) return wire_fault(fault, "unreadable", "cannot be read (%s)", strerror(errno));
    book->length = status.st_size;
    off_t start = 0, first = 0;
    char type[5];
    if (!check_kind(book, &start, &first, type, fault)) return false;
    int places = 0;
    if (strcmp(type, "DJVM") == 0) {
        book->places = chunks_directory(WIRE_BOOK, first, &places);
        if (places < 0) {
            wire_fault(fault, "unsupported", "has no directory, or one of DjVu 2");
            fault->hint = "`djvmcvt -b` of djvulibre makes a bundle of today's form of it";
            return false;
        }
        book->is_indirect = book->places == NULL;
    } else {
        book->is_single = true;
    }
    const char *path = find_path(book);
    book->context = ddjvu_context_create("jisui-source-djvu");
    if (book->context == NULL) return wire_fault(fault, "unreadable", "finds no memory to be read in");
    ddjvu_cache_set_size(book->context, CACHE);
    book->document = ddjvu_document_create_by_filename_utf8(book->context, path, 0);
    if (book->document == NULL) return wire_fault(fault, "unreadable", "cannot be opened by its path: a DjVu book has to be a file");
    struct timespec since;
    clock_gettime(CLOCK_MONOTONIC, &since);
    while (!ddjvu_document_decoding_done(book->document)) {
        if (!book_wait(book, &since)) return wire_fault(fault, "damaged", "has a directory of which a part never comes");
    }
    book_drain(book);
    if (ddjvu_document_decoding_error(book->document)) {
        return wire_fault(fault, "damaged", "cannot be read (%s)", book->complaint);
    }
    ddjvu_document_type_t kind = ddjvu_document_get_type(book->document);
    if (kind == DDJVU_DOCTYPE_OLD_BUNDLED || kind == DDJVU_DOCTYPE_OLD_INDEXED) {
        wire_fault(fault, "unsupported", "is a book in the form of DjVu 2");
        fault->hint = "`djvmcvt -b` of djvulibre makes a bundle of today's form of it";
        return false;
    }
    if (!list_components(book, fault)) return false;
    if (book->is_single) {
        book->places = malloc(sizeof *book->places);
        if (book->places == NULL) return wire_fault(fault, "unreadable", "finds no memory to be read in");
        book->places[0] = start;
        places = 1;
    }
    if (!book->is_indirect && places != book->component_count) {
        return wire_fault(fault, "damaged", "has a directory that contradicts itself");
    }
    return true;
}

void book_close(Book *book) {
    if (book->document != NULL) ddjvu_document_release(book->document);
    if (book->context != NULL) ddjvu_context_release(book->context);
    if (book->folder >= 0) close(book->folder);
    free(book->components);
    free(book->places);
    free(book->pages);
    free(book->by_identifier);
    free(book->by_title);
    *book = (Book){.folder = -1};
}

// MARK: Components

/// Opens a file beside the input.
static bool open_sibling(Book *book, const char *name, Component *component, WireFault *fault) {
    bool is_plain = name[0] != 0 && strchr(name, '/') == NULL && strcmp(name, "..") != 0;
    // A pipe of that name must not be waited for.
    int file = is_plain && book->folder >= 0 ? openat(book->folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file >= 0) close(file);
        wire_fault(fault, "unreadable", "needs a file of its own, %s, which is missing beside the book", name);
        fault->hint = "put the files of an indirect DjVu book into one folder";
        return false;
    }
    char magic[4] = "";
    bool has_magic = pread(file, magic, 4, 0) == 4 && memcmp(magic, "AT&T", 4) == 0;
    *component = (Component){file, has_magic ? 4 : 0, status.st_size};
    return true;
}

/// Opens a component; one that lies in a file of its own is to be closed.
static bool open_component(Book *book, int index, Component *component, WireFault *fault) {
    if (book->is_indirect) return open_sibling(book, book->components[index].id, component, fault);
    *component = (Component){WIRE_BOOK, book->places[index], book->length};
    return true;
}

/// The first component of this identifier, or -1.
static int find_identifier(const Book *book, const char *identifier) {
    int low = 0, high = book->component_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(book->components[book->by_identifier[middle]].id, identifier) < 0) low = middle + 1;
        else high = middle;
    }
    if (low == book->component_count) return -1;
    int found = book->by_identifier[low];
    return strcmp(book->components[found].id, identifier) == 0 ? found : -1;
}

static bool find_component(void *context, const char *identifier, Component *component, WireFault *fault) {
    Book *book = context;
    // A page of an indirect book that is read without it.
    if (book->is_single) return open_sibling(book, identifier, component, fault);
    int index = find_identifier(book, identifier);
    if (index < 0) return wire_fault(fault, "damaged", "includes a part that the book does not have, %s", identifier);
    return open_component(book, index, component, fault);
}

bool book_component(Book *book, json_int_t page, Component *component, WireFault *fault) {
    if (page < 1 || page > book->page_count) return wire_fault(fault, "usage", "is no page of the book");
    return open_component(book, book->pages[page - 1], component, fault);
}

bool book_page(Book *book, json_int_t page, PageChunks *chunks, WireFault *fault) {
    Component component;
    if (!book_component(book, page, &component, fault)) return false;
    bool is_read = chunks_of_page(&component, find_component, book, chunks, fault);
    if (component.file != WIRE_BOOK) close(component.file);
    return is_read;
}

int book_find_page(const Book *book, const char *name) {
    int found = find_identifier(book, name);
    if (found >= 0 && book->components[found].type == 'P') return book->components[found].pageno + 1;
    int low = 0, high = book->page_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(book->components[book->by_title[middle]].title, name) < 0) low = middle + 1;
        else high = middle;
    }
    if (low < book->page_count && strcmp(book->components[book->by_title[low]].title, name) == 0) {
        return book->components[book->by_title[low]].pageno + 1;
    }
    char *end;
    long number = strtol(name, &end, 10);
    return end != name && *end == 0 && number >= 1 && number <= book->page_count ? (int)number : 0;
}
