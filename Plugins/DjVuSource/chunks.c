#include "chunks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// More than parts include each other in any book, and more than a page has of them.
enum { DEEPEST = 8, MOST_PARTS = 256 };

static unsigned big(const unsigned char *bytes, int count) {
    unsigned value = 0;
    for (int i = 0; i < count; i += 1) value = value << 8 | bytes[i];
    return value;
}

/// Reads what there is, which is less at the end of the file.
static size_t read_at(int file, void *bytes, size_t count, off_t place) {
    size_t done = 0;
    while (done < count) {
        ssize_t got = pread(file, (char *)bytes + done, count - done, place + (off_t)done);
        if (got <= 0) break;
        done += (size_t)got;
    }
    return done;
}

bool chunks_form(int file, off_t start, char type[5], off_t *first) {
    unsigned char head[12];
    if (read_at(file, head, 12, start) < 12 || memcmp(head, "FORM", 4) != 0) return false;
    memcpy(type, head + 8, 4);
    type[4] = 0;
    *first = start + 12;
    return true;
}

off_t *chunks_directory(int file, off_t first, int *count) {
    unsigned char head[11];
    *count = -1;
    if (read_at(file, head, 11, first) < 11 || memcmp(head, "DIRM", 4) != 0) return NULL;
    *count = 0;
    bool is_bundle = head[8] & 0x80;
    int files = (int)big(head + 9, 2);
    unsigned char *table = is_bundle ? malloc(4 * (size_t)files + 1) : NULL;
    if (table == NULL) return NULL;
    off_t *places = malloc(sizeof *places * (size_t)(files + 1));
    if (places != NULL && read_at(file, table, 4 * (size_t)files, first + 11) == 4 * (size_t)files) {
        *count = files;
        for (int i = 0; i < files; i += 1) places[i] = big(table + 4 * i, 4);
    } else {
        free(places);
        places = NULL;
        *count = -1;
    }
    free(table);
    return places;
}

// MARK: Single chunks

static void read_info(PageChunks *chunks, const unsigned char *info, size_t count) {
    chunks->width = (int)big(info, 2);
    chunks->height = (int)big(info + 2, 2);
    // What follows was added later, the low byte first; 255 stands for nothing said.
    if (count >= 8 && info[7] != 0xFF) chunks->dpi = info[7] << 8 | info[6];
    if (chunks->dpi < 25 || chunks->dpi > 6000) chunks->dpi = 300;
    if (count >= 9) chunks->gamma = info[8];
    int flags = count >= 10 ? info[9] & 7 : 0;
    chunks->rotation = flags == 6 ? 1 : flags == 2 ? 2 : flags == 5 ? 3 : 0;
}

/// The size in the head of the first chunk of a wavelet picture ("DjVu3 Reference", §8.3.9, §9).
static bool read_wavelets(Layer *layer, int file, off_t place, off_t length) {
    unsigned char head[8];
    // Further chunks refine the first.
    if (layer->kind == COLOUR_IW44) return true;
    if (length < 8 || read_at(file, head, 8, place) < 8) return false;
    layer->kind = COLOUR_IW44;
    layer->is_gray = head[2] & 0x80;
    layer->width = (int)big(head + 4, 2);
    layer->height = (int)big(head + 6, 2);
    return head[0] == 0;
}

/// The size in a JPEG's frame header (ITU-T T.81, B.2.2).
static bool read_jpeg(Layer *layer, int file, off_t place, off_t length, bool is_own) {
    off_t end = place + length;
    unsigned char mark[10];
    layer->kind = COLOUR_JPEG;
    layer->offset = is_own ? place : 0;
    layer->length = is_own ? length : 0;
    if (read_at(file, mark, 2, place) < 2 || mark[0] != 0xFF || mark[1] != 0xD8) return false;
    for (off_t at = place + 2; at + 10 <= end;) {
        if (read_at(file, mark, 10, at) < 10 || mark[0] != 0xFF) return false;
        if (mark[1] == 0xFF) {
            at += 1;
            continue;
        }
        bool is_frame = mark[1] >= 0xC0 && mark[1] <= 0xCF && mark[1] != 0xC4 && mark[1] != 0xC8 && mark[1] != 0xCC;
        if (is_frame) {
            layer->height = (int)big(mark + 5, 2);
            layer->width = (int)big(mark + 7, 2);
            layer->is_gray = mark[9] == 1;
            return layer->width > 0 && layer->height > 0;
        }
        at += 2 + (off_t)big(mark + 2, 2);
    }
    return false;
}

/// Whether the colors of a palette are all gray ("DjVu3 Reference", §8.3.6).
static bool read_palette(Layer *layer, int file, off_t place, off_t length) {
    unsigned char head[3];
    if (length < 3 || read_at(file, head, 3, place) < 3) return false;
    off_t size = 3 * (off_t)big(head + 1, 2);
    unsigned char *colors = size <= length - 3 ? malloc((size_t)size + 1) : NULL;
    bool is_whole = colors != NULL && read_at(file, colors, (size_t)size, place + 3) == (size_t)size;
    layer->kind = COLOUR_PALETTE;
    layer->is_gray = true;
    for (off_t i = 0; is_whole && i < size; i += 3) {
        if (colors[i] != colors[i + 1] || colors[i] != colors[i + 2]) layer->is_gray = false;
    }
    free(colors);
    return is_whole;
}

// MARK: Pages

typedef struct {
    PageChunks *chunks;
    FindComponent find;
    void *book;
    WireFault *fault;
    int parts;
} Walk;

static bool walk(Walk *in, const Component *component, int depth);

static bool include(Walk *in, const Component *component, off_t place, off_t length, int depth) {
    char identifier[1024];
    in->parts += 1;
    if (depth == DEEPEST || in->parts > MOST_PARTS) {
        return wire_fault(in->fault, "damaged", "includes parts without end");
    }
    size_t count = length < (off_t)sizeof identifier ? (size_t)length : sizeof identifier - 1;
    count = read_at(component->file, identifier, count, place);
    while (count > 0 && (identifier[count - 1] == '\n' || identifier[count - 1] == 0)) count -= 1;
    identifier[count] = 0;
    Component part;
    if (!in->find(in->book, identifier, &part, in->fault)) return false;
    bool is_read = walk(in, &part, depth + 1);
    if (part.file != WIRE_BOOK) close(part.file);
    return is_read;
}

/// Takes in one chunk; false with a fault where the page cannot be what the file says.
static bool take(Walk *in, const Component *component, const char *id, off_t place, off_t length, int depth) {
    PageChunks *chunks = in->chunks;
    int file = component->file;
    bool is_sound = true;
    if (strcmp(id, "INFO") == 0) {
        unsigned char info[10];
        size_t count = read_at(file, info, length < 10 ? (size_t)length : 10, place);
        is_sound = count >= 5 && chunks->width == 0 && depth == 0;
        if (is_sound) read_info(chunks, info, count);
    } else if (strcmp(id, "INCL") == 0) {
        return include(in, component, place, length, depth);
    } else if (strcmp(id, "Sjbz") == 0 || strcmp(id, "Smmr") == 0) {
        is_sound = chunks->mask == MASK_NONE;
        chunks->mask = id[1] == 'j' ? MASK_JB2 : MASK_MMR;
        chunks->mask_length = length;
    } else if (strcmp(id, "BG44") == 0) {
        is_sound = chunks->background.kind != COLOUR_JPEG && read_wavelets(&chunks->background, file, place, length);
    } else if (strcmp(id, "PM44") == 0 || strcmp(id, "BM44") == 0) {
        // A picture that is a file of its own has no INFO.
        is_sound = read_wavelets(&chunks->background, file, place, length);
        chunks->width = chunks->background.width;
        chunks->height = chunks->background.height;
        chunks->dpi = 100;
    } else if (strcmp(id, "BGjp") == 0) {
        is_sound = chunks->background.kind == COLOUR_NONE
            && read_jpeg(&chunks->background, file, place, length, depth == 0);
    } else if (strcmp(id, "FG44") == 0) {
        is_sound = chunks->foreground.kind == COLOUR_NONE && read_wavelets(&chunks->foreground, file, place, length);
    } else if (strcmp(id, "FGjp") == 0) {
        is_sound = chunks->foreground.kind == COLOUR_NONE && read_jpeg(&chunks->foreground, file, place, length, false);
    } else if (strcmp(id, "FGbz") == 0) {
        is_sound = chunks->foreground.kind == COLOUR_NONE && read_palette(&chunks->foreground, file, place, length);
    } else if (strcmp(id, "BG2k") == 0 || strcmp(id, "FG2k") == 0) {
        return wire_fault(in->fault, "unsupported", "has a picture in a chunk %s, which no program reads", id);
    } else if (strcmp(id, "CELX") == 0 || strcmp(id, "SINF") == 0) {
        return wire_fault(in->fault, "encrypted", "is protected by SecureDjVu, which only its maker's programs open");
    } else if (strncmp(id, "TXT", 3) == 0) {
        chunks->has_text = true;
    } else if (strncmp(id, "ANT", 3) == 0 || strcmp(id, "FORM") == 0) {
        chunks->has_annotations = true;
    } else if (strcmp(id, "Djbz") != 0 && strcmp(id, "CIDa") != 0 && strcmp(id, "NDIR") != 0 && strcmp(id, "WMRM") != 0
        && strncmp(id, "MET", 3) != 0 && chunks->unknown[0] == 0) {
        memcpy(chunks->unknown, id, 5);
    }
    return is_sound || wire_fault(in->fault, "damaged", "has a chunk %s that contradicts itself or another", id);
}

static bool walk(Walk *in, const Component *component, int depth) {
    unsigned char head[12];
    if (read_at(component->file, head, 12, component->start) < 12 || memcmp(head, "FORM", 4) != 0) {
        return wire_fault(in->fault, "damaged", "is missing from the file, which is cut off or damaged");
    }
    const unsigned char *type = head + 8;
    bool is_page = memcmp(type, "DJVU", 4) == 0 || memcmp(type, "PM44", 4) == 0 || memcmp(type, "BM44", 4) == 0;
    if (depth == 0 ? !is_page : memcmp(type, "DJVI", 4) != 0) {
        return wire_fault(in->fault, "damaged", "is not what the book says it is");
    }
    off_t end = component->start + 8 + (off_t)big(head + 4, 4);
    if (end > component->end) return wire_fault(in->fault, "damaged", "is cut off");
    for (off_t at = component->start + 12; at + 8 <= end;) {
        char id[5] = "";
        if (read_at(component->file, head, 8, at) < 8) return wire_fault(in->fault, "damaged", "is cut off");
        memcpy(id, head, 4);
        off_t length = big(head + 4, 4);
        for (int i = 0; i < 4; i += 1) {
            if (id[i] < ' ' || id[i] > '~') return wire_fault(in->fault, "damaged", "has no chunk where one should begin");
        }
        if (length > end - at - 8) return wire_fault(in->fault, "damaged", "has a chunk %s that is cut off", id);
        if (!take(in, component, id, at + 8, length, depth)) return false;
        // Each begins at an even place.
        at += 8 + length;
        at += at & 1;
    }
    return true;
}

bool chunks_of_page(const Component *page, FindComponent find, void *book, PageChunks *chunks, WireFault *fault) {
    *chunks = (PageChunks){.dpi = 300, .gamma = 22};
    Walk in = {chunks, find, book, fault, 0};
    if (!walk(&in, page, 0)) return false;
    if (chunks->width == 0 || chunks->height == 0) return wire_fault(fault, "damaged", "does not say how large it is");
    return true;
}
