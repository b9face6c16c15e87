/// What a page is made of, read from its chunks without decoding any.
///
/// The library gives pixels only, so that a picture which can be copied, and whether a picture is all of the page, is found
/// here. Layout: "DjVu3 Reference" (2005), §8; EA IFF 85.

#ifndef CHUNKS_H
#define CHUNKS_H

#include "wire.h"

/// A file of which a part is a component of the book: a page, or what pages share.
typedef struct {
    int file;
    /// Where its FORM begins.
    off_t start;
    /// How long the file is.
    off_t end;
} Component;

typedef enum { MASK_NONE, MASK_JB2, MASK_MMR } Mask;
typedef enum { COLOUR_NONE, COLOUR_IW44, COLOUR_JPEG, COLOUR_PALETTE } Color;

/// A background or a foreground.
typedef struct {
    Color kind;
    int width, height;
    bool is_gray;
    /// A JPEG: where it lies in the page's file, and how long it is; 0 where it lies in a part that pages share.
    off_t offset, length;
} Layer;

typedef struct {
    /// Of the picture before it is turned.
    int width, height;
    /// Pixels per inch; 300 where the file says nothing that can be.
    int dpi;
    /// Ten times the gamma of the display that the colors are meant for; 22 where the file says nothing, 0 where it says what cannot be.
    int gamma;
    /// Counter-clockwise quarter turns until it stands upright, 0 to 3.
    int rotation;
    Mask mask;
    /// The coded mask's bytes.
    off_t mask_length;
    Layer background, foreground;
    bool has_text, has_annotations;
    /// The first chunk nobody knows; empty where there is none.
    char unknown[5];
} PageChunks;

/// Opens the component of the book with this identifier, for a chunk that includes it.
typedef bool (*FindComponent)(void *book, const char *identifier, Component *component, WireFault *fault);

/// Reads a page and what it includes. False where it is not whole, contradicts itself or is in a form that is not read.
bool chunks_of_page(const Component *page, FindComponent find, void *book, PageChunks *chunks, WireFault *fault);

/// The FORM at a place of a file: its type, as "DJVU", and where its first chunk begins. False where there is none.
bool chunks_form(int file, off_t start, char type[5], off_t *first);

/// The places of a bundle's components, in the order of its directory (a "DIRM" chunk at `first`), to be freed.
///
/// Null and `count` 0 in the directory of an indirect book; null and -1 where there is no such directory.
off_t *chunks_directory(int file, off_t first, int *count);

#endif
