#include "pages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A mask is drawn in bands of about this many pixels, since the library needs a byte for each.
///
/// Not so what has wavelets in it: of a part it makes slightly other colors at the edges than of the whole.
enum { BAND = 4 << 20 };

/// A mask longer than this in which there is not one black pixel was not decoded right: cjb2 makes 7 bytes of an empty page,
/// and another shared dictionary takes a few more.
enum { LONGEST_EMPTY_MASK = 24 };

// MARK: Decoding

/// The page with a foreground that was drawn before.
///
/// The library keeps a scaled foreground under the addresses of its page and picture (`DjVuImage::stencil`), and would take it
/// for the next page's if that came to lie there: so a page is let go only when the next one was drawn.
static ddjvu_page_t *drawn_before = NULL;

void page_forget(void) {
    if (drawn_before != NULL) ddjvu_page_release(drawn_before);
    drawn_before = NULL;
}

static ddjvu_page_t *decode(Book *book, int page, WireFault *fault) {
    book->complaint[0] = 0;
    ddjvu_page_t *decoded = ddjvu_page_create_by_pageno(book->document, page - 1);
    if (decoded == NULL) {
        wire_fault(fault, "damaged", "cannot be decoded");
        return NULL;
    }
    // For as long as it takes: how long a page may take is jisui's affair.
    while (!ddjvu_page_decoding_done(decoded)) book_wait(book, NULL);
    book_drain(book);
    // Even where the library goes on after a complaint, a part of the page is missing.
    if (!ddjvu_page_decoding_error(decoded) && book->complaint[0] == 0) return decoded;
    wire_fault(fault, "damaged", "cannot be decoded (%s)", book->complaint[0] ? book->complaint : "no reason given");
    ddjvu_page_release(decoded);
    return NULL;
}

// MARK: Drawing

typedef struct {
    Book *book;
    ddjvu_page_t *page;
    ddjvu_format_t *packed, *gray, *color;
    ddjvu_rect_t all;
    WayKind kind;
    /// Of what is given: `gray1`, `gray8` or `rgb8`.
    const char *format;
    /// Bytes from row to row.
    size_t stride;
    /// The rows at hand, and beside them what is put together from.
    unsigned char *rows, *mask;
    bool is_blank;
} Drawing;

static ddjvu_format_t *make_format(ddjvu_format_style_t style, double gamma) {
    ddjvu_format_t *format = ddjvu_format_create(style, 0, NULL);
    if (format == NULL) return NULL;
    ddjvu_format_set_row_order(format, 1);
    ddjvu_format_set_y_direction(format, 1);
    ddjvu_format_set_gamma(format, gamma);
    return format;
}

/// Black on white, 1 being white, and the bits beyond a row's end 0.
static void invert(Drawing *drawing, unsigned rows) {
    unsigned spare = (unsigned)(8 * drawing->stride - drawing->all.w);
    for (unsigned row = 0; row < rows; row += 1) {
        unsigned char *bytes = drawing->rows + row * drawing->stride;
        for (size_t i = 0; i < drawing->stride; i += 1) {
            if (bytes[i] != 0) drawing->is_blank = false;
            bytes[i] = (unsigned char)~bytes[i];
        }
        bytes[drawing->stride - 1] &= (unsigned char)(0xFF << spare);
    }
}

/// One band; false where the library could not draw what the page is made of.
static bool draw_rows(Drawing *drawing, const ddjvu_rect_t *band) {
    ddjvu_format_t *format = drawing->color != NULL ? drawing->color : drawing->gray;
    char *rows = (char *)drawing->rows;
    size_t count = drawing->stride * band->h;
    // It returns 2 for colors, 1 for a mask alone and 0 for nothing, and leaves then what was there before.
    switch (drawing->kind) {
    case WAY_JPEG:
        return false;
    case WAY_BLANK:
        memset(rows, 0, count);
        invert(drawing, band->h);
        return true;
    case WAY_MASK:
        memset(rows, 0, count);
        if (ddjvu_page_render(drawing->page, DDJVU_RENDER_MASKONLY, &drawing->all, band, drawing->packed, drawing->stride, rows)
            != 1) {
            return false;
        }
        invert(drawing, band->h);
        return true;
    case WAY_LAYERS:
        return ddjvu_page_render(drawing->page, DDJVU_RENDER_COLOR, &drawing->all, band, format, drawing->stride, rows) == 2;
    case WAY_WAVELETS:
    case WAY_BACKGROUND:
    case WAY_BLACK_LAYERS:
        break;
    }
    if (ddjvu_page_render(drawing->page, DDJVU_RENDER_BACKGROUND, &drawing->all, band, format, drawing->stride, rows) != 2) {
        return false;
    }
    if (drawing->kind != WAY_BLACK_LAYERS) return true;
    size_t width = drawing->all.w, samples = drawing->stride / width;
    if (ddjvu_page_render(drawing->page, DDJVU_RENDER_MASKONLY, &drawing->all, band, drawing->gray, width, (char *)drawing->mask)
        != 1) {
        return false;
    }
    for (size_t i = 0; i < count; i += 1) {
        drawing->rows[i] = (unsigned char)((drawing->rows[i] * drawing->mask[i / samples] + 127) / 255);
    }
    return true;
}

/// Draws all bands into the slot.
static bool draw(Drawing *drawing, WireFault *fault) {
    unsigned step = BAND / drawing->all.w + 1;
    bool is_packed = drawing->kind == WAY_MASK || drawing->kind == WAY_BLANK;
    if (!is_packed || step > drawing->all.h) step = drawing->all.h;
    drawing->rows = malloc(drawing->stride * step);
    if (drawing->kind == WAY_BLACK_LAYERS) drawing->mask = malloc((size_t)drawing->all.w * step);
    if (drawing->rows == NULL || (drawing->kind == WAY_BLACK_LAYERS && drawing->mask == NULL)) {
        return wire_fault(fault, "too-large", "is larger than there is memory for");
    }
    drawing->is_blank = true;
    for (unsigned top = 0; top < drawing->all.h; top += step) {
        unsigned rows = drawing->all.h - top < step ? drawing->all.h - top : step;
        ddjvu_rect_t band = {0, (int)top, drawing->all.w, rows};
        bool is_drawn = draw_rows(drawing, &band);
        book_drain(drawing->book);
        if (!is_drawn || drawing->book->complaint[0] != 0) {
            const char *cause = drawing->book->complaint[0] ? drawing->book->complaint : "its layers do not fit each other";
            return wire_fault(fault, "damaged", "cannot be drawn (%s)", cause);
        }
        if (!wire_put(drawing->rows, drawing->stride * rows, (off_t)(drawing->stride * top), fault)) return false;
    }
    return true;
}

static void free_rows(Drawing *drawing) {
    free(drawing->rows);
    free(drawing->mask);
    drawing->rows = drawing->mask = NULL;
}

// MARK: Giving

/// The JPEG as it lies in the input, or in the page's own file beside it.
static bool give_jpeg(Book *book, int page, const Layer *layer, json_t **answer, WireFault *fault) {
    Component component;
    if (!book_component(book, page, &component, fault)) return false;
    if (component.file == WIRE_BOOK) {
        *answer = json_pack("{s:[I, I]}", "span", (json_int_t)layer->offset, (json_int_t)layer->length);
        return true;
    }
    char *bytes = malloc((size_t)layer->length);
    bool is_read = bytes != NULL && pread(component.file, bytes, (size_t)layer->length, layer->offset) == layer->length;
    close(component.file);
    bool is_given = is_read ? wire_put(bytes, (size_t)layer->length, 0, fault)
                            : wire_fault(fault, "unreadable", "cannot be read from its file");
    free(bytes);
    *answer = json_pack("{s:I}", "bytes", (json_int_t)layer->length);
    return is_given;
}

/// The size at which a page is drawn.
static bool find_size(const PageChunks *chunks, const Way *way, double dpi, const Limits *limits, ddjvu_rect_t *all,
    WireFault *fault) {
    double scale = way->reason != NULL && dpi > 0 ? dpi / chunks->dpi : 1;
    double width = fmax(1, round(page_width(chunks) * scale)), height = fmax(1, round(page_height(chunks) * scale));
    // The library counts pixels in whole numbers of 32 bits.
    double most = limits->pixels > 0 && limits->pixels < 1 << 29 ? (double)limits->pixels : 1 << 29;
    if (!(width * height <= most)) {
        return wire_fault(fault, "too-large", "would have %.3g pixels at %.4g an inch, more than the limit of %.0f",
            width * height, dpi, most);
    }
    *all = (ddjvu_rect_t){0, 0, (unsigned)width, (unsigned)height};
    return true;
}

bool page_give(Book *book, int page, const PageChunks *chunks, Way way, double dpi, json_t **answer, WireFault *fault) {
    json_int_t limit = book->limits.bytes;
    if (way.kind == WAY_JPEG) {
        if (limit > 0 && chunks->background.length > limit) {
            return wire_fault(fault, "too-large", "has more bytes than the limit of %lld", (long long)limit);
        }
        return give_jpeg(book, page, &chunks->background, answer, fault);
    }
    Drawing drawing = {.book = book, .kind = way.kind};
    if (!find_size(chunks, &way, dpi, &book->limits, &drawing.all, fault)) return false;
    bool is_packed = way.kind == WAY_MASK || way.kind == WAY_BLANK;
    drawing.format = is_packed ? "gray1" : way.is_gray ? "gray8" : "rgb8";
    drawing.stride = is_packed ? ((size_t)drawing.all.w + 7) / 8 : (size_t)drawing.all.w * (way.is_gray ? 1 : 3);
    json_int_t bytes = (json_int_t)drawing.stride * drawing.all.h;
    if (limit > 0 && bytes > limit) {
        return wire_fault(fault, "too-large", "has more bytes than the limit of %lld", (long long)limit);
    }
    book->complaint[0] = 0;
    if (way.kind != WAY_BLANK && (drawing.page = decode(book, page, fault)) == NULL) return false;
    // With the page's own gamma no color is changed. What is drawn is drawn for 2.2, which is that of sRGB but for the darkest.
    double gamma = way.kind == WAY_WAVELETS ? ddjvu_page_get_gamma(drawing.page) : 2.2;
    drawing.packed = make_format(DDJVU_FORMAT_MSBTOLSB, gamma);
    drawing.gray = make_format(DDJVU_FORMAT_GREY8, gamma);
    if (!is_packed && !way.is_gray) drawing.color = make_format(DDJVU_FORMAT_RGB24, gamma);
    bool is_given = draw(&drawing, fault);
    free_rows(&drawing);
    const char *complaint = NULL;
    if (!is_given && way.kind == WAY_LAYERS && strcmp(fault->code, "damaged") == 0 && book->complaint[0] == 0) {
        // The colors of the print are for another number of letters.
        drawing.kind = WAY_BLACK_LAYERS;
        complaint = "has colors for its print that do not fit it";
        way.loss = "the colors of its print";
        is_given = draw(&drawing, fault);
        free_rows(&drawing);
    }
    if (is_given && way.kind == WAY_MASK && drawing.is_blank && chunks->mask_length > LONGEST_EMPTY_MASK) {
        is_given = wire_fault(fault, "damaged", "holds %lld bytes of print, but decodes to an empty page",
            (long long)chunks->mask_length);
    }
    if (drawing.packed != NULL) ddjvu_format_release(drawing.packed);
    if (drawing.gray != NULL) ddjvu_format_release(drawing.gray);
    if (drawing.color != NULL) ddjvu_format_release(drawing.color);
    if (drawing.page != NULL && way.kind != WAY_LAYERS) ddjvu_page_release(drawing.page);
    if (drawing.page != NULL && way.kind == WAY_LAYERS) {
        page_forget();
        drawn_before = drawing.page;
    }
    if (!is_given) return false;
    double resolution = way.reason != NULL && dpi > 0 ? dpi : chunks->dpi;
    *answer = json_pack("{s:I, s:s, s:[i, i], s:f}", "bytes", bytes, "format", drawing.format, "size", (int)drawing.all.w,
        (int)drawing.all.h, "dpi", resolution);
    if (way.kind == WAY_WAVELETS && chunks->gamma != 22) {
        json_object_set_new(*answer, "icc", gamma_profile(chunks->gamma, way.is_gray));
    }
    if (complaint != NULL) json_object_set_new(*answer, "defects", json_pack("[s]", complaint));
    if (way.loss != NULL) json_object_set_new(*answer, "loss", json_string(way.loss));
    return true;
}
