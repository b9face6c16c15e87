#pragma once

#include "Diagnostic.h"

/// A memory destination for libjpeg. Unlike libjpeg's own destination, it always knows the address of the bytes, so
/// that they can be freed when an error ends the writing.
typedef struct {
    struct jpeg_destination_mgr base;
    unsigned char *bytes;
    size_t size, room;
} Destination;

/// Makes an encoder write into `destination`, which must not move meanwhile.
void write_into(struct jpeg_compress_struct *encoder, Destination *destination);

/// Frees the bytes.
void discard(Destination *destination);

/// Takes the bytes and their number out of the destination.
unsigned char *taken(Destination *destination, size_t *size);
