// What jisui asks of libjpeg-turbo.
//
// libjpeg reports an error by longjmp(), which Swift code must not be jumped over. These functions catch it on the C
// side. None keeps a pointer to its arguments after it has returned.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What libjpeg had to say.
typedef struct {
    /// The error if the call failed; else the first warning, or nothing.
    char message[200];
    /// How many warnings there were: data that had to be guessed.
    long warnings;
    /// Whether the call failed because the pieces do not go together in one JPEG.
    bool mismatch;
} cjpeg_diagnostic;

// MARK: Coefficients

/// A part of a JPEG, and where it goes. Every place is a multiple of the MCU of the turned picture, counted from the
/// side that is the picture's own first one: see `cjpeg_compose`.
typedef struct {
    const uint8_t *data;
    size_t size;
    /// How the whole picture is turned first: transposed, and then mirrored left to right and top to bottom.
    bool transpose, mirror_x, mirror_y;
    /// The part of the turned picture that is taken, in pixels.
    int x, y, width, height;
    /// Where it goes in the result, in pixels: a multiple of the MCU.
    int to_x, to_y;
} cjpeg_piece;

/// Puts pieces of JPEGs together in the coefficient domain: no coefficient changes its value but for signs.
///
/// Along a side that is not mirrored, x must be a multiple of the MCU's width; along one that is, the picture's width
/// minus x must be. Along either, a piece must end in the result at a multiple of the MCU, or at the result's end or
/// beyond. Along a side that is not mirrored it may reach beyond its picture, up to the picture's last MCU's end: what
/// is beyond the last block has that one's average. The pieces must be alike in components, sampling, tables and colour
/// space. What no piece covers is filled with `background`, the level of each component, or mid-gray when that is NULL.
/// Huffman tables are optimised, unless a sole piece has some that can code anything; a progressive first piece makes
/// the result progressive; its metadata become the result's.
///
/// Returns malloc()ed bytes, or NULL.
uint8_t *cjpeg_compose(
    const cjpeg_piece *pieces, int count, int width, int height, const uint8_t *background, size_t *size,
    cjpeg_diagnostic *diagnostic);

/// Something that lies over a part of a picture: a pixel of the level s becomes black + (white - black) * s / 255, for
/// each of red, green and blue.
typedef struct {
    /// The part of the picture, in pixels.
    int x, y, width, height;
    /// The colours that pixels of black and of white become: three bytes a pixel, the rows without gaps. A pixel that keeps
    /// black and white is not touched.
    const uint8_t *black, *white;
} cjpeg_overlay;

/// Lays overlays on a gray or YCbCr JPEG. Only the blocks with touched pixels are encoded anew, with the picture's own
/// quantisation tables and sampling; all other coefficients, the markers and the kind of JPEG stay as they are.
///
/// A gray picture under a coloured overlay becomes YCbCr with chroma of half the size; its coefficients become the luma's.
/// Overlays may not overlap. `share` becomes the part of the blocks that were encoded anew, from 0 to 1.
///
/// Returns malloc()ed bytes, or NULL, also when the data is damaged.
uint8_t *cjpeg_patch(
    const uint8_t *data, size_t size, const cjpeg_overlay *overlays, int count, double *share, size_t *result_size,
    cjpeg_diagnostic *diagnostic);

// MARK: Samples

/// A JPEG being decoded row by row.
typedef struct cjpeg_reader cjpeg_reader;

/// Reads the header; NULL when it is no JPEG that can be decoded. The bytes are copied.
cjpeg_reader *cjpeg_reader_open(const uint8_t *data, size_t size, cjpeg_diagnostic *diagnostic);
/// The same with a part of an open file, which must stay open. It is read as it is needed.
cjpeg_reader *cjpeg_reader_open_file(int file, int64_t offset, size_t size, cjpeg_diagnostic *diagnostic);
void cjpeg_reader_close(cjpeg_reader *reader);
int cjpeg_reader_components(const cjpeg_reader *reader);
/// Whether the samples of a four-component picture are stored inverted, as Adobe's programs do.
bool cjpeg_reader_has_adobe_marker(const cjpeg_reader *reader);

/// Begins to decode at 1/`scale` of the size (1, 2, 4 or 8), to 1 (gray), 3 (RGB) or 4 (CMYK) components.
bool cjpeg_reader_start(
    cjpeg_reader *reader, int scale, int components, int *width, int *height, cjpeg_diagnostic *diagnostic);

/// Decodes the next `count` rows, `stride` bytes apart. False on an error; what is missing of damaged data is gray,
/// and a warning.
bool cjpeg_reader_rows(
    cjpeg_reader *reader, uint8_t *rows, size_t stride, int count, cjpeg_diagnostic *diagnostic);

/// A JPEG being encoded row by row.
typedef struct cjpeg_writer cjpeg_writer;

typedef struct {
    int width, height;
    /// 1 (gray) or 3 (RGB).
    int components;
    /// 1 to 100; not looked at where there are tables.
    int quality;
    /// Quantisation tables in natural order, for luma and chroma; NULL for libjpeg's own.
    const uint16_t *luma, *chroma;
    /// The luma's sampling factors, the chroma having 1 by 1.
    int horizontal, vertical;
    bool progressive;
    /// Whether rows are encoded as they come, with libjpeg's own Huffman tables: otherwise the whole picture's
    /// coefficients are kept until its end, to make the best tables for them.
    bool streamed;
    /// Pixels per inch, or 0.
    int across, down;
    /// An ICC profile, or NULL.
    const uint8_t *profile;
    size_t profile_size;
} cjpeg_format;

cjpeg_writer *cjpeg_writer_open(const cjpeg_format *format, cjpeg_diagnostic *diagnostic);
bool cjpeg_writer_rows(
    cjpeg_writer *writer, const uint8_t *rows, size_t stride, int count, cjpeg_diagnostic *diagnostic);
/// Returns malloc()ed bytes, or NULL.
uint8_t *cjpeg_writer_finish(cjpeg_writer *writer, size_t *size, cjpeg_diagnostic *diagnostic);
void cjpeg_writer_close(cjpeg_writer *writer);
