/// An open book: its pages, and where their data lies.

#ifndef BOOK_H
#define BOOK_H

#include <libdjvu/ddjvuapi.h>
#include <libdjvu/miniexp.h>
#include <time.h>

#include "chunks.h"

/// The most that jisui allows; 0 for no limit.
typedef struct {
    json_int_t pages, bytes, pixels;
} Limits;

typedef struct {
    ddjvu_context_t *context;
    ddjvu_document_t *document;
    /// A book of several files, of which the input is the directory.
    bool is_indirect;
    /// A page that is a file by itself.
    bool is_single;
    /// The folder of the input, or -1.
    int folder;
    /// How long the input is.
    off_t length;
    /// Pages, and all components with what pages share.
    int page_count, component_count;
    ddjvu_fileinfo_t *components;
    /// Where each component begins in the input; null in an indirect book.
    off_t *places;
    /// The component of each page.
    int *pages;
    /// Components by identifier, and pages by title, for whoever looks one up.
    int *by_identifier, *by_title;
    Limits limits;
    /// What the library complained of last; empty where it did not.
    char complaint[256];
} Book;

/// Opens the input and finds its pages.
bool book_open(Book *book, const Limits *limits, WireFault *fault);
void book_close(Book *book);

/// What a page (from 1) is made of.
bool book_page(Book *book, json_int_t page, PageChunks *chunks, WireFault *fault);

/// The file in which a page lies, to be closed unless it is `WIRE_BOOK`.
bool book_component(Book *book, json_int_t page, Component *component, WireFault *fault);

/// The page (from 1) that a name, an identifier or a number stands for; 0 where none does.
int book_find_page(const Book *book, const char *name);

/// Takes what the library has to say; its first complaint goes to `complaint`, which must be empty.
void book_drain(Book *book);

/// Takes what the library has to say, a moment later. False 30 seconds after `since`, which may be null.
bool book_wait(Book *book, const struct timespec *since);

/// An expression of the library once it has it: `miniexp_nil` where there is none.
bool book_expression(Book *book, miniexp_t (*get)(Book *, int page), int page, miniexp_t *expression, WireFault *fault);

#endif
