#pragma once

// The encoder of libjxl, and what of its decoder shows that a JPEG can be had back; loaded when the first JPEG XL has to
// be made.
//
// It brings eight libraries with it that hardly any run needs. As with poppler (CPoppler.h), its functions are declared
// here, because pkg-config gives the path to its headers only together with the order to link it. A test compares the
// declarations with the headers (Tests/CJXLEncoderCheck). What is declared has been the same from libjxl 0.7 to 0.11.

#include <stddef.h>
#include <stdint.h>

#ifdef CJXLENCODER_TYPES_ARE_KNOWN

typedef JxlEncoder CJXLEncoderHandle;
typedef JxlDecoder CJXLEncoderCheckHandle;
typedef JxlDecoderStatus CJXLEncoderCheckStatus;
typedef JxlEncoderFrameSettings CJXLEncoderSettings;
typedef JxlMemoryManager CJXLEncoderMemory;
typedef JxlEncoderStatus CJXLEncoderStatus;
typedef JxlEncoderError CJXLEncoderError;
typedef JxlEncoderFrameSettingId CJXLEncoderOption;
typedef JxlPixelFormat CJXLEncoderPixels;
typedef JxlBasicInfo CJXLEncoderInfo;
typedef JxlColorEncoding CJXLEncoderColors;

#else

typedef struct CJXLEncoderHandle CJXLEncoderHandle;
typedef struct CJXLEncoderCheckHandle CJXLEncoderCheckHandle;
typedef unsigned CJXLEncoderCheckStatus;
typedef struct CJXLEncoderSettings CJXLEncoderSettings;
typedef struct CJXLEncoderMemory CJXLEncoderMemory;
typedef unsigned CJXLEncoderStatus;
typedef unsigned CJXLEncoderError;
typedef unsigned CJXLEncoderOption;

/// JxlPixelFormat: how samples lie in memory.
typedef struct {
    uint32_t channels;
    unsigned type;
    unsigned byte_order;
    size_t row_alignment;
} CJXLEncoderPixels;

/// JxlBasicInfo: what the picture is. The names that matter here; the others are filled in by libjxl.
typedef struct {
    int have_container;
    uint32_t width;
    uint32_t height;
    uint32_t bits_per_sample;
    uint32_t exponent_bits_per_sample;
    float light[2];
    int relative_to_max_display;
    float linear_below;
    int uses_original_profile;
    int have_preview;
    int have_animation;
    unsigned orientation;
    uint32_t color_channels;
    uint32_t extra_channels;
    uint32_t alpha_bits;
    uint32_t alpha_exponent_bits;
    int alpha_premultiplied;
    uint32_t preview[2];
    uint32_t animation[4];
    uint32_t intrinsic_size[2];
    uint8_t padding[100];
} CJXLEncoderInfo;

/// JxlColorEncoding: what colours the samples are. Only libjxl looks into it.
typedef struct {
    double content[13];
} CJXLEncoderColors;

#endif

enum {
    /// JXL_ENC_SUCCESS, JXL_DEC_SUCCESS
    CJXLENCODER_SUCCESS = 0,
    /// JXL_ENC_NEED_MORE_OUTPUT
    CJXLENCODER_NEED_MORE_OUTPUT = 2,
    /// JXL_ENC_FRAME_SETTING_EFFORT
    CJXLENCODER_EFFORT = 0,
    /// JXL_TYPE_UINT8
    CJXLENCODER_UINT8 = 2,
    /// JXL_TYPE_UINT16
    CJXLENCODER_UINT16 = 3,
    /// JXL_BIG_ENDIAN
    CJXLENCODER_BIG_ENDIAN = 2,
    /// JXL_DEC_FULL_IMAGE
    CJXLENCODER_WHOLE_PICTURE = 0x1000,
    /// JXL_DEC_JPEG_RECONSTRUCTION
    CJXLENCODER_RECONSTRUCTION = 0x2000,
};

/// Every function that jisui calls: result, name, parameters.
#define CJXLENCODER_FUNCTIONS(FUNCTION) \
    FUNCTION(CJXLEncoderHandle *, JxlEncoderCreate, (const CJXLEncoderMemory *)) \
    FUNCTION(void, JxlEncoderDestroy, (CJXLEncoderHandle *)) \
    FUNCTION(CJXLEncoderError, JxlEncoderGetError, (CJXLEncoderHandle *)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderUseContainer, (CJXLEncoderHandle *, int)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderStoreJPEGMetadata, (CJXLEncoderHandle *, int)) \
    FUNCTION(void, JxlEncoderInitBasicInfo, (CJXLEncoderInfo *)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderSetBasicInfo, (CJXLEncoderHandle *, const CJXLEncoderInfo *)) \
    FUNCTION(void, JxlColorEncodingSetToSRGB, (CJXLEncoderColors *, int)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderSetColorEncoding, (CJXLEncoderHandle *, const CJXLEncoderColors *)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderSetICCProfile, (CJXLEncoderHandle *, const uint8_t *, size_t)) \
    FUNCTION(CJXLEncoderSettings *, JxlEncoderFrameSettingsCreate, (CJXLEncoderHandle *, const CJXLEncoderSettings *)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderFrameSettingsSetOption, (CJXLEncoderSettings *, CJXLEncoderOption, int64_t)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderSetFrameLossless, (CJXLEncoderSettings *, int)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderSetFrameDistance, (CJXLEncoderSettings *, float)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderAddJPEGFrame, (const CJXLEncoderSettings *, const uint8_t *, size_t)) \
    FUNCTION( \
        CJXLEncoderStatus, JxlEncoderAddImageFrame, \
        (const CJXLEncoderSettings *, const CJXLEncoderPixels *, const void *, size_t)) \
    FUNCTION(void, JxlEncoderCloseInput, (CJXLEncoderHandle *)) \
    FUNCTION(CJXLEncoderStatus, JxlEncoderProcessOutput, (CJXLEncoderHandle *, uint8_t **, size_t *)) \
    FUNCTION(CJXLEncoderCheckHandle *, JxlDecoderCreate, (const CJXLEncoderMemory *)) \
    FUNCTION(void, JxlDecoderDestroy, (CJXLEncoderCheckHandle *)) \
    FUNCTION(CJXLEncoderCheckStatus, JxlDecoderSubscribeEvents, (CJXLEncoderCheckHandle *, int)) \
    FUNCTION(CJXLEncoderCheckStatus, JxlDecoderSetInput, (CJXLEncoderCheckHandle *, const uint8_t *, size_t)) \
    FUNCTION(void, JxlDecoderCloseInput, (CJXLEncoderCheckHandle *)) \
    FUNCTION(CJXLEncoderCheckStatus, JxlDecoderProcessInput, (CJXLEncoderCheckHandle *)) \
    FUNCTION(CJXLEncoderCheckStatus, JxlDecoderSetJPEGBuffer, (CJXLEncoderCheckHandle *, uint8_t *, size_t)) \
    FUNCTION(size_t, JxlDecoderReleaseJPEGBuffer, (CJXLEncoderCheckHandle *))

/// The functions under their own names.
struct CJXLEncoderFunctions {
#define CJXLENCODER_FIELD(result, name, parameters) result (*name) parameters;
    CJXLENCODER_FUNCTIONS(CJXLENCODER_FIELD)
#undef CJXLENCODER_FIELD
};

/// Loads the library; each call after the first gives the same. NULL when it is not installed.
const struct CJXLEncoderFunctions *cjxlencoder_load(void);
