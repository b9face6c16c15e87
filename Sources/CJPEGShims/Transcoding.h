#pragma once

#include "Diagnostic.h"

typedef struct jpeg_decompress_struct Decoder;
typedef struct jpeg_compress_struct Encoder;

static inline int minimum(int a, int b) { return a < b ? a : b; }
static inline int rounded_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

/// Keeps the Huffman tables of a sequential image with one scan, if they have codes for everything that 8-bit samples
/// can produce. Returns whether they are kept; otherwise the encoder must make its own.
bool keep_tables(Encoder *encoder, const Decoder *first);

/// Writes the markers that the decoder saved, except those that libjpeg writes itself.
void write_markers(Encoder *encoder, const Decoder *first);

/// Makes the decoder keep every comment and application marker.
void save_markers(Decoder *decoder);

/// Stores AC coefficients in scans of their own, by component and frequency (ITU-T T.81, G.1.2): of a gray or YCbCr image.
///
/// One code stands for a run of blocks without any, so blank paper and neutral chroma need hardly a byte.
void separate_scans(Encoder *encoder);

enum { side = DCTSIZE };

/// The size of an MCU and of the blocks of a component in it.
typedef struct {
    int components;
    int mcu_width, mcu_height;
    int across[MAX_COMPONENTS], down[MAX_COMPONENTS];
} Grid;

Grid grid_of(const jpeg_component_info *infos, int components);
