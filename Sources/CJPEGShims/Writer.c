#include <stdlib.h>
#include <string.h>

#include "Destination.h"

struct cjpeg_writer {
    Manager manager;
    struct jpeg_compress_struct encoder;
    Destination destination;
};

static void set_table(struct jpeg_compress_struct *encoder, int index, const uint16_t *table)
{
    unsigned int values[DCTSIZE2];
    for (int i = 0; i < DCTSIZE2; i++) values[i] = table[i];
    jpeg_add_quant_table(encoder, index, values, 100, FALSE);
}

cjpeg_writer *cjpeg_writer_open(const cjpeg_format *format, cjpeg_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    cjpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    struct jpeg_compress_struct *encoder = &writer->encoder;
    manage(&writer->manager, (j_common_ptr)encoder, diagnostic);
    if (setjmp(writer->manager.jump)) {
        cjpeg_writer_close(writer);
        return NULL;
    }
    jpeg_create_compress(encoder);
    write_into(encoder, &writer->destination);
    encoder->image_width = (JDIMENSION)format->width;
    encoder->image_height = (JDIMENSION)format->height;
    encoder->input_components = format->components;
    encoder->in_color_space = format->components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(encoder);
    jpeg_set_quality(encoder, format->quality, TRUE);
    if (format->luma) set_table(encoder, 0, format->luma);
    if (format->chroma) set_table(encoder, 1, format->chroma);
    encoder->comp_info[0].h_samp_factor = format->components == 1 ? 1 : format->horizontal;
    encoder->comp_info[0].v_samp_factor = format->components == 1 ? 1 : format->vertical;
    encoder->dct_method = JDCT_ISLOW;
    encoder->optimize_coding = !format->streamed;
    if (format->progressive) jpeg_simple_progression(encoder);
    if (format->across > 0 && format->down > 0) {
        encoder->density_unit = 1;
        encoder->X_density = (UINT16)(format->across < 65535 ? format->across : 65535);
        encoder->Y_density = (UINT16)(format->down < 65535 ? format->down : 65535);
    }
    jpeg_start_compress(encoder, TRUE);
    if (format->profile) jpeg_write_icc_profile(encoder, format->profile, (unsigned)format->profile_size);
    return writer;
}

bool cjpeg_writer_rows(
    cjpeg_writer *writer, const uint8_t *rows, size_t stride, int count, cjpeg_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    writer->manager.diagnostic = diagnostic;
    if (setjmp(writer->manager.jump)) return false;
    // libjpeg would ignore all of them, and continue.
    if ((JDIMENSION)count > writer->encoder.image_height - writer->encoder.next_scanline)
        fail((j_common_ptr)&writer->encoder, "it has more rows than were announced");
    for (int done = 0; done < count;) {
        JSAMPROW pointers[16];
        int step = count - done < 16 ? count - done : 16;
        for (int i = 0; i < step; i++) pointers[i] = (JSAMPROW)(rows + (size_t)(done + i) * stride);
        done += (int)jpeg_write_scanlines(&writer->encoder, pointers, (JDIMENSION)step);
    }
    return true;
}

uint8_t *cjpeg_writer_finish(cjpeg_writer *writer, size_t *size, cjpeg_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    writer->manager.diagnostic = diagnostic;
    if (setjmp(writer->manager.jump)) return NULL;
    jpeg_finish_compress(&writer->encoder);
    uint8_t *bytes = writer->destination.bytes;
    *size = writer->destination.size;
    writer->destination.bytes = NULL;
    return bytes;
}

void cjpeg_writer_close(cjpeg_writer *writer)
{
    if (!writer) return;
    jpeg_destroy_compress(&writer->encoder);
    discard(&writer->destination);
    free(writer);
}
