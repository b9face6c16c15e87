#pragma once
#include <zimg.h>

// Swift does not see arrays of structures without a name.

/// Says where the lines of a plane lie.
static inline void czimg_set_plane(zimg_image_buffer *buffer, int plane, void *data, ptrdiff_t stride, unsigned mask)
{
    buffer->plane[plane].data = data;
    buffer->plane[plane].stride = stride;
    buffer->plane[plane].mask = mask;
}

/// The same lines, to be read.
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
