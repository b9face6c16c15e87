// What jisui asks of libpng.
//
// libpng reports an error by longjmp(), which Swift code must not be jumped over. These functions catch it on the C
// side.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A PNG being decoded.
typedef struct cpng_reader cpng_reader;

/// Why a call failed.
typedef struct {
    /// libpng's words.
    char message[200];
    /// Whether the bytes came to their end.
    bool ended;
} cpng_diagnostic;

/// What the chunks before the picture data say, and how rows are given.
typedef struct {
    uint32_t width, height;
    /// Bits of one sample and PNG's colour type, of the rows as they are given: where the file has a tRNS chunk that
    /// makes something transparent, that is alpha of its own.
    int bit_depth, color_type;
    /// The colour table where rows hold indexes: red, green, blue bytes.
    uint8_t palette[3 * 256];
    int palette_count;
    /// Pixels per metre, or 0.
    uint32_t across, down;
    /// The inflated profile, or NULL; lives as long as the reader.
    const uint8_t *profile;
    size_t profile_size;
} cpng_header;

/// Reads up to the picture data, which takes little memory whatever the picture's size. `data` must stay where it is
/// until the reader is closed. NULL on an error.
cpng_reader *cpng_open(const uint8_t *data, size_t size, cpng_header *header, cpng_diagnostic *diagnostic);
void cpng_close(cpng_reader *reader);

/// Decodes all rows, `stride` bytes each; false on an error, and when libpng's rows are not as long.
bool cpng_read(cpng_reader *reader, uint8_t *rows, size_t stride, cpng_diagnostic *diagnostic);

/// Reads what follows the last row, up to the end of the file.
bool cpng_finish(cpng_reader *reader, cpng_diagnostic *diagnostic);
