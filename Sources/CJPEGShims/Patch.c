// A JPEG with overlays. Only the touched blocks are encoded again.
//
// For each overlay, the MCUs under it and one MCU around them are extracted on DCT coefficients and decoded. If overlays
// cover much of the image, all of it is decoded once. The overlay is composited on their pixels. The result is encoded with the
// image's tables and sampling. Its touched blocks replace those of the image. libjpeg does all of this, so a block is
// identical to libjpeg's encoding of the whole composite. The rest of the image is not decoded.

#include <stdlib.h>
#include <string.h>

#include "PatchWork.h"
#include "Transcoding.h"

enum { rgb = 3 };

/// The share of an image under overlays above which all of it is decoded: extracting parts codes and decodes them once more.
/// Other shares were not tried.
static const double whole_share = 0.4;

/// The growth of a file above which it becomes progressive. A line of text adds 1 to 5 % to most scans. It adds 10 % to a gray
/// page of few words, and a progressive JPEG of that page is 13 % smaller than the scan.
static const double most_growth = 1.05;

/// Writes a region of the image as a separate JPEG.
static void cut_out(Work *work, const Region *region, jvirt_barray_ptr *blocks)
{
    Decoder *source = &work->source;
    Encoder *part = &work->part_encoder;
    Grid grid = grid_of(source->comp_info, source->num_components);
    jvirt_barray_ptr cut[MAX_COMPONENTS];
    begin_part(work);
    jpeg_copy_critical_parameters(source, part);
    part->image_width = (JDIMENSION)region->width;
    part->image_height = (JDIMENSION)region->height;
    part->optimize_coding = TRUE;
    if (part->num_components == 1) part->comp_info[0].h_samp_factor = part->comp_info[0].v_samp_factor = 1;
    for (int c = 0; c < grid.components; c++) {
        int columns = rounded_up(region->width, grid.mcu_width) / grid.mcu_width * grid.across[c];
        int rows = rounded_up(region->height, grid.mcu_height) / grid.mcu_height * grid.down[c];
        cut[c] = part->mem->request_virt_barray(
            (j_common_ptr)part, JPOOL_IMAGE, TRUE, (JDIMENSION)columns, (JDIMENSION)rows, (JDIMENSION)grid.down[c]);
    }
    part->mem->realize_virt_arrays((j_common_ptr)part);
    for (int c = 0; c < grid.components; c++) {
        const jpeg_component_info *component = &source->comp_info[c];
        int first = region->x / grid.mcu_width * grid.across[c], top = region->y / grid.mcu_height * grid.down[c];
        int columns = rounded_up(region->width, grid.mcu_width) / grid.mcu_width * grid.across[c];
        int rows = rounded_up(region->height, grid.mcu_height) / grid.mcu_height * grid.down[c];
        int whole = minimum(columns, (int)component->width_in_blocks - first);
        for (int y = 0; y < rows; y++) {
            JBLOCKROW to = part->mem->access_virt_barray((j_common_ptr)part, cut[c], (JDIMENSION)y, 1, TRUE)[0];
            if (top + y >= (int)component->height_in_blocks) continue;
            JBLOCKROW from =
                source->mem->access_virt_barray((j_common_ptr)source, blocks[c], (JDIMENSION)(top + y), 1, FALSE)[0];
            memcpy(to, from + first, (size_t)whole * sizeof(JBLOCK));
        }
    }
    jpeg_write_coefficients(part, cut);
    jpeg_finish_compress(part);
}

/// Puts the touched blocks of a region into the image. Returns their number.
static size_t splice(
    Work *work, const Region *region, jvirt_barray_ptr *from, jvirt_barray_ptr *to, j_common_ptr owner)
{
    const Encoder *whole = &work->result;
    Grid grid = grid_of(whole->comp_info, whole->num_components);
    size_t spliced = 0;
    for (int c = 0; c < grid.components; c++) {
        const jpeg_component_info *component = &work->part_decoder.comp_info[c];
        // The size of a block of this component, in pixels.
        int width = grid.mcu_width / grid.across[c], height = grid.mcu_height / grid.down[c];
        int columns = (int)component->width_in_blocks, rows = (int)component->height_in_blocks;
        mark_touched(region, work->touched, columns, rows, width, height);
        int first = region->x / width, top = region->y / height;
        for (int y = 0; y < rows; y++) {
            JBLOCKROW source = NULL, target = NULL;
            for (int x = 0; x < columns; x++) {
                if (!work->touched[(size_t)y * (size_t)columns + (size_t)x]) continue;
                if (!source) {
                    source = work->part_decoder.mem->access_virt_barray(
                        (j_common_ptr)&work->part_decoder, from[c], (JDIMENSION)y, 1, FALSE)[0];
                    target = owner->mem->access_virt_barray(owner, to[c], (JDIMENSION)(top + y), 1, TRUE)[0];
                }
                memcpy(target[first + x], source[x], sizeof(JBLOCK));
                spliced++;
            }
        }
    }
    return spliced;
}

/// Makes arrays for a gray image that becomes YCbCr. The luma is the image's own and the chroma is neutral.
static void promote(Work *work, jvirt_barray_ptr *own, jvirt_barray_ptr *blocks)
{
    Decoder *source = &work->source;
    Encoder *result = &work->result;
    int table = source->comp_info[0].quant_tbl_no;
    jpeg_set_colorspace(result, JCS_YCbCr);
    result->input_components = rgb;
    result->in_color_space = JCS_YCbCr;
    int columns[rgb], rows[rgb];
    for (int c = 0; c < rgb; c++) {
        jpeg_component_info *component = &result->comp_info[c];
        component->h_samp_factor = component->v_samp_factor = c == 0 ? 2 : 1;
        component->quant_tbl_no = table;
        int unit = c == 0 ? side : 2 * side;
        columns[c] = rounded_up((int)source->image_width, unit) / unit;
        rows[c] = rounded_up((int)source->image_height, unit) / unit;
        blocks[c] = result->mem->request_virt_barray(
            (j_common_ptr)result, JPOOL_IMAGE, TRUE, (JDIMENSION)rounded_up(columns[c], component->h_samp_factor),
            (JDIMENSION)rounded_up(rows[c], component->v_samp_factor), (JDIMENSION)component->v_samp_factor);
    }
    result->mem->realize_virt_arrays((j_common_ptr)result);
    for (int c = 0; c < rgb; c++) {
        // Rows must be requested in order before any can be changed.
        for (int y = 0; y < rows[c]; y++) {
            JBLOCKROW to =
                result->mem->access_virt_barray((j_common_ptr)result, blocks[c], (JDIMENSION)y, 1, TRUE)[0];
            if (c > 0) continue;
            JBLOCKROW from =
                source->mem->access_virt_barray((j_common_ptr)source, own[0], (JDIMENSION)y, 1, FALSE)[0];
            memcpy(to, from, (size_t)columns[0] * sizeof(JBLOCK));
        }
    }
}

/// Sets a region to the MCUs under an overlay, and one more on every side.
static void surround(Work *work, const cjpeg_overlay *overlay, Region *region, int mcu_width, int mcu_height)
{
    region->overlays = overlay;
    region->count = 1;
    int width = (int)work->source.image_width, height = (int)work->source.image_height;
    check_place(work, overlay);
    int left = overlay->x / mcu_width * mcu_width - mcu_width, top = overlay->y / mcu_height * mcu_height - mcu_height;
    region->x = left < 0 ? 0 : left;
    region->y = top < 0 ? 0 : top;
    region->width = minimum(width, rounded_up(overlay->x + overlay->width, mcu_width) + mcu_width) - region->x;
    region->height = minimum(height, rounded_up(overlay->y + overlay->height, mcu_height) + mcu_height) - region->y;
}

/// Sets the regions. Extracting parts takes longer than decoding all, if they are much of the image.
static void set_regions(Work *work, const cjpeg_overlay *overlays, int mcu_width, int mcu_height)
{
    Region whole = whole_region(work, overlays);
    double covered = 0;
    for (int i = 0; i < work->count; i++) {
        Region *region = &work->regions[i];
        surround(work, &overlays[i], region, mcu_width, mcu_height);
        covered += (double)region->width * region->height;
    }
    work->is_whole = covered > whole_share * whole.width * whole.height;
    if (!work->is_whole) return;
    work->regions[0] = whole;
    work->count = 1;
}

static void write_result(Work *work, jvirt_barray_ptr *blocks)
{
    jpeg_write_coefficients(&work->result, blocks);
    write_markers(&work->result, &work->source);
    jpeg_finish_compress(&work->result);
}

/// Writes the result as a progressive JPEG, too, and keeps the smaller one.
static void write_progressive(Work *work, jvirt_barray_ptr *blocks)
{
    int blocks_in_mcu = 0;
    for (int c = 0; c < work->result.num_components; c++)
        blocks_in_mcu += work->result.comp_info[c].h_samp_factor * work->result.comp_info[c].v_samp_factor;
    // Others do not fit into the scan of first coefficients.
    if (blocks_in_mcu > C_MAX_BLOCKS_IN_MCU) return;
    write_into(&work->result, &work->part);
    separate_scans(&work->result);
    write_result(work, blocks);
    if (work->part.size >= work->destination.size) return;
    Destination larger = work->destination;
    work->destination = work->part;
    work->part = larger;
}

static void patch(Work *work, const cjpeg_overlay *overlays, double *share)
{
    Decoder *source = &work->source;
    Encoder *result = &work->result;
    jvirt_barray_ptr *own = jpeg_read_coefficients(source);
    bool is_gray = source->num_components == 1 && source->jpeg_color_space == JCS_GRAYSCALE;
    if (!is_gray && !(source->num_components == 3 && source->jpeg_color_space == JCS_YCbCr))
        fail((j_common_ptr)result, "its colors are neither gray nor YCbCr");
    Grid grid = grid_of(source->comp_info, source->num_components);
    for (int c = 0; c < grid.components; c++) {
        if (grid.mcu_width % (grid.across[c] * side) || grid.mcu_height % (grid.down[c] * side))
            fail((j_common_ptr)result, "its sampling is unusual");
    }
    // The MCU size of a gray image after it becomes a color image.
    int mcu_width = is_gray ? 2 * side : grid.mcu_width, mcu_height = is_gray ? 2 * side : grid.mcu_height;
    work->channels = is_gray ? 1 : rgb;
    for (int i = 0; i < work->count; i++) {
        if (overlays[i].channels != 1) work->channels = rgb;
    }
    size_t most = 0;
    bool has_color = false;
    set_regions(work, overlays, mcu_width, mcu_height);
    for (int i = 0; i < work->count; i++) {
        Region *region = &work->regions[i];
        region->pixels = allocate(work, (size_t)region->width * (size_t)region->height, (size_t)work->channels);
        if (!work->is_whole) cut_out(work, region, own);
        decode_part(work, region);
        for (int k = 0; k < region->count; k++)
            has_color = composite_overlay(&region->overlays[k], region, work->channels) || has_color;
        size_t blocks = (size_t)(region->width / side + 2) * (size_t)(region->height / side + 2);
        if (blocks > most) most = blocks;
    }
    work->touched = allocate(work, most, 1);

    jpeg_copy_critical_parameters(source, result);
    result->write_JFIF_header = source->saw_JFIF_marker;
    result->write_Adobe_marker = source->saw_Adobe_marker;
    result->optimize_coding = TRUE;
    result->arith_code = FALSE;
    jvirt_barray_ptr promoted[MAX_COMPONENTS], *blocks = own;
    j_common_ptr owner = (j_common_ptr)source;
    if (is_gray && has_color) {
        promote(work, own, promoted);
        blocks = promoted;
        owner = (j_common_ptr)result;
    } else {
        result->restart_interval = source->restart_interval;
        if (is_gray) result->comp_info[0].h_samp_factor = result->comp_info[0].v_samp_factor = 1;
    }
    if (blocks == promoted)
        separate_scans(result);
    else if (source->progressive_mode)
        keep_scans(work);

    size_t spliced = 0, all = 0;
    for (int c = 0; c < result->num_components; c++) {
        const jpeg_component_info *component = &source->comp_info[is_gray ? 0 : c];
        size_t count = (size_t)component->width_in_blocks * component->height_in_blocks;
        all += is_gray && c > 0 ? count / 4 : count;
    }
    for (int i = 0; i < work->count; i++) {
        encode_part(work, &work->regions[i]);
        open_part(work, work->part.bytes, work->part.size);
        jvirt_barray_ptr *part = jpeg_read_coefficients(&work->part_decoder);
        spliced += splice(work, &work->regions[i], part, blocks, owner);
        close_part(work);
    }
    *share = all > 0 ? (double)spliced / (double)all : 0;

    write_result(work, blocks);
    if (blocks == own && !source->progressive_mode && (double)work->destination.size > most_growth * (double)work->size)
        write_progressive(work, blocks);
}

uint8_t *cjpeg_patch(
    const uint8_t *data, size_t size, const cjpeg_overlay *overlays, int count, double *share, size_t *result_size,
    cjpeg_diagnostic *diagnostic)
{
    Work *work = calloc(1, sizeof *work);
    if (!work) return NULL;
    uint8_t *volatile bytes = NULL;
    if (begin_work(work, data, size, count, diagnostic) && !setjmp(work->manager.jump)) {
        open_source(work);
        patch(work, overlays, share);
        // Data that libjpeg guessed must not look like the scan.
        if (diagnostic->warnings == 0) bytes = taken(&work->destination, result_size);
    }
    end_work(work);
    return bytes;
}
