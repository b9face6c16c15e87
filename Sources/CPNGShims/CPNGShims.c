#include "CPNGShims.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct cpng_reader {
    png_structp png;
    png_infop info;
    jmp_buf jump;
    const uint8_t *data;
    size_t size, position;
    uint32_t height;
    int passes;
    bool has_wrong_checksum;
    cpng_diagnostic *diagnostic;
};

// The limit on the size of an inflated profile. The largest ones in use, those of printers, have 3 MB.
enum { most_profile_bytes = 32 << 20 };

static void leave(png_structp png, png_const_charp message)
{
    cpng_reader *reader = png_get_error_ptr(png);
    strncpy(reader->diagnostic->message, message, sizeof reader->diagnostic->message - 1);
    longjmp(reader->jump, 1);
}

static void note(png_structp png, png_const_charp message)
{
    cpng_reader *reader = png_get_error_ptr(png);
    if (strstr(message, "CRC error")) reader->has_wrong_checksum = true;
}

static void read_bytes(png_structp png, png_bytep target, size_t wanted)
{
    cpng_reader *reader = png_get_io_ptr(png);
    if (wanted > reader->size - reader->position) {
        reader->diagnostic->ended = true;
        png_error(png, "end of file");
    }
    memcpy(target, reader->data + reader->position, wanted);
    reader->position += wanted;
}

/// Whether a tRNS chunk makes a part of the image transparent.
static bool has_transparency(cpng_reader *reader)
{
    png_bytep alphas = NULL;
    int count = 0;
    if (!png_get_tRNS(reader->png, reader->info, &alphas, &count, NULL)) return false;
    if (png_get_color_type(reader->png, reader->info) != PNG_COLOR_TYPE_PALETTE) return true;
    for (int i = 0; i < count; i++)
        if (alphas[i] != 255) return true;
    return false;
}

static void set_up(cpng_reader *reader)
{
    png_structp png = reader->png;
    png_set_read_fn(png, reader, read_bytes);
    // The caller checks the size; a strip may well be taller than libpng's own limit of a million.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, most_profile_bytes);
    // Of the data that decoding does not need, only profile and resolution are kept: text and the like take memory.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "iCCP\0pHYs", 2);
    // Keeps profiles even if libpng knows them as faulty sRGB profiles.
    png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
    // If the data are damaged, too, decoding fails; otherwise only the checksum is.
    png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_WARN_USE);
    // The caller checks for indices beyond the color table: libpng only warns.
    png_set_check_for_invalid_index(png, 0);
}

static void describe(cpng_reader *reader, cpng_header *header)
{
    png_structp png = reader->png;
    png_infop info = reader->info;
    header->width = png_get_image_width(png, info);
    header->height = png_get_image_height(png, info);
    header->bit_depth = png_get_bit_depth(png, info);
    header->color_type = png_get_color_type(png, info);
    png_colorp palette = NULL;
    int count = 0;
    if (has_transparency(reader)) {
        // Expands the tRNS chunk to alpha, indices to colors, and smaller samples to bytes.
        png_set_expand(png);
        if (header->bit_depth < 8) header->bit_depth = 8;
        bool is_gray = header->color_type == PNG_COLOR_TYPE_GRAY;
        header->color_type = is_gray ? PNG_COLOR_TYPE_GRAY_ALPHA : PNG_COLOR_TYPE_RGBA;
    } else if (header->color_type == PNG_COLOR_TYPE_PALETTE && png_get_PLTE(png, info, &palette, &count)) {
        header->palette_count = count < 256 ? count : 256;
        for (int i = 0; i < header->palette_count; i++) {
            header->palette[3 * i] = palette[i].red;
            header->palette[3 * i + 1] = palette[i].green;
            header->palette[3 * i + 2] = palette[i].blue;
        }
    }
    int unit = PNG_RESOLUTION_UNKNOWN;
    png_uint_32 across = 0, down = 0;
    if (png_get_pHYs(png, info, &across, &down, &unit) && unit == PNG_RESOLUTION_METER) {
        header->across = across;
        header->down = down;
    }
    png_charp name = NULL;
    png_bytep profile = NULL;
    png_uint_32 profile_size = 0;
    int compression = 0;
    if (png_get_iCCP(png, info, &name, &compression, &profile, &profile_size)) {
        header->profile = profile;
        header->profile_size = profile_size;
    }
}

const char *cpng_library_version(void)
{
    return png_get_libpng_ver(NULL);
}

cpng_reader *cpng_open(const uint8_t *data, size_t size, cpng_header *header, cpng_diagnostic *diagnostic)
{
    memset(header, 0, sizeof *header);
    memset(diagnostic, 0, sizeof *diagnostic);
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->data = data;
    reader->size = size;
    reader->diagnostic = diagnostic;
    // If it runs out of memory, libpng itself returns from this call.
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, NULL, note);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (!reader->info) {
        cpng_close(reader);
        return NULL;
    }
    png_set_error_fn(reader->png, reader, leave, note);
    if (setjmp(reader->jump)) {
        cpng_close(reader);
        return NULL;
    }
    set_up(reader);
    png_read_info(reader->png, reader->info);
    describe(reader, header);
    reader->height = header->height;
    reader->passes = png_set_interlace_handling(reader->png);
    return reader;
}

bool cpng_has_wrong_checksum(const cpng_reader *reader) { return reader->has_wrong_checksum; }

void cpng_close(cpng_reader *reader)
{
    if (!reader) return;
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

bool cpng_read(cpng_reader *reader, uint8_t *rows, size_t stride, cpng_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    reader->diagnostic = diagnostic;
    if (setjmp(reader->jump)) return false;
    // The first call that allocates memory for rows.
    png_read_update_info(reader->png, reader->info);
    if (png_get_rowbytes(reader->png, reader->info) != stride) png_error(reader->png, "row length");
    for (int pass = 0; pass < reader->passes; pass++)
        for (uint32_t y = 0; y < reader->height; y++) png_read_row(reader->png, rows + y * stride, NULL);
    return true;
}

bool cpng_finish(cpng_reader *reader, cpng_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    reader->diagnostic = diagnostic;
    if (setjmp(reader->jump)) return false;
    png_read_end(reader->png, NULL);
    return true;
}
