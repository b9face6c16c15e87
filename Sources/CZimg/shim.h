#pragma once
#include <zimg.h>

// Swift does not import arrays of anonymous structures.

/// Sets the location of a plane's lines.
static inline void czimg_set_plane(zimg_image_buffer *buffer, int plane, void *data, ptrdiff_t stride, unsigned mask)
{
    buffer->plane[plane].data = data;
    buffer->plane[plane].stride = stride;
    buffer->plane[plane].mask = mask;
}

/// The same lines, for reading.
static inline zimg_image_buffer_const czimg_source(const zimg_image_buffer *buffer)
{
    zimg_image_buffer_const source = {ZIMG_API_VERSION};
    for (int plane = 0; plane < 4; plane++) {
        source.plane[plane].data = buffer->plane[plane].data;
        source.plane[plane].stride = buffer->plane[plane].stride;
        source.plane[plane].mask = buffer->plane[plane].mask;
    }
    return source;
}
