#pragma once

// libjxl, loaded when the first JPEG XL has to be decoded or made. It is loaded like libheif in CHEIF, and for the same
// reason. A test compares the declarations with the headers (Tests/Support/CJXLCheck). They hold for libjxl 0.7 to 0.11;
// the functions that differ between these versions are declared both ways.

#include <stddef.h>
#include <stdint.h>

#ifndef CJXL_TYPES_ARE_KNOWN

typedef struct JxlDecoderStruct JxlDecoder;
typedef struct JxlEncoderStruct JxlEncoder;
typedef struct JxlEncoderFrameSettingsStruct JxlEncoderFrameSettings;
typedef struct JxlMemoryManagerStruct JxlMemoryManager;

typedef struct {
    uint32_t num_channels;
    int data_type;
    int endianness;
    size_t align;
} JxlPixelFormat;

typedef struct {
    int have_container;
    uint32_t xsize, ysize;
    uint32_t bits_per_sample, exponent_bits_per_sample;
    float intensity_target, min_nits;
    int relative_to_max_display;
    float linear_below;
    int uses_original_profile, have_preview, have_animation, orientation;
    uint32_t num_color_channels, num_extra_channels;
    uint32_t alpha_bits, alpha_exponent_bits;
    int alpha_premultiplied;
    uint32_t preview_size[2];
    uint32_t animation[4];
    uint32_t intrinsic_xsize, intrinsic_ysize;
    uint8_t padding[100];
} JxlBasicInfo;

typedef struct {
    int color_space;
    int white_point;
    double white_point_xy[2];
    int primaries;
    double primaries_red_xy[2], primaries_green_xy[2], primaries_blue_xy[2];
    int transfer_function;
    double gamma;
    int rendering_intent;
} JxlColorEncoding;

typedef struct {
    int blendmode;
    uint32_t source, alpha;
    int clamp;
} JxlBlendInfo;

typedef struct {
    int have_crop;
    int32_t crop_x0, crop_y0;
    uint32_t xsize, ysize;
    JxlBlendInfo blend_info;
    uint32_t save_as_reference;
} JxlLayerInfo;

typedef struct {
    uint32_t duration, timecode, name_length;
    int is_last;
    JxlLayerInfo layer_info;
} JxlFrameHeader;

#define CJXL_ENUM(name) int
#else
#define CJXL_ENUM(name) name
#endif

enum {
    /// A status of both the decoder and the encoder.
    CJXL_SUCCESS = 0,
    /// A status of the encoder.
    CJXL_NEED_MORE_OUTPUT = 2,
    /// Statuses of the decoder.
    CJXL_ERROR = 1,
    CJXL_NEED_MORE_INPUT = 2,
    CJXL_NEED_IMAGE_OUT_BUFFER = 5,
    CJXL_BASIC_INFO = 0x40,
    CJXL_COLOR_ENCODING = 0x100,
    CJXL_FRAME = 0x400,
    CJXL_FULL_IMAGE = 0x1000,
    CJXL_JPEG_RECONSTRUCTION = 0x2000,
    /// JXL_ENC_FRAME_SETTING_EFFORT
    CJXL_EFFORT = 0,
    /// JXL_TYPE_UINT8, JXL_TYPE_UINT16
    CJXL_UINT8 = 2,
    CJXL_UINT16 = 3,
    CJXL_BIG_ENDIAN = 2,
    /// JXL_COLOR_PROFILE_TARGET_DATA: the profile of the samples as they are output.
    CJXL_DATA = 1,
    CJXL_SPACE_GRAY = 1,
    CJXL_SPACE_RGB = 0,
    CJXL_WHITE_D65 = 1,
    CJXL_PRIMARIES_SRGB = 1,
    CJXL_TRANSFER_SRGB = 13,
};

/// Every function that jisui calls and that is the same in all versions of libjxl: result, name, parameters.
#define CJXL_FUNCTIONS(FUNCTION) \
    FUNCTION(uint32_t, JxlDecoderVersion, (void)) \
    FUNCTION(JxlDecoder *, JxlDecoderCreate, (const JxlMemoryManager *)) \
    FUNCTION(void, JxlDecoderDestroy, (JxlDecoder *)) \
    FUNCTION(CJXL_ENUM(JxlDecoderStatus), JxlDecoderSubscribeEvents, (JxlDecoder *, int)) \
    FUNCTION(CJXL_ENUM(JxlDecoderStatus), JxlDecoderSetUnpremultiplyAlpha, (JxlDecoder *, int)) \
    FUNCTION(CJXL_ENUM(JxlDecoderStatus), JxlDecoderSetInput, (JxlDecoder *, const uint8_t *, size_t)) \
    FUNCTION(CJXL_ENUM(JxlDecoderStatus), JxlDecoderProcessInput, (JxlDecoder *)) \
    FUNCTION(CJXL_ENUM(JxlDecoderStatus), JxlDecoderGetBasicInfo, (const JxlDecoder *, JxlBasicInfo *)) \
    FUNCTION(CJXL_ENUM(JxlDecoderStatus), JxlDecoderImageOutBufferSize, \
        (const JxlDecoder *, const JxlPixelFormat *, size_t *)) \
    FUNCTION(CJXL_ENUM(JxlDecoderStatus), JxlDecoderSetImageOutBuffer, \
        (JxlDecoder *, const JxlPixelFormat *, void *, size_t)) \
    FUNCTION(void, JxlDecoderCloseInput, (JxlDecoder *)) \
    FUNCTION(CJXL_ENUM(JxlDecoderStatus), JxlDecoderSetJPEGBuffer, (JxlDecoder *, uint8_t *, size_t)) \
    FUNCTION(size_t, JxlDecoderReleaseJPEGBuffer, (JxlDecoder *)) \
    FUNCTION(JxlEncoder *, JxlEncoderCreate, (const JxlMemoryManager *)) \
    FUNCTION(void, JxlEncoderDestroy, (JxlEncoder *)) \
    FUNCTION(CJXL_ENUM(JxlEncoderError), JxlEncoderGetError, (JxlEncoder *)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderUseContainer, (JxlEncoder *, int)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderStoreJPEGMetadata, (JxlEncoder *, int)) \
    FUNCTION(void, JxlEncoderInitBasicInfo, (JxlBasicInfo *)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderSetBasicInfo, (JxlEncoder *, const JxlBasicInfo *)) \
    FUNCTION(void, JxlColorEncodingSetToSRGB, (JxlColorEncoding *, int)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderSetColorEncoding, (JxlEncoder *, const JxlColorEncoding *)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderSetICCProfile, (JxlEncoder *, const uint8_t *, size_t)) \
    FUNCTION(JxlEncoderFrameSettings *, JxlEncoderFrameSettingsCreate, \
        (JxlEncoder *, const JxlEncoderFrameSettings *)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderFrameSettingsSetOption, \
        (JxlEncoderFrameSettings *, CJXL_ENUM(JxlEncoderFrameSettingId), int64_t)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderSetFrameLossless, (JxlEncoderFrameSettings *, int)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderSetFrameDistance, (JxlEncoderFrameSettings *, float)) \
    FUNCTION(void, JxlEncoderInitFrameHeader, (JxlFrameHeader *)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderSetFrameHeader, \
        (JxlEncoderFrameSettings *, const JxlFrameHeader *)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderAddJPEGFrame, \
        (const JxlEncoderFrameSettings *, const uint8_t *, size_t)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderAddImageFrame, \
        (const JxlEncoderFrameSettings *, const JxlPixelFormat *, const void *, size_t)) \
    FUNCTION(void, JxlEncoderCloseInput, (JxlEncoder *)) \
    FUNCTION(CJXL_ENUM(JxlEncoderStatus), JxlEncoderProcessOutput, (JxlEncoder *, uint8_t **, size_t *))

/// The functions that lost their unused second parameter in version 0.9: name, and the parameters after it and before
/// it.
#define CJXL_PROFILE_FUNCTIONS(FUNCTION) \
    FUNCTION(JxlDecoderGetColorAsEncodedProfile, \
        (const JxlDecoder *, CJXL_ENUM(JxlColorProfileTarget), JxlColorEncoding *), \
        (const JxlDecoder *, const JxlPixelFormat *, CJXL_ENUM(JxlColorProfileTarget), JxlColorEncoding *)) \
    FUNCTION(JxlDecoderGetICCProfileSize, \
        (const JxlDecoder *, CJXL_ENUM(JxlColorProfileTarget), size_t *), \
        (const JxlDecoder *, const JxlPixelFormat *, CJXL_ENUM(JxlColorProfileTarget), size_t *)) \
    FUNCTION(JxlDecoderGetColorAsICCProfile, \
        (const JxlDecoder *, CJXL_ENUM(JxlColorProfileTarget), uint8_t *, size_t), \
        (const JxlDecoder *, const JxlPixelFormat *, CJXL_ENUM(JxlColorProfileTarget), uint8_t *, size_t))

/// The functions under their own names.
struct CJXLFunctions {
#define CJXL_FIELD(result, name, parameters) result (*name) parameters;
    CJXL_FUNCTIONS(CJXL_FIELD)
#undef CJXL_FIELD
};

/// Loads the library. Later calls return the same result. NULL if the library is not installed.
const struct CJXLFunctions *cjxl_load(void);

#ifndef CJXL_TYPES_ARE_KNOWN
/// The functions whose parameters depend on the version. They must be called after a successful `cjxl_load`.
int cjxl_color_encoding(const JxlDecoder *decoder, JxlColorEncoding *encoding);
int cjxl_profile_size(const JxlDecoder *decoder, size_t *size);
int cjxl_profile(const JxlDecoder *decoder, uint8_t *profile, size_t size);
#endif
