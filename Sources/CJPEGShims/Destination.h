#pragma once

#include "Diagnostic.h"

/// Memory that libjpeg writes into. Unlike libjpeg's own kind it is known at any moment where the bytes are, so that
/// they can be let go when an error ends the writing.
typedef struct {
    struct jpeg_destination_mgr base;
    unsigned char *bytes;
    size_t size, room;
} Destination;

/// Has an encoder write into `destination`, which stays where it is meanwhile.
void write_into(struct jpeg_compress_struct *encoder, Destination *destination);

/// Lets go of the bytes.
void discard(Destination *destination);
