#pragma once

// libheif, loaded when the first AVIF or HEIF has to be decoded.
//
// It depends on the decoders and encoders of HEVC and AV1, a dozen libraries. Loading them takes longer than everything
// else before main(). Its functions are declared here in the same way as CPoppler's and for the same reason. A test
// compares the declarations with the headers (Tests/Support/CHEIFCheck).

#include <stddef.h>
#include <stdint.h>

#ifndef CHEIF_TYPES_ARE_KNOWN

struct heif_context;
struct heif_image_handle;
struct heif_image;

/// The result of a call. libheif's enumerations are declared as numbers.
struct heif_error {
    int code;
    int subcode;
    const char *message;
};

#endif

enum {
    /// heif_error_Ok
    CHEIF_OK = 0,
    /// heif_error_Unsupported_filetype and …_feature: among others, a codec that libheif was built without.
    CHEIF_UNSUPPORTED_FILE = 3,
    CHEIF_UNSUPPORTED_FEATURE = 4,
    /// heif_colorspace_RGB
    CHEIF_RGB = 1,
    /// heif_chroma_interleaved_…: samples of 8 bits, or of more bits in 16, big-endian.
    CHEIF_INTERLEAVED_RGB = 10,
    CHEIF_INTERLEAVED_RGBA = 11,
    CHEIF_INTERLEAVED_DEEP_RGB = 12,
    CHEIF_INTERLEAVED_DEEP_RGBA = 13,
    /// heif_channel_interleaved
    CHEIF_INTERLEAVED = 10,
};

/// Every function that jisui calls: result, name, parameters.
#define CHEIF_FUNCTIONS(FUNCTION) \
    FUNCTION(const char *, heif_get_version, (void)) \
    FUNCTION(struct heif_context *, heif_context_alloc, (void)) \
    FUNCTION(void, heif_context_free, (struct heif_context *)) \
    FUNCTION(void, heif_context_set_maximum_image_size_limit, (struct heif_context *, int)) \
    FUNCTION(struct heif_error, heif_context_read_from_memory_without_copy, \
        (struct heif_context *, const void *, size_t, const struct heif_reading_options *)) \
    FUNCTION(struct heif_error, heif_context_get_primary_image_handle, \
        (struct heif_context *, struct heif_image_handle **)) \
    FUNCTION(void, heif_image_handle_release, (const struct heif_image_handle *)) \
    FUNCTION(int, heif_image_handle_get_width, (const struct heif_image_handle *)) \
    FUNCTION(int, heif_image_handle_get_height, (const struct heif_image_handle *)) \
    FUNCTION(int, heif_image_handle_has_alpha_channel, (const struct heif_image_handle *)) \
    FUNCTION(int, heif_image_handle_is_premultiplied_alpha, (const struct heif_image_handle *)) \
    FUNCTION(int, heif_image_handle_get_luma_bits_per_pixel, (const struct heif_image_handle *)) \
    FUNCTION(size_t, heif_image_handle_get_raw_color_profile_size, (const struct heif_image_handle *)) \
    FUNCTION(struct heif_error, heif_image_handle_get_raw_color_profile, (const struct heif_image_handle *, void *)) \
    FUNCTION(struct heif_error, heif_decode_image, \
        (const struct heif_image_handle *, struct heif_image **, CHEIF_ENUM(heif_colorspace), \
            CHEIF_ENUM(heif_chroma), const struct heif_decoding_options *)) \
    FUNCTION(void, heif_image_release, (const struct heif_image *)) \
    FUNCTION(int, heif_image_get_width, (const struct heif_image *, CHEIF_ENUM(heif_channel))) \
    FUNCTION(int, heif_image_get_height, (const struct heif_image *, CHEIF_ENUM(heif_channel))) \
    FUNCTION(int, heif_image_get_bits_per_pixel_range, (const struct heif_image *, CHEIF_ENUM(heif_channel))) \
    FUNCTION(const uint8_t *, heif_image_get_plane_readonly, \
        (const struct heif_image *, CHEIF_ENUM(heif_channel), int *))

#ifdef CHEIF_TYPES_ARE_KNOWN
#define CHEIF_ENUM(name) enum name
#else
#define CHEIF_ENUM(name) int
struct heif_reading_options;
struct heif_decoding_options;
#endif

/// The functions under their own names.
struct CHEIFFunctions {
#define CHEIF_FIELD(result, name, parameters) result (*name) parameters;
    CHEIF_FUNCTIONS(CHEIF_FIELD)
#undef CHEIF_FIELD
};

/// Loads the library. Later calls return the same result. NULL if the library is not installed.
const struct CHEIFFunctions *cheif_load(void);
