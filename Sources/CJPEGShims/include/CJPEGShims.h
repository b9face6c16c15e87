// The interface to libjpeg-turbo.
//
// libjpeg reports an error by longjmp(), which must not skip Swift frames. These functions catch it on the C side. They
// do not keep pointers to their arguments after they return, except for a `cjpeg_input`.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The messages of libjpeg.
typedef struct {
    /// The error if the call failed; otherwise the first warning, or an empty string.
    char message[200];
    /// The number of warnings, each about data that libjpeg guessed.
    long warnings;
    /// Whether the call failed because the pieces are incompatible in one JPEG.
    bool mismatch;
} cjpeg_diagnostic;

/// The version of libjpeg-turbo that jisui was built with; the library has no function for it.
const char *cjpeg_library_version(void);

// MARK: Coefficients

/// A part of a JPEG, and its destination. Every position is a multiple of the MCU of the rotated image, counted from
/// the side that is first in the stored image: see `cjpeg_compose`.
typedef struct {
    const uint8_t *data;
    size_t size;
    /// The transformation of the whole image before cutting: transposed, then mirrored left to right and top to bottom.
    bool transpose, mirror_x, mirror_y;
    /// The part of the rotated image to copy, in pixels.
    int x, y, width, height;
    /// The destination in the result, in pixels: a multiple of the MCU.
    int to_x, to_y;
} cjpeg_piece;

/// Joins pieces of JPEGs on DCT coefficients. No coefficient changes its value, except for signs.
///
/// Along an axis that is not mirrored, x must be a multiple of the MCU's width. Along a mirrored axis, the image's
/// width minus x must be. Along either, a piece must end in the result at a multiple of the MCU, or at the result's end
/// or beyond. Along an axis that is not mirrored it may extend beyond its image, up to the end of the image's last MCU.
/// Blocks beyond the last one have its average. The pieces must have the same components, sampling, tables and color
/// space.
///
/// Uncovered areas are filled with `background`, the level of each component, or with mid-gray if it is NULL. Huffman
/// tables are optimized, unless a single piece has tables that can code anything. A progressive first piece makes the
/// result progressive. The metadata of the first piece become those of the result.
///
/// Returns malloc()ed bytes, or NULL.
uint8_t *cjpeg_compose(
    const cjpeg_piece *pieces, int count, int width, int height, const uint8_t *background, size_t *size,
    cjpeg_diagnostic *diagnostic);

/// An overlay on a part of an image. A channel of the level s becomes black + (white - black) * s / 255.
typedef struct {
    /// The part of the image, in pixels.
    int x, y, width, height;
    /// The number of bytes for each pixel: 3 for red, green and blue, or 1 if all channels change alike.
    int channels;
    /// The results for black and white pixels, in rows without gaps. A pixel that keeps both black and white is not
    /// touched.
    const uint8_t *black, *white;
} cjpeg_overlay;

/// Composites overlays on a gray or YCbCr JPEG. Only the blocks with touched pixels are encoded again, with the image's
/// own quantization tables and sampling. All other coefficients and the markers are kept.
///
/// A progressive image keeps its scans. A gray image under a colored overlay becomes YCbCr with chroma of half the size; its
/// coefficients become the luma's. It becomes progressive, too, and so does a file that would grow by more than 5 %.
/// Overlays may not overlap. `share` becomes the share of the blocks that were encoded again, from 0 to 1.
///
/// Returns malloc()ed bytes, or NULL, also when the data is damaged.
uint8_t *cjpeg_patch(
    const uint8_t *data, size_t size, const cjpeg_overlay *overlays, int count, double *share, size_t *result_size,
    cjpeg_diagnostic *diagnostic);

/// Reads all coefficients, and looks for damage: whatever libjpeg warns about, and blocks that no encoder writes.
///
/// Returns whether there is none; otherwise the message says what was found.
bool cjpeg_check(const uint8_t *data, size_t size, cjpeg_diagnostic *diagnostic);

// MARK: Samples

/// A JPEG being decoded row by row.
typedef struct cjpeg_reader cjpeg_reader;

/// Data that the caller reads block by block.
typedef struct {
    void *context;
    /// Writes up to `count` of the next bytes to `block`. Returns their number, 0 at the end, or a negative number if they
    /// cannot be read.
    long (*read)(void *context, uint8_t *block, size_t count);
} cjpeg_input;

/// Reads the header; NULL if the data is not a JPEG that can be decoded. The bytes are not copied: each
/// function that reads takes them again as `data`, at the same or at another place.
cjpeg_reader *cjpeg_reader_open(const uint8_t *data, size_t size, cjpeg_diagnostic *diagnostic);
/// The same for an input, which must stay valid. It is read on demand, and `data` is not used. An input that cannot be read is
/// an error, never gray rows.
cjpeg_reader *cjpeg_reader_open_input(cjpeg_input input, cjpeg_diagnostic *diagnostic);
void cjpeg_reader_close(cjpeg_reader *reader);
int cjpeg_reader_components(const cjpeg_reader *reader);
/// Whether the samples of a four-component image are stored inverted, as by Adobe's programs.
bool cjpeg_reader_has_adobe_marker(const cjpeg_reader *reader);

/// Begins to decode at 1/`scale` of the size (1, 2, 4 or 8), to 1 (gray), 3 (RGB) or 4 (CMYK) components.
bool cjpeg_reader_start(
    cjpeg_reader *reader, const uint8_t *data, int scale, int components, int *width, int *height,
    cjpeg_diagnostic *diagnostic);

/// Decodes the next `count` rows, `stride` bytes apart. False on an error. Missing parts of damaged data become gray,
/// with a warning.
bool cjpeg_reader_rows(
    cjpeg_reader *reader, const uint8_t *data, uint8_t *rows, size_t stride, int count, cjpeg_diagnostic *diagnostic);

/// A JPEG being encoded row by row.
typedef struct cjpeg_writer cjpeg_writer;

typedef struct {
    int width, height;
    /// 1 (gray) or 3 (RGB).
    int components;
    /// 1 to 100; ignored if there are tables.
    int quality;
    /// Quantization tables in natural order, for luma and chroma; NULL for libjpeg's own.
    const uint16_t *luma, *chroma;
    /// The luma's sampling factors; the chroma has 1 by 1.
    int horizontal, vertical;
    bool progressive;
    /// Whether rows are encoded immediately, with libjpeg's own Huffman tables. Otherwise the whole image's
    /// coefficients are kept until its end, to make optimal tables for them.
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
