// The touched blocks of a gray JPEG under overlays.

#include <stdlib.h>
#include <string.h>

#include "OverlayWork.h"
#include "Transcoding.h"

/// Makes untouched blocks gray. Nobody reads them, and blank blocks are coded and passed over faster.
static void blank_untouched(const Region *region, const uint8_t *touched, int columns)
{
    for (int y = 0; y < region->height; y++) {
        uint8_t *row = region->pixels + (size_t)y * (size_t)region->width;
        const uint8_t *marks = touched + (size_t)(y / side) * (size_t)columns;
        for (int x = 0; x < columns; x++) {
            if (!marks[x]) memset(row + x * side, CENTERJSAMPLE, (size_t)minimum(side, region->width - x * side));
        }
    }
}

static void composite(Work *work, const cjpeg_overlay *overlays)
{
    Decoder *source = &work->source;
    if (source->num_components != 1 || source->jpeg_color_space != JCS_GRAYSCALE)
        fail((j_common_ptr)source, "its colors are not gray");
    for (int i = 0; i < work->count; i++) {
        if (overlays[i].channels != 1) fail((j_common_ptr)source, "an overlay has colors");
        check_place(work, &overlays[i]);
    }
    work->channels = 1;
    work->is_whole = true;
    Region *region = &work->regions[0];
    *region = whole_region(work, overlays);
    work->count = 1;
    region->pixels = allocate(work, (size_t)region->width, (size_t)region->height);
    decode_part(work, region);
    for (int k = 0; k < region->count; k++) merge_overlay(&region->overlays[k], region, work->channels);
    int columns = rounded_up(region->width, side) / side, rows = rounded_up(region->height, side) / side;
    work->touched = allocate(work, (size_t)columns, (size_t)rows);
    mark_touched(region, work->touched, columns, rows, side, side);
    blank_untouched(region, work->touched, columns);
    jpeg_copy_critical_parameters(source, &work->result);
    encode_part(work, region);
}

uint8_t *cjpeg_composite(
    const uint8_t *data, size_t size, const cjpeg_overlay *overlays, int count, uint8_t **touched, size_t *result_size,
    cjpeg_diagnostic *diagnostic)
{
    Work *work = calloc(1, sizeof *work);
    if (!work) return NULL;
    uint8_t *volatile bytes = NULL;
    if (begin_work(work, data, size, count, diagnostic) && !setjmp(work->manager.jump)) {
        open_source(work);
        composite(work, overlays);
        if (diagnostic->warnings == 0) {
            bytes = taken(&work->part, result_size);
            *touched = work->touched;
            work->touched = NULL;
        }
    }
    end_work(work);
    return bytes;
}
