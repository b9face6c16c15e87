#include "Destination.h"

#include <jerror.h>
#include <stdlib.h>

enum { first_room = 1 << 16 };

static void begin(j_compress_ptr encoder)
{
    Destination *destination = (Destination *)encoder->dest;
    destination->base.next_output_byte = destination->bytes;
    destination->base.free_in_buffer = destination->room;
}

static boolean grow(j_compress_ptr encoder)
{
    Destination *destination = (Destination *)encoder->dest;
    size_t room = destination->room * 2;
    unsigned char *bytes = realloc(destination->bytes, room);
    if (!bytes) ERREXIT1(encoder, JERR_OUT_OF_MEMORY, 10);
    // The whole old buffer is full when this is called.
    destination->base.next_output_byte = bytes + destination->room;
    destination->base.free_in_buffer = room - destination->room;
    destination->bytes = bytes;
    destination->room = room;
    return TRUE;
}

static void end(j_compress_ptr encoder)
{
    Destination *destination = (Destination *)encoder->dest;
    destination->size = destination->room - destination->base.free_in_buffer;
}

void write_into(struct jpeg_compress_struct *encoder, Destination *destination)
{
    destination->size = 0;
    destination->room = first_room;
    destination->bytes = malloc(first_room);
    if (!destination->bytes) ERREXIT1(encoder, JERR_OUT_OF_MEMORY, 10);
    destination->base.init_destination = begin;
    destination->base.empty_output_buffer = grow;
    destination->base.term_destination = end;
    encoder->dest = &destination->base;
}

void discard(Destination *destination)
{
    free(destination->bytes);
    destination->bytes = NULL;
}

unsigned char *taken(Destination *destination, size_t *size)
{
    unsigned char *bytes = destination->bytes;
    *size = destination->size;
    destination->bytes = NULL;
    return bytes;
}
