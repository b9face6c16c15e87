// The functions that CJXL.h declares are those of the real headers.

#include <jxl/decode.h>
#include <jxl/encode.h>

#define CJXL_TYPES_ARE_KNOWN
#include "CJXL.h"

#define CHECK(result, name, parameters) static result (*const check_##name) parameters __attribute__((unused)) = name;
CJXL_FUNCTIONS(CHECK)

// Of the functions that changed with 0.9, the kind that the headers at hand have.
#ifndef JPEGXL_NUMERIC_VERSION
#include <jxl/version.h>
#endif
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define CHECK_PROFILE(name, parameters, old_parameters) \
    static JxlDecoderStatus (*const check_##name) old_parameters __attribute__((unused)) = name;
#else
#define CHECK_PROFILE(name, parameters, old_parameters) \
    static JxlDecoderStatus (*const check_##name) parameters __attribute__((unused)) = name;
#endif
CJXL_PROFILE_FUNCTIONS(CHECK_PROFILE)

#define SAME(ours, theirs) _Static_assert((int)ours == (int)theirs, #ours)

SAME(CJXL_SUCCESS, JXL_DEC_SUCCESS);
SAME(CJXL_SUCCESS, JXL_ENC_SUCCESS);
SAME(CJXL_NEED_MORE_OUTPUT, JXL_ENC_NEED_MORE_OUTPUT);
SAME(CJXL_ERROR, JXL_DEC_ERROR);
SAME(CJXL_NEED_MORE_INPUT, JXL_DEC_NEED_MORE_INPUT);
SAME(CJXL_NEED_IMAGE_OUT_BUFFER, JXL_DEC_NEED_IMAGE_OUT_BUFFER);
SAME(CJXL_BASIC_INFO, JXL_DEC_BASIC_INFO);
SAME(CJXL_COLOR_ENCODING, JXL_DEC_COLOR_ENCODING);
SAME(CJXL_FRAME, JXL_DEC_FRAME);
SAME(CJXL_FULL_IMAGE, JXL_DEC_FULL_IMAGE);
SAME(CJXL_JPEG_RECONSTRUCTION, JXL_DEC_JPEG_RECONSTRUCTION);
SAME(CJXL_EFFORT, JXL_ENC_FRAME_SETTING_EFFORT);
SAME(CJXL_UINT8, JXL_TYPE_UINT8);
SAME(CJXL_UINT16, JXL_TYPE_UINT16);
SAME(CJXL_BIG_ENDIAN, JXL_BIG_ENDIAN);
SAME(CJXL_DATA, JXL_COLOR_PROFILE_TARGET_DATA);
SAME(CJXL_SPACE_RGB, JXL_COLOR_SPACE_RGB);
SAME(CJXL_SPACE_GRAY, JXL_COLOR_SPACE_GRAY);
SAME(CJXL_WHITE_D65, JXL_WHITE_POINT_D65);
SAME(CJXL_PRIMARIES_SRGB, JXL_PRIMARIES_SRGB);
SAME(CJXL_TRANSFER_SRGB, JXL_TRANSFER_FUNCTION_SRGB);
