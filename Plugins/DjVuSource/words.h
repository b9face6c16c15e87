/// What lies over a page's picture, and leads through the book: text, links, outline.

#ifndef WORDS_H
#define WORDS_H

#include "book.h"

/// Where an address within the book leads: "#p0001.djvu", "#12", and from `page` on "#+1"; 0 for any other.
int target_page(const Book *book, const char *address, int page);

/// Sends a page's lines of text, or counts them where `sends` is false.
bool text_lines(Book *book, int page, const PageChunks *chunks, bool sends, int *count, WireFault *fault);

/// Sends a page's links, or counts them where `sends` is false.
bool link_lines(Book *book, int page, const PageChunks *chunks, bool sends, int *count, WireFault *fault);

/// Sends the lines that tell of pages and outline: the end of the answer to `open`, with what is known of the book.
bool list_book(Book *book, const char *input_name, json_t **answer, WireFault *fault);

#endif
