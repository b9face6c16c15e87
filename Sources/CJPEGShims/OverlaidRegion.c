#include "OverlaidRegion.h"

#include <string.h>

enum { color_tolerance = 2 };

/// Returns the first place from `start` on at which an overlay changes a level; `count` if there is none.
static size_t next_change(const uint8_t *black, const uint8_t *white, size_t start, size_t count)
{
    // Most pixels are untouched.
    for (uint64_t low, high; start + sizeof low <= count; start += sizeof low) {
        memcpy(&low, black + start, sizeof low);
        memcpy(&high, white + start, sizeof high);
        if (low | ~high) break;
    }
    while (start < count && black[start] == 0 && white[start] == 255) start++;
    return start;
}

bool composite_overlay(const cjpeg_overlay *overlay, Region *region, int channels)
{
    bool has_color = false;
    int step = overlay->channels == 1 ? 0 : 1;
    size_t row_size = (size_t)overlay->width * (size_t)overlay->channels;
    for (int y = 0; y < overlay->height; y++) {
        const uint8_t *black = overlay->black + (size_t)y * row_size, *white = overlay->white + (size_t)y * row_size;
        uint8_t *row = region->pixels +
            ((size_t)(overlay->y + y - region->y) * (size_t)region->width + (size_t)(overlay->x - region->x)) *
                (size_t)channels;
        for (size_t place = 0; (place = next_change(black, white, place, row_size)) < row_size;) {
            size_t x = place / (size_t)overlay->channels, first = x * (size_t)overlay->channels;
            uint8_t *pixel = row + x * (size_t)channels;
            int least = 255, most = 0;
            for (int c = 0; c < channels; c++) {
                size_t channel = first + (size_t)(c * step);
                int low = black[channel], product = (white[channel] - low) * pixel[c];
                int level = low + (product + (product < 0 ? -127 : 127)) / 255;
                pixel[c] = (uint8_t)(level < 0 ? 0 : level > 255 ? 255 : level);
                if (pixel[c] < least) least = pixel[c];
                if (pixel[c] > most) most = pixel[c];
            }
            if (most - least > color_tolerance) has_color = true;
            place = first + (size_t)overlay->channels;
        }
    }
    return has_color;
}

void mark_touched(const Region *region, uint8_t *touched, int columns, int rows, int width, int height)
{
    memset(touched, 0, (size_t)columns * (size_t)rows);
    for (int k = 0; k < region->count; k++) {
        const cjpeg_overlay *overlay = &region->overlays[k];
        size_t row_size = (size_t)overlay->width * (size_t)overlay->channels;
        for (int y = 0; y < overlay->height; y++) {
            const uint8_t *black = overlay->black + (size_t)y * row_size, *white = overlay->white + (size_t)y * row_size;
            uint8_t *marks = touched + (size_t)((overlay->y + y - region->y) / height) * (size_t)columns;
            for (size_t place = 0; (place = next_change(black, white, place, row_size)) < row_size;) {
                int offset = overlay->x - region->x, block = ((int)(place / (size_t)overlay->channels) + offset) / width;
                marks[block] = 1;
                place = (size_t)((block + 1) * width - offset) * (size_t)overlay->channels;
            }
        }
    }
}
