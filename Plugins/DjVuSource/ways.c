#include "pages.h"

int page_width(const PageChunks *chunks) { return chunks->rotation % 2 ? chunks->height : chunks->width; }
int page_height(const PageChunks *chunks) { return chunks->rotation % 2 ? chunks->width : chunks->height; }

/// The whole number, 1 to 12, by which a layer is smaller than the page; 0 where there is none, which the library refuses.
static int reduction(const PageChunks *page, const Layer *layer) {
    for (int by = 1; by <= 12; by += 1) {
        if ((page->width + by - 1) / by == layer->width && (page->height + by - 1) / by == layer->height) return by;
    }
    return 0;
}

static void way_of_masked(const PageChunks *chunks, bool mask_only, Way *way) {
    bool has_colors = chunks->foreground.kind != COLOUR_NONE;
    *way = (Way){.kind = WAY_MASK, .is_gray = true};
    if (mask_only) return;
    // The library paints colors only onto a background, and a background only below colors.
    if (chunks->background.kind == COLOUR_NONE) {
        if (has_colors) way->loss = "the colors of its print";
        return;
    }
    way->kind = has_colors ? WAY_LAYERS : WAY_BLACK_LAYERS;
    way->is_gray = chunks->background.is_gray && (!has_colors || chunks->foreground.is_gray);
    way->reason = "print and background are stored apart";
}

static bool way_of_unmasked(const PageChunks *chunks, Way *way, WireFault *fault) {
    const Layer *background = &chunks->background;
    *way = (Way){.kind = WAY_BACKGROUND, .is_gray = background->is_gray};
    if (background->kind == COLOUR_NONE) {
        if (chunks->foreground.kind != COLOUR_NONE) {
            return wire_fault(fault, "damaged", "has colors for its print, but no print");
        }
        if (chunks->unknown[0] != 0) {
            return wire_fault(fault, "unsupported", "has nothing but a chunk %s, which nobody knows", chunks->unknown);
        }
        way->kind = WAY_BLANK;
        way->is_gray = true;
        return true;
    }
    // Readers change colors that are meant for a display of another gamma than theirs; 0 can be none.
    bool is_plain = chunks->gamma == 22 || (chunks->gamma == 0 && background->kind == COLOUR_JPEG);
    if (reduction(chunks, background) > 1) {
        way->reason = "its picture is smaller than the page";
    } else if (background->kind == COLOUR_IW44 && chunks->gamma >= 5 && chunks->gamma <= 50) {
        // A profile says what the samples mean.
        way->kind = WAY_WAVELETS;
    } else if (!is_plain) {
        way->reason = "its colors are meant for another gamma than 2.2";
    } else if (background->offset == 0) {
        way->reason = "its picture is one that pages share";
    } else {
        way->kind = WAY_JPEG;
    }
    return true;
}

bool page_way(const PageChunks *chunks, const Limits *limits, bool mask_only, Way *way, WireFault *fault) {
    json_int_t pixels = (json_int_t)chunks->width * chunks->height;
    if (limits->pixels > 0 && pixels > limits->pixels) {
        return wire_fault(fault, "too-large", "is %d × %d pixels, more than the limit of %lld", page_width(chunks),
            page_height(chunks), (long long)limits->pixels);
    }
    const Layer *background = &chunks->background, *foreground = &chunks->foreground;
    if (background->kind != COLOUR_NONE && reduction(chunks, background) == 0) {
        return wire_fault(fault, "damaged", "has a background that does not fit it");
    }
    if (foreground->kind != COLOUR_NONE && foreground->kind != COLOUR_PALETTE && reduction(chunks, foreground) == 0) {
        return wire_fault(fault, "damaged", "has colors for its print that do not fit it");
    }
    if (chunks->mask == MASK_NONE) return way_of_unmasked(chunks, way, fault);
    way_of_masked(chunks, mask_only, way);
    return true;
}

json_t *page_describe(const PageChunks *chunks, const Way *way) {
    const char *format = way->kind == WAY_MASK || way->kind == WAY_BLANK ? "gray1" : way->is_gray ? "gray8" : "rgb8";
    json_t *description;
    if (way->kind == WAY_JPEG) {
        description = json_pack("{s:s, s:s}", "kind", "encoded", "encoding", "jpeg");
        // The page's turns go the other way round.
        int turn = (360 - 90 * chunks->rotation) % 360;
        if (turn != 0) json_object_set_new(description, "rotation", json_integer(turn));
        json_object_set_new(description, "size", json_pack("[i, i]", chunks->width, chunks->height));
    } else if (way->reason == NULL) {
        const char *compression = way->kind == WAY_BLANK ? "blank" : way->kind == WAY_WAVELETS ? "IW44"
            : chunks->mask == MASK_JB2 ? "JB2" : "CCITT G4";
        description = json_pack("{s:s, s:s, s:s, s:[i, i]}", "kind", "sampled", "compression", compression, "format", format,
            "size", page_width(chunks), page_height(chunks));
    } else {
        double points = 72.0 / chunks->dpi;
        description = json_pack("{s:s, s:[f, f], s:i}", "kind", "rendered", "points", points * page_width(chunks),
            points * page_height(chunks), "dpi", chunks->dpi);
    }
    json_t *answer = json_pack("{s:[i, i], s:[o]}", "size", page_width(chunks), page_height(chunks), "representations",
        description);
    if (way->reason != NULL) json_object_set_new(answer, "reason", json_string(way->reason));
    return answer;
}
