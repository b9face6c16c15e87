#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "CJPEGShims.h"

/// The pixels under overlays, on the image's MCU grid and with the context that decoding needs.
typedef struct {
    const cjpeg_overlay *overlays;
    int count;
    /// In pixels of the image.
    int x, y, width, height;
    /// Pixels with the overlay on them: red, green and blue, or the level of gray.
    uint8_t *pixels;
} Region;

/// Composites an overlay on a region's pixels, which have `channels` bytes each. Returns whether a touched pixel has a color.
bool composite_overlay(const cjpeg_overlay *overlay, Region *region, int channels);

/// Marks the blocks of a component that a region's overlays touch. A block has `width` by `height` pixels.
void mark_touched(const Region *region, uint8_t *touched, int columns, int rows, int width, int height);
