#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Diagnostic.h"
#include "Input.h"

#include <jerror.h>

enum { block_size = 1 << 15 };

/// A part of a file for libjpeg. It is read in blocks, so that many concurrent readers need little memory.
typedef struct {
    struct jpeg_source_mgr base;
    int file;
    off_t offset;
    size_t left;
    uint8_t *block;
} FileSource;

struct cjpeg_reader {
    Manager manager;
    struct jpeg_decompress_struct decoder;
    FileSource source;
    /// All of the data, or the current block of the file.
    uint8_t *memory;
};

static void begin_source(j_decompress_ptr decoder) { (void)decoder; }

static boolean fill(j_decompress_ptr decoder)
{
    static const uint8_t end[] = {0xFF, JPEG_EOI};
    FileSource *source = (FileSource *)decoder->src;
    size_t wanted = source->left < block_size ? source->left : block_size;
    ssize_t count;
    do count = pread(source->file, source->block, wanted, source->offset);
    while (count < 0 && errno == EINTR);
    if (count <= 0) {
        // As libjpeg's own sources do: the rest of the image is gray, with a warning.
        WARNMS(decoder, JWRN_JPEG_EOF);
        source->base.next_input_byte = end;
        source->base.bytes_in_buffer = sizeof end;
        return TRUE;
    }
    source->offset += count;
    source->left -= (size_t)count;
    source->base.next_input_byte = source->block;
    source->base.bytes_in_buffer = (size_t)count;
    return TRUE;
}

/// Reads the header of a copy of `data`, or of the `source` if there is one.
static cjpeg_reader *open_reader(
    const uint8_t *data, size_t size, const FileSource *source, cjpeg_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    cjpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->memory = malloc(source ? block_size : size ? size : 1);
    if (!reader->memory) {
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
    if (source) {
        reader->source = *source;
        reader->source.block = reader->memory;
        reader->decoder.src = &reader->source.base;
    } else {
        memcpy(reader->memory, data, size);
        jpeg_mem_src(&reader->decoder, reader->memory, (unsigned long)size);
    }
    jpeg_read_header(&reader->decoder, TRUE);
    return reader;
}

cjpeg_reader *cjpeg_reader_open(const uint8_t *data, size_t size, cjpeg_diagnostic *diagnostic)
{
    return open_reader(data, size, NULL, diagnostic);
}

cjpeg_reader *cjpeg_reader_open_file(int file, int64_t offset, size_t size, cjpeg_diagnostic *diagnostic)
{
    FileSource source = {
        .base = {
            .init_source = begin_source,
            .fill_input_buffer = fill,
            .skip_input_data = skip_input,
            .resync_to_restart = jpeg_resync_to_restart,
            .term_source = end_input,
        },
        .file = file,
        .offset = (off_t)offset,
        .left = size,
    };
    return open_reader(NULL, 0, &source, diagnostic);
}

void cjpeg_reader_close(cjpeg_reader *reader)
{
    if (!reader) return;
    jpeg_destroy_decompress(&reader->decoder);
    free(reader->memory);
    free(reader);
}

int cjpeg_reader_components(const cjpeg_reader *reader) { return reader->decoder.num_components; }

bool cjpeg_reader_has_adobe_marker(const cjpeg_reader *reader) { return reader->decoder.saw_Adobe_marker; }

bool cjpeg_reader_start(
    cjpeg_reader *reader, int scale, int components, int *width, int *height, cjpeg_diagnostic *diagnostic)
{
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    memset(diagnostic, 0, sizeof *diagnostic);
    reader->manager.diagnostic = diagnostic;
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
    cjpeg_reader *reader, uint8_t *rows, size_t stride, int count, cjpeg_diagnostic *diagnostic)
{
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    memset(diagnostic, 0, sizeof *diagnostic);
    reader->manager.diagnostic = diagnostic;
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
