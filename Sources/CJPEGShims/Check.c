#include <string.h>

#include "Input.h"
#include "Transcoding.h"

#include <jerror.h>

// With so few bytes at a time libjpeg-turbo does not use its fast decoder, which takes codes that do not exist for others
// and does not warn.
enum { piece = 256 };

/// The whole file, given to libjpeg piece by piece.
typedef struct {
    struct jpeg_source_mgr base;
    const uint8_t *next;
    size_t left;
} StrictSource;

static void begin_source(j_decompress_ptr decoder) { (void)decoder; }

static boolean fill(j_decompress_ptr decoder)
{
    static const uint8_t end[] = {0xFF, JPEG_EOI};
    StrictSource *source = (StrictSource *)decoder->src;
    if (source->left == 0) {
        WARNMS(decoder, JWRN_JPEG_EOF);
        source->base.next_input_byte = end;
        source->base.bytes_in_buffer = sizeof end;
        return TRUE;
    }
    size_t count = source->left < piece ? source->left : piece;
    source->base.next_input_byte = source->next;
    source->base.bytes_in_buffer = count;
    source->next += count;
    source->left -= count;
    return TRUE;
}

/// Whether samples exist from which an encoder computes a block's coefficients.
///
/// The coefficients are those of an orthonormal transform. So their squares, the first one's excepted, add up to 64 times
/// the variance of the samples. For samples between two limits with a given mean the variance is at most the product of
/// the mean's distances from both (Bhatia and Davis, 2000).
static bool is_possible(const JCOEF *block, const UINT16 *steps)
{
    // mozjpeg makes white up to 31 levels brighter, because decoders clip it (jcdctmgr.c, overshoot deringing).
    static const double low = -CENTERJSAMPLE - 31, high = MAXJSAMPLE - CENTERJSAMPLE + 31;
    double energy = 0;
    for (int i = 1; i < DCTSIZE2; i++) {
        if (block[i] == 0) continue;
        // Half a step is rounding.
        double least = ((block[i] < 0 ? -block[i] : block[i]) - 0.5) * steps[i];
        energy += least * least;
    }
    double mean = (double)block[0] * steps[0] / side, rounding = (double)steps[0] / 2 / side;
    double middle = (low + high) / 2;
    // The mean whose variance may be the largest.
    if (mean - rounding > middle) {
        mean -= rounding;
    } else if (mean + rounding < middle) {
        mean += rounding;
    } else {
        mean = middle;
    }
    return mean >= low && mean <= high && energy <= DCTSIZE2 * (high - mean) * (mean - low);
}

static void check_blocks(Decoder *decoder, jvirt_barray_ptr *coefficients)
{
    for (int c = 0; c < decoder->num_components; c++) {
        const jpeg_component_info *component = &decoder->comp_info[c];
        if (!component->quant_table) continue;
        for (JDIMENSION y = 0; y < component->height_in_blocks; y++) {
            JBLOCKROW row =
                decoder->mem->access_virt_barray((j_common_ptr)decoder, coefficients[c], y, 1, FALSE)[0];
            for (JDIMENSION x = 0; x < component->width_in_blocks; x++) {
                if (!is_possible(row[x], component->quant_table->quantval))
                    fail((j_common_ptr)decoder, "a block has values that no image has");
            }
        }
    }
}

bool cjpeg_check(const uint8_t *data, size_t size, cjpeg_diagnostic *diagnostic)
{
    Manager manager;
    Decoder decoder;
    StrictSource source = {
        .base = {
            .init_source = begin_source,
            .fill_input_buffer = fill,
            .skip_input_data = skip_input,
            .resync_to_restart = jpeg_resync_to_restart,
            .term_source = end_input,
        },
        .next = data,
        .left = size,
    };
    memset(diagnostic, 0, sizeof *diagnostic);
    memset(&manager, 0, sizeof manager);
    memset(&decoder, 0, sizeof decoder);
    manage(&manager, (j_common_ptr)&decoder, diagnostic);
    if (setjmp(manager.jump)) {
        jpeg_destroy_decompress(&decoder);
        return false;
    }
    jpeg_create_decompress(&decoder);
    decoder.progress = &manager.progress;
    decoder.src = &source.base;
    jpeg_read_header(&decoder, TRUE);
    jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&decoder);
    if (diagnostic->warnings == 0) check_blocks(&decoder, coefficients);
    jpeg_finish_decompress(&decoder);
    jpeg_destroy_decompress(&decoder);
    return diagnostic->warnings == 0;
}
