#pragma once

// The parts of libjpeg's sources that do not depend on where the data is.

#include <stdio.h>

#include <jpeglib.h>

static inline void skip_input(j_decompress_ptr decoder, long count)
{
    struct jpeg_source_mgr *source = decoder->src;
    while (count > 0 && (size_t)count > source->bytes_in_buffer) {
        count -= (long)source->bytes_in_buffer;
        source->fill_input_buffer(decoder);
    }
    if (count <= 0) return;
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

static inline void end_input(j_decompress_ptr decoder) { (void)decoder; }
