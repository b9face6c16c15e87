/// The way in which a page is given, and its pixels.

#ifndef PAGES_H
#define PAGES_H

#include "book.h"

typedef enum {
    /// The JPEG that is the page, as it lies in the file.
    WAY_JPEG,
    /// Nothing is stored: white.
    WAY_BLANK,
    /// The mask's pixels, black on white.
    WAY_MASK,
    /// The pixels of a wavelet picture as large as the page.
    WAY_WAVELETS,
    /// A background alone, at any resolution.
    WAY_BACKGROUND,
    /// All layers, at any resolution.
    WAY_LAYERS,
    /// The mask in black on the background, where the library would leave the background out.
    WAY_BLACK_LAYERS,
} WayKind;

typedef struct {
    WayKind kind;
    bool is_gray;
    /// Why it is drawn; null where it is not.
    const char *reason;
    /// What its picture lacks; null where that is nothing.
    const char *loss;
} Way;

/// The width or height as the page is shown.
int page_width(const PageChunks *chunks);
int page_height(const PageChunks *chunks);

/// Decides how a page is given. `mask_only`: of pages with a mask, only that.
bool page_way(const PageChunks *chunks, const Limits *limits, bool mask_only, Way *way, WireFault *fault);

/// The end of the answer to `examine`.
json_t *page_describe(const PageChunks *chunks, const Way *way);

/// Puts a page's picture into the slot, or finds it in the input: the end of the answer to `read`.
///
/// `dpi` is only for those that are drawn; 0 stands for the page's own.
bool page_give(Book *book, int page, const PageChunks *chunks, Way way, double dpi, json_t **answer, WireFault *fault);

/// An ICC profile in base 64 for samples that are meant for a display of this gamma (times ten).
json_t *gamma_profile(int gamma, bool is_gray);

/// Lets go of what is kept of the page that was drawn last; to be called before the book is closed.
void page_forget(void);

#endif
