#pragma once

#include <stdbool.h>

#include "Destination.h"
#include "OverlaidRegion.h"
#include "Transcoding.h"

/// All resources that must be freed, regardless of where an error ends the work.
typedef struct {
    Manager manager;
    Decoder source, part_decoder;
    Encoder result, part_encoder;
    Destination destination, part;
    const uint8_t *data;
    size_t size;
    /// One for each overlay, or the whole image.
    Region *regions;
    int count;
    bool is_whole;
    /// The number of bytes for each pixel of the regions: 1 for a gray image that stays gray.
    int channels;
    uint8_t *touched;
    /// The scans of the image, as far as they were read.
    jpeg_scan_info scans[most_scans];
    int scan_count;
} Work;

/// Sets the work up for `count` overlays on a JPEG. Returns whether there is enough memory.
bool begin_work(Work *work, const uint8_t *data, size_t size, int count, cjpeg_diagnostic *diagnostic);

/// Reads the header of the image.
void open_source(Work *work);

/// Gives the result the scans of the image, which is progressive and was read.
void keep_scans(Work *work);

/// Frees everything, also the work itself.
void end_work(Work *work);

/// Returns zeroed memory.
void *allocate(Work *work, size_t count, size_t size);

/// Fails unless an overlay lies on the image.
void check_place(const Work *work, const cjpeg_overlay *overlay);

/// Returns a region of the whole image, with all overlays.
Region whole_region(const Work *work, const cjpeg_overlay *overlays);

/// Begins, reads and frees the JPEG of a part.
void begin_part(Work *work);
void open_part(Work *work, const uint8_t *data, size_t size);
void close_part(Work *work);

/// Decodes the JPEG of a region's part into its pixels: the image itself, if the region is the whole image.
void decode_part(Work *work, Region *region);

/// Encodes a region's pixels with the parameters of the whole image.
void encode_part(Work *work, const Region *region);
