#include <stdlib.h>
#include <string.h>

#include "Diagnostic.h"
#include "Input.h"

#include <jerror.h>

enum { block_size = 1 << 15 };

/// The data for libjpeg: the caller's bytes, or blocks that the caller reads. Many concurrent readers then need little memory.
typedef struct {
    struct jpeg_source_mgr base;
    cjpeg_input input;
    /// The current block of the input; NULL for the caller's bytes.
    uint8_t *block;
    /// The number of the caller's bytes.
    size_t size;
    bool is_ended;
} Source;

struct cjpeg_reader {
    Manager manager;
    struct jpeg_decompress_struct decoder;
    Source source;
};

static void begin_source(j_decompress_ptr decoder) { (void)decoder; }

static boolean fill(j_decompress_ptr decoder)
{
    static const uint8_t end[] = {0xFF, JPEG_EOI};
    Source *source = (Source *)decoder->src;
    long count = source->block ? source->input.read(source->input.context, source->block, block_size) : 0;
    if (count < 0) fail((j_common_ptr)decoder, "it cannot be read");
    if (count == 0) {
        // As libjpeg's own sources do: the rest of the image is gray, with a warning.
        WARNMS(decoder, JWRN_JPEG_EOF);
        source->is_ended = true;
        source->base.next_input_byte = end;
        source->base.bytes_in_buffer = sizeof end;
        return TRUE;
    }
    source->base.next_input_byte = source->block;
    source->base.bytes_in_buffer = (size_t)count;
    return TRUE;
}

/// Prepares a call that may read. The caller's bytes may have moved since the last one.
static void begin(cjpeg_reader *reader, const uint8_t *data, cjpeg_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    reader->manager.diagnostic = diagnostic;
    Source *source = &reader->source;
    if (source->block || source->is_ended) return;
    source->base.next_input_byte = data + (source->size - source->base.bytes_in_buffer);
}

/// Reads the header of `data`, or of the source's input if that is NULL.
static cjpeg_reader *open_reader(const uint8_t *data, Source source, cjpeg_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    cjpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    source.base = (struct jpeg_source_mgr){
        .bytes_in_buffer = source.size,
        .init_source = begin_source,
        .fill_input_buffer = fill,
        .skip_input_data = skip_input,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = end_input,
    };
    reader->source = source;
    if (!data && !(reader->source.block = malloc(block_size))) {
        free(reader);
        return NULL;
    }
    manage(&reader->manager, (j_common_ptr)&reader->decoder, diagnostic);
    if (setjmp(reader->manager.jump)) {
        cjpeg_reader_close(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->decoder);
    reader->decoder.progress = &reader->manager.progress;
    reader->decoder.src = &reader->source.base;
    begin(reader, data, diagnostic);
    jpeg_read_header(&reader->decoder, TRUE);
    return reader;
}

cjpeg_reader *cjpeg_reader_open(const uint8_t *data, size_t size, cjpeg_diagnostic *diagnostic)
{
    return open_reader(data, (Source){.size = size}, diagnostic);
}

cjpeg_reader *cjpeg_reader_open_input(cjpeg_input input, cjpeg_diagnostic *diagnostic)
{
    return open_reader(NULL, (Source){.input = input}, diagnostic);
}

void cjpeg_reader_close(cjpeg_reader *reader)
{
    if (!reader) return;
    jpeg_destroy_decompress(&reader->decoder);
    free(reader->source.block);
    free(reader);
}

int cjpeg_reader_components(const cjpeg_reader *reader) { return reader->decoder.num_components; }

bool cjpeg_reader_has_adobe_marker(const cjpeg_reader *reader) { return reader->decoder.saw_Adobe_marker; }

bool cjpeg_reader_start(
    cjpeg_reader *reader, const uint8_t *data, int scale, int components, int *width, int *height,
    cjpeg_diagnostic *diagnostic)
{
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    begin(reader, data, diagnostic);
    if (setjmp(reader->manager.jump)) return false;
    decoder->scale_num = 1;
    decoder->scale_denom = (unsigned)scale;
    decoder->out_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
    // The transform for which all decoders agree to the bit.
    decoder->dct_method = JDCT_ISLOW;
    jpeg_start_decompress(decoder);
    *width = (int)decoder->output_width;
    *height = (int)decoder->output_height;
    return true;
}

bool cjpeg_reader_rows(
    cjpeg_reader *reader, const uint8_t *data, uint8_t *rows, size_t stride, int count, cjpeg_diagnostic *diagnostic)
{
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    begin(reader, data, diagnostic);
    if (setjmp(reader->manager.jump)) return false;
    JDIMENSION end = decoder->output_scanline + (JDIMENSION)count;
    JDIMENSION start = decoder->output_scanline;
    if (end > decoder->output_height) fail((j_common_ptr)decoder, "there are no more rows");
    while (decoder->output_scanline < end) {
        JSAMPROW pointers[16];
        JDIMENSION left = end - decoder->output_scanline;
        JDIMENSION step = left < 16 ? left : 16;
        for (JDIMENSION i = 0; i < step; i++) pointers[i] = rows + (decoder->output_scanline - start + i) * stride;
        jpeg_read_scanlines(decoder, pointers, step);
    }
    // The data after the last row may be missing, too.
    if (decoder->output_scanline == decoder->output_height) jpeg_finish_decompress(decoder);
    return true;
}
