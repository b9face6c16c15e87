#include <stdlib.h>
#include <string.h>

#include "Destination.h"
#include "Transcoding.h"

/// The sampling factors of a component. A single component is stored block by block, regardless of its factors.
static int across(int components, const jpeg_component_info *component)
{
    return components == 1 ? 1 : component->h_samp_factor;
}

static int down(int components, const jpeg_component_info *component)
{
    return components == 1 ? 1 : component->v_samp_factor;
}

static void swap_density(Encoder *encoder)
{
    UINT16 other = encoder->X_density;
    encoder->X_density = encoder->Y_density;
    encoder->Y_density = other;
}

/// Sets the encoder up for an image like the first piece's.
static void adopt(Encoder *encoder, Decoder *first, const cjpeg_piece *piece, bool is_alone)
{
    jpeg_copy_critical_parameters(first, encoder);
    // Writes no color information that the source does not contain.
    encoder->write_JFIF_header = first->saw_JFIF_marker;
    encoder->write_Adobe_marker = first->saw_Adobe_marker;
    // Optimal tables require processing every coefficient again. This is worthwhile only if tables must be made anyway.
    encoder->optimize_coding = !(is_alone && keep_tables(encoder, first));
    encoder->arith_code = FALSE;
    if (encoder->num_components == 1) {
        encoder->comp_info[0].h_samp_factor = 1;
        encoder->comp_info[0].v_samp_factor = 1;
    }
    if (piece->transpose) {
        swap_density(encoder);
        for (int i = 0; i < encoder->num_components; i++) {
            jpeg_component_info *component = &encoder->comp_info[i];
            int other = component->h_samp_factor;
            component->h_samp_factor = component->v_samp_factor;
            component->v_samp_factor = other;
        }
        for (int i = 0; i < NUM_QUANT_TBLS; i++) {
            JQUANT_TBL *table = encoder->quant_tbl_ptrs[i];
            if (!table) continue;
            for (int v = 0; v < side; v++) {
                for (int u = 0; u < v; u++) {
                    UINT16 other = table->quantval[v * side + u];
                    table->quantval[v * side + u] = table->quantval[u * side + v];
                    table->quantval[u * side + v] = other;
                }
            }
        }
    }
    if (first->progressive_mode) jpeg_simple_progression(encoder);
}

/// Whether an image's coefficients mean the same in the encoder's image.
static bool goes_with(const Encoder *encoder, const Decoder *decoder, bool transpose)
{
    if (decoder->num_components != encoder->num_components) return false;
    if (decoder->jpeg_color_space != encoder->jpeg_color_space) return false;
    for (int i = 0; i < encoder->num_components; i++) {
        const jpeg_component_info *theirs = &decoder->comp_info[i];
        const jpeg_component_info *ours = &encoder->comp_info[i];
        int h = across(encoder->num_components, theirs), v = down(encoder->num_components, theirs);
        if ((transpose ? v : h) != ours->h_samp_factor || (transpose ? h : v) != ours->v_samp_factor) return false;
        const JQUANT_TBL *table = encoder->quant_tbl_ptrs[ours->quant_tbl_no];
        if (!theirs->quant_table || !table) return false;
        for (int k = 0; k < DCTSIZE2; k++) {
            int other = transpose ? k % side * side + k / side : k;
            if (theirs->quant_table->quantval[other] != table->quantval[k]) return false;
        }
    }
    return true;
}

/// One component of the result, in blocks.
typedef struct {
    jvirt_barray_ptr blocks;
    int width, height;
} Plane;

static void fill(Encoder *encoder, Plane *plane, const JQUANT_TBL *table, int level)
{
    JCOEF average = 0;
    if (level != 128) {
        if (!table || table->quantval[0] == 0) fail((j_common_ptr)encoder, "a quantisation table is missing");
        int scaled = (level - 128) * side;
        int half = table->quantval[0] / 2;
        average = (JCOEF)((scaled + (scaled < 0 ? -half : half)) / table->quantval[0]);
    }
    for (int y = 0; y < plane->height; y++) {
        JBLOCKARRAY row = encoder->mem->access_virt_barray((j_common_ptr)encoder, plane->blocks, y, 1, TRUE);
        for (int x = 0; x < plane->width; x++) row[0][x][0] = average;
    }
}

/// Transforms a block for the rotated image.
static void turn(const JCOEF *from, JCOEF *to, const cjpeg_piece *piece)
{
    for (int v = 0; v < side; v++) {
        for (int u = 0; u < side; u++) {
            JCOEF value = piece->transpose ? from[u * side + v] : from[v * side + u];
            // Mirroring negates the coefficients of odd frequencies along the axis.
            bool is_odd = (piece->mirror_x && u % 2) != (piece->mirror_y && v % 2);
            to[v * side + u] = is_odd ? -value : value;
        }
    }
}

/// Whether a piece may end at `end`. Otherwise the rest of an MCU would be data after the piece, or its padding.
static bool ends_well(int end, int whole, int mcu) { return end >= whole || end % mcu == 0; }

/// Copies a piece's blocks of one component into the result.
static void copy(
    Encoder *encoder, Decoder *decoder, const cjpeg_piece *piece, int index, Plane *plane, jvirt_barray_ptr source)
{
    const jpeg_component_info *component = &decoder->comp_info[index];
    const jpeg_component_info *target = &encoder->comp_info[index];
    // The MCU and the component's blocks in it, both as they are in the rotated image.
    int h = target->h_samp_factor, v = target->v_samp_factor;
    int mcu_width = 0, mcu_height = 0;
    for (int i = 0; i < encoder->num_components; i++) {
        if (encoder->comp_info[i].h_samp_factor * side > mcu_width)
            mcu_width = encoder->comp_info[i].h_samp_factor * side;
        if (encoder->comp_info[i].v_samp_factor * side > mcu_height)
            mcu_height = encoder->comp_info[i].v_samp_factor * side;
    }
    int full_width = piece->transpose ? (int)decoder->image_height : (int)decoder->image_width;
    int full_height = piece->transpose ? (int)decoder->image_width : (int)decoder->image_height;
    if (piece->x < 0 || piece->y < 0 || piece->width <= 0 || piece->height <= 0 ||
        piece->width > (piece->mirror_x ? full_width : rounded_up(full_width, mcu_width)) - piece->x ||
        piece->height > (piece->mirror_y ? full_height : rounded_up(full_height, mcu_height)) - piece->y ||
        (piece->mirror_x ? full_width - piece->x : piece->x) % mcu_width ||
        (piece->mirror_y ? full_height - piece->y : piece->y) % mcu_height || piece->to_x % mcu_width ||
        piece->to_y % mcu_height || piece->to_x < 0 || piece->to_y < 0 ||
        piece->to_x >= (int)encoder->image_width || piece->to_y >= (int)encoder->image_height ||
        !ends_well(piece->to_x + piece->width, (int)encoder->image_width, mcu_width) ||
        !ends_well(piece->to_y + piece->height, (int)encoder->image_height, mcu_height))
        fail((j_common_ptr)encoder, "a piece is not on the grid");
    // In blocks: the start of the piece in the rotated image. If mirrored, the number of blocks before its far end.
    int from_x = (piece->mirror_x ? full_width - piece->x : piece->x) / mcu_width * h;
    int from_y = (piece->mirror_y ? full_height - piece->y : piece->y) / mcu_height * v;
    int to_x = piece->to_x / mcu_width * h, to_y = piece->to_y / mcu_height * v;
    int columns = rounded_up(piece->width * h, mcu_width) / mcu_width;
    int rows = rounded_up(piece->height * v, mcu_height) / mcu_height;
    columns = minimum(columns, plane->width - to_x);
    rows = minimum(rows, plane->height - to_y);
    // Blocks that only pad the data to whole MCUs exist, but are meaningless: progressive files leave them mid-gray.
    int most_x = piece->transpose ? (int)component->height_in_blocks : (int)component->width_in_blocks;
    int most_y = piece->transpose ? (int)component->width_in_blocks : (int)component->height_in_blocks;
    bool is_plain = !piece->transpose && !piece->mirror_x && !piece->mirror_y;
    for (int y = 0; y < rows; y++) {
        int py = piece->mirror_y ? from_y - 1 - y : from_y + y;
        if (py < 0) continue;
        bool is_below = py >= most_y;
        if (is_below) py = most_y - 1;
        JBLOCKROW to = encoder->mem->access_virt_barray((j_common_ptr)encoder, plane->blocks, to_y + y, 1, TRUE)[0];
        JBLOCKROW from = NULL;
        if (!piece->transpose)
            from = decoder->mem->access_virt_barray((j_common_ptr)decoder, source, py, 1, FALSE)[0];
        if (is_plain && !is_below && from_x + columns <= most_x) {
            memcpy(to + to_x, from + from_x, (size_t)columns * sizeof(JBLOCK));
            continue;
        }
        for (int x = 0; x < columns; x++) {
            int px = piece->mirror_x ? from_x - 1 - x : from_x + x;
            if (px < 0) continue;
            bool is_beyond = px >= most_x;
            if (is_beyond) px = most_x - 1;
            if (piece->transpose)
                from = decoder->mem->access_virt_barray((j_common_ptr)decoder, source, px, 1, FALSE)[0];
            const JCOEF *block = from[piece->transpose ? py : px];
            if (is_below || is_beyond) {
                to[to_x + x][0] = block[0];
            } else {
                turn(block, to[to_x + x], piece);
            }
        }
    }
}

uint8_t *cjpeg_compose(
    const cjpeg_piece *pieces, int count, int width, int height, const uint8_t *background, size_t *size,
    cjpeg_diagnostic *diagnostic)
{
    // Two error managers share one jump buffer; each reports the errors of its codec.
    Manager manager;
    Encoder encoder;
    Decoder *decoders = calloc((size_t)count, sizeof *decoders);
    Destination destination;
    volatile int created = 0;
    uint8_t *volatile result = NULL;

    memset(diagnostic, 0, sizeof *diagnostic);
    memset(&manager, 0, sizeof manager);
    memset(&encoder, 0, sizeof encoder);
    memset(&destination, 0, sizeof destination);
    if (!decoders) return NULL;
    manage(&manager, (j_common_ptr)&encoder, diagnostic);
    if (setjmp(manager.jump)) goto done;
    jpeg_create_compress(&encoder);
    write_into(&encoder, &destination);

    Plane planes[MAX_COMPONENTS];
    jvirt_barray_ptr blocks[MAX_COMPONENTS];
    for (int i = 0; i < count; i++) {
        Decoder *decoder = &decoders[i];
        decoder->err = &manager.base;
        jpeg_create_decompress(decoder);
        decoder->progress = &manager.progress;
        created = i + 1;
        jpeg_mem_src(decoder, pieces[i].data, (unsigned long)pieces[i].size);
        if (i == 0) save_markers(decoder);
        jpeg_read_header(decoder, TRUE);
        jvirt_barray_ptr *source = jpeg_read_coefficients(decoder);
        if (i == 0) {
            adopt(&encoder, decoder, &pieces[0], count == 1);
            encoder.image_width = (JDIMENSION)width;
            encoder.image_height = (JDIMENSION)height;
            int mcu_h = 1, mcu_v = 1;
            for (int c = 0; c < encoder.num_components; c++) {
                if (encoder.comp_info[c].h_samp_factor > mcu_h) mcu_h = encoder.comp_info[c].h_samp_factor;
                if (encoder.comp_info[c].v_samp_factor > mcu_v) mcu_v = encoder.comp_info[c].v_samp_factor;
            }
            for (int c = 0; c < encoder.num_components; c++) {
                const jpeg_component_info *component = &encoder.comp_info[c];
                int h = component->h_samp_factor, v = component->v_samp_factor;
                planes[c].width = rounded_up(width * h, mcu_h * side) / (mcu_h * side);
                planes[c].height = rounded_up(height * v, mcu_v * side) / (mcu_v * side);
                planes[c].blocks = encoder.mem->request_virt_barray(
                    (j_common_ptr)&encoder, JPOOL_IMAGE, TRUE, (JDIMENSION)rounded_up(planes[c].width, h),
                    (JDIMENSION)rounded_up(planes[c].height, v), (JDIMENSION)v);
                blocks[c] = planes[c].blocks;
            }
            encoder.mem->realize_virt_arrays((j_common_ptr)&encoder);
            // Also for mid-gray, the initial value of blocks, because rows must first be written in order.
            for (int c = 0; c < encoder.num_components; c++)
                fill(
                    &encoder, &planes[c], encoder.quant_tbl_ptrs[encoder.comp_info[c].quant_tbl_no],
                    background ? background[c] : 128);
        }
        if (!goes_with(&encoder, decoder, pieces[i].transpose)) {
            diagnostic->mismatch = true;
            fail((j_common_ptr)&encoder, "the pictures' sampling or tables differ");
        }
        for (int c = 0; c < encoder.num_components; c++)
            copy(&encoder, decoder, &pieces[i], c, &planes[c], source[c]);
        // The metadata of the first one are needed until the end; the others are not needed anymore.
        if (i == 0) continue;
        jpeg_finish_decompress(decoder);
        jpeg_destroy_decompress(decoder);
    }
    jpeg_write_coefficients(&encoder, blocks);
    if (count > 0) {
        write_markers(&encoder, &decoders[0]);
        // Releases the coefficients.
        jpeg_finish_decompress(&decoders[0]);
    }
    jpeg_finish_compress(&encoder);
    result = destination.bytes;
    *size = destination.size;
done:
    for (int i = 0; i < created; i++) jpeg_destroy_decompress(&decoders[i]);
    jpeg_destroy_compress(&encoder);
    free(decoders);
    if (!result) discard(&destination);
    return result;
}
