// The interface to libpng.
//
// libpng reports an error by longjmp(), which must not skip Swift frames. These functions catch it on the C side.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A PNG being decoded.
typedef struct cpng_reader cpng_reader;

/// The reason that a call failed.
typedef struct {
    /// libpng's message.
    char message[200];
    /// Whether the data ended.
    bool ended;
} cpng_diagnostic;

/// The content of the chunks before the image data, and the format of decoded rows.
typedef struct {
    uint32_t width, height;
    /// The bits of one sample and PNG's color type, for decoded rows. If a tRNS chunk makes something transparent, the
    /// color type includes alpha.
    int bit_depth, color_type;
    /// The color table if rows contain indices: red, green, blue bytes.
    uint8_t palette[3 * 256];
    int palette_count;
    /// Pixels per meter, or 0.
    uint32_t across, down;
    /// The inflated profile, or NULL; lives as long as the reader.
    const uint8_t *profile;
    size_t profile_size;
} cpng_header;

/// The version of libpng.
const char *cpng_library_version(void);

/// Reads up to the image data, which takes little memory regardless of the image's size. `data` must not move until the
/// reader is closed. NULL on an error.
cpng_reader *cpng_open(const uint8_t *data, size_t size, cpng_header *header, cpng_diagnostic *diagnostic);
/// Whether a chunk that was read has a wrong checksum. Its data were used.
bool cpng_has_wrong_checksum(const cpng_reader *reader);
void cpng_close(cpng_reader *reader);

/// Decodes all rows, `stride` bytes each; false on an error, or if libpng's rows have another length.
bool cpng_read(cpng_reader *reader, uint8_t *rows, size_t stride, cpng_diagnostic *diagnostic);

/// Reads the data after the last row, up to the end of the file.
bool cpng_finish(cpng_reader *reader, cpng_diagnostic *diagnostic);
